/// The gradient from which the composite matrix is made.

#include <array>

#include <sparse/plans/for_each.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>

#include "matrix.hpp"
#include "search.hpp"

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
  SetView coarse_faces, fine_faces;
  int arm;
  Coord fine_period;  // along the arm
  FacePlaces<Dim>* places;

  struct Searches {
    NearbySearch coarse, fine;
  };
  KOKKOS_FUNCTION Searches searches() const { return {NearbySearch(coarse_faces), NearbySearch(fine_faces)}; }

  KOKKOS_FUNCTION void operator()(Searches& in, Index i, Vec<Coord, Dim> const& cell) const {
    int const axis = arm / 2;
    auto const coarse = cell + Vec<Coord, Dim>::along(axis, arm % 2);
    FacePlaces<Dim> own{};
    own.coarse = in.coarse.find(coarse);
    for (int part = 0; part < InterfaceFace<Dim>::fine_count; ++part) {
      auto const face = part_of_face(coarse, axis, part);
      Index found = in.fine.find(face);
      for (Coord const step : {-1, 1})
        if (found < 0 && fine_period > 0) found = in.fine.find(face + Vec<Coord, Dim>::along(axis, step * fine_period));
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
  T *coarse, *fine;  // the former may be null; faces of leaves of other ranks have no place
  KOKKOS_FUNCTION void operator()(Index i) const {
    constexpr int parts = InterfaceFace<Dim>::fine_count;
    T sum = 0;
    for (int part = 0; part < parts; ++part) {
      T const value = sign * flux[i * parts + part];
      sum += value;
      if (places[i].fine[part] >= 0) fine[places[i].fine[part]] = value;
    }
    if (coarse != nullptr && places[i].coarse >= 0) coarse[places[i].coarse] = sum / parts;
  }
};

template <int Dim>
using FacesOf = std::array<IntervalSet<Dim>, Dim>;

/// [arm] the places of the faces of an interface.
template <int Dim>
using ArmPlaces = std::array<Buffer<FacePlaces<Dim>>, 2 * Dim>;

/// @param of_coarse, of_fine  the faces that have values
template <int Dim>
ArmPlaces<Dim> places_of(CompositeLevel<Dim> const& coarse, CompositeLevel<Dim> const& fine,
                         FacesOf<Dim> const& of_coarse, FacesOf<Dim> const& of_fine) {
  ArmPlaces<Dim> places;
  for (std::size_t arm = 0; arm < places.size(); ++arm) {
    auto const& facing = coarse.facing[static_cast<int>(arm)];
    places[arm] = Buffer<FacePlaces<Dim>>(coarse.cells.context(), facing.cell_count());
    for_cells_in_order("sparse::poisson::gradient_places", facing,
                       FindPlaces<Dim>{of_coarse[arm / 2].view(), of_fine[arm / 2].view(), static_cast<int>(arm),
                                       fine.period()[static_cast<int>(arm) / 2], places[arm].data()});
  }
  return places;
}

/// Stores the fluxes of an interface as gradients.
/// @param coarse  of the faces of the coarse leaves, or null
template <class T, int Dim>
void store(Context const& context, ArmPlaces<Dim> const& all, T const* flux, std::array<Field<T, Dim>, Dim>* coarse,
           std::array<Field<T, Dim>, Dim>& fine) {
  for (std::size_t arm = 0; arm < all.size(); ++arm) {
    auto const& places = all[arm];
    // The fine leaf lies on the side `arm` of the coarse one, so its outward direction is the opposite one.
    parallel_for(context, "sparse::poisson::store_fluxes", places.size(),
                 StoreFluxes<T, Dim>{places.data(), flux, arm % 2 == 0 ? T(1) : T(-1),
                                     coarse != nullptr ? (*coarse)[arm / 2].component(0) : nullptr,
                                     fine[arm / 2].component(0)});
    flux += places.size() * InterfaceFace<Dim>::fine_count;
  }
}

}  // namespace

template <class T, int Dim>
struct CompositeMatrix<T, Dim>::GradientPlans {
  std::vector<FacesOf<Dim>> faces;  // of leaves
  std::vector<std::array<Plan<Dim, face_operands>, Dim>> plans;
  std::vector<ArmPlaces<Dim>> places;  // of the interface with the next level
};

template <class T, int Dim>
struct CompositeMatrix<T, Dim>::InterfacePlans {
  std::vector<FacesOf<Dim>> faces;  // with the level before
  std::vector<ArmPlaces<Dim>> places;
};

template <class T, int Dim>
typename CompositeMatrix<T, Dim>::GradientPlans const& CompositeMatrix<T, Dim>::gradient_plans() const {
  std::call_once(has_plans_, [&] {
    auto made = std::make_shared<GradientPlans>();
    for (std::size_t l = 0; l < levels().size(); ++l) {
      auto const& level = levels()[l];
      auto& of_level = made->faces.emplace_back();
      auto& plans = made->plans.emplace_back();
      Embedding<Dim> const known(level.known, level.cells);
      for (int axis = 0; axis < Dim; ++axis) {
        auto const k = static_cast<std::size_t>(axis);
        of_level[k] = faces(level.leaves, axis);
        auto const all = known.view();
        Coord const period = level.period()[axis];
        Operand const absent{};
        auto const at = [&](Coord offset) { return operand<Dim>(all, Vec<Coord, Dim>::along(axis, offset)); };
        plans[k] = Plan<Dim, face_operands>(
            of_level[k], {operand<Dim>(of_level[k].view()), at(-1), at(0), period > 0 ? at(period - 1) : absent,
                          period > 0 ? at(-period) : absent, operand<Dim>(level.of_leaves.dirichlet[axis].view())});
      }
    }
    for (std::size_t l = 0; l + 1 < levels().size(); ++l)
      made->places.push_back(places_of<Dim>(levels()[l], levels()[l + 1], made->faces[l], made->faces[l + 1]));
    plans_ = std::move(made);
  });
  return *plans_;
}

template <class T, int Dim>
typename CompositeMatrix<T, Dim>::InterfacePlans const& CompositeMatrix<T, Dim>::interface_plans() const {
  std::call_once(has_interface_plans_, [&] {
    auto made = std::make_shared<InterfacePlans>();
    made->faces.resize(levels().size());
    for (std::size_t l = 1; l < levels().size(); ++l) {
      if (last_interface_plans_ && common_.stays(l)) {
        made->faces[l] = last_interface_plans_->faces[l];
        made->places.push_back(last_interface_plans_->places[l - 1]);
        continue;
      }
      auto const &coarse = levels()[l - 1], &fine = levels()[l];
      for (int axis = 0; axis < Dim; ++axis) {
        auto const beyond = refine(coarse.facing[2 * axis] | coarse.facing[2 * axis + 1]);
        auto of_coarse = faces(beyond, axis);
        if (Coord const period = fine.period()[axis]; period > 0)
          of_coarse = of_coarse | shift(of_coarse, axis, period) | shift(of_coarse, axis, -period);
        made->faces[l][static_cast<std::size_t>(axis)] = faces(fine.leaves, axis) & of_coarse;
      }
      made->places.push_back(places_of<Dim>(coarse, fine, FacesOf<Dim>(), made->faces[l]));
    }
    interface_plans_ = std::move(made);
    last_interface_plans_.reset();
  });
  return *interface_plans_;
}

template <class T, int Dim>
IntervalSet<Dim> const& CompositeMatrix<T, Dim>::interface_faces(std::size_t l, int axis) const {
  return interface_plans().faces[l][static_cast<std::size_t>(axis)];
}

template <class T, int Dim>
void CompositeMatrix<T, Dim>::expect_faces(LevelFaceFields<T, Dim> const& fields,
                                           std::vector<FacesOf<Dim>> const& sets) const {
  expects(fields.size() == levels().size(), "poisson: the gradient must have fields on each level");
  for (std::size_t l = 0; l < levels().size(); ++l)
    for (std::size_t axis = 0; axis < Dim; ++axis)
      if (fields[l][axis].component_count() != 1 || !(fields[l][axis].domain() == sets[l][axis]))
        fail("poisson: the gradient, field '" + fields[l][axis].name() +
             "', must have one component on the faces of the leaves of level " + std::to_string(l));
}

template <class T, int Dim>
void CompositeMatrix<T, Dim>::gradient(LevelFaceFields<T, Dim>& result, Fields const& x,
                                       LevelFaceFields<double, Dim> const& values) const {
  expect_field(x, "operand");
  auto const& plans = gradient_plans();
  expect_faces(result, plans.faces);
  auto const given = given_values(values);
  auto copy = spread(x);
  auto const pointers = copy.pointers();
  for (std::size_t l = 0; l < levels().size(); ++l)
    for (int axis = 0; axis < Dim; ++axis)
      for_each("sparse::poisson::gradient", plans.plans[l][static_cast<std::size_t>(axis)],
               FaceGradients<T, Dim>{
                   pointers[l], given[l].size() > 0 ? given[l].data() + dirichlet_starts_[l][axis] : nullptr,
                   static_cast<T>(1 / levels()[l].grid().spacing[axis]), result[l][axis].component(0)});
  for (std::size_t l = 0; l + 1 < levels().size(); ++l) {
    Buffer<T> const flux(context(), interfaces_[l].part_count());
    fluxes(l, pointers, flux.data(), given[l].size() > 0 ? given[l].data() : nullptr, nullptr);
    store<T, Dim>(context(), plans.places[l], flux.data(), &result[l], result[l + 1]);
  }
}

template <class T, int Dim>
void CompositeMatrix<T, Dim>::interface_gradient(LevelFaceFields<T, Dim>& result, Fields const& x,
                                                 LevelFaceFields<double, Dim> const& values) const {
  expect_field(x, "operand");
  auto copy = spread(x);
  interface_gradient(result, copy, values);
}

template <class T, int Dim>
void CompositeMatrix<T, Dim>::interface_gradient(LevelFaceFields<T, Dim>& result, OnCells& x,
                                                 LevelFaceFields<double, Dim> const& values) const {
  auto const& plans = interface_plans();
  expect_faces(result, plans.faces);
  auto const given = given_values(values);
  for (std::size_t l = 0; l + 1 < levels().size(); ++l) {
    Buffer<T> const flux(context(), interfaces_[l].part_count());
    fluxes(l, x.pointers(), flux.data(), given[l].size() > 0 ? given[l].data() : nullptr, nullptr);
    store<T, Dim>(context(), plans.places[l], flux.data(), nullptr, result[l + 1]);
  }
}

#define SPARSE_INSTANTIATE(T, Dim)                                                                                     \
  template IntervalSet<Dim> const& CompositeMatrix<T, Dim>::interface_faces(std::size_t, int) const;                   \
  template void CompositeMatrix<T, Dim>::interface_gradient(LevelFaceFields<T, Dim>&, Fields const&,                   \
                                                            LevelFaceFields<double, Dim> const&) const;                \
  template void CompositeMatrix<T, Dim>::interface_gradient(LevelFaceFields<T, Dim>&, OnCells&,                        \
                                                            LevelFaceFields<double, Dim> const&) const;                \
  template void CompositeMatrix<T, Dim>::gradient(LevelFaceFields<T, Dim>&, Fields const&,                             \
                                                  LevelFaceFields<double, Dim> const&) const;
SPARSE_INSTANTIATE(float, 2)
SPARSE_INSTANTIATE(float, 3)
SPARSE_INSTANTIATE(double, 2)
SPARSE_INSTANTIATE(double, 3)
#undef SPARSE_INSTANTIATE

}  // namespace sparse::poisson::detail
