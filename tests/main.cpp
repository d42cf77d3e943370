#include <gtest/gtest.h>

#include <sparse/base/runtime.hpp>

int main(int argc, char** argv) {
  sparse::Runtime const runtime;
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
