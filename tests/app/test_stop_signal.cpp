#include <stdexcept>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sparse/app/run/stop_signal.hpp>

namespace {

using sparse::app::StopSignal;

volatile sig_atomic_t handled = 0;
void count_signal(int) { handled = handled + 1; }

TEST(StopSignal, NotesWhatCameFirst) {
  for (int number : {SIGINT, SIGTERM}) {
    StopSignal const stop;
    EXPECT_FALSE(stop.requested());
    EXPECT_EQ(stop.signal(), 0);
    EXPECT_EQ(stop.exit_status(), 0);
    ASSERT_EQ(kill(getpid(), number), 0);
    EXPECT_TRUE(stop.requested());
    EXPECT_EQ(stop.signal(), number);
    EXPECT_EQ(stop.exit_status(), 128 + number);
  }
}

TEST(StopSignal, GivesTheSignalsBack) {
  struct sigaction before {};
  sigaction(SIGTERM, nullptr, &before);
  signal(SIGTERM, count_signal);
  {
    StopSignal const stop;
    raise(SIGTERM);
    EXPECT_EQ(handled, 0);
  }
  raise(SIGTERM);
  EXPECT_EQ(handled, 1);
  sigaction(SIGTERM, &before, nullptr);
}

TEST(StopSignal, IsTheOnlyOne) {
  {
    StopSignal const first;
    EXPECT_THROW(StopSignal(), std::logic_error);
    raise(SIGINT);
    EXPECT_TRUE(first.requested());
  }
  EXPECT_FALSE(StopSignal().requested());
}

/// The signal that ended a process that sent itself these; 0 if it got through.
int end_of(int first, int second) {
  pid_t const child = fork();
  if (child == 0) {
    StopSignal const stop;
    raise(first);
    if (second != 0) raise(second);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(StopSignal, KillsAtTheSecond) {
  for (int first : {SIGINT, SIGTERM}) {
    EXPECT_EQ(end_of(first, 0), 0);
    for (int second : {SIGINT, SIGTERM}) EXPECT_EQ(end_of(first, second), second);
  }
}

}  // namespace
