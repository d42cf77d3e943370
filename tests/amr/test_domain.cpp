/// Domains: what is refused, and their grids.

#include <stdexcept>

#include <sparse/shapes/shapes.hpp>
#include <support/amr_levels.hpp>

using namespace reference;

namespace {

template <int Dim>
std::string refusal(DomainOptions<Dim> const& options) {
  try {
    Domain<Dim> const domain(options);
  } catch (std::invalid_argument const& error) {
    return error.what();
  }
  return "";
}

template <class Dimension>
class Domains : public testing::Test {
public:
  static constexpr int dimension = Dimension::value;
  static DomainOptions<dimension> valid() {
    DomainOptions<dimension> options;
    options.cells = Cell<dimension>::filled(8);
    options.level_count = 2;
    return options;
  }
};
TYPED_TEST_SUITE(Domains, Dimensions);

}  // namespace

TYPED_TEST(Domains, RefuseWhatMakesNoSense) {
  constexpr int Dim = TypeParam::value;
  EXPECT_EQ(refusal(this->valid()), "");
  auto const expect_refusal = [&](auto const& change, char const* reason) {
    DomainOptions<Dim> options = this->valid();
    change(options);
    EXPECT_NE(refusal(options).find(reason), std::string::npos) << "got '" << refusal(options) << "'";
  };
  double const nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (int count : {-1, 0, 17}) expect_refusal([&](auto& o) { o.level_count = count; }, "levels");
  for (int axis = 0; axis < Dim; ++axis) {
    for (Coord cells : {-5, 0}) expect_refusal([&](auto& o) { o.cells[axis] = cells; }, "positive");
    expect_refusal([&](auto& o) { o.cells[axis] = sparse::coord_limit / 2; }, "too many cells");
    for (double spacing : {0.0, -1.0, nan, infinity})
      expect_refusal([&](auto& o) { o.grid.spacing[axis] = spacing; }, "spacing");
    for (int side = 0; side < 2; ++side)
      expect_refusal([&](auto& o) { o.sides[axis][side] = BoundaryKind::periodic; }, "periodic");
    expect_refusal(
        [&](auto& o) {
          o.cells[axis] = 3;
          o.sides[axis] = {BoundaryKind::periodic, BoundaryKind::periodic};
        },
        "at least 4 cells");
  }
  for (int level : {-2, 2}) expect_refusal([&](auto& o) { o.body_level = level; }, "body_level");
  auto const everything = sparse::box<Dim>(Cell<Dim>::filled(-9), Cell<Dim>::filled(99));
  expect_refusal(
      [&](auto& o) {
        o.bodies = {sparse::body_from_cells<Dim>("all", everything)};
        o.bodies[0].wall = sparse::BoundaryKind::inflow;
      },
      "a body must be a wall");
  expect_refusal([&](auto& o) { o.bodies = {sparse::body_from_cells<Dim>("all", everything)}; }, "no fluid");
  expect_refusal([](auto& o) { o.bodies.resize(1); }, "does not say");
}

TYPED_TEST(Domains, HaveHalfTheSpacingOnEachLevel) {
  constexpr int Dim = TypeParam::value;
  DomainOptions<Dim> options = this->valid();
  options.level_count = 5;
  for (int axis = 0; axis < Dim; ++axis) options.grid.spacing[axis] = 0.5 + axis;
  Domain<Dim> const domain(options);
  double volume = 1;
  for (int axis = 0; axis < Dim; ++axis) volume *= 0.5 + axis;
  for (int l = 0; l < 5; ++l, volume /= 1 << Dim) {
    for (int axis = 0; axis < Dim; ++axis) EXPECT_EQ(domain.spacing(l)[axis], (0.5 + axis) / (1 << l));
    EXPECT_DOUBLE_EQ(domain.cell_volume(l), volume);
    EXPECT_EQ(domain.fluid(l).cell_count(), Index{1} << (Dim * (l + 3)));
  }
}
