#include <cmath>
#include <csignal>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>

#include <sparse/io/files/file.hpp>
#include <sparse/io/files/history.hpp>
#include <sparse/io/files/series.hpp>
#include <sparse/io/levels/overlapping_amr.hpp>
#include <sparse/io/pictures/image.hpp>
#include <sparse/io/sets/set_file.hpp>
#include <sparse/io/vtk/vtu.hpp>

#include "support/io_levels.hpp"

namespace {

using namespace io_test;
using Names = std::vector<std::string>;

/// No file of this process can grow beyond `bytes` while this lives: a full disk without the disk.
class FileSizeLimit {
public:
  explicit FileSizeLimit(std::uintmax_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

private:
  rlimit before_;
  void (*handler_)(int);
};

/// Runs `write(path)` and expects an error that names the path and contains `reason`.
template <class Write>
void expect_failure(std::filesystem::path const& path, Write&& write, std::string const& reason = "") {
  try {
    write(path);
    ADD_FAILURE() << path << " was written";
  } catch (std::runtime_error const& error) {
    std::string const what = error.what();
    EXPECT_EQ(what.find(path.string()), 0u) << what;
    EXPECT_EQ(what.find(".tmp"), std::string::npos) << what;
    EXPECT_NE(what.find(reason), std::string::npos) << what;
  }
}

struct Writer {
  char const* name;
  std::function<void(std::filesystem::path const&)> write;
};

std::vector<Writer> all_writers() {
  static auto const levels = random_levels<2>(5).data;
  static auto const levels_3d = random_levels<3>(5).data;
  static auto const image = [] {
    io::Image noise(80, 60, {1, 2, 3});
    for (std::size_t i = 0; i < noise.pixels.size(); ++i) noise.pixels[i][i % 3] = static_cast<std::uint8_t>(i * i);
    return noise;
  }();
  return {{"a.vtu", [](auto& path) { io::write_vtu<2>(path, {}, levels); }},
          {"b.vtu", [](auto& path) { io::write_geometry<3>(path, {}, 0, levels_3d[0].cells); }},
          {"a.hdf", [](auto& path) { io::write_overlapping_amr<2>(path, {}, levels); }},
          {"b.hdf", [](auto& path) { io::write_overlapping_amr<3>(path, {}, levels_3d, {true}); }},
          {"a.h5", [](auto& path) { io::write_hdf5(path, sparse::from_host<2>(levels[0].cells)); }},
          {"a.png", [](auto& path) { io::write_png(path, image); }},
          {"a.txt", [](auto& path) { io::write_text(path, std::string(5000, 'x')); }},
          {"a.json",
           [](auto& path) {
             io::write_json(path, {{"key", std::string(5000, 'x')}});
           }},
          {"a.pvd", [](auto& path) { io::TimeSeries(path).add(1, "step.vtu"); }},
          {"a.hdf.series", [](auto& path) { io::TimeSeries(path).add(1, "step.hdf"); }}};
}

TEST(Files, FullDisksAreReportedAndLeaveTheOldFileAndNoOther) {
  Folder const folder;
  for (auto const& [name, write] : all_writers()) {
    SCOPED_TRACE(name);
    auto const path = folder / name;
    write(path);
    auto const whole = std::filesystem::file_size(path);
    auto const before = contents(path);
    ASSERT_GT(whole, 0u);
    for (std::uintmax_t limit :
         {std::uintmax_t{0}, std::uintmax_t{1}, whole / 10, whole / 3, whole / 2, whole * 9 / 10, whole - 1}) {
      SCOPED_TRACE(testing::Message() << limit << " of " << whole << " bytes");
      FileSizeLimit const full(limit);
      expect_failure(path, write, "File too large");
    }
    EXPECT_EQ(contents(path), before);
    EXPECT_EQ(folder.names(), Names{name});
    write(path);  // and all is well when there is space again
    EXPECT_EQ(std::filesystem::file_size(path), whole);
    std::filesystem::remove(path);
  }
}

TEST(Files, FoldersThatDoNotExistOrAreFilesAreReported) {
  Folder const folder;
  io::write_text(folder / "file", "text");
  for (auto const& [name, write] : all_writers()) {
    SCOPED_TRACE(name);
    expect_failure(folder / "missing" / name, write, "No such file or directory");
    expect_failure(folder / "file" / name, write, "Not a directory");
  }
  EXPECT_EQ(folder.names(), Names{"file"});
}

TEST(Files, AFolderInPlaceOfTheFileIsReported) {
  Folder const folder;
  std::filesystem::create_directory(folder / "taken");
  for (auto const& [name, write] : all_writers())
    if (std::string(name).find("series") == std::string::npos && std::string(name) != "a.pvd")
      expect_failure(folder / "taken", write, "directory");
  EXPECT_EQ(folder.names(), Names{"taken"});
}

TEST(Files, AFailingWriterLeavesNothing) {
  Folder const folder;
  io::write_text(folder / "a", "old");
  EXPECT_THROW(io::write_atomically(folder / "a",
                                    [](auto& temporary) {
                                      std::ofstream(temporary) << "half";
                                      throw std::logic_error("stop");
                                    }),
               std::logic_error);
  expect_failure(folder / "a", [](auto& path) { io::write_atomically(path, [](auto&) {}); });
  EXPECT_EQ(contents(folder / "a"), "old");
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(Files, NamesWithoutFolderLieInTheWorkingFolder) {
  Folder const folder;
  auto const before = std::filesystem::current_path();
  std::filesystem::current_path(folder / "");
  io::write_text("here", "text");
  io::TimeSeries("run.pvd").add(0, "step.vtu");
  std::filesystem::current_path(before);
  EXPECT_EQ(folder.names(), (Names{"here", "run.pvd"}));
  EXPECT_NE(contents(folder / "run.pvd").find("file=\"step.vtu\""), std::string::npos);
}

TEST(Files, JsonKeepsOrderAndSurvivesOddNumbers) {
  Folder const folder;
  io::write_json(folder / "run.json", {{"zeta", 1}, {"alpha", 0.1}, {"bad", std::nan("")}, {"bytes", "\xff"}});
  auto const text = contents(folder / "run.json");
  auto const read = nlohmann::json::parse(text);
  EXPECT_EQ(read["alpha"], 0.1);
  EXPECT_TRUE(read["bad"].is_null());
  EXPECT_LT(text.find("zeta"), text.find("alpha"));
  EXPECT_EQ(text.back(), '\n');
  io::write_json(folder / "run.json", nlohmann::json{{"a", 1}});
  EXPECT_EQ(nlohmann::json::parse(contents(folder / "run.json"))["a"], 1);
}

TEST(TimeSeries, CollectionsGrowStepByStepWithRelativeNames) {
  Folder const folder;
  io::TimeSeries series(folder / "run.pvd");
  EXPECT_TRUE(folder.names().empty());
  series.add(0, folder / "run_0.vtu");
  series.add(0.1, folder / "steps/a&b.vtu");
  series.add(0.1, folder / "fluid.vtu");
  EXPECT_EQ(contents(series.path()),
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n"
            "    <DataSet timestep=\"0\" part=\"0\" file=\"run_0.vtu\"/>\n"
            "    <DataSet timestep=\"0.1\" part=\"0\" file=\"steps/a&amp;b.vtu\"/>\n"
            "    <DataSet timestep=\"0.1\" part=\"1\" file=\"fluid.vtu\"/>\n"
            "  </Collection>\n</VTKFile>\n");
}

TEST(TimeSeries, JsonListsNameFilesAndTimes) {
  Folder const folder;
  io::TimeSeries series(folder / "run.hdf.series");
  series.add(0, folder / "run_0.hdf");
  series.add(1.0 / 3, folder / "run_1.hdf");
  auto const list = nlohmann::json::parse(contents(series.path()));
  EXPECT_EQ(list["file-series-version"], "1.0");
  ASSERT_EQ(list["files"].size(), 2u);
  EXPECT_EQ(list["files"][1]["name"], "run_1.hdf");
  EXPECT_EQ(list["files"][1]["time"], 1.0 / 3);
  EXPECT_THROW(io::TimeSeries(folder / "run.xml"), std::invalid_argument);
}

TEST(History, NumbersReadBackExactly) {
  Folder const folder;
  std::vector<double> const values = {0.1, -1.0 / 3, 1e-300, 123456789, std::numeric_limits<double>::max(), 400};
  {
    io::History history(folder / "history.csv", {"a", "b", "c", "d", "e", "f"});
    EXPECT_EQ(contents(folder / "history.csv"), "a,b,c,d,e,f\n");
    history.add(values);
    EXPECT_THROW(history.add({1, 2}), std::invalid_argument);
    std::istringstream line(contents(folder / "history.csv").substr(12));  // flushed at once
    for (double value : values) {
      std::string number;
      std::getline(line, number, ',');
      EXPECT_EQ(std::stod(number), value);
    }
  }
  EXPECT_TRUE(contents(folder / "history.csv").ends_with(",400\n"));
  for (auto const& names : {Names{}, Names{""}, Names{"a,b"}, Names{"a\n"}})
    EXPECT_THROW(io::History(folder / "history.csv", names), std::invalid_argument);
}

TEST(History, AFullDiskLeavesWholeLines) {
  Folder const folder;
  auto const path = folder / "history.csv";
  io::History history(path, {"first", "second"});
  history.add({1, 2});
  auto const before = contents(path);
  {
    FileSizeLimit const full(before.size() + 3);
    expect_failure(
        path,
        [&](auto&) {
          history.add({0.123456, 7.654321});
        },
        "File too large");
    EXPECT_EQ(contents(path), before);
  }
  history.add({3, 4});
  EXPECT_EQ(contents(path), before + "3,4\n");
  expect_failure(
      "/dev/full", [](auto& full) { io::History(full, {"a"}); }, "No space left on device");
  expect_failure(folder / "missing/history.csv", [](auto& missing) { io::History(missing, {"a"}); });
}

TEST(History, AKilledRunLeavesWholeLines) {
  Folder const folder;
  auto const path = folder / "history.csv";
  pid_t const child = fork();
  if (child == 0) {
    io::History history(path, {"step", "value"});
    for (int i = 0;; ++i) history.add({double(i), i / 7.0});
  }
  ASSERT_GT(child, 0);
  for (int wait = 0; wait < 1000 && (!std::filesystem::exists(path) || std::filesystem::file_size(path) < 20000);
       ++wait)
    usleep(1000);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  auto const text = contents(path);
  ASSERT_GT(text.size(), 10000u);
  EXPECT_EQ(text.back(), '\n');
  std::istringstream lines(text.substr(text.find('\n') + 1));
  std::string line;
  for (int i = 0; std::getline(lines, line); ++i) {
    auto const comma = line.find(',');
    ASSERT_EQ(std::stod(line), i);
    ASSERT_EQ(std::stod(line.substr(comma + 1)), i / 7.0);
  }
}

}  // namespace
