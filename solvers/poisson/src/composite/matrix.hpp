#pragma once
/// The matrix of a composite problem with all that solvers need to know of it.

#include <functional>
#include <mutex>

#include <sparse/poisson/composite_problem.hpp>

#include "interface.hpp"
#include "operator/couplings.hpp"
#include "passes/any_matrix.hpp"
#include "passes/null_space.hpp"
#include "ranks.hpp"
#include "stages.hpp"

namespace sparse::poisson::detail {

/// Where constants on components are not determined, and means with volumes as weights.
template <int Dim>
class CompositeNullSpace {
public:
  CompositeNullSpace() = default;
  /// @param levels  of all ranks
  /// @param beside  [level] leaves at interfaces
  /// @param ranks   null if this process has all
  CompositeNullSpace(std::vector<CompositeLevel<Dim>> const& levels, std::vector<Buffer<BesideLeaf<Dim>>> const& beside,
                     std::shared_ptr<CompositeRanks<Dim> const> ranks, bool has_exact_sums);

  Index component_count() const { return component_count_; }
  Index singular_count() const { return singular_count_; }
  bool is_whole() const { return component_count_ == 1 && singular_count_ == 1; }
  /// Subtracts the mean from the values of each singular component. @param places  [level] where values are
  template <class T>
  double project(std::vector<SetView> const& places, std::vector<T*> const& values) const;

private:
  /// [singular component] sums with volumes as weights, of all ranks.
  template <class T>
  std::vector<double> plain_sums(std::vector<SetView> const& places, std::vector<T*> const& values) const;
  template <class T>
  std::vector<double> exact_sums(std::vector<SetView> const& places, std::vector<T*> const& values) const;

  std::vector<NullSpace<Dim>> levels_;
  std::vector<std::vector<Index>> own_components_;  // over ranks: [level][interval], or -1
  std::vector<double> cell_volumes_;                // [level]
  std::vector<double> component_volumes_;           // [singular component] of all ranks
  std::shared_ptr<CompositeRanks<Dim> const> ranks_;
  bool has_exact_sums_ = false;
  Index component_count_ = 0, singular_count_ = 0;
};

/// Fields on `cells` of each level, covered cells included; only solvers have these.
template <class T, int Dim>
struct CellFields {
  std::vector<Field<T, Dim>> levels;

  std::vector<T*> pointers() {
    std::vector<T*> all;
    for (auto& field : levels) all.push_back(field.view().data);
    return all;
  }
};

/// Over ranks, levels are those of `CompositeRanks`, sums those of all ranks, and users' fields on the rank's own
/// leaves. What reads neighbours or sums is then collective.
template <class T, int Dim>
class CompositeMatrix {
public:
  using Value = T;
  using Fields = LevelFields<T, Dim>;
  using OnCells = CellFields<T, Dim>;
  using Solution = OnCells;
  using ResidualFields = OnCells;
  /// @param reach  see `CompositeRanks`
  /// @param last   or null; what belongs to levels that stay is taken from it
  explicit CompositeMatrix(CompositeProblem<Dim> const& problem, int reach = 1, CompositeMatrix const* last = nullptr);

  CompositeProblem<Dim> const& problem() const { return problem_; }
  /// Null if this process has all. Then `all_levels` are what `levels` are.
  std::shared_ptr<CompositeRanks<Dim> const> const& ranks() const { return ranks_; }
  std::vector<CompositeLevel<Dim>> const& all_levels() const { return all_; }
  std::vector<CompositeLevel<Dim>> const& levels() const { return ranks_ ? ranks_->levels() : all_; }
  std::size_t level_count() const { return all_.size(); }
  Context context() const { return all_[0].cells.context(); }
  /// With the problem of the last matrix.
  CommonLevels<Dim> const& common() const { return common_; }
  Couplings<T, Dim> const& rows(std::size_t l) const { return *rows_[l]; }
  Buffer<BesideLeaf<Dim>> const& beside(std::size_t l) const { return beside_[l]; }
  /// With level l + 1.
  Interface<Dim> const& interface(std::size_t l) const { return interfaces_[l]; }
  CompositeNullSpace<Dim> const& null_space() const { return null_space_; }
  Index singular_count() const { return null_space_.singular_count(); }
  double weight() const { return weight_; }  ///< sum of the volumes of all leaves
  Index leaf_count() const;

  // ---- values at interfaces

  /// Leaves beside interfaces, of all levels and before each level.
  Index mark_count() const { return mark_starts_.back(); }
  Index first_mark(std::size_t l) const { return mark_starts_[l]; }
  /// extra = what interfaces add to A x. @param x  [level] on cells
  /// @param given   [level] values on the Dirichlet faces of a level, axis by axis, or null
  template <class X>
  void add_up_fluxes(std::vector<X*> const& x, T* extra, std::vector<double const*> const* given = nullptr) const;
  /// The fluxes themselves, by number of the part of a face: outward gradients of fine leaves.
  /// @param coefficient   [part] what multiplies them, or null
  /// @param is_corrected  x has corrections on covered cells, which are still to be added to their children
  template <class X>
  void fluxes(std::size_t l, std::vector<X*> const& x, T* flux, double const* given, double const* coefficient,
              bool is_corrected = false) const;
  /// c, or 1 where it is given by face.
  double coefficient() const { return problem_.face_coefficient.empty() ? problem_.coefficient : 1; }

  // ---- what iterations need; sums have volumes as weights

  /// @param accepts  whether a level's field may live on this set; not given: on the leaves alone
  void expect_field(Fields const& fields, char const* what,
                    std::function<bool(std::size_t l, IntervalSet<Dim> const&)> const& accepts = {}) const;
  Fields fields(std::string const& name) const;
  OnCells on_cells(char const* name) const;
  template <class Stage>
  void run(std::size_t l, Stage const& stage) const {
    Pipeline pipeline;
    pipeline.add(stage);
    pipeline.run(context(), rows(l).chain());
  }
  /// Sums of all ranks, to which `run_sums` adds level by level.
  LevelSums sums() const;
  template <class Body>
  void run_sums(std::size_t l, LevelSums& sums, Body const& body) const {
    run(l, leaf_sums(rows(l), sums.next(rows(l).chain(), levels()[l].volume), body));
  }
  void to_cells(std::size_t l, Field<T, Dim> const& from, Field<T, Dim>& to) const;
  void to_cells(Fields const& from, OnCells& to) const;
  /// The values of all stored leaves.
  OnCells spread(Fields const& from) const;
  /// Over ranks, x gets the values of all stored leaves.
  ResidualMoments residual_moments(Fields const& b, OnCells& x, OnCells& r, bool has_b, Pipeline const& = {}) const;
  Moments moments(OnCells const& x) const { return moments<true>(pointers(x.levels)); }
  void subtract(double constant, OnCells& x) const;
  double remove_means(Fields& x) const;
  double remove_means(OnCells& r) const;
  double norm(Fields const& x) const;
  double norm(OnCells const& r) const;
  static bool share_values(Fields const& a, Fields const& b);
  void assign_to(OnCells& r, Fields const& b) const { to_cells(b, r); }
  static Fields clone(Fields const& x);
  static void scale(Fields& x, T factor);
  static void scale(OnCells& x, T factor) { scale(x.levels, factor); }
  void clear(OnCells& x) const;
  void apply(Fields& result, Fields const& x) const;
  double residual(Fields& r, Fields const& b, Fields const& x) const;

  /// [level] values on the Dirichlet faces, axis by axis; empty where there are none.
  std::vector<Buffer<double>> given_values(LevelFaceFields<double, Dim> const& values) const;
  void add_boundary_values(Fields& b, LevelFaceFields<double, Dim> const& values) const;
  void gradient(LevelFaceFields<T, Dim>& result, Fields const& x, LevelFaceFields<double, Dim> const& values) const;
  void interface_gradient(LevelFaceFields<T, Dim>& result, Fields const& x,
                          LevelFaceFields<double, Dim> const& values) const;
  /// @param x  with the values of all stored leaves
  void interface_gradient(LevelFaceFields<T, Dim>& result, OnCells& x,
                          LevelFaceFields<double, Dim> const& values) const;
  /// The faces between the leaves of a level and coarser ones, with the coordinates that the former give them.
  IntervalSet<Dim> const& interface_faces(std::size_t l, int axis) const;

private:
  Couplings<T, Dim> make_rows(CompositeLevel<Dim> const& level) const;
  /// The problem on some leaves of a level, with walls beyond them.
  Problem<Dim> problem_on_cells(CompositeLevel<Dim> const& level, IntervalSet<Dim> const& cells) const;
  template <bool on_cells>
  Moments moments(std::vector<T const*> const& x) const;
  static std::vector<T const*> pointers(Fields const& fields);
  std::vector<SetView> places(bool on_cells) const;
  struct GradientPlans;
  struct InterfacePlans;
  GradientPlans const& gradient_plans() const;
  InterfacePlans const& interface_plans() const;
  void expect_faces(LevelFaceFields<T, Dim> const& fields,
                    std::vector<std::array<IntervalSet<Dim>, Dim>> const& faces) const;

  CompositeProblem<Dim> problem_;
  CommonLevels<Dim> common_;
  std::vector<CompositeLevel<Dim>> all_;
  std::shared_ptr<CompositeRanks<Dim> const> ranks_;
  std::vector<std::shared_ptr<Couplings<T, Dim> const>> rows_;  // [level] of the leaves; empty where there are none
  std::vector<Embedding<Dim>> leaves_in_cells_;
  std::vector<Buffer<BesideLeaf<Dim>>> beside_;
  std::vector<Interface<Dim>> interfaces_;
  std::vector<Index> mark_starts_;
  std::vector<Vec<Index, Dim>> dirichlet_starts_;
  CompositeNullSpace<Dim> null_space_;
  double weight_ = 0;
  // Found by the first call of `gradient`, or of `interface_gradient`. Until then those of the last matrix are kept.
  mutable std::once_flag has_plans_, has_interface_plans_;
  mutable std::shared_ptr<GradientPlans const> plans_;
  mutable std::shared_ptr<InterfacePlans const> interface_plans_, last_interface_plans_;
};

template <class T, int Dim>
using CompositeMatrixPtr = std::shared_ptr<CompositeMatrix<T, Dim> const>;

}  // namespace sparse::poisson::detail
