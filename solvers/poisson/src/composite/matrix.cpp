#include "matrix.hpp"

#include <cmath>
#include <string>
#include <utility>

#include <sparse/plans/for_each.hpp>

#include "coefficients.hpp"
#include "operator/matrix.hpp"
#include "operator/zeros.hpp"

namespace sparse::poisson::detail {

template <class T, int Dim>
CompositeMatrix<T, Dim>::CompositeMatrix(CompositeProblem<Dim> const& problem, int reach, CompositeMatrix const* last)
    : problem_(problem), common_(last != nullptr ? CommonLevels<Dim>(problem, last->problem_) : CommonLevels<Dim>()),
      all_(composite_levels(problem, common_, last != nullptr ? &last->all_ : nullptr)) {
  bool const has_coefficients = !problem.face_coefficient.empty();
  if (has_coefficients) expect_coefficients(all_);
  for (auto const& level : all_) weight_ += level.volume * static_cast<double>(level.leaves.cell_count());
  auto const make_all_beside = [&](std::vector<CompositeLevel<Dim>> const& levels) {
    std::vector<Buffer<BesideLeaf<Dim>>> made;
    for (std::size_t l = 0; l < levels.size(); ++l)
      made.push_back(common_.stays(l) ? last->beside_[l] : make_beside(levels[l], l > 0 ? &levels[l - 1] : nullptr));
    return made;
  };
  beside_ = make_all_beside(all_);
  // All ranks refuse a problem, also those that have no rows of it.
  for (auto const& level : all_)
    if (problem.team != nullptr && !level.leaves.is_empty()) expect_valid(level.of_leaves);
  if (problem.team != nullptr) ranks_ = std::make_shared<CompositeRanks<Dim> const>(problem, all_, reach);
  null_space_ = CompositeNullSpace<Dim>(all_, beside_, ranks_, problem.has_exact_sums);
  if (ranks_) beside_ = make_all_beside(levels());
  mark_starts_.push_back(0);
  for (std::size_t l = 0; l < all_.size(); ++l) {
    auto const& level = levels()[l];
    bool const stays = common_.stays(l);
    rows_.push_back(stays ? last->rows_[l] : std::make_shared<Couplings<T, Dim> const>(make_rows(level)));
    leaves_in_cells_.push_back(stays ? last->leaves_in_cells_[l] : Embedding<Dim>(level.leaves, level.cells));
    mark_starts_.push_back(mark_starts_.back() + level.beside.cell_count());
    Vec<Index, Dim> starts{};
    for (int axis = 1; axis < Dim; ++axis)
      starts[axis] = starts[axis - 1] + level.of_leaves.dirichlet[axis - 1].cell_count();
    dirichlet_starts_.push_back(starts);
    if (l + 1 == all_.size()) continue;
    interfaces_.push_back(stays ? last->interfaces_[l] : make_interface(level, levels()[l + 1], starts));
    if (has_coefficients) interfaces_[l].coefficient = interface_coefficients(level, levels()[l + 1], interfaces_[l]);
  }
  if (last != nullptr) last_interface_plans_ = last->interface_plans_;
}

template <class T, int Dim>
Couplings<T, Dim> CompositeMatrix<T, Dim>::make_rows(CompositeLevel<Dim> const& level) const {
  if (level.leaves.is_empty()) return {};
  LevelPlace<Dim> place;
  place.storage = level.cells;
  place.marks = level.beside;
  if (ranks_) place.neighbours = level.known;
  Couplings<T, Dim> made(problem_on_cells(level, level.leaves), place);
  if (ranks_ && !problem_.face_coefficient.empty())
    made.take_arrays(Couplings<T, Dim>(problem_on_cells(level, level.known), place));
  return made;
}

template <class T, int Dim>
Problem<Dim> CompositeMatrix<T, Dim>::problem_on_cells(CompositeLevel<Dim> const& level,
                                                       IntervalSet<Dim> const& cells) const {
  auto made = level.of_leaves;
  made.cells = cells;
  for (int axis = 0; axis < Dim && ranks_; ++axis)
    if (auto& given = made.dirichlet[axis]; !given.is_empty())
      given = cells.is_empty() ? cells : given & faces(cells, axis);
  return made;
}

template <class T, int Dim>
Index CompositeMatrix<T, Dim>::leaf_count() const {
  Index count = 0;
  for (auto const& level : all_) count += level.leaves.cell_count();
  return count;
}

// ---- values at interfaces

template <class T, int Dim>
template <class X>
void CompositeMatrix<T, Dim>::fluxes(std::size_t l, std::vector<X*> const& x, T* flux, double const* given,
                                     double const* coefficient, bool is_corrected) const {
  auto const& averaged = interfaces_[l].averaged;
  Buffer<T> const means(context(), averaged.size());
  on_interface(context(), "sparse::poisson::average", averaged.size(),
               AverageChildren<T, X, Dim>{averaged.data(), x[l + 1], is_corrected ? x[l] : nullptr, means.data()});
  auto const& faces = interfaces_[l].faces;
  InterfaceFluxes<T, X, Dim> body{faces.data(), x[l], x[l + 1], means.data(), levels()[l].cells.cell_count(),
                                  given,        {},   flux,     coefficient};
  for (int axis = 0; axis < Dim; ++axis)
    body.inverse_width[axis] = static_cast<T>(1 / levels()[l + 1].grid().spacing[axis]);
  on_interface(context(), "sparse::poisson::interface_fluxes", faces.size(), body);
}

template <class T, int Dim>
template <class X>
void CompositeMatrix<T, Dim>::add_up_fluxes(std::vector<X*> const& x, T* extra,
                                            std::vector<double const*> const* given) const {
  Buffer<T> to_coarser, to_finer;
  for (std::size_t l = 0; l < levels().size(); ++l) {
    to_coarser = std::exchange(to_finer, {});
    if (l + 1 < levels().size()) {
      to_finer = Buffer<T>(context(), interfaces_[l].part_count());
      fluxes(l, x, to_finer.data(), given == nullptr ? nullptr : (*given)[l], interfaces_[l].coefficient.data());
    }
    on_interface(context(), "sparse::poisson::gather_fluxes", beside_[l].size(),
                 GatherFluxes<T, Dim>{beside_[l].data(), to_finer.data(), to_coarser.data(), coefficient(),
                                      levels()[l].grid().spacing, extra + mark_starts_[l]});
  }
}

// ---- fields

template <class T, int Dim>
void CompositeMatrix<T, Dim>::expect_field(
    Fields const& fields, char const* what,
    std::function<bool(std::size_t l, IntervalSet<Dim> const&)> const& accepts) const {
  std::string fault;
  if (fields.size() != all_.size())
    fault = "must have a field for each of the " + std::to_string(all_.size()) + " levels, not " +
            std::to_string(fields.size());
  for (std::size_t l = 0; l < fields.size() && fault.empty(); ++l)
    if (fields[l].component_count() != 1 ||
        !(accepts ? accepts(l, fields[l].domain()) : fields[l].domain() == levels()[l].leaves))
      fault = "field '" + fields[l].name() + "', must have one component on the leaves of level " + std::to_string(l);
  // All ranks refuse together, else the others would wait for messages.
  bool const fits = ranks_ ? ranks_->team().all(fault.empty()) : fault.empty();
  if (fits) return;
  if (fault.empty()) fault = "does not fit on another rank";
  fail("poisson: the " + std::string(what) + (fault[0] == 'f' ? ", " : " ") + fault);
}

template <class T, int Dim>
LevelFields<T, Dim> CompositeMatrix<T, Dim>::fields(std::string const& name) const {
  Fields made;
  for (auto const& level : levels()) made.emplace_back(name, level.leaves);
  return made;
}
template <class T, int Dim>
CellFields<T, Dim> CompositeMatrix<T, Dim>::on_cells(char const* name) const {
  OnCells made;
  for (auto const& level : levels()) made.levels.emplace_back(name, level.cells);
  return made;
}

template <class T, int Dim>
std::vector<T const*> CompositeMatrix<T, Dim>::pointers(Fields const& fields) {
  std::vector<T const*> all;
  for (auto const& field : fields) all.push_back(field.view().data);
  return all;
}

template <class T, int Dim>
void CompositeMatrix<T, Dim>::to_cells(std::size_t l, Field<T, Dim> const& from, Field<T, Dim>& to) const {
  run(l, leaf_stage(rows(l), ToCells<T>{from.view().data, to.view().data}));
}
template <class T, int Dim>
void CompositeMatrix<T, Dim>::to_cells(Fields const& from, OnCells& to) const {
  for (std::size_t l = 0; l < levels().size(); ++l) to_cells(l, from[l], to.levels[l]);
}
template <class T, int Dim>
CellFields<T, Dim> CompositeMatrix<T, Dim>::spread(Fields const& from) const {
  auto made = on_cells("copy");
  to_cells(from, made);
  if (ranks_)
    for (std::size_t l = 0; l < levels().size(); ++l) ranks_->fill_leaves(l, made.levels[l].view().data);
  return made;
}

template <class T, int Dim>
std::vector<SetView> CompositeMatrix<T, Dim>::places(bool on_cells) const {
  std::vector<SetView> all;
  for (std::size_t l = 0; l < levels().size(); ++l)
    all.push_back(on_cells ? leaves_in_cells_[l].view() : levels()[l].leaves.view());
  return all;
}

template <class T, int Dim>
LevelSums CompositeMatrix<T, Dim>::sums() const {
  return LevelSums(problem_.team, problem_.team != nullptr && problem_.has_exact_sums);
}

template <class T, int Dim>
template <bool on_cells>
Moments CompositeMatrix<T, Dim>::moments(std::vector<T const*> const& x) const {
  auto totals = sums();
  for (std::size_t l = 0; l < x.size(); ++l) run_sums(l, totals, MomentsOfLeaf<T, on_cells>{x[l]});
  double const square = totals.total(0);
  return {square, totals.total(1)};
}

template <class T, int Dim>
ResidualMoments CompositeMatrix<T, Dim>::residual_moments(Fields const& b, OnCells& x, OnCells& r, bool has_b,
                                                          Pipeline const&) const {
  if (ranks_)
    for (std::size_t l = 0; l < levels().size(); ++l) ranks_->fill_leaves(l, x.levels[l].view().data);
  Buffer<T> const extra(context(), mark_count());
  add_up_fluxes(x.pointers(), extra.data());
  auto totals = sums();
  for (std::size_t l = 0; l < levels().size(); ++l) {
    T const *const of_b = b[l].view().data, *const of_x = x.levels[l].view().data,
                   *const marked = extra.data() + first_mark(l);
    T* const result = r.levels[l].view().data;
    auto const add = [&]<AlsoOf other>() { run_sums(l, totals, ResidualOfLeaf<T, other>{of_b, of_x, marked, result}); };
    has_b                    ? add.template operator()<AlsoOf::b>()
    : null_space_.is_whole() ? add.template operator()<AlsoOf::x>()
                             : add.template operator()<AlsoOf::none>();
  }
  ResidualMoments all;
  all.r = {totals.total(0), totals.total(1)};
  (has_b ? all.b : all.x) = Moments{totals.total(2), totals.total(3)};
  all.knows_x = !has_b;
  return all;
}

template <class T, int Dim>
void CompositeMatrix<T, Dim>::subtract(double constant, OnCells& x) const {
  for (std::size_t l = 0; l < levels().size(); ++l)
    run(l, leaf_stage(rows(l), SubtractFromLeaf<T>{x.levels[l].view().data, static_cast<T>(constant)}));
}
template <class T, int Dim>
double CompositeMatrix<T, Dim>::remove_means(Fields& x) const {
  expect_field(x, "field");
  std::vector<T*> values;
  for (auto& field : x) values.push_back(field.view().data);
  return null_space_.project(places(false), values);
}
template <class T, int Dim>
double CompositeMatrix<T, Dim>::remove_means(OnCells& r) const {
  return null_space_.project(places(true), r.pointers());
}
template <class T, int Dim>
double CompositeMatrix<T, Dim>::norm(Fields const& x) const {
  expect_field(x, "field");
  return std::sqrt(moments<false>(pointers(x)).square);
}
template <class T, int Dim>
double CompositeMatrix<T, Dim>::norm(OnCells const& r) const {
  return std::sqrt(moments<true>(pointers(r.levels)).square);
}

template <class T, int Dim>
bool CompositeMatrix<T, Dim>::share_values(Fields const& a, Fields const& b) {
  for (std::size_t l = 0; l < a.size(); ++l)
    if (a[l].cell_count() > 0 && a[l].view().data == b[l].view().data) return true;
  return false;
}
template <class T, int Dim>
LevelFields<T, Dim> CompositeMatrix<T, Dim>::clone(Fields const& x) {
  Fields copies;
  for (auto const& field : x) copies.push_back(sparse::clone(field));
  return copies;
}
template <class T, int Dim>
void CompositeMatrix<T, Dim>::scale(Fields& x, T factor) {
  for (auto& field : x) sparse::scale(field, factor);
}
template <class T, int Dim>
void CompositeMatrix<T, Dim>::clear(OnCells& x) const {
  for (auto& field : x.levels)
    parallel_for(context(), "sparse::poisson::zeros", field.cell_count(), Clear<T>{field.view().data});
}

template <class T, int Dim>
void CompositeMatrix<T, Dim>::apply(Fields& result, Fields const& x) const {
  expect_field(x, "operand");
  expect_field(result, "result");
  expects(&x != &result, "poisson: the result must be other fields than the operand");
  auto copy = spread(x);
  Buffer<T> const extra(context(), mark_count());
  add_up_fluxes(copy.pointers(), extra.data());
  for (std::size_t l = 0; l < levels().size(); ++l)
    run(l, leaf_stage(rows(l),
                      ApplyToLeaf<T>{copy.levels[l].view().data, extra.data() + first_mark(l), result[l].view().data}));
}

template <class T, int Dim>
double CompositeMatrix<T, Dim>::residual(Fields& r, Fields const& b, Fields const& x) const {
  expect_field(b, "right-hand side");
  expect_field(x, "solution");
  expect_field(r, "residual");
  auto of_x = spread(x), work = on_cells("residual");
  residual_moments(b, of_x, work, false);
  if (singular_count() > 0) remove_means(work);
  for (std::size_t l = 0; l < levels().size(); ++l)
    run(l, leaf_stage(rows(l), FromCells<T>{work.levels[l].view().data, r[l].view().data}));
  return norm(std::as_const(r));
}

// ---- given values

namespace {

template <int Dim>
struct GatherGiven {
  double const* values;
  double* given;
  KOKKOS_FUNCTION void operator()(RunPoint<Dim, 2> const& p) const { given[p.operand(0)] = values[p.operand(1)]; }
};

}  // namespace

template <class T, int Dim>
std::vector<Buffer<double>> CompositeMatrix<T, Dim>::given_values(LevelFaceFields<double, Dim> const& values) const {
  expects(values.size() <= levels().size(), "poisson: there are boundary values on more levels than there are");
  std::vector<Buffer<double>> all(levels().size());
  for (std::size_t l = 0; l < values.size(); ++l) {
    auto const& dirichlet = levels()[l].of_leaves.dirichlet;
    all[l] = Buffer<double>(context(), dirichlet_starts_[l][Dim - 1] + dirichlet[Dim - 1].cell_count());
    for (int axis = 0; axis < Dim; ++axis) {
      if (dirichlet[axis].is_empty()) continue;
      Plan<Dim, 2> const plan(
          dirichlet[axis], {operand<Dim>(dirichlet[axis].view()), operand<Dim>(values[l][axis].domain().view())}, 0b11);
      for_each("sparse::poisson::given_values", plan,
               GatherGiven<Dim>{values[l][axis].component(0), all[l].data() + dirichlet_starts_[l][axis]});
    }
  }
  return all;
}

template <class T, int Dim>
void CompositeMatrix<T, Dim>::add_boundary_values(Fields& b, LevelFaceFields<double, Dim> const& values) const {
  expect_field(b, "right-hand side");
  auto const given = given_values(values);
  for (std::size_t l = 0; l < values.size(); ++l) {
    auto const own = problem_on_cells(levels()[l], levels()[l].leaves);
    for (int axis = 0; axis < Dim; ++axis)
      if (!own.dirichlet[axis].is_empty()) add_boundary(own, b[l], axis, 0, &values[l][axis]);
  }
  std::vector<double const*> pointers;
  for (auto const& buffer : given) pointers.push_back(buffer.size() > 0 ? buffer.data() : nullptr);
  auto nothing = on_cells("nothing");
  clear(nothing);
  Buffer<T> const extra(context(), mark_count());
  add_up_fluxes(nothing.pointers(), extra.data(), &pointers);
  for (std::size_t l = 0; l < levels().size(); ++l)
    run(l, leaf_stage(rows(l), AddExtra<T>{extra.data() + first_mark(l), b[l].view().data}));
}

#define SPARSE_INSTANTIATE(T, Dim)                                                                                     \
  template class CompositeMatrix<T, Dim>;                                                                              \
  template void CompositeMatrix<T, Dim>::fluxes(std::size_t, std::vector<T*> const&, T*, double const*, double const*, \
                                                bool) const;                                                           \
  template void CompositeMatrix<T, Dim>::add_up_fluxes(std::vector<T*> const&, T*, std::vector<double const*> const*)  \
      const;
SPARSE_INSTANTIATE(float, 2)
SPARSE_INSTANTIATE(float, 3)
SPARSE_INSTANTIATE(double, 2)
SPARSE_INSTANTIATE(double, 3)
#undef SPARSE_INSTANTIATE
template void CompositeMatrix<double, 2>::fluxes(std::size_t, std::vector<float*> const&, double*, double const*,
                                                 double const*, bool) const;
template void CompositeMatrix<double, 3>::fluxes(std::size_t, std::vector<float*> const&, double*, double const*,
                                                 double const*, bool) const;
template void CompositeMatrix<double, 2>::add_up_fluxes(std::vector<float*> const&, double*,
                                                        std::vector<double const*> const*) const;
template void CompositeMatrix<double, 3>::add_up_fluxes(std::vector<float*> const&, double*,
                                                        std::vector<double const*> const*) const;

}  // namespace sparse::poisson::detail
