#pragma once
/// The inks of a case: where they come from, and the finer grid that may carry them.

#include <optional>
#include <vector>

#include <sparse/incompressible/grid/jet.hpp>
#include <sparse/incompressible/picture/fine_ink.hpp>
#include <sparse/plans/subset.hpp>

#include <sparse/app/cases/flow_case.hpp>
#include <sparse/app/run/keeper.hpp>

namespace sparse::app {

/// The colours of all inks, without repetitions.
std::vector<sparse::io::Colour> colours_of(FlowCase const& flow_case);
/// The number of a colour among them.
std::size_t colour_number(std::vector<sparse::io::Colour> const& colours, sparse::io::Colour const& colour);
/// The names of the carried fields: inks, one for each colour, then the temperature.
std::vector<std::string> names_of_carried(FlowCase const& flow_case);

template <int Dim>
class CaseInks {
public:
  using State = sparse::incompressible::State<double, Dim>;
  using FineInk = sparse::incompressible::FineInk<double, Dim>;

  /// @param colours  of the first carried values; both arguments must outlive the object
  /// @throws std::runtime_error  if a source has no cell in the fluid
  CaseInks(FlowCase const& flow_case, sparse::incompressible::StaggeredGrid<Dim> const& grid,
           std::vector<sparse::io::Colour> const& colours);

  /// The inks on a finer grid, or nullptr.
  FineInk const* fine() const { return fine_ ? &*fine_ : nullptr; }
  /// Fills the sources, and sets the velocity of those with a jet. All other cells beside inflows get clean: what flows
  /// in has ink from sources alone. Before, carries ink on the finer grid to the time of the state. The state then gets
  /// its means.
  void emit(State& state);
  /// Stores the ink of the finer grid in a checkpoint, or restores it for this state.
  void keep(Keeper& keeper, State const& state);

private:
  FlowCase const& c_;
  std::vector<sparse::io::Colour> const& colours_;
  std::optional<FineInk> fine_;  // if ink is carried on a finer grid, or at a speed of its own
  double fine_time_ = 0;
  std::vector<sparse::Subset<Dim>> sources_;
  std::vector<sparse::incompressible::Jet<Dim>> jets_;  // of each source
  sparse::Subset<Dim> beside_inflow_;
};

}  // namespace sparse::app
