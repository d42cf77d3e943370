#include <initializer_list>
#include <utility>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/components.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/sets/transform.hpp>
#include <sparse/shapes/shapes.hpp>

#include "geometry_functions.hpp"

namespace sparse::io {
namespace {

template <int Dim>
IntervalSet<Dim> made_box(Arguments<Dim> const& a, Box<Dim> const& box) {
  a.expect_rows(box);
  return sparse::box<Dim>(box.begin, box.end, a.options().context);
}

/// Looks up the value of one of several texts.
template <class Choice>
Choice chosen(std::string const& text, std::initializer_list<std::pair<char const*, Choice>> const& choices) {
  std::string known;
  for (auto const& [name, choice] : choices) {
    if (text == name) return choice;
    known += fmt::format("{}'{}'", known.empty() ? "" : ", ", name);
  }
  fail(fmt::format("'{}' is none of {}", text, known));
}

template <int Dim>
Element element(Arguments<Dim> const& a) {
  return chosen<Element>(a.text(2), {{"box", Element::box}, {"diamond", Element::diamond}, {"ball", Element::ball}});
}

/// The set of a function that makes it grow by these radii on the way. Checks the rows of the set that results.
template <int Dim>
IntervalSet<Dim> const& growing(Arguments<Dim> const& a, Vec<Coord, Dim> const& radii) {
  a.expect_rows(a.set(0).bounds(), radii);
  return a.set(0);
}

/// The same for a function of (set, radius, element).
template <int Dim>
IntervalSet<Dim> const& growing(Arguments<Dim> const& a) {
  return growing(a, Vec<Coord, Dim>::filled(a.integer(1)));
}

template <int Dim>
IntervalSet<Dim> coarsened(Arguments<Dim> const& a) {
  return coarsen(
      a.set(0),
      chosen<Children>(a.text(1), {{"any", Children::any}, {"majority", Children::majority}, {"all", Children::all}}));
}

template <int Dim>
IntervalSet<Dim> refined(Arguments<Dim> const& a) {
  a.expect_rows(a.set(0).bounds(), {}, 2);
  return refine(a.set(0));
}

IntervalSet<2> sliced(Arguments<2> const& a) {
  return slice(a.set<3>(0), static_cast<int>(a.number(1)), a.integer(2));  // the axis may be any axis of the 3D set
}

IntervalSet<3> extruded(Arguments<3> const& a) {
  auto const& flat = a.set<2>(0);
  Coord const begin = a.integer(1), end = a.integer(2);
  bool const cells_stand = a.axis(3) == 0;  // if so, each cell becomes a row; else each row becomes one row per slice
  a.expect_rows(cells_stand ? static_cast<double>(flat.cell_count())
                            : (1.0 * end - begin) * static_cast<double>(flat.row_count()));
  return extrude(flat, begin, end, a.axis(3));
}

}  // namespace

template <int Dim>
GeometryFunctions<Dim> set_functions() {
  using A = Arguments<Dim> const&;
  using Set = IntervalSet<Dim>;
  GeometryFunctions<Dim> functions = {
      {"complement",
       [](A a) -> Set {
         return made_box<Dim>(a, {a.cell(1), a.cell(1 + Dim)}) - a.set(0);
       }},
      {"bounds", [](A a) -> Set { return made_box<Dim>(a, a.set(0).bounds()); }},
      {"shift", [](A a) -> Set { return shift(a.set(0), a.cell(1)); }},
      {"mirror", [](A a) -> Set { return mirror(a.set(0), a.axis(1), a.integer(2)); }},
      {"transpose", [](A a) -> Set { return transpose(a.set(0), a.axis(1), a.axis(2)); }},
      {"rotate", [](A a) -> Set { return rotate(a.set(0), a.axis(1), a.axis(2)); }},
      {"expand", [](A a) -> Set { return expand(growing(a), a.integer(1), element(a)); }},
      {"shrink", [](A a) -> Set { return shrink(a.set(0), a.integer(1), element(a)); }},
      {"expand_box", [](A a) -> Set { return expand(growing(a, a.cell(1)), a.cell(1)); }},
      {"shrink_box", [](A a) -> Set { return shrink(a.set(0), a.cell(1)); }},
      {"open", [](A a) -> Set { return open(a.set(0), a.integer(1), element(a)); }},
      {"close", [](A a) -> Set { return close(growing(a), a.integer(1), element(a)); }},
      {"skin", [](A a) -> Set { return inner_layer(a.set(0), a.integer(1), element(a)); }},
      {"shell", [](A a) -> Set { return outer_layer(growing(a), a.integer(1), element(a)); }},
      {"coarsen", coarsened<Dim>},
      {"refine", refined<Dim>},
      {"fill_holes", [](A a) -> Set { return fill_holes(a.set(0)); }},
      {"pieces", [](A a) -> Set { return components_of_size(connected_components(a.set(0)), a.integer(1)); }},
      {"connected", [](A a) -> Set { return components_touching(connected_components(a.set(0)), a.set(1)); }},
      {"faces", [](A a) -> Set { return faces(a.set(0), a.axis(1)); }},
  };
  if constexpr (Dim == 2)
    functions.emplace("slice", sliced);
  else
    functions.emplace("extrude", extruded);
  return functions;
}

template GeometryFunctions<2> set_functions();
template GeometryFunctions<3> set_functions();

}  // namespace sparse::io
