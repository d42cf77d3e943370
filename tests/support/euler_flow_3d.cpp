#include "euler_flow.hpp"

SPARSE_TEST_FLOW(, double, 3)
SPARSE_TEST_FLOW(, float, 3)
