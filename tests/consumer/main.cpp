#include <iostream>

#include <sparse/sparse.hpp>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  auto const fluid = sparse::box<2>({0, 0}, {400, 160}) - sparse::ball<2>({80, 80}, 20);
  std::cout << fluid.cell_count() << " cells\n";
}
