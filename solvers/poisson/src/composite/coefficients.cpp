#include "coefficients.hpp"

#include <algorithm>
#include <string>

#include <sparse/base/parallel.hpp>
#include <sparse/sets/morphology.hpp>

#include "search.hpp"

namespace sparse::poisson::detail {
namespace {

enum Fault { none, missing, not_positive };

template <int Dim>
struct FindCoefficients {
  SetView facing, faces;
  LevelSearch<Dim> fine;
  int arm;
  double const* values;
  InterfaceFace<Dim> const* interface;
  double* coefficient;

  KOKKOS_FUNCTION void operator()(Index i, Index& worst) const {
    int const axis = arm / 2;
    auto const cell = cell_of<Dim>(facing, i) + Vec<Coord, Dim>::along(axis, arm % 2);
    for (int part = 0; part < InterfaceFace<Dim>::fine_count; ++part) {
      double& c = coefficient[i * InterfaceFace<Dim>::fine_count + part];
      c = 1;
      if (interface[i].fine[part] < 0) continue;
      Index const found = fine.find_in(faces, part_of_face(cell, axis, part));
      if (found >= 0) c = values[found];
      Index const fault = found < 0 ? missing : !(c > 0 && c < 1e300) ? not_positive : none;
      worst = worst < fault ? fault : worst;
    }
  }
};

/// The mean over the finer faces, or where there are none, the value that is given.
template <int Dim>
struct AverageFaces {
  SetView all, given, finer;
  LevelSearch<Dim> fine;
  int axis;
  double const *of_given, *of_finer;
  double* means;

  KOKKOS_FUNCTION void operator()(Index i) const {
    auto const face = cell_of<Dim>(all, i);
    double sum = 0;
    int count = 0;
    for (int part = 0; part < InterfaceFace<Dim>::fine_count; ++part) {
      Index const found = fine.find_in(finer, part_of_face(face, axis, part));
      if (found < 0) continue;
      sum += of_finer[found];
      ++count;
    }
    Index const own = count == 0 ? given.find(face) : -1;
    means[i] = count > 0 ? sum / count : own >= 0 ? of_given[own] : 1;
  }
};

}  // namespace

template <int Dim>
Buffer<double> interface_coefficients(CompositeLevel<Dim> const& coarse, CompositeLevel<Dim> const& fine,
                                      Interface<Dim> const& interface, std::size_t finer) {
  auto const context = coarse.cells.context();
  Buffer<double> made(context, interface.part_count());
  Index first = 0, worst = none;
  for (int arm = 0; arm < 2 * Dim; ++arm) {
    auto const& given = *fine.of_leaves.face_coefficient[arm / 2];
    Index const count = coarse.facing[arm].cell_count();
    FindCoefficients<Dim> const find{coarse.facing[arm].view(),
                                     given.domain().view(),
                                     LevelSearch<Dim>(fine),
                                     arm,
                                     given.component(0),
                                     interface.faces.data() + first,
                                     made.data() + first * InterfaceFace<Dim>::fine_count};
    worst = std::max(
        worst, parallel_reduce<Kokkos::Max, Index>(context, "sparse::poisson::interface_coefficients", count, find));
    first += count;
  }
  if (worst != none)
    fail("poisson: level " + std::to_string(finer) + ": a face at the interface with the coarser level has " +
         (worst == missing ? "no coefficient" : "a coefficient that is not positive"));
  return made;
}

template <int Dim>
std::vector<FaceCoefficients<Dim>> coefficients_of_cells(std::vector<CompositeLevel<Dim>> const& levels) {
  std::vector<FaceCoefficients<Dim>> made(levels.size());
  for (std::size_t l = levels.size(); l-- > 0;) {
    made[l] = levels[l].of_leaves.face_coefficient;
    if (made[l][0] == nullptr || l + 1 == levels.size()) continue;
    for (int axis = 0; axis < Dim; ++axis) {
      auto const &given = *levels[l].of_leaves.face_coefficient[axis], &finer = *made[l + 1][axis];
      auto all = std::make_shared<Field<double, Dim>>("coefficient", faces(levels[l].cells, axis));
      parallel_for(all->context(), "sparse::poisson::average_faces", all->cell_count(),
                   AverageFaces<Dim>{all->domain().view(), given.domain().view(), finer.domain().view(),
                                     LevelSearch<Dim>(levels[l + 1]), axis, given.component(0), finer.component(0),
                                     all->component(0)});
      made[l][axis] = std::move(all);
    }
  }
  return made;
}

template Buffer<double> interface_coefficients(CompositeLevel<2> const&, CompositeLevel<2> const&, Interface<2> const&,
                                               std::size_t);
template Buffer<double> interface_coefficients(CompositeLevel<3> const&, CompositeLevel<3> const&, Interface<3> const&,
                                               std::size_t);
template std::vector<FaceCoefficients<2>> coefficients_of_cells<2>(std::vector<CompositeLevel<2>> const&);
template std::vector<FaceCoefficients<3>> coefficients_of_cells<3>(std::vector<CompositeLevel<3>> const&);

}  // namespace sparse::poisson::detail
