/// What fills the cells around a level, against formulas evaluated cell by cell.

#include <algorithm>

#include <sparse/amr/hierarchy/ghosts.hpp>
#include <support/amr_levels.hpp>
#include <support/dust.hpp>

using namespace reference;
using sparse::FieldView;
using sparse::amr::Boundary;
using sparse::amr::BoundaryPoint;
using sparse::amr::Ghosts;
using sparse::amr::Parents;

namespace {

/// A function of everything that it is told.
template <int Dim>
struct Given {
  using Law = Dust<double, Dim>;
  KOKKOS_FUNCTION typename Law::State operator()(BoundaryPoint<Law> const& p) const {
    auto w = p.open();
    w[0] = 2 + p.time + 0.25 * p.slip()[1 + p.axis] + p.no_slip()[0] + 0.125 * static_cast<int>(p.side) + p.axis;
    for (int axis = 0; axis < Dim; ++axis) w[0] += 0.01 * (axis + 1) * p.x[axis] * p.x[axis];
    return w;
  }
};

template <class Dimension>
class GhostsOfRandomLevels : public testing::Test {
public:
  static constexpr int dimension = Dimension::value;

  /// Calls `check(random, domain, sets, level, engine)` for all levels of all seeds.
  template <class Check>
  void for_each_level(Check const& check) {
    for (unsigned seed = 1; seed <= seed_count; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      RandomLevels<dimension> const random(seed);
      Domain<dimension> const domain(random.options);
      auto const sets = level_sets(domain, nested_cells(domain, random.tag_sets(), random.buffers));
      auto engine = random_engine(seed);
      for (int l = 0; l < static_cast<int>(sets.size()); ++l) check(random, domain, sets, l, engine);
      if (this->HasFailure()) return;
    }
  }
  static Ghosts<dimension> ghosts(Domain<dimension> const& domain, std::vector<LevelSets<dimension>> const& sets,
                                  int l) {
    return Ghosts<dimension>(domain, sets[l], l > 0 ? &sets[l - 1] : nullptr, l);
  }
  static auto random_states(std::mt19937& engine) {
    return [&engine](Cell<dimension> const&) { return random_state<dimension>(engine); };
  }
};
TYPED_TEST_SUITE(GhostsOfRandomLevels, Dimensions);

double minmod(double a, double b) { return a * b <= 0 ? 0 : std::abs(a) < std::abs(b) ? a : b; }

/// The child at `cell` of a parent with minmod slopes where both neighbours are `valid`.
template <int Dim>
Vec<double, 1 + Dim> expected_child(Cell<Dim> const& cell, States<Dim> const& coarse, Cells<Dim> const& valid,
                                    Dust<double, Dim> const& law) {
  auto const parent = parent_of(cell);
  auto const value = coarse.at(parent);
  auto const child_at = [&](int k) {
    auto child = value;
    for (int axis = 0; axis < Dim; ++axis) {
      auto const step = Cell<Dim>::along(axis, 1);
      if (valid.count(parent - step) == 0 || valid.count(parent + step) == 0) continue;
      for (int c = 0; c < 1 + Dim; ++c)
        child[c] += ((k >> axis) & 1 ? 0.25 : -0.25) *
                    minmod(value[c] - coarse.at(parent - step)[c], coarse.at(parent + step)[c] - value[c]);
    }
    return child;
  };
  int own = 0;
  for (int axis = 0; axis < Dim; ++axis) own |= (cell[axis] & 1) << axis;
  for (int k = 0; k < 1 << Dim; ++k)
    if (!law.is_admissible(law.primitive(child_at(k)))) return value;
  return child_at(own);
}

/// A function of the place alone.
template <int Dim>
struct GivenByPlace {
  using Law = Dust<double, Dim>;
  Vec<double, Dim> slope;
  KOKKOS_FUNCTION typename Law::State operator()(BoundaryPoint<Law> const& p) const {
    auto w = Law::State::filled(0.5);
    for (int axis = 0; axis < Dim; ++axis) {
      w[0] += slope[axis] * slope[axis] * p.x[axis] * p.x[axis];
      w[1 + axis] = slope[axis] * p.x[axis];
    }
    return w;
  }
};

/// A vector with the axes exchanged: what was along `axis` is along `order[axis]`.
template <class T, int Dim>
Vec<T, Dim> exchanged(Vec<T, Dim> const& x, Vec<int, Dim> const& order) {
  Vec<T, Dim> result;
  for (int axis = 0; axis < Dim; ++axis) result[order[axis]] = x[axis];
  return result;
}
/// The same of states.
template <int Dim>
Vec<double, 1 + Dim> exchanged_state(Vec<double, 1 + Dim> const& w, Vec<int, Dim> const& order) {
  Vec<double, 1 + Dim> result = w;
  for (int axis = 0; axis < Dim; ++axis) result[1 + order[axis]] = w[1 + axis];
  return result;
}

}  // namespace

TYPED_TEST(GhostsOfRandomLevels, FollowLinearStatesInSpaceAndTime) {
  constexpr int Dim = TypeParam::value;
  this->for_each_level([&](auto const&, auto const& domain, auto const& sets, int l, auto& engine) {
    if (l == 0) return;
    auto const slope_x = random_state<Dim>(engine), slope_t = random_state<Dim>(engine);
    auto const coarse_valid = cells_of(sets[l - 1].valid), ghost_cells = cells_of(sets[l].coarse_ghosts);
    auto const linear = [&](int level, double time, Cells<Dim> const& known) {
      return [&, known, level, time](Cell<Dim> const& cell) {
        auto u = unknown<Dim>(cell);
        if (known.count(cell) == 0) return u;
        u = Vec<double, 1 + Dim>::filled(50) + time * slope_t;
        auto const x = domain.grid(level).center(cell);
        for (int axis = 0; axis < Dim; ++axis) u += ((axis + 1) * x[axis]) * slope_x;
        return u;
      };
    };
    auto const old = state_of<Dim>(sets[l - 1].storage, linear(l - 1, 1, coarse_valid));
    auto const current = state_of<Dim>(sets[l - 1].storage, linear(l - 1, 2, coarse_valid));
    auto const ghosts = this->ghosts(domain, sets, l);
    FieldView<double const> const none{};
    for (double const weight : {0.0, 0.5, 0.75, 1.0}) {
      auto fine = state_of<Dim>(sets[l].storage, unknown<Dim>);
      fill_from_coarser(fine.view(), Dust<double, Dim>{}, ghosts, weight == 1 ? none : old.view(),
                        weight == 0 ? none : current.view(), weight);
      auto const found = states_of(fine);
      auto const expected = linear(l, 1 + weight, ghost_cells);
      for (auto const& cell : ghost_cells)
        ASSERT_LE(distance(found.at(cell), expected(cell)), 1e-11) << "level " << l << " cell " << cell;
      for (auto const& cell : cells_of(sets[l].valid)) ASSERT_TRUE(std::isnan(found.at(cell)[0]));  // left alone
    }
  });
}

TYPED_TEST(GhostsOfRandomLevels, AreChildrenWithLimitedSlopesThatCanBe) {
  constexpr int Dim = TypeParam::value;
  int flat_count = 0;
  this->for_each_level([&](auto const&, auto const&, auto const& sets, int l, auto& engine) {
    if (l == 0) return;
    auto const coarse = state_of<Dim>(sets[l - 1].storage, this->random_states(engine));
    auto const states = states_of(coarse);
    auto const valid = cells_of(sets[l - 1].valid);
    // Parents may be at most so fast, children may become faster.
    Dust<double, Dim> const law{2.0};
    // Some cells of the level, as if they were new; their parents may be beside bodies.
    Cells<Dim> const ghost_cells = cells_of(sets[l].coarse_ghosts);
    Cells<Dim> born;
    for (auto const& cell : cells_of(sets[l].cells))
      if (random_int(engine, 0, 3) == 0) born.insert(cell);
    for (auto const& children : {ghost_cells, born}) {
      if (children.empty()) continue;
      auto fine = state_of<Dim>(sets[l].storage, unknown<Dim>);
      prolong_admissible(fine.view(), law, Parents<Dim>(set_of(children), sets[l - 1], sets[l]), coarse.view());
      for (auto const& [cell, value] : states_of(fine)) {
        if (children.count(cell) == 0) {
          ASSERT_TRUE(std::isnan(value[0]));
          continue;
        }
        auto const expected = expected_child(cell, states, valid, law);
        ASSERT_LE(distance(value, expected), 1e-14) << "level " << l << " cell " << cell;
        flat_count += law.is_admissible(law.primitive(expected)) && expected == states.at(parent_of(cell));
      }
    }
  });
  EXPECT_GT(flat_count, 0);
}

TYPED_TEST(GhostsOfRandomLevels, HaveTheMeanOfTheirParent) {
  constexpr int Dim = TypeParam::value;
  this->for_each_level([&](auto const&, auto const&, auto const& sets, int l, auto& engine) {
    if (l == 0) return;
    auto const coarse = state_of<Dim>(sets[l - 1].storage, this->random_states(engine));
    auto fine = state_of<Dim>(sets[l].storage, unknown<Dim>);
    prolong_admissible(fine.view(), Dust<double, Dim>{2.0}, Parents<Dim>(sets[l].cells, sets[l - 1], sets[l]),
                       coarse.view());
    States<Dim> sums;
    std::map<Cell<Dim>, int, StorageOrder> counts;
    auto const cells = cells_of(sets[l].cells);
    for (auto const& [cell, value] : states_of(fine))
      if (cells.count(cell) != 0) {
        sums[parent_of(cell)] += value;
        ++counts[parent_of(cell)];
      }
    auto const states = states_of(coarse);
    for (auto const& [parent, sum] : sums)
      if (counts[parent] == 1 << Dim) {
        ASSERT_LE(distance((1.0 / (1 << Dim)) * sum, states.at(parent)), 1e-14)
            << "level " << l << " parent " << parent;
      }
  });
}

TYPED_TEST(GhostsOfRandomLevels, BeyondSidesAreWhatTheSidesSay) {
  constexpr int Dim = TypeParam::value;
  using Law = Dust<double, Dim>;
  using State = typename Law::State;
  Law const law;
  this->for_each_level([&](auto const& random, auto const& domain, auto const& sets, int l, auto& engine) {
    double const time = random_int(engine, 0, 9);
    State const inflow = random_state<Dim>(engine);
    auto state = state_of<Dim>(sets[l].storage, [&](Cell<Dim> const& cell) {
      return random.is_inside(cell, l) ? random_state<Dim>(engine) : unknown<Dim>(cell);
    });
    auto const before = states_of(state);
    auto const given = sparse::amr::boundary<Law>(Given<Dim>{});
    auto const ghosts = this->ghosts(domain, sets, l);
    for (auto const source : {sparse::amr::SideSource::fluid, sparse::amr::SideSource::solid})
      fill_sides(state.view(), law, ghosts.sides, inflow, given, time, source);

    // One of the sides beyond which a cell lies decides; what it looks at may be beyond the others.
    std::vector<std::vector<BoundaryKind>> const least_to_most{{BoundaryKind::outflow, BoundaryKind::inflow},
                                                               {BoundaryKind::given},
                                                               {BoundaryKind::wall, BoundaryKind::no_slip},
                                                               {BoundaryKind::periodic}};
    auto const deciding_axis = [&](Cell<Dim> const& cell) {
      int result = -1;
      for (auto const& kinds : least_to_most)
        for (int axis = 0; axis < Dim; ++axis) {
          if (cell[axis] >= 0 && cell[axis] < random.size(axis, l)) continue;
          BoundaryKind const kind = random.kind_at(cell, axis, l);
          if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) result = axis;
        }
      return result;
    };
    std::function<State(Cell<Dim>)> const expected = [&](Cell<Dim> cell) -> State {
      int const axis = deciding_axis(cell);
      if (axis < 0) return before.at(cell);
      Coord const size = random.size(axis, l);
      int const side = cell[axis] < 0 ? 0 : 1;
      Cell<Dim> inside = cell, image = cell, opposite = cell;
      inside[axis] = side == 0 ? 0 : size - 1;
      image[axis] = side == 0 ? std::min(-1 - cell[axis], size - 1) : std::max(2 * size - 1 - cell[axis], 0);
      opposite[axis] += side == 0 ? size : -size;
      auto const mirror = [&] { return law.primitive(expected(image)); };
      switch (random.kind_at(cell, axis, l)) {
      case BoundaryKind::periodic:
        return expected(opposite);
      case BoundaryKind::outflow:
        return expected(inside);
      case BoundaryKind::inflow:
        return law.conserved(inflow);
      case BoundaryKind::wall:
        return law.conserved(law.mirrored(mirror(), axis, -1));
      case BoundaryKind::no_slip:
        return law.conserved(law.reversed(mirror()));
      case BoundaryKind::given:
        break;
      }
      auto const x = domain.grid(l).center(cell);
      BoundaryPoint<Law> const point{
          law, axis, static_cast<sparse::FaceSide>(side), x, time, law.primitive(expected(inside)), mirror()};
      return law.conserved(Given<Dim>{}(point));
    };
    for (auto const& [cell, value] : states_of(state))
      ASSERT_LE(distance(value, expected(cell)), 1e-12) << "level " << l << " cell " << cell;
  });
}

TYPED_TEST(GhostsOfRandomLevels, BeyondEdgesAndCornersDoNotDependOnTheOrderOfTheAxes) {
  constexpr int Dim = TypeParam::value;
  using Law = Dust<double, Dim>;
  BoundaryKind const kinds[] = {BoundaryKind::wall, BoundaryKind::no_slip, BoundaryKind::outflow, BoundaryKind::inflow,
                                BoundaryKind::given};
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    DomainOptions<Dim> options;
    Vec<double, Dim> slope;
    for (int axis = 0; axis < Dim; ++axis) {
      bool const is_periodic = random_int(engine, 0, 3) == 0;
      options.cells[axis] = random_int(engine, is_periodic ? 4 : 1, 6);
      for (int side = 0; side < 2; ++side)
        options.sides[axis][side] = is_periodic ? BoundaryKind::periodic : kinds[random_int(engine, 0, 4)];
      options.grid.spacing[axis] = 0.1 * random_int(engine, 1, 9);
      slope[axis] = 0.1 * random_int(engine, -4, 4);
    }
    auto const inflow = random_state<Dim>(engine);
    States<Dim> inside;
    for (auto const& cell : reference::box<Dim>({}, options.cells)) inside[cell] = random_state<Dim>(engine);

    auto const filled = [&](Vec<int, Dim> const& order) {
      DomainOptions<Dim> turned;
      turned.cells = exchanged(options.cells, order);
      turned.grid.spacing = exchanged(options.grid.spacing, order);
      turned.sides = exchanged(options.sides, order);
      Domain<Dim> const domain(turned);
      auto const sets = level_sets(domain, {domain.fluid(0)});
      States<Dim> moved;
      for (auto const& [cell, w] : inside) moved[exchanged(cell, order)] = exchanged_state<Dim>(w, order);
      auto state = state_of<Dim>(sets[0].storage, [&](Cell<Dim> const& cell) {
        auto const found = moved.find(cell);
        return found == moved.end() ? unknown<Dim>(cell) : found->second;
      });
      fill_boundaries(state.view(), Law{}, this->ghosts(domain, sets, 0), exchanged_state<Dim>(inflow, order),
                      sparse::amr::boundary<Law>(GivenByPlace<Dim>{exchanged(slope, order)}), 0);
      return states_of(state);
    };
    Vec<int, Dim> order;
    for (int axis = 0; axis < Dim; ++axis) order[axis] = axis;
    auto const wanted = filled(order);
    while (std::next_permutation(order.data, order.data + Dim)) {
      auto const found = filled(order);
      ASSERT_EQ(found.size(), wanted.size());
      for (auto const& [cell, w] : wanted)
        ASSERT_LE(distance(found.at(exchanged(cell, order)), exchanged_state<Dim>(w, order)), 1e-13)
            << "seed " << seed << " cell " << cell;
    }
  }
}

TYPED_TEST(GhostsOfRandomLevels, AreAllFilledFromTheCellsOfTheLevels) {
  constexpr int Dim = TypeParam::value;
  using Law = Dust<double, Dim>;
  this->for_each_level([&](auto const&, auto const& domain, auto const& sets, int l, auto& engine) {
    auto const fill = [&](int level, sparse::Field<double, Dim> const* coarser) {
      auto const cells = cells_of(sets[level].cells);
      auto state = state_of<Dim>(sets[level].storage, [&](Cell<Dim> const& cell) {
        return cells.count(cell) != 0 ? random_state<Dim>(engine) : unknown<Dim>(cell);
      });
      auto const ghosts = this->ghosts(domain, sets, level);
      if (coarser != nullptr) fill_from_coarser(state.view(), Law{}, ghosts, coarser->view(), {}, 0);
      fill_boundaries(state.view(), Law{}, ghosts, random_state<Dim>(engine), sparse::amr::boundary<Law>(Given<Dim>{}),
                      0);
      return state;
    };
    sparse::Field<double, Dim> coarser = fill(0, nullptr);
    for (int level = 1; level <= l; ++level) coarser = fill(level, &coarser);
    for (auto const& [cell, value] : states_of(coarser))
      ASSERT_EQ(distance(value, value), 0) << "level " << l << ": no value in " << cell;
  });
}

TYPED_TEST(GhostsOfRandomLevels, NeedAFunctionBeyondSidesThatAreGiven) {
  constexpr int Dim = TypeParam::value;
  DomainOptions<Dim> options;
  options.cells = Cell<Dim>::filled(4);
  options.sides[1][0] = BoundaryKind::given;
  Domain<Dim> const domain(options);
  auto const sets = level_sets(domain, {domain.fluid(0)});
  auto const ghosts = this->ghosts(domain, sets, 0);
  sparse::Field<double, Dim> state("state", sets[0].storage, 1 + Dim);
  EXPECT_THROW(fill_boundaries(state.view(), Dust<double, Dim>{}, ghosts, {}, {}, 0), std::invalid_argument);
}
