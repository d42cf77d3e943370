#include "grid/points.hpp"
#include "kernels.hpp"

namespace sparse::incompressible {
namespace {

using namespace detail;

/// A point and a vector after a map.
template <int Dim>
struct MappedPlace {
  Index position;  // in the grid's storage
  Vec<double, Dim> at, tangent;
  bool has_left;
};

template <Interpolation interpolation, class T, int Dim>
struct MapPoints {
  Follow<interpolation, T, Dim> follow;
  Vec<double, Dim> const *points, *vectors;
  MappedPlace<Dim>* out;
  bool is_backward;

  KOKKOS_FUNCTION void operator()(Index i) const {
    auto const& grid = follow.view.grid;
    Traveller<T, Dim> traveller{place_of<T>(grid, points[i]), {}};
    traveller.place.position = follow.view.padded[traveller.place.position];
    for (int b = 0; b < Dim; ++b) traveller.tangent[b] = static_cast<T>(vectors[i][b] / grid.spacing[b]);
    T gained = 0;
    traveller =
        is_backward ? follow.template backward<true>(traveller, {}, gained) : follow.template forward<true>(traveller);
    out[i].position = follow.view.stored[traveller.place.position];
    out[i].has_left = traveller.left_along >= 0;
    for (int b = 0; b < Dim; ++b) {
      out[i].at[b] = static_cast<double>(traveller.place.at[b]);
      out[i].tangent[b] = static_cast<double>(traveller.tangent[b]) * grid.spacing[b];
    }
  }
};

template <int Dim>
struct VelocityThere {
  Vec<double, Dim> velocity, change;
};

template <Interpolation interpolation, class T, int Dim>
struct SamplePoints {
  PaddedView<Dim> view;
  FieldView<T const> velocity;
  Vec<double, Dim> const *points, *vectors;
  VelocityThere<Dim>* out;

  KOKKOS_FUNCTION void operator()(Index i) const {
    auto place = place_of<T>(view.grid, points[i]);
    place.position = view.padded[place.position];
    Vec<T, Dim> direction;
    for (int b = 0; b < Dim; ++b) direction[b] = static_cast<T>(vectors[i][b] / view.grid.spacing[b]);
    SplinePoint<interpolation, T, Dim> const point(view, place);
    for (int a = 0; a < Dim; ++a) {
      auto const found = point.value_and_change(velocity.data + a * velocity.stride, a, direction);
      out[i].velocity[a] = static_cast<double>(found.value);
      out[i].change[a] = static_cast<double>(found.change);
    }
  }
};

}  // namespace

template <class T, int Dim>
std::vector<MappedPoint<Dim>> FlowMaps<T, Dim>::map(std::vector<Vec<double, Dim>> const& points,
                                                    std::vector<Vec<double, Dim>> const& vectors, double time_step,
                                                    Direction direction) const {
  auto const& grid = padded_.grid();
  expects(points.size() == vectors.size(), "incompressible: there must be a vector for each point");
  auto const from = detail::points_inside(grid, points), along = to_device(grid.context(), vectors);
  Buffer<MappedPlace<Dim>> const out(grid.context(), from.size());
  with_interpolation(interpolation_, [&](auto kind) {
    parallel_for(grid.context(), "sparse::incompressible::map_points", from.size(),
                 MapPoints<kind(), T, Dim>{follow<kind()>(time_step), from.data(), along.data(), out.data(),
                                           direction == Direction::backward});
  });
  std::vector<Vec<Coord, Dim>> cells;
  grid.storage().to_host().for_each_cell([&](Vec<Coord, Dim> const& cell, Index) { cells.push_back(cell); });
  std::vector<MappedPoint<Dim>> result;
  for (auto const& place : to_host(grid.context(), static_cast<MappedPlace<Dim> const*>(out.data()), out.size())) {
    result.push_back({{}, place.tangent, place.has_left});
    auto const& cell = cells[static_cast<std::size_t>(place.position)];
    for (int b = 0; b < Dim; ++b)
      result.back().position[b] = grid.space().origin[b] + grid.spacing()[b] * (cell[b] + place.at[b]);
  }
  return result;
}

template <class T, int Dim>
std::vector<typename FlowMaps<T, Dim>::Sample>
FlowMaps<T, Dim>::sample_start(std::vector<Vec<double, Dim>> const& points,
                               std::vector<Vec<double, Dim>> const& vectors) const {
  auto const& grid = padded_.grid();
  expects(points.size() == vectors.size(), "incompressible: there must be a vector for each point");
  auto const from = detail::points_inside(grid, points), along = to_device(grid.context(), vectors);
  Buffer<VelocityThere<Dim>> const out(grid.context(), from.size());
  with_interpolation(interpolation_, [&](auto kind) {
    parallel_for(grid.context(), "sparse::incompressible::sample_by_spline", from.size(),
                 SamplePoints<kind(), T, Dim>{padded_.view(), start_.view(), from.data(), along.data(), out.data()});
  });
  std::vector<Sample> result;
  for (auto const& there : to_host(grid.context(), static_cast<VelocityThere<Dim> const*>(out.data()), out.size()))
    result.push_back({there.velocity, there.change});
  return result;
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template std::vector<MappedPoint<Dim>> FlowMaps<T, Dim>::map(                                                        \
      std::vector<Vec<double, Dim>> const&, std::vector<Vec<double, Dim>> const&, double, Direction) const;            \
  template std::vector<typename FlowMaps<T, Dim>::Sample> FlowMaps<T, Dim>::sample_start(                              \
      std::vector<Vec<double, Dim>> const&, std::vector<Vec<double, Dim>> const&) const;
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
