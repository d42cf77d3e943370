#pragma once
/// Bodies that Python describes by dicts.

#include <string>

#include <sparse/shapes/bodies.hpp>

#include "set.hpp"

namespace sparse::python {

/// A loop of points, (n, 2), or a list of loops.
std::vector<Loop> loops_of(nb::handle points, char const* what);
TriangleMesh mesh_of(nb::handle vertices, nb::handle triangles, char const* what);

/// The body of a dict with "kind" and what the kind needs. It copies all that it needs of Python.
/// @throws ValueError  if it makes no sense in this dimension
template <int Dim>
Body<Dim> body_of(nb::dict const& told) {
  std::string const kind = text_of(told["kind"]), name = text_of(told["name"]);
  BoundaryKind const wall = choice(text_of(told["wall"]), {"slip", "no_slip"}, "body: wall") == 0
                                ? BoundaryKind::wall
                                : BoundaryKind::no_slip;
  auto const place = [&](char const* key) {
    return to_vec<double, Dim>(point(told[key], Dim, (kind + ": " + key).c_str()));
  };
  auto const length = [&](char const* key) {
    double const value = number(told[key], (kind + ": " + key).c_str());
    if (!(value > 0 && std::isfinite(value))) throw std::invalid_argument(kind + ": " + key + " must be positive");
    return value;
  };
  auto const made = [&]() -> Body<Dim> {
    if (kind == "Ball")
      return body_from_distance<Dim>(name, BallDistance<Dim>{place("center"), length("radius")}, wall);
    if (kind == "Box") return body_from_distance<Dim>(name, BoxDistance<Dim>{place("lower"), place("upper")}, wall);
    if (kind == "Capsule")
      return body_from_distance<Dim>(name, CapsuleDistance<Dim>{place("a"), place("b"), length("radius")}, wall);
    if (kind == "Cells")
      return body_from_cells<Dim>(name, set_of(told["cells"], "Cells: cells").in<Dim>("Cells: cells"), wall);
    if constexpr (Dim == 2) {
      if (kind == "Polygon") {
        auto const loops = loops_of(told["points"], "Polygon: points");
        return with_kernels([&] { return body_from_polygon(name, loops, FillRule::even_odd, wall); });
      }
    } else {
      if (kind == "Mesh") {
        auto const mesh = mesh_of(told["vertices"], told["triangles"], "Mesh");
        return with_kernels([&] { return body_from_mesh(name, mesh, wall); });
      }
    }
    throw std::invalid_argument("a body of the kind " + kind + " cannot be in " + std::to_string(Dim) + "D");
  }();
  return nb::cast<bool>(told["curved"]) ? made : as_staircase(made);
}

}  // namespace sparse::python
