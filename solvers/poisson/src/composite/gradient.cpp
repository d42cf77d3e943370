/// The gradient from which the composite matrix is made.

#include <sparse/plans/for_each.hpp>
#include <sparse/sets/morphology.hpp>

#include "matrix.hpp"

namespace sparse::poisson::detail {
namespace {

/// Operands: the face; the leaves below and above it, and those a period away; its given value.
inline constexpr int face_operands = 6;

template <class T, int Dim>
struct FaceGradients {
  T const* x;  // on cells
  double const* given;
  T inverse_width;
  T* result;

  KOKKOS_FUNCTION void operator()(RunPoint<Dim, face_operands> const& p) const {
    int const below = p.has(1) ? 1 : p.has(3) ? 3 : 0, above = p.has(2) ? 2 : p.has(4) ? 4 : 0;
    T value = 0;
    if (below != 0 && above != 0) {
      value = x[p.operand(above)] - x[p.operand(below)];
    } else if (p.has(5)) {
      T const wall = given == nullptr ? T(0) : static_cast<T>(given[p.operand(5)]);
      value = 2 * (above != 0 ? x[p.operand(above)] - wall : wall - x[p.operand(below)]);
    }
    result[p.operand(0)] = value * inverse_width;
  }
};

/// Where the values at one face of an interface are stored.
template <int Dim>
struct FacePlaces {
  Index coarse, fine[InterfaceFace<Dim>::fine_count];
};

template <int Dim>
struct FindPlaces {
  SetView facing, coarse_faces, fine_faces;
  int arm;
  Vec<Coord, Dim> coarse_period, fine_period;
  FacePlaces<Dim>* places;

  KOKKOS_FUNCTION void operator()(Index i) const {
    int const axis = arm / 2;
    auto const cell = cell_of<Dim>(facing, i);
    FacePlaces<Dim> own{};
    own.coarse = coarse_faces.find(cell + Vec<Coord, Dim>::along(axis, arm % 2));
    for (int part = 0; part < InterfaceFace<Dim>::fine_count; ++part) {
      auto face = 2 * (cell + Vec<Coord, Dim>::along(axis, arm % 2));
      for (int k = 0; k < Dim - 1; ++k) face[tangent_axis<Dim>(axis, k)] += (part >> k) & 1;
      Index found = fine_faces.find(face);
      for (Coord const step : {-1, 1})
        if (found < 0 && fine_period[axis] > 0)
          found = fine_faces.find(face + Vec<Coord, Dim>::along(axis, step * fine_period[axis]));
      own.fine[part] = found;
    }
    places[i] = own;
  }
};

template <class T, int Dim>
struct StoreFluxes {
  FacePlaces<Dim> const* places;
  T const* flux;
  T sign;
  T *coarse, *fine;
  KOKKOS_FUNCTION void operator()(Index i) const {
    constexpr int parts = InterfaceFace<Dim>::fine_count;
    T sum = 0;
    for (int part = 0; part < parts; ++part) {
      T const value = sign * flux[i * parts + part];
      sum += value;
      if (places[i].fine[part] >= 0) fine[places[i].fine[part]] = value;
    }
    coarse[places[i].coarse] = sum / parts;
  }
};

}  // namespace

template <class T, int Dim>
struct CompositeMatrix<T, Dim>::GradientPlans {
  struct OfLevel {
    IntervalSet<Dim> faces[Dim];
    Plan<Dim, face_operands> plan[Dim];
    Buffer<FacePlaces<Dim>> places[2 * Dim];  // of the interface with the next level
  };
  std::vector<OfLevel> levels;
};

template <class T, int Dim>
typename CompositeMatrix<T, Dim>::GradientPlans const& CompositeMatrix<T, Dim>::gradient_plans() const {
  std::call_once(has_plans_, [&] {
    auto made = std::make_shared<GradientPlans>();
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      auto const& level = levels_[l];
      auto& to = made->levels.emplace_back();
      for (int axis = 0; axis < Dim; ++axis) {
        to.faces[axis] = faces(level.leaves, axis);
        auto const all = leaves_in_cells_[l].view();
        Coord const period = level.period()[axis];
        Operand const absent{};
        auto const at = [&](Coord offset) { return operand<Dim>(all, Vec<Coord, Dim>::along(axis, offset)); };
        to.plan[axis] = Plan<Dim, face_operands>(
            to.faces[axis], {operand<Dim>(to.faces[axis].view()), at(-1), at(0), period > 0 ? at(period - 1) : absent,
                             period > 0 ? at(-period) : absent, operand<Dim>(level.of_leaves.dirichlet[axis].view())});
      }
    }
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l)
      for (int arm = 0; arm < 2 * Dim; ++arm) {
        auto const& facing = levels_[l].facing[arm];
        auto& places = made->levels[l].places[arm];
        places = Buffer<FacePlaces<Dim>>(context(), facing.cell_count());
        parallel_for(context(), "sparse::poisson::gradient_places", facing.cell_count(),
                     FindPlaces<Dim>{facing.view(), made->levels[l].faces[arm / 2].view(),
                                     made->levels[l + 1].faces[arm / 2].view(), arm, levels_[l].period(),
                                     levels_[l + 1].period(), places.data()});
      }
    plans_ = std::move(made);
  });
  return *plans_;
}

template <class T, int Dim>
void CompositeMatrix<T, Dim>::gradient(LevelFaceFields<T, Dim>& result, Fields const& x,
                                       LevelFaceFields<double, Dim> const& values) const {
  expect_field(x, "operand");
  auto const& plans = gradient_plans();
  expects(result.size() == levels_.size(), "poisson: the gradient must have fields on each level");
  for (std::size_t l = 0; l < levels_.size(); ++l)
    for (int axis = 0; axis < Dim; ++axis)
      if (result[l][axis].component_count() != 1 || !(result[l][axis].domain() == plans.levels[l].faces[axis]))
        fail("poisson: the gradient, field '" + result[l][axis].name() +
             "', must have one component on the faces of the leaves of level " + std::to_string(l));
  auto const given = given_values(values);
  auto copy = on_cells("copy");
  to_cells(x, copy);
  auto const pointers = copy.pointers();
  for (std::size_t l = 0; l < levels_.size(); ++l)
    for (int axis = 0; axis < Dim; ++axis)
      for_each("sparse::poisson::gradient", plans.levels[l].plan[axis],
               FaceGradients<T, Dim>{
                   pointers[l], given[l].size() > 0 ? given[l].data() + dirichlet_starts_[l][axis] : nullptr,
                   static_cast<T>(1 / levels_[l].grid().spacing[axis]), result[l][axis].component(0)});
  for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
    Buffer<T> const flux(context(), interfaces_[l].part_count());
    fluxes(l, pointers, flux.data(), given[l].size() > 0 ? given[l].data() : nullptr, nullptr);
    T const* next = flux.data();
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      auto const& places = plans.levels[l].places[arm];
      // The fine leaf lies on the side `arm` of the coarse one, so its outward direction is the opposite one.
      parallel_for(context(), "sparse::poisson::store_fluxes", places.size(),
                   StoreFluxes<T, Dim>{places.data(), next, arm % 2 == 0 ? T(1) : T(-1),
                                       result[l][arm / 2].component(0), result[l + 1][arm / 2].component(0)});
      next += places.size() * InterfaceFace<Dim>::fine_count;
    }
  }
}

#define SPARSE_INSTANTIATE(T, Dim)                                                                                     \
  template void CompositeMatrix<T, Dim>::gradient(LevelFaceFields<T, Dim>&, Fields const&,                             \
                                                  LevelFaceFields<double, Dim> const&) const;
SPARSE_INSTANTIATE(float, 2)
SPARSE_INSTANTIATE(float, 3)
SPARSE_INSTANTIATE(double, 2)
SPARSE_INSTANTIATE(double, 3)
#undef SPARSE_INSTANTIATE

}  // namespace sparse::poisson::detail
