#pragma once
/// Domains on levels with a body in uniform flow. Lengths are in diameters of the body, velocities in that of the
/// inflow.

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <sparse/amr/domain/domain.hpp>

#include <sparse/app/options/command_line.hpp>

namespace sparse::app {

/// The sizes of such a domain.
struct BodyInFlow {
  int n = 128;                      ///< cells of the finest level along a diameter
  double re = 1000;                 ///< Reynolds number of the diameter
  double length = 32, height = 32;  ///< along the flow, and across it
  double part_before = 1.0 / 3;     ///< of the length, before the body
  bool has_curved_walls = false;    ///< `AdaptiveOptions::curved_walls`

  /// Of level 0.
  double width(int level_count) const { return std::ldexp(1.0, level_count - 1) / n; }

  /// The body is around the origin. What flows in leaves at the other end; the other sides are walls without friction.
  template <int Dim>
  sparse::amr::Domain<Dim> domain(int level_count, sparse::Body<Dim> const& body) const {
    sparse::amr::DomainOptions<Dim> box;
    box.level_count = level_count;
    double const h = width(level_count);
    box.grid.spacing = Vec<double, Dim>::filled(h);
    for (int axis = 0; axis < Dim; ++axis) {
      box.cells[axis] = static_cast<Coord>(std::lround((axis == 0 ? length : height) / h));
      box.grid.origin[axis] = axis == 0 ? -std::floor(length * part_before / h) * h : -0.5 * height;
      box.sides[axis] = {BoundaryKind::wall, BoundaryKind::wall};
    }
    box.sides[0] = {BoundaryKind::inflow, BoundaryKind::outflow};
    box.bodies = {body};
    return sparse::amr::Domain<Dim>(box);
  }

  /// `--n`, `--re`, `--length`, `--height` and `--surfaces`. @param other_sides  in a text: what `--height` is also the
  /// size of
  void add_options(CLI::App& line, std::string const& other_sides = "") {
    line.add_option("--n", n, "cells of the finest level along a diameter")
        ->check(CLI::Range(8, 1 << 14))
        ->capture_default_str();
    add_number(line, "--re", re, 1, 1e6, "Reynolds number of the diameter");
    add_number(line, "--length", length, 4, 1000, "of the domain");
    add_number(line, "--height", height, 2, 1000, "of the domain" + other_sides + ", between walls without friction");
    add_choice<bool>(line, "--surfaces", has_curved_walls, {{"staircase", false}, {"curved", true}},
                     "of the body: faces of cells, or where they are, so that they cut cells");
  }
  /// Fails unless the sizes are even numbers of coarsest cells. @throws CLI::ValidationError
  void expect_whole_cells(int level_count) const {
    double const h = width(level_count);
    for (auto const& [name, size] : {std::pair("--length", length), std::pair("--height", height)})
      if (std::abs(std::remainder(size, 2 * h)) > 1e-9 * size)
        throw CLI::ValidationError(name,
                                   fmt::format("must be an even number of cells of level 0, which are {:.6g} wide", h));
  }
};

}  // namespace sparse::app
