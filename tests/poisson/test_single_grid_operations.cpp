/// The operator and the cycle of the single-grid method against loops that follow the formulas node by node.

#include <array>

#include <sparse/poisson/single_grid.hpp>
#include <support/node_fields.hpp>

namespace {

using namespace reference;
using namespace sparse::poisson;

constexpr std::array<NodeStencil, 2> both_stencils{NodeStencil::radial, NodeStencil::axes};

/// The method on a dense array as the paper describes it: every step changes all nodes.
template <int Dim>
struct Slow {
  using Node = Vec<int, Dim>;
  using Values = std::vector<double>;

  int intervals;
  double spacing;
  SingleGridOptions<Dim> options;
  Values s, a;

  template <class Body>
  void for_each_in(int begin, int end, int step, Body const& body) const {
    Node node = Node::filled(begin);
    while (node[Dim - 1] < end) {
      body(node);
      node[0] += step;
      for (int axis = 0; axis < Dim - 1 && node[axis] >= end; ++axis) {
        node[axis] = begin;
        node[axis + 1] += step;
      }
    }
  }
  template <class Body>
  void for_each_node(int step, Body const& body) const {
    for_each_in(0, intervals + 1, step, body);
  }
  double at(Values const& values, Node const& node) const { return values[index(node)]; }
  std::size_t index(Node const& node) const {
    int i = 0;
    for (int axis = Dim; axis-- > 0;) {
      int const y = std::abs(node[axis]);  // mirrored below and above
      i = i * (intervals + 1) + (y > intervals ? 2 * intervals - y : y);
    }
    return static_cast<std::size_t>(i);
  }
  bool is_dirichlet(Node const& node) const {
    for (std::size_t axis = 0; axis < Dim; ++axis) {
      int const y = node[static_cast<int>(axis)];
      if (y == 0 && options.sides[2 * axis] == NodeSide::dirichlet) return true;
      if (y == intervals && options.sides[2 * axis + 1] == NodeSide::dirichlet) return true;
    }
    return false;
  }

  /// The operator at distance `step`, and its diagonal without a.
  std::pair<double, double> operate(Values const& u, Values const& s_of_level, Node const& node, int step) const {
    double sum = 0, diagonal = 0;
    for_each_in(-1, 2, 1, [&](Node const& offset) {
      int square = 0;
      for (int axis = 0; axis < Dim; ++axis) square += offset[axis] * offset[axis];
      if (square == 0 || (options.stencil == NodeStencil::axes && square > 1)) return;
      Node const neighbour = node + step * offset;
      double const radius = std::sqrt(square) * step * spacing;
      double const weight = (at(s_of_level, neighbour) + at(s_of_level, node)) / 2 / (radius * radius);
      sum += weight * (at(u, neighbour) - at(u, node));
      diagonal += weight;
    });
    double const factor = options.stencil == NodeStencil::axes ? 1 : Dim == 2 ? 1.0 / 2 : 3.0 / 13;
    return {factor * sum, factor * diagonal};
  }
  Values residual(Values const& f, Values const& u) const {
    Values r(f.size(), 0);
    for_each_node(1, [&](Node const& node) {
      if (!is_dirichlet(node)) r[index(node)] = at(f, node) - operate(u, s, node, 1).first - at(a, node) * at(u, node);
    });
    return r;
  }
  Values restricted(Values g, int level) const {
    for (int m = 0; m < level; ++m) {
      Values average(g.size(), 0);
      for_each_node(1, [&](Node const& node) {
        for_each_in(-1, 2, 1, [&](Node const& offset) {
          double weight = 1;
          for (int axis = 0; axis < Dim; ++axis) weight *= offset[axis] == 0 ? 0.5 : 0.25;
          average[index(node)] += weight * at(g, node + (1 << m) * offset);
        });
      });
      g = average;
    }
    return g;
  }
  void relax_and_interpolate(Values& u, Values const& r, int level, int count) const {
    int const step = 1 << level;
    auto const g = restricted(r, level), s_of_level = restricted(s, level), a_of_level = restricted(a, level);
    double const diagonal_of_1 = options.stencil == NodeStencil::axes ? 2 * Dim : Dim == 2 ? 3 : 44.0 / 13;
    for (int c = 0; c < count; ++c) {
      Values change(u.size(), 0);
      for_each_node(step, [&](Node const& node) {
        if (is_dirichlet(node)) return;
        auto const [sum, diagonal] = operate(u, s_of_level, node, step);
        double const here = at(a_of_level, node);
        change[index(node)] = (sum + here * at(u, node) - at(g, node)) /
                              (diagonal / (options.step * diagonal_of_1) + std::max(0.0, -here));
      });
      for_each_node(step, [&](Node const& centre) {
        for_each_in(-step, step + 1, 1, [&](Node const& offset) {
          Node const node = centre + offset;
          double weight = 1;
          for (int axis = 0; axis < Dim; ++axis) {
            if (node[axis] < 0 || node[axis] > intervals) return;
            weight *= 1 - std::abs(offset[axis]) / static_cast<double>(step);
          }
          u[index(node)] += weight * at(change, centre);
        });
      });
    }
  }
  void cycle(Values const& f, Values& u) const {
    auto const r = residual(f, u);
    Values e(u.size(), 0);
    int n = 0;
    while (1 << n < intervals) ++n;
    for (int top = n - 1; top >= 0; --top)
      for (int const level : {top, top - 1, top})
        if (level >= 0) relax_and_interpolate(e, r, level, std::min(options.relaxation_count, 1 << (n - top)));
    relax_and_interpolate(e, r, 0, std::min(options.relaxation_count, 1 << n));
    for (std::size_t i = 0; i < u.size(); ++i) u[i] += e[i];
  }
};

template <int Dim>
std::array<NodeSide, 2 * Dim> random_sides(std::mt19937& engine) {
  std::array<NodeSide, 2 * Dim> sides{};
  for (auto& side : sides) side = random_int(engine, 0, 1) == 0 ? NodeSide::dirichlet : NodeSide::neumann;
  sides[static_cast<std::size_t>(random_int(engine, 0, 2 * Dim - 1))] = NodeSide::dirichlet;
  return sides;
}

template <class Dimension>
class SingleGridOperations : public testing::Test {};
TYPED_TEST_SUITE(SingleGridOperations, Dimensions);

}  // namespace

/// The printed formula of the method fails this: its radial differences lack a factor of the distance.
TYPED_TEST(SingleGridOperations, LaplacianOfHalfXSquaredIsOne) {
  constexpr int Dim = TypeParam::value;
  auto const nodes = cube_of_nodes<Dim>(3);
  double const h = 0.25;
  for (auto const stencil : both_stencils) {
    SingleGridOptions<Dim> options;
    options.stencil = stencil;
    SingleGrid<double, Dim> const laplacian(nodes, h, options), scaled(nodes, h, options, 3, 2);
    auto const one_inside = [&](Vec<double, Dim> const& x) {
      for (int axis = 0; axis < Dim; ++axis)
        if (x[axis] == 0 || x[axis] == 8 * h) return 0.0;
      return 1.0;
    };
    auto const inside = node_values<double>(nodes, h, one_inside);
    for (int axis = 0; axis < Dim; ++axis) {
      auto const u = node_field<double>(nodes, h, [=](Vec<double, Dim> const& x) { return x[axis] * x[axis] / 2; });
      auto const values = to_host(u), l = to_host(laplacian.apply(u)), m = to_host(scaled.apply(u));
      for (std::size_t i = 0; i < l.size(); ++i) {
        EXPECT_NEAR(l[i], inside[i], 1e-12) << "axis " << axis << ", node " << i;
        EXPECT_NEAR(m[i], inside[i] * (3 + 2 * values[i]), 1e-11) << "axis " << axis << ", node " << i;
      }
    }
    auto const product = node_field<double>(nodes, h, [](Vec<double, Dim> const& x) { return x[0] * x[Dim - 1]; });
    EXPECT_LT(greatest_magnitude(laplacian.apply(product)), 1e-11);
  }
}

TYPED_TEST(SingleGridOperations, OperatorAndCycleFollowTheFormulas) {
  constexpr int Dim = TypeParam::value;
  double const h = 0.1;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    std::mt19937 engine(seed);
    int const n = seed == 1 ? 1 : random_int(engine, 2, Dim == 2 ? 5 : 3);
    auto const nodes = cube_of_nodes<Dim>(n);
    SingleGridOptions<Dim> options;
    options.sides = random_sides<Dim>(engine);
    options.stencil = both_stencils[seed % 2];
    options.relaxation_count = random_int(engine, 1, 5);
    options.step = 0.15;
    options.stop = {1e-300, 2};
    bool const is_nodal = seed % 4 < 2;
    auto s = constant_field<double>(nodes, 2.5), a = constant_field<double>(nodes, -3);
    if (is_nodal) {
      auto positive = random_values<double>(nodes.cell_count(), engine);
      for (double& value : positive) value = 12 + value;
      set_values(s, positive);
      set_values(a, random_values<double>(nodes.cell_count(), engine));
    }
    auto const f = random_field<double>(nodes, engine);
    auto u = random_field<double>(nodes, engine);
    auto solver = is_nodal ? SingleGrid<double, Dim>(nodes, h, options, s, a)
                           : SingleGrid<double, Dim>(nodes, h, options, 2.5, -3);
    Slow<Dim> const slow{1 << n, h, options, to_host(s), to_host(a)};

    auto const source = to_host(f);
    auto wanted = to_host(u);
    auto const applied = to_host(solver.apply(u));
    auto const expected = slow.residual(std::vector<double>(wanted.size(), 0), wanted);
    for (std::size_t i = 0; i < applied.size(); ++i) ASSERT_NEAR(applied[i], -expected[i], 1e-8) << "seed " << seed;

    solver.solve(f, u);
    for (int cycle = 0; cycle < 2; ++cycle) slow.cycle(source, wanted);
    auto const got = to_host(u);
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], wanted[i], 1e-10) << "seed " << seed;
  }
}
