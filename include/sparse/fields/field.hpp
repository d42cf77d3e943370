#pragma once
/// Values on the cells of a set.

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

#include <sparse/base/error.hpp>
#include <sparse/base/parallel.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse {

/// What kernels see of a field: component c of cell i is `view(c, i)`. Copies refer to the same values.
template <class T>
struct FieldView {
  /// The first value of the first component.
  T* data = nullptr;
  Index stride = 0;  ///< distance between components

  /// The value of a cell, of component 0 or of the given one.
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(Index cell) const { return data[cell]; }
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(int component, Index cell) const { return data[component * stride + cell]; }

  /// Reads the first N components of a cell; `store` writes them.
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION Vec<std::remove_const_t<T>, N> load(Index cell) const {
    Vec<std::remove_const_t<T>, N> value;
    SPARSE_UNROLL
    for (int c = 0; c < N; ++c) value[c] = (*this)(c, cell);
    return value;
  }
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void store(Index cell, Vec<T, N> const& value) const {
    SPARSE_UNROLL
    for (int c = 0; c < N; ++c) (*this)(c, cell) = value[c];
  }
  /// A view that only reads.
  operator FieldView<T const>() const { return {data, stride}; }
};

namespace detail {

template <class T>
void fill_values(Context const& context, FieldView<T> const& view, Index cell_count, int component_count, T value) {
  for (int c = 0; c < component_count; ++c) {
    T* const values = view.data + c * view.stride;
    parallel_for(
        context, "sparse::field::fill", cell_count, KOKKOS_LAMBDA(Index i) { values[i] = value; });
  }
}

}  // namespace detail

/// One value, or several components, of type T per cell of a set. Each component is contiguous in the set's cell order.
/// Values live in device memory. A field can be moved but not copied: `clone(field)` makes a copy.
template <class T, int Dim>
class Field {
public:
  /// The type of values.
  using value_type = T;

  Field() = default;
  /// Values start uninitialised. Memory: the values; each component is padded by 64 to 128 bytes.
  /// @param name  for files and messages
  /// @throws std::invalid_argument  if there is not at least one component
  Field(std::string name, IntervalSet<Dim> domain, int component_count = 1)
      : name_(std::move(name)), domain_(std::move(domain)), component_count_(at_least_one(component_count)),
        stride_(padded(domain_.cell_count())), data_(domain_.context(), stride_ * component_count) {}
  /// Every component starts as `value`.
  /// @throws std::invalid_argument  if there is not at least one component
  Field(std::string name, IntervalSet<Dim> domain, int component_count, T value)
      : Field(std::move(name), std::move(domain), component_count) {
    detail::fill_values(context(), view(), cell_count(), component_count_, value);
  }
  /// One component that starts as `value`: `Field<double, 2> heat("heat", fluid, 0.0)`. The decimal point matters: an
  /// integer would be the number of components.
  template <std::floating_point Value>
  Field(std::string name, IntervalSet<Dim> domain, Value value) requires std::floating_point<T>
      : Field(std::move(name), std::move(domain), 1, static_cast<T>(value)) {}
  Field(Field&&) noexcept = default;
  Field& operator=(Field&&) noexcept = default;
  Field(Field const&) = delete;
  Field& operator=(Field const&) = delete;

  /// What was given, and what follows from it.
  std::string const& name() const { return name_; }
  IntervalSet<Dim> const& domain() const { return domain_; }
  Context context() const { return domain_.context(); }
  int component_count() const { return component_count_; }
  Index cell_count() const { return domain_.cell_count(); }

  /// What kernels need: component c of cell i lies at `data[c * stride + i]`. The field must outlive it.
  FieldView<T> view() { return {data_.data(), stride_}; }
  FieldView<T const> view() const { return {data_.data(), stride_}; }

  /// The values of one component in device memory.
  /// @throws std::invalid_argument  if there is no such component
  T* component(int c) { return data_.data() + start_of(c); }
  T const* component(int c) const { return data_.data() + start_of(c); }

  /// The memory of all components, with the distance between them that the view has. Who copies the buffer keeps the
  /// memory, for example to lend it to another language.
  Buffer<T> const& memory() const { return data_; }

private:
  static int at_least_one(int component_count) {
    expects(component_count > 0, "a field needs at least one component");
    return component_count;
  }
  Index start_of(int c) const {
    expects(c >= 0 && c < component_count_, "a field does not have this component");
    return c * stride_;
  }
  /// Components begin on cache lines. The extra line keeps large powers of two from being their distance, because such
  /// components would share cache sets.
  static Index padded(Index cells) {
    constexpr Index line = 64 / static_cast<Index>(sizeof(T));
    return ((cells + line - 1) / line + 1) * line;
  }

  std::string name_;
  IntervalSet<Dim> domain_;
  int component_count_ = 0;
  Index stride_ = 0;
  Buffer<T> data_;
};

/// The values of one component on the host, in the set's cell order: [cell_count()]. Waits for them.
/// @throws std::invalid_argument  if there is no such component
template <class T, int Dim>
std::vector<T> to_host(Field<T, Dim> const& field, int component = 0) {
  return to_host(field.context(), field.component(component), field.cell_count());
}

extern template class Field<float, 2>;
extern template class Field<float, 3>;
extern template class Field<double, 2>;
extern template class Field<double, 3>;

}  // namespace sparse
