/// The collocated scheme: against NumPy and plain loops; layouts, tiles, unstable steps.

#include <cstring>

#include <support/collocated.hpp>
#include <support/incompressible.hpp>
#include <support/tools.hpp>

namespace {

using namespace reference;

template <class T>
class IncompressibleCollocated : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(IncompressibleCollocated, Precisions);

/// Values at nodes of the cavity after 1000 steps: u and p on the vertical centre line, v and p on the horizontal one,
/// u on the line x = 7/40. Computed by a NumPy 2 script that follows the source, in double precision.
struct NumPyRow {
  int j;
  double u, v, p, u_at_7, p_across;
};
constexpr NumPyRow numpy_rows[] = {
    {0, 0, 0, -0.012037434311275472, 0, -0.10062076069305213},
    {5, -0.061285012250039968, 0.12781834139323267, -0.012116490976869072, -0.017655974204779403, -0.13610608270256863},
    {10, -0.10532389328277893, 0.1457278933792176, -0.013959616524546629, -0.033931678335747915, -0.12948215255784715},
    {15, -0.14146178173026647, 0.092228660021486997, -0.020123204529924346, -0.048618445255694004,
     -0.090809617699835019},
    {20, -0.15898884424605544, 0.0057266400715124304, -0.033898432740006194, -0.061709829477236931,
     -0.033898432740006194},
    {25, -0.12184796343897374, -0.085814717477475169, -0.055258491441755334, -0.068399381781542937,
     0.031214431932098555},
    {30, 0.037595526019189786, -0.14958194022054044, -0.072360998530747442, -0.045774503249664526,
     0.087389525794018083},
    {35, 0.40333173464302158, -0.13524879005523602, -0.066541717417357649, 0.13963166214252404, 0.1043754281865592},
    {40, 1, 0, 0, 1, 0.06514230620703515},
};

template <class T>
bool has_same_bits(sparse::Field<T, 2> const& a, sparse::Field<T, 2> const& b) {
  auto const x = to_host(a), y = to_host(b);
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

template <class T>
double greatest_size(std::vector<T> const& values) {
  double greatest = 0;
  for (T const value : values) greatest = std::max(greatest, std::abs(static_cast<double>(value)));
  return greatest;
}

}  // namespace

TEST(IncompressibleCollocatedCavity, IsThatOfNumPyToRounding) {
  auto flow = cavity<double>(41);
  flow.advance(1000);
  auto const u = to_host(flow.u()), v = to_host(flow.v()), p = to_host(flow.p());
  auto const at = [](int x, int y) { return static_cast<std::size_t>(41 * y + x); };
  double const of_u = 1e-13 * greatest_size(u), of_v = 1e-13 * greatest_size(v), of_p = 1e-13 * greatest_size(p);
  for (auto const& row : numpy_rows) {
    EXPECT_NEAR(u[at(20, row.j)], row.u, of_u) << row.j;
    EXPECT_NEAR(u[at(7, row.j)], row.u_at_7, of_u) << row.j;
    EXPECT_NEAR(v[at(row.j, 20)], row.v, of_v) << row.j;
    EXPECT_NEAR(p[at(20, row.j)], row.p, of_p) << row.j;
    EXPECT_NEAR(p[at(row.j, 20)], row.p_across, of_p) << row.j;
  }
  EXPECT_EQ(flow.step_count(), 1000);
  EXPECT_NEAR(flow.time(), 1, 1e-12);
}

TEST(IncompressibleCollocatedCavity, HasTheKnownExtremaOnItsCentreLines) {
  auto flow = cavity<double>(41);
  flow.advance(1000);
  auto const u = to_host(flow.u()), v = to_host(flow.v());
  double least_u = 1, least_v = 1, greatest_v = -1;
  for (std::size_t j = 0; j < 41; ++j) {
    least_u = std::min(least_u, u[41 * j + 20]);
    least_v = std::min(least_v, v[41 * 20 + j]);
    greatest_v = std::max(greatest_v, v[41 * 20 + j]);
  }
  EXPECT_NEAR(least_u, -0.15899, 5e-6);
  EXPECT_NEAR(least_v, -0.1564, 5e-5);
  EXPECT_NEAR(greatest_v, 0.1497, 5e-5);
}

TEST(IncompressibleCollocatedCavity, FloatIsWithinOneTenThousandthOfDouble) {
  auto single = cavity<float>(41);
  auto with_double = cavity<double>(41);
  single.advance(1000);
  with_double.advance(1000);
  auto const u = to_host(single.u()), v = to_host(single.v());
  auto const precise_u = to_host(with_double.u()), precise_v = to_host(with_double.v());
  for (std::size_t i = 0; i < u.size(); ++i) {
    ASSERT_NEAR(u[i], precise_u[i], 1e-4) << i;
    ASSERT_NEAR(v[i], precise_v[i], 1e-4) << i;
  }
}

TYPED_TEST(IncompressibleCollocated, LayoutsAndTilesGiveTheSameBits) {
  using T = TypeParam;
  for (unsigned seed = 0; seed <= 4; ++seed) {
    CollocatedOptions options{.time_step = 0.0004, .sweep_count = 21};
    auto plain = seed == 0 ? cavity<T>(301, {.time_step = 1e-5, .sweep_count = 21}) : odd_flow<T>(seed, options);
    plain.advance(4);
    for (NodeLayout const layout : {NodeLayout::arrays, NodeLayout::cells})
      for (int const sweeps : {1, 2, 5, 16}) {
        options.layout = layout;
        options.sweeps_per_tile = sweeps;
        if (seed == 0) options.time_step = 1e-5;
        auto flow = seed == 0 ? cavity<T>(301, options) : odd_flow<T>(seed, options);
        flow.advance(4);
        ASSERT_GT(greatest_size(to_host(flow.p())), 1e-6);
        EXPECT_TRUE(has_same_bits(flow.u(), plain.u())) << "seed " << seed << ", " << sweeps;
        EXPECT_TRUE(has_same_bits(flow.v(), plain.v())) << "seed " << seed << ", " << sweeps;
        EXPECT_TRUE(has_same_bits(flow.p(), plain.p())) << "seed " << seed << ", " << sweeps;
      }
  }
}

TYPED_TEST(IncompressibleCollocated, IsThatOfPlainLoopsOnAnySet) {
  using T = TypeParam;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    CollocatedOptions const options{.density = 1.3, .viscosity = 0.05, .time_step = 0.0005, .sweep_count = 5};
    PlainFlow plain(options);
    auto flow = odd_flow<T>(seed, options, &plain);
    flow.advance(3);
    for (int step = 0; step < 3; ++step) plain.step();
    auto const expect_same = [&](sparse::Field<T, 2> const& field, std::map<PlainFlow::Node, double> const& wanted,
                                 bool inside_alone) {
      double greatest = 0;
      for (auto const& [node, value] : wanted) greatest = std::max(greatest, std::abs(value));
      for (auto const& [node, value] : value_map(field)) {
        if (inside_alone && !flow.inside().contains(node)) continue;
        auto const should_be = wanted.at({node[0], node[1]});
        ASSERT_NEAR(value, should_be, precise<T>(2e-5, 1e-13) * greatest) << "seed " << seed << ", " << node;
      }
      EXPECT_GT(greatest, 0.01);
    };
    expect_same(flow.u(), plain.u, false);
    expect_same(flow.v(), plain.v, false);
    expect_same(flow.p(), plain.p, true);
  }
}

TYPED_TEST(IncompressibleCollocated, PressureOnTheBoundaryIsWhatInsideNodesSee) {
  CollocatedOptions const options{.time_step = 0.0004, .sweep_count = 10};
  PlainFlow plain(options);
  auto flow = odd_flow<TypeParam>(3, options, &plain);
  flow.advance(3);
  auto const p = value_map(flow.p());
  PlainFlow::Values known;
  for (auto const& [node, value] : p)
    if (plain.is_inside({node[0], node[1]})) known[{node[0], node[1]}] = value;
  int layer_count = 0;
  while (true) {
    PlainFlow::Values layer;
    for (auto const& [node, unused] : plain.u) {
      if (known.contains(node) || plain.given_p.contains(node)) continue;
      double sum = 0;
      int count = 0;
      for (int arm = 0; arm < 4; ++arm) {
        auto const other = PlainFlow::beside(node, arm);
        if (!known.contains(other) && !(layer_count > 0 && plain.given_p.contains(other))) continue;
        sum += p.at({other[0], other[1]});
        ++count;
      }
      if (count > 0) layer[node] = sum / count;
    }
    if (layer.empty()) break;
    for (auto const& [node, value] : layer) {
      EXPECT_NEAR((p.at({node[0], node[1]})), value, 1e-6) << node[0] << " " << node[1];
      known[node] = value;
    }
    ++layer_count;
  }
  EXPECT_EQ(layer_count, 3);  // corners see boundary nodes alone, and a node behind a hole sees such nodes alone
  for (auto const& [node, value] : plain.given_p)
    EXPECT_EQ((p.at({node[0], node[1]})), static_cast<TypeParam>(value)) << node[0] << " " << node[1];
}

TEST(IncompressibleCollocatedCavity, GivenNodeByNodeIsGivenBySets) {
  auto const nodes = sparse::box<2>({0, 0}, {17, 17});
  CollocatedOptions const options{.time_step = 0.005};
  auto by_sets = cavity<double>(17, options);
  Collocated<double> by_nodes(nodes, {1. / 16, 1. / 16}, options);
  for (int i = 0; i < 17; ++i) {
    by_nodes.fix_u(sparse::box<2>({i, 16}, {i + 1, 17}), 1);
    by_nodes.fix_p(sparse::box<2>({i, 16}, {i + 1, 17}), 0);
  }
  by_sets.advance(50);
  by_nodes.advance(50);
  EXPECT_TRUE(has_same_bits(by_nodes.u(), by_sets.u()));
  EXPECT_TRUE(has_same_bits(by_nodes.v(), by_sets.v()));
  EXPECT_TRUE(has_same_bits(by_nodes.p(), by_sets.p()));
}

TYPED_TEST(IncompressibleCollocated, UnstableStepsAreRefusedWithTheLimit) {
  using T = TypeParam;
  auto flow = cavity<T>(80, {.time_step = 0.001});
  EXPECT_NEAR(flow.longest_step(), 0.5 * 0.5 / (79. * 79) / 0.1, 1e-12);
  EXPECT_TRUE(
      is_refused([&] { flow.advance(); }, "the time step 0.001 is more than the longest stable one, 0.000400577"));
  EXPECT_EQ(flow.step_count(), 0);
  cavity<T>(80, {.time_step = 0.0004}).advance();
  // Convection: 2 viscosity / velocity^2, where that is less.
  auto thin = cavity<T>(41, {.viscosity = 0.001, .time_step = 0.003});
  EXPECT_NEAR(thin.longest_step(), 0.002, 1e-12);
  EXPECT_TRUE(is_refused([&] { thin.advance(); }, "0.002"));
}

TEST(IncompressibleCollocatedCavity, UnstableStepsEndWithTheStepAndTheStateBeforeIt) {
  for (auto const& [n, good] : {std::pair(80, 18), std::pair(201, 11)}) {
    CollocatedOptions const options{.time_step = 0.001, .allow_unstable = true};
    auto flow = cavity<double>(n, options), other = cavity<double>(n, options);
    std::string const part = "in step " + std::to_string(good + 1) + ", after " + std::to_string(good) + " good ones";
    try {
      flow.advance(1000);
      FAIL() << n;
    } catch (std::runtime_error const& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("at node ("), std::string::npos) << error.what();
    }
    EXPECT_EQ(flow.step_count(), good);
    other.advance(good);
    EXPECT_TRUE(has_same_bits(flow.u(), other.u())) << n;
    EXPECT_TRUE(has_same_bits(flow.v(), other.v())) << n;
    EXPECT_TRUE(has_same_bits(flow.p(), other.p())) << n;
    EXPECT_THROW(flow.advance(), std::runtime_error);
    EXPECT_EQ(flow.step_count(), good);
  }
}

TYPED_TEST(IncompressibleCollocated, StepsAllocateNothingOnceWarmAndLabelTheirKernels) {
  for (int const sweeps : {1, 4}) {
    auto flow = odd_flow<TypeParam>(1, {.time_step = 0.0004, .sweep_count = 10, .sweeps_per_tile = sweeps});
    flow.advance(2);
    auto const in_use = flow.nodes().context().arena()->bytes_in_use();
    KokkosWatch const watch;
    flow.advance(5);
    EXPECT_EQ(watch.allocation_count(), 0) << watch.allocation_labels();
    EXPECT_EQ(flow.nodes().context().arena()->bytes_in_use(), in_use);
    EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
    EXPECT_GT(flow.seconds().pressure, 0);
  }
}

TYPED_TEST(IncompressibleCollocated, WhatMakesNoSenseIsRefused) {
  using Flow = Collocated<TypeParam>;
  auto const nodes = sparse::box<2>({0, 0}, {5, 5});
  auto const refuses = [&](CollocatedOptions const& options, std::string const& part) {
    return is_refused([&] { Flow(nodes, {1, 1}, options); }, part);
  };
  EXPECT_TRUE(refuses({.density = 0}, "density must be positive, but is 0"));
  EXPECT_TRUE(refuses({.viscosity = -1}, "viscosity must be positive"));
  EXPECT_TRUE(refuses({.time_step = std::nan("")}, "the time step must be positive, but is nan"));
  EXPECT_TRUE(refuses({.sweep_count = 0}, "at least one sweep"));
  EXPECT_TRUE(refuses({.stability_factor = 0}, "stability factor"));
  EXPECT_TRUE(refuses({.sweeps_per_tile = 0}, "1 to 16 sweeps"));
  EXPECT_TRUE(refuses({.sweeps_per_tile = 17}, "1 to 16 sweeps"));
  EXPECT_TRUE(is_refused([&] { Flow(nodes, {1, 0}); }, "spacing"));
  EXPECT_TRUE(is_refused([&] { Flow(sparse::box<2>({0, 0}, {2, 9}), {1, 1}); }, "no node has all four neighbours"));
  EXPECT_TRUE(is_refused([&] { Flow(IntervalSet<2>(), {1, 1}); }, "no node has all four neighbours"));
  Flow flow(nodes, {1, 1});
  EXPECT_TRUE(is_refused([&] { flow.fix_u(sparse::box<2>({4, 4}, {6, 5}), 1); }, "fix_u: 1 of 2 nodes are not nodes"));
  EXPECT_TRUE(is_refused([&] { flow.fix_v(IntervalSet<2>(), 1); }, "fix_v: the set of nodes is empty"));
  EXPECT_TRUE(is_refused([&] { flow.fix_p(nodes, std::nan("")); }, "a given value is not finite"));
  EXPECT_TRUE(is_refused([&] { flow.advance(-1); }, "negative"));
}
