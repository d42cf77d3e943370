#include "euler_flow.hpp"

SPARSE_TEST_FLOW(, double, 2)
SPARSE_TEST_FLOW(, float, 2)
