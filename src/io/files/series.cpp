#include <sparse/io/files/series.hpp>

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sparse/base/error.hpp>
#include <sparse/io/files/file.hpp>

#include "xml.hpp"

namespace sparse::io {
namespace fs = std::filesystem;

TimeSeries::TimeSeries(fs::path path) : path_(std::move(path)) {
  auto const extension = path_.extension();
  if (extension != ".pvd" && extension != ".series")
    fail(fmt::format("{}: the name of a series ends in .pvd or .series", path_.string()));
}

void TimeSeries::add(double time, fs::path const& file) {
  auto const folder = fs::absolute(path_).lexically_normal().parent_path();
  steps_.push_back({time, fs::absolute(file).lexically_normal().lexically_relative(folder).generic_string()});
  write_text(path_, text());
}

std::string TimeSeries::text() const {
  if (path_.extension() == ".series") {
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    for (Step const& step : steps_) files.push_back({{"name", step.file}, {"time", step.time}});
    nlohmann::ordered_json const list = {{"file-series-version", "1.0"}, {"files", files}};
    return list.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n";
  int part = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    part = i > 0 && steps_[i].time == steps_[i - 1].time ? part + 1 : 0;
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"{}\" file=\"{}\"/>\n", steps_[i].time, part,
                        xml_escaped(steps_[i].file));
  }
  return text + "  </Collection>\n</VTKFile>\n";
}

}  // namespace sparse::io
