#include <sparse/fields/gather.hpp>

namespace sparse::detail {

template <int Dim>
void expect_found(Context const& context, Buffer<Vec<Coord, Dim>> const& cells, Buffer<Index> const& positions,
                  char const* operation, std::string const& field) {
  Index const* const position = positions.data();
  Index const count = positions.size();
  Index const first = parallel_reduce<Kokkos::Min, Index>(
      context, "sparse::gather::first_missing", count, KOKKOS_LAMBDA(Index i, Index & least) {
        if (position[i] < 0 && i < least) least = i;
      });
  if (first >= count) return;
  auto const cell = read_back(context, static_cast<Vec<Coord, Dim> const*>(cells.data() + first));
  std::string text;
  for (int axis = 0; axis < Dim; ++axis) text += (axis == 0 ? "" : ", ") + std::to_string(cell[axis]);
  fail(std::string(operation) + ": number " + std::to_string(first) + " of the cells, (" + text +
       "), is not in the domain of field '" + field + "'");
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template void expect_found(Context const&, Buffer<Vec<Coord, Dim>> const&, Buffer<Index> const&, char const*,        \
                             std::string const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::detail
