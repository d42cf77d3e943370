#include "coefficients.hpp"

#include <algorithm>
#include <string>

#include <sparse/base/parallel.hpp>
#include <sparse/fields/select.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

#include "search.hpp"

namespace sparse::poisson::detail {
namespace {

template <int Dim>
struct FindCoefficients {
  SetView facing, faces;
  LevelSearch<Dim> fine;
  int arm;
  double const* values;
  InterfaceFace<Dim> const* interface;
  double* coefficient;

  KOKKOS_FUNCTION void operator()(Index i) const {
    int const axis = arm / 2;
    auto const cell = cell_of<Dim>(facing, i) + Vec<Coord, Dim>::along(axis, arm % 2);
    for (int part = 0; part < InterfaceFace<Dim>::fine_count; ++part) {
      double& c = coefficient[i * InterfaceFace<Dim>::fine_count + part];
      c = interface[i].fine[part] < 0 ? 1 : values[fine.find_in(faces, part_of_face(cell, axis, part))];
    }
  }
};

/// Faces of a level: the mean over the finer faces that something flows through, or else the value that is given, if
/// something flows here. Else `means` has 0, and the cycle's matrix 1.
template <int Dim>
struct AverageFaces {
  SetView all, open, given, finer;
  LevelSearch<Dim> own, fine;
  int axis;
  double const *of_given, *of_finer;
  double *means, *of_matrix;

  KOKKOS_FUNCTION void operator()(Index i) const {
    auto const face = cell_of<Dim>(all, i);
    double sum = 0;
    int count = 0;
    for (int part = 0; part < InterfaceFace<Dim>::fine_count; ++part) {
      Index const found = fine.find_in(finer, part_of_face(face, axis, part));
      if (found < 0 || of_finer[found] == 0) continue;
      sum += of_finer[found];
      ++count;
    }
    double mean = 0;
    if (count > 0)
      mean = sum / count;
    else if (own.find_in(open, face) >= 0)
      mean = of_given[own.find_in(given, face)];
    means[i] = mean;
    of_matrix[i] = mean > 0 ? mean : 1;
  }
};

struct IsNotPositive {
  double const* values;
  KOKKOS_FUNCTION bool operator()(Index face) const { return !(values[face] > 0 && values[face] < 1e300); }
};

/// Faces of leaves that something flows through, but not at interfaces with finer cells: there are finer faces.
template <int Dim>
IntervalSet<Dim> open_faces(CompositeLevel<Dim> const& level, int axis) {
  auto const below = shift(level.leaves, axis, 1);
  return (level.leaves & with_images(below, level.period())) | level.of_leaves.dirichlet[axis] | level.rims[2 * axis] |
         shift(level.rims[2 * axis + 1], axis, 1);
}

}  // namespace

template <int Dim>
void expect_coefficients(std::vector<CompositeLevel<Dim>> const& levels) {
  for (std::size_t l = 0; l < levels.size(); ++l)
    for (int axis = 0; axis < Dim; ++axis) {
      auto const& given = *levels[l].of_leaves.face_coefficient[axis];
      auto const needed = open_faces(levels[l], axis);
      auto const normal = std::string(" on a face normal to axis ") + std::to_string(axis);
      expect_none(needed - with_images(given.domain(), levels[l].period()), l, "there is no coefficient" + normal);
      auto const wrong = select(given.domain(), IsNotPositive{given.component(0)});
      expect_none(wrong & with_images(needed, levels[l].period()), l, "the coefficient is not positive" + normal);
    }
}

template <int Dim>
Buffer<double> interface_coefficients(CompositeLevel<Dim> const& coarse, CompositeLevel<Dim> const& fine,
                                      Interface<Dim> const& interface) {
  auto const context = coarse.cells.context();
  Buffer<double> made(context, interface.part_count());
  Index first = 0;
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
    parallel_for(context, "sparse::poisson::interface_coefficients", count, find);
    first += count;
  }
  return made;
}

template <int Dim>
std::vector<FaceCoefficients<Dim>> coefficients_of_cells(std::vector<CompositeLevel<Dim>> const& levels) {
  std::vector<FaceCoefficients<Dim>> made(levels.size());
  if (levels[0].of_leaves.face_coefficient[0] == nullptr) return made;
  for (int axis = 0; axis < Dim; ++axis) {
    Field<double, Dim> finer;  // none above the finest level
    for (std::size_t l = levels.size(); l-- > 0;) {
      auto const& given = *levels[l].of_leaves.face_coefficient[axis];
      auto const open = open_faces(levels[l], axis);
      Field<double, Dim> means("means", faces(levels[l].cells, axis));
      auto of_matrix = std::make_shared<Field<double, Dim>>("coefficient", means.domain());
      LevelSearch<Dim> const own(levels[l]), fine(levels[std::min(l + 1, levels.size() - 1)]);
      parallel_for(means.context(), "sparse::poisson::average_faces", means.cell_count(),
                   AverageFaces<Dim>{means.domain().view(), open.view(), given.domain().view(), finer.domain().view(),
                                     own, fine, axis, given.component(0), finer.view().data, means.component(0),
                                     of_matrix->component(0)});
      made[l][axis] = std::move(of_matrix);
      finer = std::move(means);
    }
  }
  return made;
}

template void expect_coefficients(std::vector<CompositeLevel<2>> const&);
template void expect_coefficients(std::vector<CompositeLevel<3>> const&);
template Buffer<double> interface_coefficients(CompositeLevel<2> const&, CompositeLevel<2> const&, Interface<2> const&);
template Buffer<double> interface_coefficients(CompositeLevel<3> const&, CompositeLevel<3> const&, Interface<3> const&);
template std::vector<FaceCoefficients<2>> coefficients_of_cells<2>(std::vector<CompositeLevel<2>> const&);
template std::vector<FaceCoefficients<3>> coefficients_of_cells<3>(std::vector<CompositeLevel<3>> const&);

}  // namespace sparse::poisson::detail
