#include "gains.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <sparse/base/parallel.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/locate.hpp>

#include "grid/body.hpp"
#include "grid/cut_shares.hpp"
#include "grid/wall_probes.hpp"

namespace sparse::incompressible {
namespace {

/// Sums up the gains of cells, on the host.
template <int Dim>
class GainSum {
public:
  using Cell = Vec<Coord, Dim>;

  explicit GainSum(StaggeredGrid<Dim> const& grid)
      : grid_(grid), rates_(static_cast<std::size_t>(grid.storage().cell_count()), 0.0) {}

  /// Adds `rate_of(i)` to cell i of a list.
  template <class Rate>
  void add(std::vector<Cell> const& cells, Rate const& rate_of) {
    auto const context = grid_.context();
    auto const found = sparse::find(grid_.storage(), to_device(context, cells));
    auto const positions = to_host(context, static_cast<Index const*>(found.data()), found.size());
    for (std::size_t i = 0; i < cells.size(); ++i) rates_[static_cast<std::size_t>(positions[i])] += rate_of(i);
  }

  void add(Source<Dim> const& source, std::size_t number) {
    auto const stored = grid_.domain().periodicity().stored(source.cells);
    if ((grid_.whole_fluid() & stored).is_empty())
      fail("incompressible: source " + std::to_string(number) + " has no cells in the fluid");
    auto const where = grid_.fluid() & stored;
    std::vector<Cell> cells;
    where.to_host().for_each_cell([&](Cell const& cell, Index) { cells.push_back(cell); });
    add(cells, [&](std::size_t i) {
      double const rate = source.profile ? source.profile(grid_.space().center(cells[i])) : source.strength;
      if (!std::isfinite(rate))
        fail("incompressible: the strength of source " + std::to_string(number) + " is not finite");
      return rate;
    });
  }

  /// Of all faces with a given heat flux.
  void add_fluxes() {
    auto const& parts = grid_.domain().parts;
    for (std::size_t part = 0; part < parts.size(); ++part)
      for (int axis = 0; axis < Dim && parts[part].heat_flux; ++axis) {
        std::vector<Cell> cells, faces;
        grid_.body().parts[part + 1][axis].to_host().for_each_cell([&](Cell const& face, Index) {
          bool const is_lower = grid_.fluid().contains(face);
          faces.push_back(face);
          cells.push_back(is_lower ? face : grid_.domain().periodicity().stored(face - Cell::along(axis, 1)));
        });
        auto const share = shares_of(faces, axis);
        add(cells, [&](std::size_t i) { return share[i] * *parts[part].heat_flux / grid_.spacing()[axis]; });
      }
    for (auto const& probe : detail::wall_probes_of(grid_))
      if (probe.kind == detail::WallProbe<Dim>::with_flux)
        rates_[static_cast<std::size_t>(probe.position)] += probe.given * probe.area;
  }

  /// Heat in cut cells is shared by what counts of them.
  void divide_by_capacities() {
    for (auto const& cell : detail::cut_cells_of(grid_))
      rates_[static_cast<std::size_t>(cell.faces[0])] /= cell.capacity;
  }
  void multiply_by_volumes() {
    for (auto const& cell : detail::cut_cells_of(grid_)) rates_[static_cast<std::size_t>(cell.faces[0])] *= cell.volume;
  }

  Buffer<typename CellGains<Dim>::Gain> list() const {
    std::vector<typename CellGains<Dim>::Gain> gains;
    for (std::size_t position = 0; position < rates_.size(); ++position)
      if (rates_[position] != 0) gains.push_back({static_cast<Index>(position), rates_[position]});
    return to_device(grid_.context(), gains);
  }

private:
  /// The open shares of faces.
  std::vector<double> shares_of(std::vector<Cell> const& faces, int axis) const {
    std::vector<double> shares(faces.size(), 1.0);
    if (!grid_.has_curved_walls()) return shares;
    auto const of_all = to_host(detail::open_shares(grid_, axis));
    auto const context = grid_.context();
    auto const found = sparse::find(grid_.storage(), to_device(context, faces));
    auto const positions = to_host(context, static_cast<Index const*>(found.data()), found.size());
    for (std::size_t i = 0; i < faces.size(); ++i) shares[i] = of_all[static_cast<std::size_t>(positions[i])];
    return shares;
  }

  StaggeredGrid<Dim> grid_;
  std::vector<double> rates_;  // [position in storage]
};

template <class T, int Dim>
void add_gains(Context const& context, Buffer<typename CellGains<Dim>::Gain> const& gains, double time, T* values) {
  typename CellGains<Dim>::Gain const* const list = gains.data();
  parallel_for(
      context, "sparse::incompressible::gains", gains.size(),
      KOKKOS_LAMBDA(Index i) { values[list[i].position] += static_cast<T>(time * list[i].rate); });
}

}  // namespace

template <int Dim>
CellGains<Dim>::CellGains(StaggeredGrid<Dim> const& grid, Transport<Dim> const& transport) : grid_(grid) {
  GainSum<Dim> sum(grid);
  for (std::size_t i = 0; i < transport.sources.size(); ++i) sum.add(transport.sources[i], i);
  sum.multiply_by_volumes();
  sum.add_fluxes();
  sum.divide_by_capacities();
  gains_ = sum.list();
}

template <int Dim>
template <class T>
void CellGains<Dim>::add(double time, Field<T, Dim>& values) const {
  grid_.expect_stored(values, 1, "transported field");
  add_gains<T, Dim>(grid_.context(), gains_, time, values.component(0));
}

template class CellGains<2>;
template class CellGains<3>;
template void CellGains<2>::add(double, Field<float, 2>&) const;
template void CellGains<2>::add(double, Field<double, 2>&) const;
template void CellGains<3>::add(double, Field<float, 3>&) const;
template void CellGains<3>::add(double, Field<double, 3>&) const;

}  // namespace sparse::incompressible
