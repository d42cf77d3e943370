#include <sparse/app/compressible/run.hpp>

SPARSE_RUN(, float, 2)
SPARSE_RUN(, double, 2)
