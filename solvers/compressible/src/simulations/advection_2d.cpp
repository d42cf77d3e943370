#include <sparse/compressible/laws/advection.hpp>

SPARSE_ADVECTION(, 2)
