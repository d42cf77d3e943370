#pragma once
/// Reads and writes lists of single cells of a field. Kernels that visit whole sets use plans instead.

#include <vector>

#include <sparse/fields/field.hpp>
#include <sparse/sets/locate.hpp>

namespace sparse {
namespace detail {

/// Throws, naming the first cell that was not found.
template <int Dim>
void expect_found(Context const& context, Buffer<Vec<Coord, Dim>> const& cells, Buffer<Index> const& positions,
                  char const* operation, std::string const& field);

/// One write of a list. Writes are ordered by cell, then by place in the list.
struct Write {
  Index cell, entry;
  KOKKOS_FORCEINLINE_FUNCTION friend bool operator==(Write const& a, Write const& b) {
    return a.cell == b.cell && a.entry == b.entry;
  }
  KOKKOS_FORCEINLINE_FUNCTION friend bool operator<(Write const& a, Write const& b) {
    return a.cell != b.cell ? a.cell < b.cell : a.entry < b.entry;
  }
};

template <class T>
Buffer<T> read_cells(Context const& context, T const* values, Buffer<Index> const& positions) {
  Index const* const position = positions.data();
  Buffer<T> result(context, positions.size());
  T* const out = result.data();
  parallel_for(
      context, "sparse::gather::read", positions.size(), KOKKOS_LAMBDA(Index i) { out[i] = values[position[i]]; });
  return result;
}

}  // namespace detail

/// The values of one component at `cells`, in device memory. Cost: one search in the domain per cell.
/// @throws std::invalid_argument  naming the first cell that is not in the domain, or if there is no such component
template <class T, int Dim>
Buffer<T> gather(Field<T, Dim> const& field, Buffer<Vec<Coord, Dim>> const& cells, int component = 0) {
  T const* const values = field.component(component);
  auto const positions = find(field.domain(), cells);
  detail::expect_found(field.context(), cells, positions, "gather", field.name());
  return detail::read_cells(field.context(), values, positions);
}

/// Writes `values[i]` to `cells[i]`. Where a cell is named more than once, the last value wins.
/// Cost: one search in the domain per cell, and a sort.
/// @throws std::invalid_argument  and writes nothing if a cell is not in the domain (naming the first one), if there
///                                are not as many values as cells, or if there is no such component
template <class T, int Dim>
void scatter(Field<T, Dim>& field, Buffer<Vec<Coord, Dim>> const& cells, Buffer<T> const& values, int component = 0) {
  expects(values.size() == cells.size(), "scatter: there must be one value per cell");
  T* const out = field.component(component);
  Context const context = field.context();
  auto const positions = find(field.domain(), cells);
  detail::expect_found(context, cells, positions, "scatter", field.name());
  Index const* const position = positions.data();
  Index const count = cells.size();
  Buffer<detail::Write> const writes(context, count);
  detail::Write* const write = writes.data();
  parallel_for(
      context, "sparse::gather::list_writes", count, KOKKOS_LAMBDA(Index i) {
        write[i] = {position[i], i};
      });
  sort_unique(context, write, count);
  T const* const from = values.data();
  parallel_for(
      context, "sparse::gather::write", count, KOKKOS_LAMBDA(Index i) {
        if (i + 1 == count || write[i + 1].cell != write[i].cell) out[write[i].cell] = from[write[i].entry];
      });
  context.fence();  // callers may free the values now
}

// ---- the same for lists in host memory

/// Values of one component at cells; `scatter` writes them. Cost: as above, and copies from and to the host.
/// @throws std::invalid_argument  as above
template <class T, int Dim>
std::vector<T> gather(Field<T, Dim> const& field, std::vector<Vec<Coord, Dim>> const& cells, int component = 0) {
  auto const values = gather(field, to_device(field.context(), cells), component);
  return to_host(field.context(), static_cast<T const*>(values.data()), values.size());
}
template <class T, int Dim>
void scatter(Field<T, Dim>& field, std::vector<Vec<Coord, Dim>> const& cells, std::vector<T> const& values,
             int component = 0) {
  scatter(field, to_device(field.context(), cells), to_device(field.context(), values), component);
}

}  // namespace sparse
