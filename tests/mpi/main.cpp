/// Tests of several ranks: each runs all of them. A failure on one ends all, since the others would wait for it.

#include <iostream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include <sparse/base/runtime.hpp>
#include <sparse/distributed/mpi_world.hpp>

#include "team_of_test.hpp"

namespace {

sparse::distributed::MpiWorld* world = nullptr;

class EndAll : public testing::EmptyTestEventListener {
  void OnTestPartResult(testing::TestPartResult const& result) override {
    if (result.failed()) world->abort(1);
  }
};

}  // namespace

sparse::distributed::Team& team_of_test() { return world->team(); }

namespace {

int run_tests(int argc, char** argv) {
  sparse::distributed::MpiWorld all(argc, argv);
  world = &all;
  if (argc == 2 && std::string(argv[1]) == "throw") {  // on one rank, while the others wait for it
    if (all.team().rank() + 1 == all.team().size()) throw std::runtime_error("one rank gives up");
    all.team().all(true);
  }
  sparse::Runtime const runtime;
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new EndAll);
  return RUN_ALL_TESTS();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_tests(argc, argv);
  } catch (std::exception const& error) {
    std::cerr << error.what() << '\n';
    return 0;  // not reached: the end of MpiWorld has ended all ranks
  }
}
