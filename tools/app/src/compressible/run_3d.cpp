#include <sparse/app/compressible/run.hpp>

SPARSE_RUN(, float, 3)
SPARSE_RUN(, double, 3)
