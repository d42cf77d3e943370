/// SMAC steps of flow that comes in on one side and leaves on another are of second order in space.

#include <cmath>
#include <map>
#include <numbers>

#include <support/smac.hpp>

namespace {

using namespace reference;

template <class Dimension>
class IncompressibleThroughFlow : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleThroughFlow, Dimensions);

using std::numbers::pi;

/// The steady velocity in a channel of n x n cells between slip walls, through which a sheared inflow passes.
template <int Dim>
struct ThroughFlow {
  int n;
  StaggeredGrid<Dim> grid;
  State<double, Dim> state;

  explicit ThroughFlow(int cells) : n(cells), grid(domain(cells)), state(grid) {
    Smac<double, Dim> step(grid, smac_options<double, Dim>(0.03));
    step.project(state);
    while (step.greatest_change(state) > 1e-8 && state.step_count < 4000)
      EXPECT_TRUE(step.advance(state, step.longest_step(state, 0.5)).has_converged());
    EXPECT_LT(state.step_count, 4000);
  }
  static FlowDomain<Dim> domain(int n) {
    FlowDomain<Dim> domain;
    auto end = Cell<Dim>::filled(n);
    if constexpr (Dim == 3) end[2] = domain.period[2] = 2;
    domain.fluid = sparse::box<Dim>({}, end);
    domain.grid.spacing = Point<Dim>::filled(1.0 / n);
    domain.others = BoundaryKind::wall;
    domain.parts.push_back(
        {BoundaryKind::inflow, side_faces(domain.fluid, 0, FaceSide::lower), {}, [](Point<Dim> const& x) {
           return 1 + 0.5 * std::cos(pi * x[1]);
         }});
    domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, 0, FaceSide::upper)});
    return domain;
  }
  /// The mean velocity along an axis over the faces of this grid that make up a face of the grid with half as many
  /// cells along each axis of the plane.
  double on_coarse_face(std::map<Cell<Dim>, double, StorageOrder> const& values, Cell<Dim> const& coarse,
                        int axis) const {
    int const across = 1 - axis;
    Cell<Dim> face = coarse;
    for (int b = 0; b < 2; ++b) face[b] *= 2;
    double const first = values.at(face);
    ++face[across];
    return 0.5 * (first + values.at(face));
  }
};

/// The root mean square of what two grids differ by, on the faces along the axes of the plane.
template <int Dim>
double distance_of(ThroughFlow<Dim> const& coarse, ThroughFlow<Dim> const& fine) {
  double sum = 0;
  Index count = 0;
  for (int axis = 0; axis < 2; ++axis) {
    auto const finer = values_on(fine.state.velocity, axis, fine.grid.faces(axis));
    for (auto const& [face, value] : values_on(coarse.state.velocity, axis, coarse.grid.faces(axis))) {
      if (Dim == 3 && face[Dim - 1] != 0) continue;
      sum += std::pow(value - fine.on_coarse_face(finer, face, axis), 2);
      ++count;
    }
  }
  return std::sqrt(sum / static_cast<double>(count));
}

}  // namespace

TYPED_TEST(IncompressibleThroughFlow, IsOfSecondOrderInSpace) {
  constexpr int Dim = TypeParam::value;
  ThroughFlow<Dim> const coarse(8), middle(16), fine(32);
  double const first = distance_of(coarse, middle), second = distance_of(middle, fine);
  EXPECT_GT(std::log2(first / second), 1.8) << first << " " << second;
  EXPECT_LT(std::log2(first / second), 3) << first << " " << second;
}
