/// Sides of which parts are of other kinds.

#include <sparse/shapes/shapes.hpp>
#include <support/euler_flow.hpp>

using namespace flow;
using sparse::FaceSide;

namespace {

using sparse::amr::BoundaryPoint;

/// Open where the coordinate along the other axes is between two numbers, a wall elsewhere.
template <class T, int Dim>
struct OpenBetween {
  double from, to;
  KOKKOS_FUNCTION State<T, Dim> operator()(BoundaryPoint<Gas<T, Dim>> const& p) const {
    bool is_open = true;
    for (int axis = 1; axis < Dim; ++axis) is_open = is_open && p.x[axis] > from && p.x[axis] < to;
    return is_open ? p.open() : p.slip();
  }
};

/// The faces of level 0 at a side along x whose other coordinates are in [from, to).
template <int Dim>
IntervalSet<Dim> faces_at(Coord x, Coord from, Coord to) {
  auto begin = Cell<Dim>::filled(from), end = Cell<Dim>::filled(to);
  begin[0] = x;
  end[0] = x + 1;
  return sparse::box<Dim>(begin, end);
}

template <class TheCase>
class SideParts : public testing::Test {
public:
  using Real = typename TheCase::Scalar;
  static constexpr int dimension = TheCase::Dim;
  static constexpr Coord size = dimension == 2 ? 24 : 8;
  static constexpr int step_count = dimension == 2 ? 40 : 12;

  static Simulation<Real, dimension> start(DomainOptions<dimension> const& domain,
                                           Outside<Real, dimension> const& outside = {},
                                           Scheme scheme = Scheme::hancock) {
    HotBall<Real, dimension> const ball{Vec<double, dimension>::filled(0.4 * size), 0.2 * size, 2, 4};
    Options<Real, dimension> options;
    options.scheme = scheme;
    return {Domain<dimension>(domain), {}, ball, outside, options};
  }
};
TYPED_TEST_SUITE(SideParts, Cases);

}  // namespace

// A hole in a wall as a part of it, and as a function that knows where it is. In first order: else ghosts, of which the
// walls of parts make no use, see the edge of the hole.
TYPED_TEST(SideParts, AreWhatAFunctionWouldSayThere) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Coord const from = this->size / 4, to = this->size / 2;
  auto with_part = closed_box<Dim>(this->size), with_function = with_part;
  with_part.parts = {{0, FaceSide::upper, faces_at<Dim>(this->size, from, to), BoundaryKind::outflow}};
  with_function.sides[0][1] = BoundaryKind::given;
  auto flow = this->start(with_part, {}, Scheme::godunov);
  auto const given = sparse::amr::boundary<Gas<T, Dim>>(OpenBetween<T, Dim>{double(from), double(to)});
  auto other = this->start(with_function, {{}, given}, Scheme::godunov);
  auto const before = flow.totals();
  for (int step = 0; step < this->step_count; ++step) ASSERT_NEAR(flow.advance(), other.advance(), 1e-6);
  auto const after = flow.totals(), expected = other.totals();
  EXPECT_LT(after[0], 0.998 * before[0]);
  double const rounding = std::is_same_v<T, double> ? 1e-12 : 1e-5;
  for (int c = 0; c < Dim + 2; ++c) EXPECT_NEAR(after[c], expected[c], rounding * before[Dim + 1]);
}

TYPED_TEST(SideParts, ThatAreTheWholeSideAreTheSide) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto const wind = gas_state<T, Dim>(1, Vec<double, Dim>::along(0, 1.5), 1);
  Outside<T, Dim> const outside{wind, sparse::amr::boundary<Gas<T, Dim>>(OpenBetween<T, Dim>{2, 5})};
  for (BoundaryKind const kind :
       {BoundaryKind::wall, BoundaryKind::no_slip, BoundaryKind::outflow, BoundaryKind::inflow, BoundaryKind::given})
    for (BoundaryKind const under : {BoundaryKind::wall, BoundaryKind::outflow}) {
      auto whole = closed_box<Dim>(this->size), in_parts = whole;
      whole.sides[0] = {kind, BoundaryKind::outflow};
      in_parts.sides[0] = {under, BoundaryKind::outflow};
      // One over the other: the last one decides.
      in_parts.parts = {{0, FaceSide::lower, faces_at<Dim>(0, 0, 3), BoundaryKind::inflow},
                        {0, FaceSide::lower, faces_at<Dim>(0, 0, this->size), kind},
                        {0, FaceSide::upper, IntervalSet<Dim>(), BoundaryKind::wall}};
      auto flow = this->start(in_parts, outside), expected = this->start(whole, outside);
      for (int step = 0; step < this->step_count / 4; ++step) {
        double const dt = expected.advance(1e-2);
        ASSERT_EQ(flow.advance(dt), dt);
      }
      Snapshot const a(flow), b(expected);
      if (kind != BoundaryKind::wall) {
        EXPECT_TRUE(a == b) << "kind " << int(kind);
        continue;
      }
      // Fluxes at the walls of parts are those of mirrored states, at others those of states of mirrored ghosts.
      ASSERT_EQ(a.leaves, b.leaves);
      double worst = 0;
      for (std::size_t l = 0; l < a.values.size(); ++l)
        for (std::size_t i = 0; i < a.values[l].size(); ++i)
          worst = std::max<double>(worst, std::abs(a.values[l][i] - b.values[l][i]));
      EXPECT_LE(worst, 1e3 * std::numeric_limits<T>::epsilon());
    }
}

TYPED_TEST(SideParts, ThatAreWallsLetNothingPass) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto options = closed_box<Dim>(this->size);
  options.sides[1] = {BoundaryKind::no_slip, BoundaryKind::wall};
  options.parts = {{0, FaceSide::lower, faces_at<Dim>(0, 2, this->size / 2), BoundaryKind::no_slip},
                   {0, FaceSide::upper, faces_at<Dim>(this->size, 0, this->size / 3), BoundaryKind::no_slip}};
  for (Scheme const scheme : schemes) {
    auto flow = this->start(options, {}, scheme);
    auto const before = flow.totals();
    for (int step = 0; step < this->step_count; ++step) flow.advance();
    double const rounding = std::is_same_v<T, double> ? 1e-12 : 3e-6;
    double const change = relative_change(flow.totals(), before, {0, Dim + 1});
    EXPECT_LE(change, rounding) << name_of(scheme);
  }
}

// A jet through a hole that is a few cells of the coarsest level wide. As much has come in as has crossed the hole.
TYPED_TEST(SideParts, LetInAsMuchAsCrossesThem) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto options = closed_box<Dim>(this->size);
  options.parts = {{0, FaceSide::lower, faces_at<Dim>(0, 2, 4), BoundaryKind::inflow}};
  auto const rest = gas_state<T, Dim>(1, {}, 1), jet = gas_state<T, Dim>(2, Vec<double, Dim>::along(0, 3), 1);
  Simulation<T, Dim> flow(Domain<Dim>(options), {}, Uniform<T, Dim>{rest}, {jet, {}});
  auto const before = flow.totals();
  run_to(flow, Dim == 2 ? 2. : 0.6);
  double const area = std::pow(2., Dim - 1);  // supersonic: nothing runs against the jet
  // A little less, as gas at rest is in the way at first.
  EXPECT_NEAR((flow.totals()[0] - before[0]) / (2 * 3 * area * flow.time()), 0.98, 0.015);
  EXPECT_GT(flow.level_count(), 1);
}

TYPED_TEST(SideParts, ThatDoNotLieOnTheirSideAreRefused) {
  constexpr int Dim = TypeParam::Dim;
  auto const domain_with = [&](sparse::amr::SidePart<Dim> const& part, BoundaryKind below = BoundaryKind::wall) {
    auto options = closed_box<Dim>(8);
    options.sides[0] = {below, below};
    options.parts = {part};
    return Domain<Dim>(options);
  };
  auto const faces = faces_at<Dim>(0, 1, 3);
  EXPECT_NO_THROW(domain_with({0, FaceSide::lower, faces, BoundaryKind::outflow}));
  EXPECT_THROW(domain_with({0, FaceSide::upper, faces, BoundaryKind::outflow}), std::invalid_argument);
  EXPECT_THROW(domain_with({1, FaceSide::lower, faces, BoundaryKind::outflow}), std::invalid_argument);
  EXPECT_THROW(domain_with({Dim, FaceSide::lower, faces, BoundaryKind::outflow}), std::invalid_argument);
  EXPECT_THROW(domain_with({-1, FaceSide::lower, faces, BoundaryKind::outflow}), std::invalid_argument);
  EXPECT_THROW(domain_with({0, FaceSide(2), faces, BoundaryKind::outflow}), std::invalid_argument);
  EXPECT_THROW(domain_with({0, FaceSide::lower, faces_at<Dim>(0, 6, 9), BoundaryKind::outflow}), std::invalid_argument);
  EXPECT_THROW(domain_with({0, FaceSide::lower, faces, BoundaryKind::periodic}), std::invalid_argument);
  EXPECT_THROW(domain_with({0, FaceSide::lower, faces, BoundaryKind::outflow}, BoundaryKind::periodic),
               std::invalid_argument);
  // A function is asked for where only a part needs one.
  EXPECT_THROW(this->start([&] {
    auto options = closed_box<Dim>(8);
    options.parts = {{0, FaceSide::lower, faces, BoundaryKind::given}};
    return options;
  }()),
               std::invalid_argument);
}
