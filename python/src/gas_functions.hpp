#pragma once
/// What a gas calls of the user's: functions for states, for sides and for refinement.

#include <string>
#include <vector>

#include <sparse/amr/hierarchy/ghosts.hpp>
#include <sparse/amr/hierarchy/tagging.hpp>
#include <sparse/plans/for_each.hpp>

#include "field.hpp"
#include "in_use.hpp"

namespace sparse::python {

/// The user's functions. Closures of C++ hold their numbers; Python's collector of garbage sees the list.
using Functions = std::vector<nb::object>;

/// x of the centres of cells, (n, Dim).
template <int Dim>
nb::object positions_of(IntervalSet<Dim> const& cells, Vec<double, Dim> const& origin,
                        Vec<double, Dim> const& spacing) {
  double* out = nullptr;
  nb::object const array = new_array<double>({static_cast<std::size_t>(cells.cell_count()), Dim}, out);
  SetView const view = cells.rows();
  for (Index r = 0; r < view.row_count; ++r)
    for (Index i = view.row_ptr[r]; i < view.row_ptr[r + 1]; ++i) {
      auto cell = cell_at<Dim>(view.row_keys[r], view.intervals[i].begin);
      for (; cell[0] < view.intervals[i].end; ++cell[0])
        for (int axis = 0; axis < Dim; ++axis) *out++ = origin[axis] + (cell[axis] + 0.5) * spacing[axis];
    }
  return array;
}

/// What a function gave for n points: (components, n), or (components,) for all of them.
template <class T>
nb::object states_of(nb::handle given, int components, std::size_t n, char const* what) {
  nb::object const numpy = nb::module_::import_("numpy");
  nb::object array = numpy.attr("asarray")(given, nb::arg("dtype") = dtype_of<T>);
  if (nb::cast<int>(array.attr("ndim")) == 1) array = array.attr("reshape")(-1, 1);
  auto const shape = nb::make_tuple(components, n);
  try {
    return numpy.attr("ascontiguousarray")(numpy.attr("broadcast_to")(array, shape));
  } catch (nb::python_error&) {
    throw std::invalid_argument(std::string(what) + " must return the shape (" + std::to_string(components) + ", " +
                                std::to_string(n) + "), not " + text_of(array.attr("shape")) +
                                "; gas.state(...) makes such arrays");
  }
}

// ---- kernels

template <class Law>
struct TakePrimitive {
  Law law;
  FieldView<typename Law::Scalar const> state;
  FieldView<typename Law::Scalar> out;
  int first, count;
  KOKKOS_FUNCTION void operator()(RunPoint<Law::dimension, 2> const& p) const {
    auto const w = law.primitive(state.template load<Law::component_count>(p.operand(1)));
    for (int c = 0; c < count; ++c) out(c, p.operand(0)) = w[first + c];
  }
};

template <class Law>
struct AddChange {
  FieldView<typename Law::Scalar> state;
  FieldView<typename Law::Scalar const> change;
  typename Law::Scalar dt;
  KOKKOS_FUNCTION void operator()(RunPoint<Law::dimension, 2> const& p) const {
    for (int c = 0; c < Law::component_count; ++c) state(c, p.operand(0)) += dt * change(c, p.operand(1));
  }
};

/// `count` primitive variables from `first` on, on `cells`.
template <class Law>
Field<typename Law::Scalar, Law::dimension>
primitive_on(Law const& law, FieldView<typename Law::Scalar const> const& state,
             IntervalSet<Law::dimension> const& cells, IntervalSet<Law::dimension> const& storage,
             std::string const& name, int first, int count) {
  expects(first >= 0 && count >= 1 && first + count <= Law::component_count, "there is no such primitive variable");
  Field<typename Law::Scalar, Law::dimension> result(name, cells, count);
  if (cells.cell_count() > 0)
    for_each("sparse::python::primitive", CopyPlan<Law::dimension>(cells, cells, storage),
             TakePrimitive<Law>{law, state, result.view(), first, count});
  return result;
}

// ---- sides

/// The states beyond sides whose kind is `given`, but for the user's functions.
template <class Law>
struct GivenSides {
  enum class Kind { open, against, state };
  struct Side {
    Kind kind = Kind::open;
    typename Law::Scalar pressure = 1;
    typename Law::State state = {};
  };
  Side sides[Law::dimension][2];
  KOKKOS_FUNCTION typename Law::State operator()(amr::BoundaryPoint<Law> const& p) const {
    Side const& side = sides[p.axis][p.side == FaceSide::upper];
    return side.kind == Kind::against ? p.outflow(side.pressure) : side.kind == Kind::state ? side.state : p.open();
  }
};

/// Calls the user's function for all cells beyond one side.
template <class Law>
void call_side(amr::detail::SideTask<Law> const& task, int axis, FaceSide side, nb::object const& function) {
  constexpr int Dim = Law::dimension, N = Law::component_count;
  using T = typename Law::Scalar;
  std::vector<Index> mine;
  for (Index i = 0; i < task.cell_count; ++i) {
    auto const& cell = task.cells[i];
    if (cell.kind == BoundaryKind::given && cell.axis == axis && static_cast<FaceSide>(cell.side) == side &&
        cell.is_behind_solid == task.wants_behind_solid)
      mine.push_back(i);
  }
  std::size_t const n = mine.size();
  if (n == 0) return;
  WithGil const gil;
  double* x = nullptr;
  T *inside = nullptr, *image = nullptr;
  nb::object const positions = new_array<double>({n, Dim}, x), in = new_array<T>({N, n}, inside),
                   mirrored = new_array<T>({N, n}, image);
  for (std::size_t k = 0; k < n; ++k) {
    auto const& cell = task.cells[mine[k]];
    for (int a = 0; a < Dim; ++a)
      x[Dim * k + static_cast<std::size_t>(a)] = task.origin[a] + (cell.at[a] + 0.5) * task.spacing[a];
    auto const w = task.law.primitive(task.state.template load<N>(cell.inside)),
               v = task.law.primitive(task.state.template load<N>(cell.image));
    for (int c = 0; c < N; ++c) {
      inside[static_cast<std::size_t>(c) * n + k] = w[c];
      image[static_cast<std::size_t>(c) * n + k] = v[c];
    }
  }
  nb::object const points = nb::module_::import_("sparsecells._compressible")
                                .attr("SidePoints")(positions, task.time, in, mirrored, axis, side == FaceSide::upper);
  nb::object const states = states_of<T>(function(points), N, n, "the function of a side");
  auto const* const from = static_cast<T const*>(address_of(states));
  for (std::size_t k = 0; k < n; ++k) {
    typename Law::State w;
    for (int c = 0; c < N; ++c) w[c] = from[static_cast<std::size_t>(c) * n + k];
    task.state.store(task.cells[mine[k]].cell, task.law.conserved(w));
  }
}

// ---- levels for functions that refine

/// A level as a function for refinement sees it, only while the function runs.
template <class Law>
struct SeenLevel {
  amr::LevelView<Law> const* view = nullptr;

  amr::LevelView<Law> const& open() const {
    if (view == nullptr)
      throw std::runtime_error(
          "this level was lent to a function for refinement, which has returned; see sim.level(...)");
    return *view;
  }
};

}  // namespace sparse::python
