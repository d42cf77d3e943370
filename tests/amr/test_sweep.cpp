/// The sweep over a level against the same scheme written plainly: cell by cell, each flux where it is needed.

#include <cstring>
#include <sstream>

#include <sparse/fields/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <support/euler_flow.hpp>
#include <support/fields.hpp>
#include <support/gas.hpp>

using namespace flow;
using reference::StorageOrder;
using sparse::amr::Reconstruction;
using sparse::amr::SweepPlan;
using sparse::amr::SweepSets;
using sparse::amr::SweepValues;

namespace {

double limited(Limiter limiter, double a, double b) {
  if (a * b <= 0) return 0;
  double const sign = a > 0 ? 1 : -1, least = std::min(std::abs(a), std::abs(b));
  switch (limiter) {
  case Limiter::minmod:
    return sign * least;
  case Limiter::van_leer:
    return 2 * a * b / (a + b);
  default:
    return sign * std::min(2 * least, 0.5 * std::abs(a + b));
  }
}

/// Faces are named by the cell at their upper side.
template <int Dim>
struct Faces {
  std::vector<Cells<Dim>> of;  // [axis]
  Faces() : of(Dim) {}
};

/// A random problem and its solution.
template <class T, int Dim>
struct Problem {
  using W = State<T, Dim>;
  static constexpr int N = Dim + 2;

  std::map<Cell<Dim>, W, StorageOrder> state, base;  // conserved variables
  Faces<Dim> walls[2];
  Cells<Dim> minmod;  // cells with this limiter
  Flux<T, Dim> flux;
  Reconstruction reconstruction = Reconstruction::constant;
  Limiter limiter = Limiter::minmod;
  Vec<T, Dim> inverse_spacing;
  T dt = 0, base_weight = 0, in_weight = 1;

  W primitive(Cell<Dim> const& cell) const { return flux.law.primitive(state.at(cell)); }

  /// The limited differences along all axes.
  std::vector<W> slopes(Cell<Dim> const& cell) const {
    std::vector<W> result(Dim, W{});
    if (reconstruction == Reconstruction::constant) return result;
    W const here = primitive(cell);
    Limiter const used = minmod.count(cell) != 0 ? Limiter::minmod : limiter;
    for (int axis = 0; axis < Dim; ++axis) {
      W const below = primitive(cell - Cell<Dim>::along(axis, 1)), above = primitive(cell + Cell<Dim>::along(axis, 1));
      for (int c = 0; c < N; ++c)
        result[axis][c] = static_cast<T>(limited(used, here[c] - below[c], above[c] - here[c]));
    }
    return result;
  }
  /// The state at the lower (0) or upper (1) face of a cell along an axis. Source: Toro (2009), section 14.4.
  W at_face(Cell<Dim> const& cell, int axis, int side) const {
    W const here = primitive(cell);
    auto slope = slopes(cell);
    W later = here;
    if (reconstruction == Reconstruction::hancock) {
      for (int a = 0; a < Dim; ++a) {
        // dw/dt = -A dw/dx for the Euler equations in primitive variables.
        T const v = here[1 + a], rho = here[0], p = here[Dim + 1], factor = T(0.5) * dt * inverse_spacing[a];
        for (int c = 0; c < N; ++c) later[c] -= factor * v * slope[a][c];
        later[0] -= factor * rho * slope[a][1 + a];
        later[1 + a] -= factor / rho * slope[a][Dim + 1];
        later[Dim + 1] -= factor * flux.law.gamma * p * slope[a][1 + a];
      }
      // Cells at whose faces density or pressure could vanish are of first order.
      bool is_possible = true;
      for (int c : {0, Dim + 1})
        for (int a = 0; a < Dim; ++a) is_possible = is_possible && later[c] - T(0.5) * std::abs(slope[a][c]) > 0;
      if (!is_possible) return here;
    }
    return later + (side == 0 ? T(-0.5) : T(0.5)) * slope[axis];
  }
  /// The flux between the cell before `cell` and `cell`.
  W flux_at(Cell<Dim> const& cell, int axis) const {
    if (walls[0].of[axis].count(cell) == 1) {
      W const w = at_face(cell, axis, 0);
      return flux(flux.law.mirrored(w, axis, -1), w, axis);
    }
    W const left = at_face(cell - Cell<Dim>::along(axis, 1), axis, 1);
    if (walls[1].of[axis].count(cell) == 1) return flux(left, flux.law.mirrored(left, axis, -1), axis);
    return flux(left, at_face(cell, axis, 0), axis);
  }
  W next(Cell<Dim> const& cell) const {
    W u = state.at(cell);
    for (int axis = 0; axis < Dim; ++axis)
      u += dt * inverse_spacing[axis] * (flux_at(cell, axis) - flux_at(cell + Cell<Dim>::along(axis, 1), axis));
    return base_weight == 0 ? u : base_weight * base.at(cell) + in_weight * u;
  }
};

/// A box with holes and missing rows that crosses borders of tiles on both sides of the origin.
template <int Dim>
Cells<Dim> wide_cells(std::mt19937& engine) {
  auto begin = Cell<Dim>::filled(-35), end = Cell<Dim>::filled(34);
  if (Dim == 2) {
    begin[0] = -333;
    end[0] = 290;
  } else {
    int const thin = reference::random_int(engine, 0, 2);
    begin[thin] = -3;
    end[thin] = 2;
  }
  Cells<Dim> cells, chosen;
  int const hole_share = reference::random_int(engine, 3, 60);
  Coord row = 0;
  bool has_row = true;
  for (auto const& cell : reference::box<Dim>(begin, end)) {
    if (cell[Dim - 1] * 1000 + cell[1] != row) {
      row = cell[Dim - 1] * 1000 + cell[1];
      has_row = reference::random_int(engine, 0, 9) > 0;
    }
    if (has_row && reference::random_int(engine, 0, hole_share) > 0) chosen.insert(cell);
  }
  return chosen;
}

/// A field with these states on all cells of the map.
template <class T, int Dim>
sparse::Field<T, Dim> field_of(IntervalSet<Dim> const& set,
                               std::map<Cell<Dim>, State<T, Dim>, StorageOrder> const& values) {
  sparse::Field<T, Dim> field("states", set, Dim + 2);
  for (int c = 0; c < Dim + 2; ++c) {
    std::vector<T> component;
    for (auto const& entry : values) component.push_back(entry.second[c]);
    reference::set_values(field, component, c);
  }
  return field;
}

template <class T, int Dim>
std::map<Cell<Dim>, State<T, Dim>, StorageOrder> states_of(sparse::Field<T, Dim> const& field) {
  std::map<Cell<Dim>, State<T, Dim>, StorageOrder> states;
  for (int c = 0; c < Dim + 2; ++c)
    for (auto const& [cell, value] : reference::value_map(field, c)) states[cell][c] = value;
  return states;
}

template <class T, int Dim>
struct Comparison {
  static constexpr double rounding = gas::rounding<T>;

  static Cells<Dim> some_of(Cells<Dim> const& cells, std::mt19937& engine, int one_in) {
    Cells<Dim> chosen;
    for (auto const& cell : cells)
      if (reference::random_int(engine, 1, one_in) == 1) chosen.insert(cell);
    return chosen;
  }
  static Cells<Dim> faces_of(Cells<Dim> const& cells, int axis) {
    return reference::either(cells, reference::moved(cells, Cell<Dim>::along(axis, 1)));
  }

  /// Of about `sample` of the cells.
  static void run(Cells<Dim> const& update, unsigned seed, Index sample) {
    if (update.empty()) return;
    auto engine = reference::random_engine(seed);
    gas::RandomStates<T, Dim> random(seed);
    Problem<T, Dim> problem;
    SweepSets<Dim> sets;
    sets.update = reference::set_of(update);
    sets.storage = sparse::expand(sets.update, 2, sparse::Element::diamond);
    for (auto const& cell : reference::cells_of(sets.storage)) {
      problem.state[cell] = problem.flux.law.conserved(random());
      problem.base[cell] = problem.flux.law.conserved(random());
    }
    problem.flux.kind = flux_kinds[reference::random_int(engine, 0, 2)];
    problem.reconstruction = static_cast<Reconstruction>(reference::random_int(engine, 0, 2));
    problem.limiter = static_cast<Limiter>(reference::random_int(engine, 0, 2));
    if (reference::random_int(engine, 0, 1) == 1) {
      problem.minmod = some_of(reference::cells_of(sets.storage), engine, reference::random_int(engine, 1, 9));
      sets.minmod = reference::set_of(problem.minmod);
    }
    problem.dt = random.number(0.005, 0.02);
    if (reference::random_int(engine, 0, 1) == 1) problem.base_weight = T(0.75), problem.in_weight = T(0.25);
    Faces<Dim> interface[2];
    for (int axis = 0; axis < Dim; ++axis) {
      problem.inverse_spacing[axis] = random.number(0.5, 2);
      Cells<Dim> const faces = faces_of(update, axis);
      for (int side = 0; side < 2; ++side) {
        auto& walls = problem.walls[side].of[axis] = some_of(faces, engine, 7);
        if (side == 1) walls = reference::difference(walls, problem.walls[0].of[axis]);
        sets.walls[axis][side] = reference::set_of(walls);
        interface[side].of[axis] = some_of(faces, engine, 5);
      }
      sets.coarse_interface[axis] = reference::set_of(interface[0].of[axis]);
      sets.fine_interface[axis] = reference::set_of(interface[1].of[axis]);
    }

    auto const in = field_of<T, Dim>(sets.storage, problem.state), base = field_of<T, Dim>(sets.storage, problem.base);
    auto out = clone(in);
    Vec<sparse::Field<T, Dim>, Dim> registers[2];
    SweepValues<Flux<T, Dim>, Dim> values{problem.flux};
    values.reconstruction = problem.reconstruction;
    values.limiter = problem.limiter;
    values.dt = problem.dt;
    values.inverse_spacing = problem.inverse_spacing;
    values.in = in.view();
    values.base = base.view();
    values.out = out.view();
    values.base_weight = problem.base_weight;
    values.in_weight = problem.in_weight;
    values.record_weight = T(0.375);
    for (int axis = 0; axis < Dim; ++axis) {
      registers[0][axis] = reference::random_field<T>(sets.coarse_interface[axis], engine, Dim + 2);
      registers[1][axis] = reference::random_field<T>(sets.fine_interface[axis], engine, Dim + 2);
      values.coarse_register[axis] = registers[0][axis].view();
      values.fine_register[axis] = registers[1][axis].view();
    }
    std::map<Cell<Dim>, State<T, Dim>, StorageOrder> recorded[2][Dim];
    for (int i = 0; i < 2; ++i)
      for (int axis = 0; axis < Dim; ++axis) recorded[i][axis] = states_of(registers[i][axis]);

    // Some cells come first. Others wait for their new states.
    Cells<Dim> first;
    if (int const one_of = 1 << reference::random_int(engine, 0, 12); seed % 2 == 0)
      for (auto const& cell : update)
        if (reference::random_int(engine, 1, one_of) == 1) first.insert(cell);
    sets.first = reference::set_of(first);
    SweepPlan<Dim> const plan(sets);
    EXPECT_EQ(plan.cell_count(), static_cast<Index>(update.size()));
    EXPECT_EQ(plan.first_tile_count() > 0, !first.empty());
    std::map<Cell<Dim>, State<T, Dim>, StorageOrder> between;
    T const rate = sparse::amr::sweep<Flux<T, Dim>, Dim>(plan, values, [&] {
      EXPECT_TRUE(between.empty());
      between = states_of(out);
    });
    for (auto const& [cell, found] : states_of(out)) {
      if (first.count(cell) == 0) continue;
      ASSERT_EQ(std::memcmp(&found, &between.at(cell), sizeof found), 0) << "seed " << seed << " cell " << cell;
    }

    auto const where = [&](Cell<Dim> const& cell) {
      std::ostringstream text;
      text << "seed " << seed << " cell " << cell << " reconstruction " << static_cast<int>(problem.reconstruction)
           << " limiter " << static_cast<int>(problem.limiter) << " " << name_of(problem.flux.kind);
      return text.str();
    };
    int const one_in = static_cast<int>(1 + static_cast<Index>(update.size()) / sample);
    T greatest = 0;
    for (auto const& [cell, found] : states_of(out)) {
      if (update.count(cell) == 0) {
        ASSERT_EQ(found, problem.state.at(cell)) << where(cell);
        continue;
      }
      T of_cell = 0;
      for (int axis = 0; axis < Dim; ++axis)
        of_cell += problem.inverse_spacing[axis] * problem.flux.law.max_speed(problem.flux.law.primitive(found), axis);
      if (std::isnan(of_cell) || of_cell > greatest) greatest = of_cell;  // a NaN stays: nothing is greater
      if (reference::random_int(engine, 1, one_in) > 1) continue;
      ASSERT_LE((gas::distance<T, Dim + 2>(found, problem.next(cell))), rounding) << where(cell);
    }
    if (std::isfinite(greatest))
      ASSERT_NEAR(rate, greatest, rounding * static_cast<double>(greatest)) << "seed " << seed;
    else
      ASSERT_FALSE(std::isfinite(rate)) << "seed " << seed;
    for (int i = 0; i < 2; ++i)
      for (int axis = 0; axis < Dim; ++axis)
        for (auto const& [face, found] : states_of(registers[i][axis])) {
          if (reference::random_int(engine, 1, one_in) > 1) continue;
          ASSERT_LE((gas::distance<T, Dim + 2>(found, recorded[i][axis].at(face) +
                                                          values.record_weight * problem.flux_at(face, axis))),
                    rounding)
              << where(face) << " axis " << axis << " register " << i;
        }
  }
};

template <class TheCase>
class Sweep : public testing::Test {};
TYPED_TEST_SUITE(Sweep, Cases);

}  // namespace

TYPED_TEST(Sweep, IsThePlainSchemeOnAnySet) {
  constexpr int Dim = TypeParam::Dim;
  // Storage is wider than what is computed.
  for (unsigned seed = 1; seed <= reference::seed_count; ++seed)
    ASSERT_NO_FATAL_FAILURE((Comparison<typename TypeParam::Scalar, Dim>::run)(
        reference::random_cells<Dim>(seed, 0, sparse::coord_limit - 4), seed, 1000));
}

TYPED_TEST(Sweep, IsThePlainSchemeAcrossTiles) {
  constexpr int Dim = TypeParam::Dim;
  for (unsigned seed = 1; seed <= 2 + reference::seed_count / 50; ++seed) {
    auto engine = reference::random_engine(seed);
    ASSERT_NO_FATAL_FAILURE((Comparison<typename TypeParam::Scalar, Dim>::run)(wide_cells<Dim>(engine), seed, 1500));
  }
}

TYPED_TEST(Sweep, OfNothingIsNothing) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  SweepPlan<Dim> const plan{SweepSets<Dim>{}};
  EXPECT_EQ(plan.tile_count(), 0);
  EXPECT_EQ((sparse::amr::sweep<Flux<T, Dim>, Dim>(plan, SweepValues<Flux<T, Dim>, Dim>{})), 0);
}
