#include <Kokkos_Core.hpp>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard guard(argc, argv);
  Kokkos::View<int*> view("probe", 10);
  int sum = 0;
  Kokkos::parallel_reduce(
      "probe", 10, KOKKOS_LAMBDA(int i, int& value) { value += view(i) + i; }, sum);
  return sum == 45 ? 0 : 1;
}
