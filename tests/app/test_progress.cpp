#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <sparse/app/run/progress.hpp>

namespace {

using sparse::Index;

constexpr std::array<Index, 3> cells{1000, 200, 30};
double total() { return 4.25; }

TEST(Progress, PrintsTheLastLineWholeIntoAFile) {
  std::FILE* const file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    sparse::app::Progress progress(10, 1000, total, "mass", file);
    for (Index step = 1; step <= 50; ++step) progress.report(step, 0.1 * step, 0.1, cells, 1230);
    progress.finish();
    EXPECT_NEAR(progress.updates_per_second() * progress.seconds(), 50 * 1230, 50 * 1230 * 0.1);
  }
  std::rewind(file);
  std::string text(1000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  EXPECT_EQ(text.rfind("step 50  t 5 of 10  dt 0.1  cells 1000 + 200 + 30  mass 4.25  ", 0), 0u) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
  EXPECT_EQ(text.find('\r'), std::string::npos);
}

TEST(Progress, StaysOnOneLineOfANarrowTerminal) {
  int const master = posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(master, 0);
  ASSERT_EQ(grantpt(master), 0);
  ASSERT_EQ(unlockpt(master), 0);
  std::FILE* const terminal = std::fopen(ptsname(master), "w");
  ASSERT_NE(terminal, nullptr);
  winsize size{};
  size.ws_col = 40;
  ASSERT_EQ(ioctl(fileno(terminal), TIOCSWINSZ, &size), 0);
  sparse::app::Progress progress(10, 1000, total, "mass", terminal);
  usleep(150000);
  progress.report(1, 0.1, 0.1, cells, 1230);
  std::string text(1000, '\0');
  text.resize(static_cast<std::size_t>(read(master, text.data(), text.size())));
  std::fclose(terminal);
  close(master);
  EXPECT_EQ(text.rfind("\r\033[Kstep 1  t 0.1 of 10", 0), 0u) << text;
  EXPECT_EQ(text.size(), 4 + 39u) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

}  // namespace
