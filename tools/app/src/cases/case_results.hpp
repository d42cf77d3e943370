#pragma once
/// Reports the results of a case beside their reference values.

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <sparse/incompressible/measure/profiles.hpp>

#include <sparse/app/cases/flow_case.hpp>
#include <sparse/app/incompressible/shedding.hpp>
#include <sparse/app/run/folder.hpp>

namespace sparse::app {

class CaseResults {
public:
  /// @param numbers  the numbers of the case, which select its references
  CaseResults(RunFolder& folder, Case const& c, std::map<std::string, double> const& numbers)
      : folder_(folder), references_(references_for(c, numbers)) {}

  void add(std::string const& name, double value) {
    auto const found = references_.extract(name);
    folder_.report(name, value, found.empty() ? std::nullopt : std::optional(found.mapped()));
  }
  /// Reports references without a result.
  void finish() const {
    if (!folder_.is_mine()) return;
    for (auto const& [name, value] : references_)
      fmt::print(stderr, "[reference.results]: there is no result '{}'\n", name);
  }

private:
  RunFolder& folder_;
  std::map<std::string, double> references_;
};

/// What forces on bodies are in units of for coefficients: dynamic pressure times reference length, inverted.
inline double force_unit(FlowCase const& c) {
  double const span = c.dim == 3 ? c.size[2] : 1;
  return 2 / (c.velocity * c.velocity * c.length * span);
}

/// The name of a boundary in results. @param number  of the boundary
inline std::string name_of(CaseBoundary const& b, std::size_t number) {
  char const* const sides[3][2] = {{"left", "right"}, {"bottom", "top"}, {"back", "front"}};
  std::string const side = sides[b.axis][b.side == sparse::FaceSide::lower ? 0 : 1];
  return b.range.empty() ? side : fmt::format("{}_{}", side, number + 1);
}

/// The least and the greatest temperature of walls and inflows; with that of the start if they are one.
inline std::array<double, 2> temperatures_of(FlowCase const& c) {
  double least = c.start_temperature, greatest = least;
  bool is_first = true;
  auto const add = [&](std::optional<double> const& temperature) {
    if (!temperature) return;
    least = is_first ? *temperature : std::fmin(least, *temperature);
    greatest = is_first ? *temperature : std::fmax(greatest, *temperature);
    is_first = false;
  };
  for (auto const& boundary : c.boundaries) add(boundary.temperature);
  for (auto const& obstacle : c.obstacles) add(obstacle.temperature);
  if (least == greatest) return {std::fmin(least, c.start_temperature), std::fmax(greatest, c.start_temperature)};
  return {least, greatest};
}

/// Adds the extrema of the velocity across a centre line; nothing if it has no points.
/// @param unit  of velocity
template <int Dim>
void add_extrema(CaseResults& results, sparse::incompressible::Profile<Dim> const& line, int axis, double unit = 1) {
  if (line.points.empty()) return;
  int const across = axis == 0 ? 1 : 0;
  auto const [least, greatest] = extrema_of(line, axis, across);
  std::string const what = fmt::format("{} on centre line along {}", "uvw"[across], "xyz"[axis]);
  results.add("least " + what, least.value / unit);
  results.add("greatest " + what, greatest.value / unit);
  results.add("position of least " + what, least.position);
  results.add("position of greatest " + what, greatest.position);
}

/// Adds what is known of drag and lift.
inline void add_forces(CaseResults& results, Shedding const& shedding, FlowCase const& c) {
  auto const periods = shedding.periods();
  if (!periods) return results.add("drag coefficient", shedding.mean_drag());
  results.add("periods", periods->count);
  results.add("Strouhal number", c.length / (periods->length * c.velocity));
  results.add("drag coefficient", periods->drag);
  results.add("greatest drag coefficient", periods->greatest_drag);
  results.add("greatest lift coefficient", periods->greatest_lift);
}

}  // namespace sparse::app
