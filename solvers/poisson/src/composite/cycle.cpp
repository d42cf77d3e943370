#include "cycle.hpp"

#include <sparse/plans/for_each.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>

#include "coefficients.hpp"
#include "multigrid/transfers.hpp"
#include "operator/kernels.hpp"

namespace sparse::poisson::detail {
namespace {

/// The Dirichlet faces of cells that cover those of the next level.
template <int Dim>
std::array<IntervalSet<Dim>, Dim> covering_faces(CompositeLevel<Dim> const& level,
                                                 std::array<IntervalSet<Dim>, Dim> const& finer) {
  std::array<IntervalSet<Dim>, Dim> all = level.of_leaves.dirichlet;
  for (int axis = 0; axis < Dim; ++axis) {
    if (finer[axis].is_empty()) continue;
    auto const found = coarsen(finer[axis]);
    for (int side = 0; side < 2; ++side) {
      int const arm = 2 * axis + side;
      auto owners = (side == 0 ? found : shift(found, axis, -1)) & level.cells;
      owners = owners - with_neighbour_in(owners, level.cells, arm, level.period());
      if (!level.rims[arm].is_empty()) owners = owners - level.rims[arm];
      all[axis] = all[axis] | (side == 0 ? owners : shift(owners, axis, 1));
    }
  }
  return all;
}

template <class T>
struct ClearCovered {
  T* values;
  template <class Point>
  KOKKOS_FUNCTION void operator()(Point const& p) const {
    values[p.cell] = 0;
  }
};

/// Adds to r what fine leaves get from the other side: their fluxes, but for the part that the cycle's matrix has.
template <class T, class P, int Dim>
struct AddToFine {
  BesideLeaf<Dim> const* leaves;
  T const* flux;
  P const* z;     // on the cells of the leaves
  T weight[Dim];  // of the leaf itself in the matrix
  T inflow[Dim];  // coefficient / h
  T *r, *kept;
  double const* coefficient;  // [part], or null

  KOKKOS_FUNCTION void operator()(Index m) const {
    auto const& own = leaves[m];
    if (own.is_fine == 0) return;
    T sum = 0;
    for (int arm = 0; arm < 2 * Dim; ++arm)
      if (Index const part = own.part[arm]; part >= 0) {
        T const c = coefficient == nullptr ? T(1) : static_cast<T>(coefficient[part]);
        sum += inflow[arm / 2] * flux[part] + c * weight[arm / 2] * static_cast<T>(z[own.cell]);
      }
    kept[m] = r[own.cell];
    r[own.cell] += sum;
  }
};

/// The same for coarse leaves, whose own part is a coupling to the covered cell.
template <class T, class P, int Dim>
struct AddToCoarse {
  BesideLeaf<Dim> const* leaves;
  InterfaceFace<Dim> const* faces;
  P const* fine;
  T weight[Dim];  // of a fine cell, times 2^-Dim
  T *r, *kept;
  double const* coefficient;  // [part], or null

  KOKKOS_FUNCTION void operator()(Index m) const {
    constexpr int parts = InterfaceFace<Dim>::fine_count;
    auto const& own = leaves[m];
    if (own.is_fine != 0) return;
    T sum = 0;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      if (own.part[arm] < 0) continue;
      auto const& face = faces[own.part[arm] / parts];
      for (int k = 0; k < parts; ++k) {
        if (face.fine[k] < 0) continue;
        T const c = coefficient == nullptr ? T(1) : static_cast<T>(coefficient[own.part[arm] + k]);
        sum += c * weight[arm / 2] * static_cast<T>(fine[face.fine[k]]);
      }
    }
    kept[m] = r[own.cell];
    r[own.cell] += sum;
  }
};

template <class T, int Dim>
struct Restore {
  BesideLeaf<Dim> const* leaves;
  T const* kept;
  T* r;
  bool is_fine;
  KOKKOS_FUNCTION void operator()(Index m) const {
    if ((leaves[m].is_fine != 0) == is_fine) r[leaves[m].cell] = kept[m];
  }
};

/// The matrix of a level that refers to all cells that the rank stores.
template <class P, class T, int Dim>
Couplings<P, Dim> rows_of_rank(Couplings<P, Dim> const& all, CompositeMatrix<T, Dim> const& matrix, std::size_t l) {
  auto const& cells = matrix.levels()[l].cells;
  auto const origin = matrix.all_levels()[l].cells.bounds().begin - all.cells().bounds().begin;
  return all.within({cells, matrix.ranks()->own(l), matrix.levels()[l - 1].cells, origin});
}

}  // namespace

template <class T, class P, int Dim>
CompositeCycle<T, P, Dim>::CompositeCycle(CompositeMatrix<T, Dim> const& matrix, int sweeps, CompositeCycle const* last)
    : composite_(matrix), sweeps_(sweeps), levels_(matrix.level_count()), kept_(matrix.context(), matrix.mark_count()) {
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    auto const& level = matrix.levels()[l];
    levels_[l].covered = last != nullptr && matrix.common().stays(l) ? last->levels_[l].covered
                                                                     : Subset<Dim>(level.covered, level.cells);
  }
  make_matrices(last);
}

template <class T, class P, int Dim>
void CompositeCycle<T, P, Dim>::make_matrices(CompositeCycle const* last) {
  auto const& problem = composite_.problem();
  auto const& levels = composite_.all_levels();
  auto const coefficients = coefficients_of_cells(levels);
  bool has_bodies = false, stays = false;  // whether the matrix of the finer level did
  std::array<IntervalSet<Dim>, Dim> dirichlet;
  std::shared_ptr<Couplings<P, Dim> const> finer;
  for (std::size_t l = levels.size(); l-- > 0;) {
    auto const& level = levels[l];
    auto& own = levels_[l];
    if (l + 1 < levels.size())
      has_bodies = has_bodies || levels[l + 1].cells.cell_count() != level.covered.cell_count() << Dim;
    own.has_bodies = has_bodies;
    own.dirichlet = dirichlet = has_bodies ? level.of_leaves.dirichlet : covering_faces<Dim>(level, dirichlet);
    auto const& common = composite_.common();
    stays = last != nullptr && common.has_cells(l) && (l == 0 || common.has_cells(l - 1)) &&
            last->levels_[l].has_bodies == has_bodies && last->levels_[l].dirichlet == dirichlet &&
            (!has_bodies || stays);
    if (stays) {
      finer = own.matrix = last->levels_[l].matrix;
      if (l == 0) base_ = last->base_;
      continue;
    }
    Problem<Dim> const on_cells{level.cells, level.grid(),   problem.coefficient, problem.zeroth_order,
                                dirichlet,   level.period(), coefficients[l]};
    LevelPlace<Dim> place;
    place.storage = level.cells;
    place.has_arrays = has_bodies;
    place.rims = level.rims;
    place.rim_share = interface_weight;
    if (l > 0) place.parents = levels[l - 1].cells;
    auto made = l > 0 || has_bodies ? Couplings<P, Dim>(on_cells, place) : Couplings<P, Dim>(on_cells);
    if (has_bodies) made.cover(*finer, level.cells, level.covered, levels[l + 1].cells, problem.zeroth_order);
    auto const& ranks = composite_.ranks();
    if (l == 0) {
      base_ = std::make_shared<Hierarchy<P, Dim>>(std::move(made), Multigrid{.sweeps = sweeps_},
                                                  ranks ? ranks->base() : nullptr);
    } else {
      finer = std::make_shared<Couplings<P, Dim> const>(std::move(made));
      own.matrix = ranks ? std::make_shared<Couplings<P, Dim> const>(rows_of_rank(*finer, composite_, l)) : finer;
    }
  }
}

template <class T, class P, int Dim>
void CompositeCycle<T, P, Dim>::add_to_fine(std::size_t l, std::vector<T*> const& r, std::vector<P*> const& z) {
  auto const context = composite_.context();
  auto const& beside = composite_.beside(l);
  Buffer<T> const flux(context, composite_.interface(l - 1).part_count());
  double const* const coefficient = composite_.interface(l - 1).coefficient.data();
  composite_.fluxes(l - 1, z, flux.data(), nullptr, coefficient, true);
  AddToFine<T, P, Dim> body{beside.data(), flux.data(), z[l], {}, {}, r[l], kept_.data() + composite_.first_mark(l),
                            coefficient};
  for (int axis = 0; axis < Dim; ++axis) {
    double const h = composite_.levels()[l].grid().spacing[axis], c = composite_.coefficient();
    body.inflow[axis] = static_cast<T>(c / h);
    body.weight[axis] = static_cast<T>(interface_weight * c / (h * h));
  }
  on_interface(context, "sparse::poisson::add_to_fine", beside.size(), body);
}

template <class T, class P, int Dim>
void CompositeCycle<T, P, Dim>::add_to_coarse(std::size_t l, std::vector<T*> const& r, std::vector<P*> const& z) {
  auto const& beside = composite_.beside(l);
  AddToCoarse<T, P, Dim> body{beside.data(),
                              composite_.interface(l).faces.data(),
                              z[l + 1],
                              {},
                              r[l],
                              kept_.data() + composite_.first_mark(l),
                              composite_.interface(l).coefficient.data()};
  for (int axis = 0; axis < Dim; ++axis) {
    double const h = composite_.levels()[l + 1].grid().spacing[axis];
    body.weight[axis] = static_cast<T>(interface_weight * composite_.coefficient() / (h * h) / (1 << Dim));
  }
  on_interface(composite_.context(), "sparse::poisson::add_to_coarse", beside.size(), body);
}

template <class T, class P, int Dim>
void CompositeCycle<T, P, Dim>::restore(bool is_to_fine, std::size_t l, std::vector<T*> const& r) {
  on_interface(composite_.context(), "sparse::poisson::restore", composite_.beside(l).size(),
               Restore<T, Dim>{composite_.beside(l).data(), kept_.data() + composite_.first_mark(l), r[l], is_to_fine});
}

template <class T, class P, int Dim>
void CompositeCycle<T, P, Dim>::apply(std::vector<T*> const& r, std::vector<P*> const& z) {
  auto const context = composite_.context();
  auto const& ranks = composite_.ranks();
  for (std::size_t l = levels_.size(); l-- > 1;) {
    auto const& own = *levels_[l].matrix;
    fill_right_side(l, r);
    for_each("sparse::poisson::clear_covered", levels_[l - 1].covered, ClearCovered<T>{r[l - 1]});
    Pipeline down;
    add_red_black_sweeps(down, own, own.relaxation(), static_cast<T const*>(r[l]), z[l], 0, sweeps_, true);
    down.add(RestrictResidual<P, T, Dim, T>{own.view(), own.groups().data(), r[l], z[l], r[l - 1], {}, 0});
    down.run(context, own.chain());
    if (ranks) ranks->fill(l, z[l]);
    add_to_coarse(l - 1, r, z);
  }
  fill_right_side(0, r);
  base_->cycle(static_cast<T const*>(r[0]), z[0]);
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    auto const& own = *levels_[l].matrix;
    add_to_fine(l, r, z);
    if (ranks) ranks->fill_leaves(l, r[l]);
    Pipeline up;
    up.add(Prolong<P, Dim, true>{own.view(), own.groups().data(), z[l], z[l - 1], {}});
    add_red_black_sweeps(up, own, own.relaxation(), static_cast<T const*>(r[l]), z[l], 1, sweeps_, false);
    up.run(context, own.chain());
    if (ranks) ranks->fill(l, z[l]);
    restore(true, l, r);
  }
  for (std::size_t l = 0; l + 1 < levels_.size(); ++l) restore(false, l, r);
}

template <class T, class P, int Dim>
void CompositeCycle<T, P, Dim>::fill_right_side(std::size_t l, std::vector<T*> const& r) {
  auto const& ranks = composite_.ranks();
  if (!ranks) return;
  ranks->fill_leaves(l, r[l]);
  if (l + 1 < levels_.size()) ranks->fill_covered(l, r[l]);
}

template class CompositeCycle<float, float, 2>;
template class CompositeCycle<float, float, 3>;
template class CompositeCycle<double, float, 2>;
template class CompositeCycle<double, float, 3>;

}  // namespace sparse::poisson::detail
