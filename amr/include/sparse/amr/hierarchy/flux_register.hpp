#pragma once
/// Sums of fluxes through the faces where levels meet.

#include <sparse/amr/sweep/batches.hpp>
#include <sparse/fields/field.hpp>

namespace sparse::amr {

/// Sums of time step times flux, N components per face, for one set of faces per axis. All sums lie in one piece of
/// memory, so one kernel clears them.
template <class T, int Dim, int N>
class FluxRegister {
public:
  FluxRegister() = default;
  /// @param faces  [axis]
  explicit FluxRegister(Vec<IntervalSet<Dim>, Dim> const& faces) {
    Index size = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      if (faces[axis].cell_count() > 0) context_ = faces[axis].context();
      starts_[axis] = size;
      counts_[axis] = faces[axis].cell_count();
      size += N * counts_[axis];
    }
    values_ = Buffer<T>(context_, size);
  }

  /// Sets all values to 0.
  void clear() {
    T* const values = values_.data();
    for_each_stretch(
        context_, "sparse::amr::clear_register", values_.size(), 16384, KOKKOS_LAMBDA(Index i) { values[i] = 0; });
  }
  /// The values of the faces normal to an axis, in their order.
  FieldView<T> operator[](int axis) const { return {values_.data() + starts_[axis], counts_[axis]}; }

private:
  Context context_;
  Buffer<T> values_;
  Vec<Index, Dim> starts_ = {}, counts_ = {};
};

}  // namespace sparse::amr
