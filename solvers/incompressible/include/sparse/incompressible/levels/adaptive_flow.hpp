#pragma once
/// Incompressible flow on levels that follow it.

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sparse/amr/domain/domain.hpp>
#include <sparse/amr/hierarchy/saved_state.hpp>
#include <sparse/incompressible/grid/state.hpp>
#include <sparse/incompressible/levels/criteria.hpp>
#include <sparse/incompressible/measure/forces.hpp>
#include <sparse/incompressible/measure/nusselt.hpp>
#include <sparse/incompressible/method/shared.hpp>
#include <sparse/poisson/report.hpp>

namespace sparse::incompressible {

/// A value that the flow carries with it, such as dye or temperature. Only sources, walls of inks, inflows
/// and outflows change its total. Without them no value leaves the range of those around it.
struct Ink {
  std::string name;                   ///< in files and messages
  double diffusivity = 0;             ///< >= 0 [length^2 / time]
  std::optional<double> inflow = {};  ///< of fluid that flows in; if it is not given, that has the value inside
  double decay = 0;                   ///< the part that fades per time, >= 0 [1 / time]
};

/// What a source does to an ink.
enum class SourceKind {
  holds,  ///< its cells have a value when a step begins, as the mouth of a chimney has
  adds,   ///< its cells gain a value per time, as from a heater; where such sources meet, they add up
};

/// Cells that an ink comes from. A leaf with a part of its volume in them has that part of the value.
template <int Dim>
struct InkSource {
  std::size_t ink = 0;          ///< its number
  IntervalSet<Dim> cells = {};  ///< of the finest level; those outside of the fluid count not
  double value = 1;             ///< that they have, or gain per time
  double until = std::numeric_limits<double>::infinity();  ///< the last time at which a step begins with it
  SourceKind kind = SourceKind::holds;
};

/// Cells whose fluid gets a velocity when a step begins, as from a fan: see `Jet`. A leaf counts if half of its volume,
/// or more, is in them.
template <int Dim>
struct LevelJet {
  IntervalSet<Dim> cells = {};     ///< of the finest level; those outside of the fluid count not
  Vec<double, Dim> velocity = {};  ///< of the fluid [length / time]
  double until = std::numeric_limits<double>::infinity();  ///< the last time at which a step begins with it
};

/// Walls that have a value of an ink, as those of a given temperature do, or let an amount of it through: those of a
/// side of the domain, or of a part of one, or those of a body.
struct InkWall {
  using Ranges = std::array<std::array<double, 2>, 3>;
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr Ranges everywhere = {{{-infinity, infinity}, {-infinity, infinity}, {-infinity, infinity}}};

  std::size_t ink = 0;               ///< its number; it must spread
  int axis = 0;                      ///< normal to the side
  FaceSide side = FaceSide::lower;   ///< of the domain
  std::optional<double> value = {};  ///< at the wall
  double flux = 0;                   ///< without a value: what comes in per area [value length / time]
  std::optional<int> body = {};      ///< its number, for walls of a body; there is no side then
  /// [axis][from, to] of a part of a side: the faces with their centres there [length]. That of the normal axis counts
  /// not.
  Ranges part = everywhere;

  bool is_whole_side() const { return !body && part == everywhere; }
};

/// How a flow on levels is computed.
template <int Dim>
struct AdaptiveOptions {
  double viscosity = 0;                ///< kinematic, >= 0 [length^2 / time]
  double upstream = 1;                 ///< as `SmacOptions::upstream`
  Vec<double, Dim> acceleration = {};  ///< of all of the fluid [length / time^2]
  Vec<double, Dim> inflow = {};        ///< velocity at sides of the kind `inflow`
  /// The velocity normal to a side there, at the middle of a face. It replaces that component of `inflow`. May be
  /// empty.
  std::function<double(Vec<double, Dim> const& position)> inflow_profile = {};
  Vec<Vec<Vec<double, Dim>, 2>, Dim> walls = {};  ///< [axis][0 lower, 1 upper] velocity of no-slip sides
  std::vector<Ink> inks = {};                     ///< that the flow carries, in the order of their numbers
  /// Where parts of a side share faces, the later one has them; where bodies share cells, the first has the walls.
  std::vector<InkWall> ink_walls = {};
  std::vector<InkSource<Dim>> ink_sources = {};  ///< of those that hold a value, later ones win where they meet
  std::vector<LevelJet<Dim>> jets = {};          ///< later ones win where they meet
  std::vector<Buoyancy<Dim>> buoyancy = {};      ///< of inks, by their number: warm ink rises, heavy ink sinks
  std::vector<Criterion<Dim>> criteria = {};     ///< where cells are refined, besides those near bodies
  /// The walls of bodies lie at their true surfaces (`Body::distance`) and cut cells. They are no-slip. Otherwise walls
  /// are faces of cells.
  bool curved_walls = false;
  /// Steps between changes of the levels, > 0. Up to 5, levels reach two cells of the next coarser one beyond what is
  /// refined, and further for more.
  int regrid_stride = 5;
  /// How many more cells of the next coarser level a level reaches beyond what it needs, >= 0. So it stays for more
  /// changes, and has more leaves. One is best for a wake in 2D.
  Coord spare_cells = 0;
  double safety = 0.5;          ///< part of the longest step, > 0; up to 0.5 for a stable flow
  poisson::StopRule stop = {};  ///< of the pressure

  /// The ranks that share the levels; nullptr: this process has all. All ranks give the same domain and options. It
  /// must outlive the flow.
  distributed::Team* team = nullptr;
  /// As in `poisson::CompositeProblem`: whether results are the same bits for any number of ranks.
  bool has_exact_sums = false;
  /// How cells are dealt out to ranks.
  distributed::PartitionOptions partition = {};
  /// As in `poisson::CompositeProblem`.
  Index least_shared_cells = 32768;
};

/// Incompressible flow on the leaves of levels. Each level has half the spacing of the one before, and all levels take
/// the same steps. Where the levels are follows the criteria.
///
/// A step is that of `Smac` with `Integrator::runge_kutta`, and with a single level it has the same bits. Around its
/// leaves a level has a ring of two cells. Means of finer levels give the velocities there, or a prolongation of
/// coarser ones that keeps the divergence. One Poisson problem on the leaves of all levels gives the pressure. So all
/// leaves are free of divergence to the solver's tolerance, also just after the levels have changed.
///
/// Bodies are made of cells of the finest level, and all leaves around them are of that level. Their walls are the
/// faces of these cells, or curved ones (`FlowDomain::distance`).
///
/// Inks are carried by the fluxes of `InkTransport`. Through interfaces flows what the finer level says.
///
/// With a `team` in its options, several ranks share the levels. Each steps the leaves that it owns, and stores others
/// around them. All members are then collective, except for those that only look. With exact sums, states are those of
/// one process that is `distributed::alone()`, bit by bit, and so are steps and errors; sums agree to rounding.
///
/// Memory, in values per leaf: 5 + 3 Dim, 3 for each ink, and that of `poisson::CompositeSolver`. Cells of rings count
/// as leaves. Sources: those of `Smac`, `poisson::CompositeOperator` and: Toth, Roe, Divergence- and curl-preserving
/// prolongation and restriction formulas, J. Comput. Phys. 180 (2002).
template <class T, int Dim>
class AdaptiveFlow {
public:
  /// Fluid at rest, on the levels that regions and surfaces want. Cost: sets, plans and a solver for each level.
  /// @throws std::invalid_argument  if an option does not make sense, a side is `BoundaryKind::given`, bodies are not
  ///                                of the finest level, what flows in cannot leave, or with curved walls: a body has
  ///                                no distance or no friction, or there is none
  explicit AdaptiveFlow(amr::Domain<Dim> const& domain, AdaptiveOptions<Dim> const& options = {});
  /// Goes on from what `save` gave. With equal options, the results are the same bits as without the break.
  /// @throws std::invalid_argument  as above, or if the levels or their values do not fit
  AdaptiveFlow(amr::Domain<Dim> const& domain, AdaptiveOptions<Dim> const& options,
               amr::SavedState<T, Dim> const& saved);
  /// Goes on from another flow after bodies, sides or options have changed: the flow on this domain, with its time and
  /// its steps. The levels keep their cells as far as they are fluid. Cells that bodies uncover are of the finest
  /// level, and begin with the means of their neighbours, layer by layer; where no neighbour has values, fluid is at
  /// rest and has no ink. Then the velocity loses its divergence. Cost: a change of all levels, and a projection. Where
  /// only numbers differ, `save` loses nothing.
  /// @param from  on a domain with the same cells and levels; it has the first of the inks, others begin at 0
  /// @throws std::invalid_argument  as above, or if the flows do not fit
  AdaptiveFlow(amr::Domain<Dim> const& domain, AdaptiveOptions<Dim> const& options, AdaptiveFlow const& from);
  AdaptiveFlow(AdaptiveFlow&&) noexcept;
  AdaptiveFlow& operator=(AdaptiveFlow&&) noexcept;
  ~AdaptiveFlow();

  /// Starts at time 0 with a velocity, less its divergence, its pressure, and values of inks, on levels that fit to it.
  /// Cost: a call per face and per cell, on the host, for each change of levels.
  /// @param inks  one for each of `AdaptiveOptions::inks`
  /// @return      what the pressure solver did
  /// @throws std::invalid_argument  if there is not a function for each ink
  poisson::Report start(VectorFunction<Dim> const& velocity, std::vector<ScalarFunction<Dim>> const& inks = {});

  /// The longest step times `AdaptiveOptions::safety` [time]. Infinite at rest without viscosity. Cost: a pass over the
  /// faces.
  double longest_step() const;
  /// A step. Every `regrid_stride` steps the levels change before it. Cost: three stages of momentum and inks, and
  /// one solution of the pressure on all levels, which takes most of the time.
  /// @return  what the pressure solver did; if it did not converge, the flow has what it found
  /// @throws std::invalid_argument  if the time step is not positive and finite
  /// @throws std::runtime_error     naming the first face or cell, if a value is no longer finite; the flow is then
  ///                                that before the step, with what sources and jets have given
  poisson::Report advance(double time_step);
  /// The same with the longest step, after a change of levels.
  /// @throws std::invalid_argument  if that is infinite: at rest without viscosity
  /// @throws std::runtime_error     as above
  poisson::Report advance();
  /// The same, but not beyond a time. The last two steps until then are alike: a very short one would have a pressure
  /// of its own.
  /// @throws std::invalid_argument  if the time is not greater than that of the flow, or not finite
  /// @throws std::runtime_error     as above
  poisson::Report advance_towards(double end);
  /// Changes the levels now. @return  whether they did
  /// Cost: the criteria; if a level changes, all sets, plans and the solver are made anew, and values are carried over.
  bool adapt();

  /// The flow for a file (`amr::write_checkpoint`). The states are the velocities on the lower faces of cells, those on
  /// their upper faces, pressures (that of the last step, and two before), and inks. Names of `numbers` that begin with
  /// "steps_" or end in "time_step" are taken.
  amr::SavedState<T, Dim> save() const;

  /// Time and steps of the state, and what was given. With curved walls, bodies of the domain are what they leave no
  /// opening of.
  double time() const;
  Index step_count() const;
  amr::Domain<Dim> const& domain() const;
  AdaptiveOptions<Dim> const& options() const;

  int level_count() const;     ///< that exist now
  Index leaf_count() const;    ///< of all levels, and all ranks
  Index update_count() const;  ///< leaves of all steps
  /// The cells and the leaves of a level, of all ranks. @throws std::invalid_argument  if there is no such level, as
  /// the next ones
  IntervalSet<Dim> const& cells(int level) const;
  IntervalSet<Dim> const& all_leaves(int level) const;
  /// The leaves of this rank: without others, all of them.
  IntervalSet<Dim> const& leaves(int level) const;
  /// The grid of a level: its leaves, and cells around them. Over ranks `StaggeredGrid::gather` takes fields on its
  /// fluid to all leaves.
  StaggeredGrid<Dim> const& grid(int level) const;
  /// Velocity, pressure and inks (`State::carried`) of a level. The pressure of cells that are no leaves means nothing.
  /// @throws std::invalid_argument  if there is no such level
  State<T, Dim> const& state(int level) const;

  /// The greatest |change of velocity| per time in the last step [length / time^2]. It tells when a flow is steady.
  /// Infinite before the first step, and after a change of levels. What jets change when a step begins counts not.
  /// Cost: a pass over the leaves.
  double greatest_change() const;
  /// The greatest |change of an ink| per time in the last step; as above, and infinite without such an ink.
  double greatest_ink_change(std::size_t ink) const;
  /// The greatest divergence times cell width of all leaves [length / time].
  double greatest_divergence() const;
  /// The integral of velocity over the leaves, each face with half of the cells beside it [length^(Dim + 1) / time].
  Vec<double, Dim> momentum() const;
  /// The integral of |velocity|^2 / 2 over the leaves [length^(Dim + 2) / time^2]. A cell takes the mean of the squares
  /// on its faces.
  double kinetic_energy() const;
  /// The integral of |vorticity|^2 / 2 over the leaves [length^Dim / time^2], as `vorticity` has it. Memory: a value
  /// per cell, 3 in 3D.
  double enstrophy() const;
  /// The integral of an ink over the leaves. @throws std::invalid_argument  if there is no such ink
  double ink_total(std::size_t ink) const;
  /// The mean value at a wall of `AdaptiveOptions::ink_walls`, and the mean of what comes in through it per area. Both
  /// follow the scheme: values are linear over half a cell. Cost: a pass over the cells beside the wall.
  /// @throws std::invalid_argument  if there is no such wall
  WallState wall_state(std::size_t ink_wall) const;
  /// The force on a body. @throws std::invalid_argument  if there is no such body
  Force<Dim> force(int body = 0) const;

private:
  struct Body;
  bool is_change_due() const;
  std::unique_ptr<Body> body_;
};

}  // namespace sparse::incompressible
