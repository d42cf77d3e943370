#include "case_inks.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include <sparse/app/cases/case_shapes.hpp>
#include <sparse/app/cases/flow_scene.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::app {
namespace {

using namespace sparse;
using namespace sparse::incompressible;

template <int Dim>
void fill_cells(Subset<Dim> const& where, double* values, double value) {
  for_each(
      "sparse::flow_case::set", where, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) { values[p.cell] = value; });
}

template <int Dim>
void restore(Field<double, Dim>& field, std::vector<double> const& values) {
  if (static_cast<Index>(values.size()) != field.cell_count())
    throw std::runtime_error("the checkpoint has ink of another grid");
  auto const on_device = to_device(field.context(), values);
  double const* const from = on_device.data();
  double* const to = field.component(0);
  parallel_for(
      field.context(), "sparse::flow_case::restore", field.cell_count(), KOKKOS_LAMBDA(Index i) { to[i] = from[i]; });
}

/// The cells of a source on the grid of the inks. Expressions are in cells of the flow.
template <int Dim>
IntervalSet<Dim> source_cells(FlowCase const& c, CaseShape const& shape, FineInk<double, Dim> const* fine) {
  if (fine == nullptr) return cells_of<Dim>(c, shape);
  if (shape.kind == CaseShape::Kind::cells) return fine->divided(cells_of<Dim>(c, shape));
  CaseBox divided = c;
  for (auto& count : divided.cells) count *= c.flow.ink_supersampling;
  return cells_of<Dim>(divided, shape);
}

}  // namespace

std::vector<io::Colour> colours_of(FlowCase const& c) {
  std::vector<io::Colour> colours;
  for (CaseInk const& ink : c.inks)
    if (colour_number(colours, ink.colour) == colours.size()) colours.push_back(ink.colour);
  return colours;
}
std::size_t colour_number(std::vector<io::Colour> const& colours, io::Colour const& colour) {
  return static_cast<std::size_t>(std::find(colours.begin(), colours.end(), colour) - colours.begin());
}

std::vector<std::string> names_of_carried(FlowCase const& c) {
  std::vector<std::string> names;
  std::size_t const count = colours_of(c).size();
  for (std::size_t k = 0; k < count; ++k) names.push_back(count == 1 ? "ink" : fmt::format("ink_{}", k));
  if (c.has_temperature()) names.emplace_back("temperature");
  return names;
}

template <int Dim>
CaseInks<Dim>::CaseInks(FlowCase const& c, StaggeredGrid<Dim> const& grid, std::vector<io::Colour> const& colours)
    : c_(c), colours_(colours) {
  if (c.flow.has_fine_ink()) fine_.emplace(grid, c.flow.ink_supersampling, colours.size(), c.flow.ink_speed);
  auto const& of_ink = fine_ ? fine_->grid() : grid;
  auto const inflow = cells_beside_inflow(grid);
  beside_inflow_ = Subset<Dim>(fine_ ? fine_->divided(inflow) : inflow, of_ink.storage());
  for (CaseInk const& ink : c.inks) {
    auto const cells = source_cells<Dim>(c, ink.shape, fine());
    if ((cells & of_ink.whole_fluid()).is_empty())
      throw std::runtime_error(fmt::format("ink {} has no cells in the fluid", sources_.size() + 1));
    sources_.emplace_back(cells & of_ink.fluid(), of_ink.storage());
    jets_.emplace_back(grid, ink.jet ? cells_of<Dim>(c, ink.shape) & grid.fluid() : IntervalSet<Dim>());
  }
}

template <int Dim>
void CaseInks<Dim>::emit(State& state) {
  if (fine_ && state.time > fine_time_) {
    fine_->advance(state.velocity, state.time - fine_time_);
    fine_time_ = state.time;
  }
  auto const ink = [&](std::size_t k) { return (fine_ ? fine_->ink(k) : state.carried[k]).component(0); };
  for (std::size_t k = 0; k < colours_.size(); ++k) fill_cells(beside_inflow_, ink(k), 0);
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (state.time > c_.inks[i].until) continue;
    auto const k = colour_number(colours_, c_.inks[i].colour);
    fill_cells(sources_[i], ink(k), 1);
    if (c_.inks[i].jet) jets_[i].drive(state.velocity, vec_of<Dim>(*c_.inks[i].jet));
  }
  if (!fine_) return;
  for (std::size_t k = 0; k < fine_->count(); ++k) fine_->average(k, state.carried[k]);
}

template <int Dim>
void CaseInks<Dim>::keep(Keeper& keeper, State const& state) {
  if (!fine_) return;
  for (std::size_t k = 0; k < fine_->count(); ++k) {
    std::vector<double> values;
    if (!keeper.gives_back()) values = to_host(fine_->ink(k));
    keeper(fmt::format("fine_ink_{}", k), values);
    if (keeper.gives_back()) restore(fine_->ink(k), values);
  }
  if (!keeper.gives_back()) return;
  fine_time_ = state.time;
  if (state.step_count > 0) fine_->set_velocity(state.velocity);
}

template class CaseInks<2>;
template class CaseInks<3>;

}  // namespace sparse::app
