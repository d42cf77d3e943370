#pragma once
/// Matrices of composite Poisson problems the slow way: rows made leaf by leaf.

#include <sparse/poisson/composite_operator.hpp>
#include <support/poisson.hpp>

namespace reference {

using sparse::poisson::CompositeProblem;

/// A sum of multiples of unknowns, and of a function at places where p is given.
template <int Dim>
struct Combination {
  std::map<Index, double> of_leaf;
  std::map<std::pair<int, Cell<Dim>>, double,
           bool (*)(std::pair<int, Cell<Dim>> const&, std::pair<int, Cell<Dim>> const&)>
      of_face{[](std::pair<int, Cell<Dim>> const& a, std::pair<int, Cell<Dim>> const& b) {
        return a.first != b.first ? a.first < b.first : StorageOrder()(a.second, b.second);
      }};  // (64 level + axis, face)

  Combination& add(double factor, Combination const& other) {
    for (auto const& [leaf, value] : other.of_leaf) of_leaf[leaf] += factor * value;
    for (auto const& [face, value] : other.of_face) of_face[face] += factor * value;
    return *this;
  }
  friend Combination operator*(double factor, Combination const& a) { return Combination().add(factor, a); }
  friend Combination operator+(Combination a, Combination const& b) { return a.add(1, b); }
  friend Combination operator-(Combination a, Combination const& b) { return a.add(-1, b); }
};

/// The levels of a problem as maps.
template <int Dim>
class CompositeReference {
public:
  using Sum = Combination<Dim>;

  explicit CompositeReference(CompositeProblem<Dim> const& problem) : problem_(problem) {
    for (auto const& set : problem.cells) cells_.push_back(cells_of(set));
    for (std::size_t l = 0; l < cells_.size(); ++l)
      covered_.push_back(l + 1 < cells_.size() ? coarsened(cells_[l + 1]) : Cells<Dim>());
    for (std::size_t l = 0; l < cells_.size(); ++l) {
      auto& numbers = numbers_.emplace_back();
      for (auto const& cell : difference(cells_[l], covered_[l])) {
        numbers.emplace(cell, count_++);
        places_.push_back({static_cast<int>(l), cell});
      }
      auto& given = given_.emplace_back();
      for (int axis = 0; axis < Dim; ++axis)
        given[axis] = l < problem.dirichlet.size() ? cells_of(problem.dirichlet[l][axis]) : Cells<Dim>();
    }
    for (auto const& of_level : problem.face_coefficient) {
      auto& values = coefficients_.emplace_back();
      for (int axis = 0; axis < Dim; ++axis) values[axis] = value_map(*of_level[axis]);
    }
  }

  Index leaf_count() const { return count_; }
  std::vector<std::pair<int, Cell<Dim>>> const& places() const { return places_; }
  double width(int l, int axis) const { return problem_.grid.spacing[axis] / std::pow(2.0, l); }
  double volume(int l) const { return std::pow(0.5, Dim * l); }

  /// Finds a cell, or its image, in a container of cells.
  template <class Container>
  auto find(Container const& all, int l, Cell<Dim> const& cell) const {
    return all.find(inside(l, cell));
  }
  /// The image of a cell that lies in the period of the set.
  Cell<Dim> inside(int l, Cell<Dim> cell) const {
    for (int axis = 0; axis < Dim; ++axis) {
      Coord const period = problem_.period[axis] * (1 << l);
      if (period == 0) continue;
      Coord const begin = problem_.cells[0].bounds().begin[axis] * (1 << l);
      while (cell[axis] < begin) cell[axis] += period;
      while (cell[axis] >= begin + period) cell[axis] -= period;
    }
    return cell;
  }
  bool has(int l, Cell<Dim> const& cell) const { return find(cells_[at(l)], l, cell) != cells_[at(l)].end(); }
  bool is_covered(int l, Cell<Dim> const& cell) const {
    return find(covered_[at(l)], l, cell) != covered_[at(l)].end();
  }
  bool is_leaf(int l, Cell<Dim> const& cell) const {
    return l >= 0 && find(numbers_[at(l)], l, cell) != numbers_[at(l)].end();
  }
  static Cell<Dim> parent(Cell<Dim> cell) {
    for (int axis = 0; axis < Dim; ++axis) cell[axis] = cell[axis] >= 0 ? cell[axis] / 2 : -((1 - cell[axis]) / 2);
    return cell;
  }
  static Cell<Dim> moved(Cell<Dim> cell, int axis, int step) {
    cell[axis] += step;
    return cell;
  }

  /// Whether beyond a face of a leaf there is nothing at all.
  bool is_wall(int l, Cell<Dim> const& leaf, int axis, int side) const {
    auto const other = moved(leaf, axis, side);
    return !has(l, other) && !is_leaf(l - 1, parent(other));
  }

  /// The value of a cell.
  Sum value(int l, Cell<Dim> const& cell) const {
    Sum sum;
    if (auto const leaf = find(numbers_[at(l)], l, cell); leaf != numbers_[at(l)].end()) {
      sum.of_leaf[leaf->second] = 1;
      return sum;
    }
    auto const place = *find(covered_[at(l)], l, cell);
    std::vector<Cell<Dim>> children;
    for (int k = 0; k < 1 << Dim; ++k) {
      auto child = 2 * place;
      for (int axis = 0; axis < Dim; ++axis) child[axis] += (k >> axis) & 1;
      if (has(l + 1, child)) children.push_back(child);
    }
    for (auto const& child : children) sum.add(1.0 / static_cast<double>(children.size()), value(l + 1, child));
    return sum;
  }
  bool is_given(int l, Cell<Dim> const& leaf, int axis, int side) const {
    return given_[at(l)][axis].count(face_of(leaf, axis, side)) > 0;
  }
  Sum given(int l, Cell<Dim> const& leaf, int axis, int side) const {
    Sum sum;
    sum.of_face[{64 * l + axis, face_of(leaf, axis, side)}] = 1;
    return sum;
  }
  /// The value beside a coarse leaf, or its image.
  Sum beside(int l, Cell<Dim> const& leaf, int axis, int side) const {
    auto const other = moved(leaf, axis, side), opposite = moved(leaf, axis, -side);
    if (has(l, other)) return value(l, other);
    auto const here = value(l, leaf);
    bool const has_opposite = has(l, opposite), is_opposite_given = !has_opposite && is_given(l, leaf, axis, -side);
    if (!is_given(l, leaf, axis, side)) {
      if (is_opposite_given) return 3 * here - 2 * given(l, leaf, axis, -side);
      if (!has_opposite) return here;
      auto const second = moved(leaf, axis, -2 * side);
      if (!is_leaf(l, opposite) || !has(l, second)) return 2 * here - value(l, opposite);
      return 3 * here - 3 * value(l, opposite) + value(l, second);
    }
    auto const wall = given(l, leaf, axis, side);
    // the parabola with these values and this mean
    if (is_opposite_given) return 4 * wall + 2 * given(l, leaf, axis, -side) - 5 * here;
    return has_opposite ? 3 * wall - 2.5 * here + 0.5 * value(l, opposite) : 2 * wall - here;
  }
  /// The value along a diagonal, or what goes on linearly along a side.
  Sum diagonal(int l, Cell<Dim> const& leaf, int a, int side_a, int b, int side_b) const {
    auto const at_corner = [&](int i, int j) { return moved(moved(leaf, a, i), b, j); };
    auto const is_near = [&](int i, int j) {
      return has(l, at_corner(i, j)) && (has(l, moved(leaf, a, i)) || has(l, moved(leaf, b, j)));
    };
    if (is_near(side_a, side_b)) return value(l, at_corner(side_a, side_b));
    if (!has(l, moved(leaf, a, side_a)) && is_near(-side_a, side_b))
      return 2 * beside(l, leaf, b, side_b) - value(l, at_corner(-side_a, side_b));
    if (!has(l, moved(leaf, b, side_b)) && is_near(side_a, -side_b))
      return 2 * beside(l, leaf, a, side_a) - value(l, at_corner(side_a, -side_b));
    return beside(l, leaf, a, side_a) + beside(l, leaf, b, side_b) - value(l, leaf);
  }

  /// The gradient away from a fine leaf, through its face at an interface.
  Sum fine_gradient(int l, Cell<Dim> const& fine, int axis, int side) const {
    auto const coarse = inside(l - 1, parent(moved(fine, axis, side))), inner = moved(fine, axis, -side);
    auto const here = value(l - 1, coarse);
    Sum q = here;
    int signs[Dim];
    for (int t = 0; t < Dim; ++t) {
      signs[t] = fine[t] % 2 == 0 ? -1 : 1;
      if (t == axis) continue;
      auto const upper = beside(l - 1, coarse, t, 1), lower = beside(l - 1, coarse, t, -1);
      q.add(signs[t] / 8.0, upper - lower);
    }
    if constexpr (Dim == 3) {
      int const a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
      auto const corner = [&](int i, int j) { return diagonal(l - 1, coarse, a, i, b, j); };
      q.add(signs[a] * signs[b] / 64.0, corner(1, 1) - corner(1, -1) - corner(-1, 1) + corner(-1, -1));
    }
    auto const own = value(l, fine), next = has(l, inner) ? value(l, inner) : own;
    return 0.5 / width(l, axis) * (q - 0.5 * own - 0.5 * next);
  }

  double coefficient(int l, Cell<Dim> const& leaf, int axis, int side) const {
    if (coefficients_.empty()) return problem_.coefficient;
    return coefficients_[at(l)][axis].at(face_of(inside(l, leaf), axis, side));
  }
  /// The gradient away from a leaf, through its face, times the coefficient there.
  Sum flux(int l, Cell<Dim> const& leaf, int axis, int side) const {
    auto const other = moved(leaf, axis, side);
    if (is_covered(l, other)) return gradient(l, leaf, axis, side, true);
    return coefficient(l, leaf, axis, side) * gradient(l, leaf, axis, side);
  }
  /// The gradient away from a leaf, through its face.
  Sum gradient(int l, Cell<Dim> const& leaf, int axis, int side, bool is_flux_into_covered = false) const {
    auto const other = moved(leaf, axis, side);
    double const h = width(l, axis);
    if (is_leaf(l, other)) return 1 / h * (value(l, other) - value(l, leaf));
    if (is_covered(l, other)) {
      Sum sum;
      for (int k = 0; k < 1 << (Dim - 1); ++k) {
        auto child = 2 * other;
        child[axis] += side > 0 ? 0 : 1;
        for (int t = 0, bit = 0; t < Dim; ++t)
          if (t != axis) child[t] += (k >> bit++) & 1;
        if (!has(l + 1, child)) continue;
        double const c = is_flux_into_covered ? coefficient(l + 1, child, axis, -side) : 1;
        sum.add(-c / (1 << (Dim - 1)), fine_gradient(l + 1, child, axis, -side));
      }
      return sum;
    }
    if (is_leaf(l - 1, parent(other))) return fine_gradient(l, leaf, axis, side);
    if (is_given(l, leaf, axis, side)) return 2 / h * (given(l, leaf, axis, side) - value(l, leaf));
    return {};
  }

  /// A row of the matrix, and minus what given values add to it.
  Sum row(int l, Cell<Dim> const& leaf) const {
    Sum sum = problem_.zeroth_order * value(l, leaf);
    for (int axis = 0; axis < Dim; ++axis)
      for (int side : {-1, 1}) sum.add(-1 / width(l, axis), flux(l, leaf, axis, side));
    return sum;
  }
  Matrix matrix() const {
    auto const n = static_cast<std::size_t>(count_);
    Matrix a(n, Values(n, 0));
    for (std::size_t i = 0; i < n; ++i)
      for (auto const& [leaf, value] : row(places_[i].first, places_[i].second).of_leaf)
        a[i][static_cast<std::size_t>(leaf)] += value;
    return a;
  }

  /// Gives p on each boundary face of a leaf with a probability, but not one cell away from an interface.
  void draw_dirichlet_faces(CompositeProblem<Dim>& problem, double probability, std::mt19937& engine) const {
    std::bernoulli_distribution is_wanted(probability);
    problem.dirichlet.assign(cells_.size(), {});
    for (std::size_t l = 0; l < cells_.size(); ++l)
      for (int axis = 0; axis < Dim; ++axis) {
        Cells<Dim> faces;
        for (auto const& [leaf, number] : numbers_[l])
          for (int side : {-1, 1}) {
            int const level = static_cast<int>(l);
            auto const back = moved(leaf, axis, -side);
            bool const is_thin = !has(level, back) && is_leaf(level - 1, parent(back));
            if (is_wall(level, leaf, axis, side) && !is_thin && is_wanted(engine))
              faces.insert(face_of(leaf, axis, side));
          }
        problem.dirichlet[l][axis] = set_of(faces);
      }
  }

private:
  static std::size_t at(int l) { return static_cast<std::size_t>(l); }

  CompositeProblem<Dim> problem_;
  std::vector<Cells<Dim>> cells_, covered_;
  std::vector<std::map<Cell<Dim>, Index, StorageOrder>> numbers_;
  std::vector<std::array<Cells<Dim>, Dim>> given_;
  std::vector<std::array<std::map<Cell<Dim>, double, StorageOrder>, Dim>> coefficients_;
  std::vector<std::pair<int, Cell<Dim>>> places_;
  Index count_ = 0;
};

}  // namespace reference
