#pragma once
/// Fields from and to host values.

#include <sparse/fields/field.hpp>
#include <support/real_cases.hpp>
#include <support/reference.hpp>

namespace reference {

/// A type of value and a dimension, for tests typed over both.
template <class Value, int Dimension>
struct Case {
  using T = Value;
  static constexpr int value = Dimension;
};
using RealCases = RealCasesOf<Case>;
using AllCases =
    testing::Types<Case<double, 2>, Case<double, 3>, Case<float, 2>, Case<float, 3>, Case<int, 2>, Case<int, 3>>;

/// Writes one component, in the set's cell order.
template <class T, int Dim>
void set_values(sparse::Field<T, Dim>& field, std::vector<T> const& values, int component = 0) {
  auto const buffer = to_device(field.context(), values);
  T const* const from = buffer.data();
  sparse::FieldView<T> const to = field.view();
  sparse::parallel_for(
      field.context(), "sparse::test::set_values", field.cell_count(),
      KOKKOS_LAMBDA(Index i) { to(component, i) = from[i]; });
  field.context().fence();
}

/// Whole numbers between -bound and bound; sums of few of them are exact in every type.
template <class T>
std::vector<T> random_values(Index count, std::mt19937& engine, int bound = 9) {
  std::vector<T> values;
  for (Index i = 0; i < count; ++i) values.push_back(static_cast<T>(random_int(engine, -bound, bound)));
  return values;
}

template <class T, int Dim>
sparse::Field<T, Dim> random_field(IntervalSet<Dim> const& domain, std::mt19937& engine, int components = 1,
                                   int bound = 9) {
  sparse::Field<T, Dim> field("random", domain, components);
  for (int c = 0; c < components; ++c) set_values(field, random_values<T>(domain.cell_count(), engine, bound), c);
  return field;
}

/// Values by cell.
template <class T, int Dim>
std::map<Cell<Dim>, T, StorageOrder> value_map(sparse::Field<T, Dim> const& field, int component = 0) {
  std::map<Cell<Dim>, T, StorageOrder> map;
  auto const values = to_host(field, component);
  field.domain().to_host().for_each_cell(
      [&](Cell<Dim> const& cell, Index i) { map.emplace(cell, values[static_cast<std::size_t>(i)]); });
  return map;
}

}  // namespace reference
