// Sets from sets.

#include <array>

#include <nanobind/stl/vector.h>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/faces.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/sets/transform.hpp>

#include "set.hpp"

namespace sparse::python {
namespace {

Element element_of(std::string const& name, char const* what) {
  return static_cast<Element>(choice(name, {"box", "diamond", "ball"}, what));
}

/// `operation(set, radius or radii, element)` of morphology.hpp. A radius per axis needs the element "box".
template <class Operation>
Set grow(Set const& self, nb::handle radius, std::string const& element, char const* name, Operation const& operation) {
  Element const shape = element_of(element, (std::string(name) + ": element").c_str());
  std::string const what = std::string(name) + ": radius";
  bool const is_list = PySequence_Check(radius.ptr()) && !PyUnicode_Check(radius.ptr());
  if (!is_list) {
    Coord const r = coordinate(radius, what.c_str());
    return map(self, [&](auto const& set) { return operation(set, r, shape); });
  }
  auto const radii = cell(radius, self.dim(), what.c_str());
  if (shape != Element::box)
    throw std::invalid_argument(what + " must be one number for the element \"" + element + "\"");
  return map(self,
             [&]<int Dim>(IntervalSet<Dim> const& set) { return operation(set, to_vec<Coord, Dim>(radii), shape); });
}

// The functions are overloaded for radii; these choose by the type of the radius.
struct Expand {
  template <int Dim>
  IntervalSet<Dim> operator()(IntervalSet<Dim> const& set, Coord radius, Element element) const {
    return expand(set, radius, element);
  }
  template <int Dim>
  IntervalSet<Dim> operator()(IntervalSet<Dim> const& set, Vec<Coord, Dim> const& radii, Element) const {
    return expand(set, radii);
  }
};
struct Shrink {
  template <int Dim>
  IntervalSet<Dim> operator()(IntervalSet<Dim> const& set, Coord radius, Element element) const {
    return shrink(set, radius, element);
  }
  template <int Dim>
  IntervalSet<Dim> operator()(IntervalSet<Dim> const& set, Vec<Coord, Dim> const& radii, Element) const {
    return shrink(set, radii);
  }
};

/// The cells where the function of `table` is true; bit k of a state tells whether a cell is in set k.
template <int Dim, std::size_t... K>
IntervalSet<Dim> fuse_table(std::vector<Set const*> const& sets, std::uint64_t table, std::index_sequence<K...>) {
  return fuse(
      [&](auto... is_in) {
        std::uint64_t state = 0;
        int bit = 0;
        ((state |= std::uint64_t{is_in} << bit++), ...);
        return (table >> state & 1u) != 0;
      },
      sets[K]->template in<Dim>("fuse: each set")...);
}

template <int Dim>
Set fuse_sets(std::vector<Set const*> const& sets, std::uint64_t table) {
  switch (sets.size()) {
  case 1:
    return fuse_table<Dim>(sets, table, std::make_index_sequence<1>());
  case 2:
    return fuse_table<Dim>(sets, table, std::make_index_sequence<2>());
  case 3:
    return fuse_table<Dim>(sets, table, std::make_index_sequence<3>());
  case 4:
    return fuse_table<Dim>(sets, table, std::make_index_sequence<4>());
  case 5:
    return fuse_table<Dim>(sets, table, std::make_index_sequence<5>());
  default:
    return fuse_table<Dim>(sets, table, std::make_index_sequence<6>());
  }
}

Set fuse_of(nb::callable function, nb::args given) {
  std::vector<Set const*> sets;
  for (nb::handle const set : given) sets.push_back(&set_of(set, "fuse: each argument after the function"));
  if (sets.empty() || sets.size() > 6) throw std::invalid_argument("fuse takes one to six sets");
  std::uint64_t table = 0;
  for (std::uint64_t state = 0; state < std::uint64_t{1} << sets.size(); ++state) {
    nb::list arguments;
    for (std::size_t k = 0; k < sets.size(); ++k) arguments.append(nb::bool_((state >> k & 1u) != 0));
    nb::object const value = function(*nb::tuple(arguments));
    int const is_true = PyObject_IsTrue(value.ptr());
    if (is_true < 0) throw nb::python_error();
    if (is_true > 0) table |= std::uint64_t{1} << state;
  }
  return with_kernels([&] { return sets[0]->dim() == 2 ? fuse_sets<2>(sets, table) : fuse_sets<3>(sets, table); });
}

template <int Dim>
std::vector<IntervalSet<Dim>> all_of(std::vector<Set const*> const& sets, char const* what) {
  std::vector<IntervalSet<Dim>> result;
  for (Set const* const set : sets) result.push_back(set->in<Dim>(what));
  return result;
}

template <class Operation>
Set join(nb::iterable given, char const* name, Operation const& operation) {
  std::string const what = std::string(name) + ": each set";
  std::vector<nb::object> keep;
  std::vector<Set const*> sets;
  for (nb::handle const set : given) {
    keep.push_back(nb::borrow(set));
    sets.push_back(&set_of(set, what.c_str()));
  }
  if (sets.empty()) throw std::invalid_argument(std::string(name) + ": there must be at least one set");
  return with_kernels([&] {
    return sets[0]->dim() == 2 ? Set(operation(all_of<2>(sets, what.c_str())))
                               : Set(operation(all_of<3>(sets, what.c_str())));
  });
}

Set shift_by(Set const& self, nb::handle offset) {
  auto const by = cell(offset, self.dim(), "shift: offset");
  return map(self, [&]<int Dim>(IntervalSet<Dim> const& set) { return shift(set, to_vec<Coord, Dim>(by)); });
}

Children children_of(std::string const& name) {
  return static_cast<Children>(choice(name, {"any", "majority", "all"}, "coarsen: children"));
}

FaceSide side_of(std::string const& name) {
  return static_cast<FaceSide>(choice(name, {"lower", "upper"}, "boundary_faces: side"));
}

}  // namespace

void bind_set_operations(nb::class_<Set>& c) {
  using S = Set const&;
  c.def(
      "__or__", [](S a, S b) { return map(a, b, [](auto const& x, auto const& y) { return x | y; }); },
      nb::is_operator(), nb::arg("other"),
      "Cells of either set. Cost of all four operators: a pass over the intervals.");
  c.def(
      "__and__", [](S a, S b) { return map(a, b, [](auto const& x, auto const& y) { return x & y; }); },
      nb::is_operator(), nb::arg("other"), "Cells of both sets.");
  c.def(
      "__sub__", [](S a, S b) { return map(a, b, [](auto const& x, auto const& y) { return x - y; }); },
      nb::is_operator(), nb::arg("other"), "Cells of this set that are not in the other.");
  c.def(
      "__xor__", [](S a, S b) { return map(a, b, [](auto const& x, auto const& y) { return x ^ y; }); },
      nb::is_operator(), nb::arg("other"), "Cells of exactly one of the sets.");
  c.def(
      "expand", [](S a, nb::handle r, std::string const& e) { return grow(a, r, e, "expand", Expand{}); },
      nb::arg("radius"), nb::arg("element") = "box",
      nb::sig("def expand(self, radius: int | collections.abc.Sequence[int], element: str = 'box') -> Set"),
      "Every cell at most `radius` cells away from the set (dilation).\n\n"
      "element: \"box\" (away along each axis; the radius may then be one number per axis), \"diamond\" (steps across\n"
      "faces) or \"ball\" (distance of centres). Raises ValueError for a negative radius.");
  c.def(
      "shrink", [](S a, nb::handle r, std::string const& e) { return grow(a, r, e, "shrink", Shrink{}); },
      nb::arg("radius"), nb::arg("element") = "box",
      nb::sig("def shrink(self, radius: int | collections.abc.Sequence[int], element: str = 'box') -> Set"),
      "Every cell whose surroundings up to `radius` cells away belong to the set (erosion). Arguments as `expand`.");
  auto const simple = [&c](char const* name, auto const& operation, char const* text) {
    std::string const signature = std::string("def ") + name + "(self, radius: int, element: str = 'box') -> Set";
    c.def(
        name,
        [operation, name](S a, nb::handle radius, std::string const& element) {
          Coord const r = coordinate(radius, (std::string(name) + ": radius").c_str());
          Element const e = element_of(element, (std::string(name) + ": element").c_str());
          return map(a, [&](auto const& set) { return operation(set, r, e); });
        },
        nb::arg("radius"), nb::arg("element") = "box", nb::sig(signature.c_str()), text);
  };
  simple(
      "open", [](auto const& set, Coord r, Element e) { return open(set, r, e); },
      "The cells covered by an element that lies inside the set: `shrink`, then `expand`.");
  simple(
      "close", [](auto const& set, Coord r, Element e) { return close(set, r, e); },
      "`expand`, then `shrink`: fills gaps narrower than 2 radius + 1 cells.");
  simple(
      "inner_layer", [](auto const& set, Coord r, Element e) { return inner_layer(set, r, e); },
      "The cells of the set at most `radius` cells away from a cell outside.");
  simple(
      "outer_layer", [](auto const& set, Coord r, Element e) { return outer_layer(set, r, e); },
      "The cells outside of the set at most `radius` cells away from it.");
  c.def(
      "distance_bands",
      [](S a, std::vector<int> const& distances, std::string const& element) {
        Element const e = element_of(element, "distance_bands: element");
        return a.visit([&](auto const& set) {
          std::vector<Set> bands;
          with_kernels([&] {
            for (auto const& band : distance_bands(set, std::vector<Coord>(distances.begin(), distances.end()), e))
              bands.emplace_back(band);
          });
          return bands;
        });
      },
      nb::arg("distances"), nb::arg("element") = "box",
      nb::sig("def distance_bands(self, distances: collections.abc.Sequence[int], element: str = 'box') -> list[Set]"),
      "The cells outside by distance: band i holds those at most distances[i] cells away, and more than the one "
      "before.");
  c.def("shift", shift_by, nb::arg("offset"), nb::sig("def shift(self, offset: collections.abc.Sequence[int]) -> Set"),
        "The set moved by (x, y) or (x, y, z) cells. Raises ValueError if a cell leaves the range of coordinates.");
  c.def(
      "mirror",
      [](S a, nb::handle axis, nb::handle plane) {
        int const along = axis_of(axis, a.dim(), "mirror: axis");
        Coord const at = coordinate(plane, "mirror: plane");
        return map(a, [&](auto const& set) { return mirror(set, along, at); });
      },
      nb::arg("axis"), nb::arg("plane"), nb::sig("def mirror(self, axis: int | str, plane: int) -> Set"),
      "The set mirrored at the grid line or plane `plane` of an axis: cell c goes to 2 plane - 1 - c.");
  c.def(
      "transpose",
      [](S a, nb::handle one, nb::handle other) {
        int const i = axis_of(one, a.dim(), "transpose: axis_a"), j = axis_of(other, a.dim(), "transpose: axis_b");
        return map(a, [&](auto const& set) { return transpose(set, i, j); });
      },
      nb::arg("axis_a"), nb::arg("axis_b"), nb::sig("def transpose(self, axis_a: int | str, axis_b: int | str) -> Set"),
      "The set with two axes swapped.");
  c.def(
      "rotate",
      [](S a, nb::handle from, nb::handle to) {
        int const i = axis_of(from, a.dim(), "rotate: from_axis"), j = axis_of(to, a.dim(), "rotate: to_axis");
        return map(a, [&](auto const& set) { return rotate(set, i, j); });
      },
      nb::arg("from_axis"), nb::arg("to_axis"),
      nb::sig("def rotate(self, from_axis: int | str, to_axis: int | str) -> Set"),
      "The set after a quarter turn around the origin that takes one axis to the other.");
  c.def(
      "slice",
      [](S a, nb::handle axis, nb::handle position) {
        auto const& set = a.in<3>("slice: the set");
        int const along = axis_of(axis, 3, "slice: axis");
        Coord const at = coordinate(position, "slice: position");
        return with_kernels([&] { return Set(slice(set, along, at)); });
      },
      nb::arg("axis"), nb::arg("position"), nb::sig("def slice(self, axis: int | str, position: int) -> Set"),
      "The cells of a 3D set at one coordinate, as a 2D set of the other two axes in their order.");
  c.def(
      "extrude",
      [](S a, nb::handle begin, nb::handle end, nb::handle axis) {
        auto const& set = a.in<2>("extrude: the set");
        int const along = axis_of(axis, 3, "extrude: axis");
        Coord const first = coordinate(begin, "extrude: begin"), last = coordinate(end, "extrude: end");
        return with_kernels([&] { return Set(extrude(set, first, last, along)); });
      },
      nb::arg("begin"), nb::arg("end"), nb::arg("axis") = 2,
      nb::sig("def extrude(self, begin: int, end: int, axis: int | str = 2) -> Set"),
      "The 3D set whose slices from `begin` to `end - 1` along an axis are all this 2D set.");
  c.def(
      "coarsen",
      [](S a, std::string const& children) {
        Children const wanted = children_of(children);
        return map(a, [&](auto const& set) { return coarsen(set, wanted); });
      },
      nb::arg("children") = "any",
      "The cells of twice the width with enough of their 4 or 8 children in the set: \"any\", \"majority\" (more than "
      "half)\n"
      "or \"all\".");
  c.def(
      "refine", [](S a) { return map(a, [](auto const& set) { return refine(set); }); },
      "All children of the cells, at half the width: cell c has the children 2 c + {0, 1} along each axis.");
  c.def(
      "faces",
      [](S a, nb::handle axis) {
        int const along = axis_of(axis, a.dim(), "faces: axis");
        return map(a, [&](auto const& set) { return faces(set, along); });
      },
      nb::arg("axis"), nb::sig("def faces(self, axis: int | str) -> Set"),
      "The faces of the cells normal to an axis, as a set. Face i lies between cells i - 1 and i.");
  c.def(
      "interior_faces",
      [](S a, nb::handle axis) {
        int const along = axis_of(axis, a.dim(), "interior_faces: axis");
        return map(a, [&](auto const& set) { return interior_faces(set, along); });
      },
      nb::arg("axis"), nb::sig("def interior_faces(self, axis: int | str) -> Set"),
      "The faces normal to an axis with a cell of the set on both sides.");
  c.def(
      "boundary_faces",
      [](S a, nb::handle axis, std::string const& side) {
        int const along = axis_of(axis, a.dim(), "boundary_faces: axis");
        FaceSide const on = side_of(side);
        return map(a, [&](auto const& set) { return boundary_faces(set, along, on); });
      },
      nb::arg("axis"), nb::arg("side"), nb::sig("def boundary_faces(self, axis: int | str, side: str) -> Set"),
      "The faces normal to an axis where a cell of the set has none beside it, on its \"lower\" or \"upper\" side.");
  c.def(
      "edges",
      [](S a, nb::handle axis) {
        int const along = axis_of(axis, a.dim(), "edges: axis");
        return map(a, [&](auto const& set) { return edges(set, along); });
      },
      nb::arg("axis"), nb::sig("def edges(self, axis: int | str) -> Set"),
      "The edges of the cells parallel to an axis.");
  c.def(
      "nodes", [](S a) { return map(a, [](auto const& set) { return nodes(set); }); },
      "The corners of the cells. Node (i, j) is the lower corner of cell (i, j).");
}

void bind_fuse(nb::module_& m) {
  m.def(
      "fuse", fuse_of, nb::arg("function"), nb::arg("sets"),
      nb::sig("def fuse(function: collections.abc.Callable[..., object], *sets: Set) -> Set"),
      "The cells where a boolean function of one to six sets is true, in one pass:\n"
      "`fuse(lambda a, b, c: (a and not b) or c, x, y, z)`.\n\n"
      "The function is called with booleans, once for each of the 2^n combinations. It must be false where no set is,\n"
      "or ValueError is raised, since the result would be infinite.");
  m.def(
      "unite", [](nb::iterable sets) { return join(sets, "unite", [](auto const& all) { return unite(all); }); },
      nb::arg("sets"), nb::sig("def unite(sets: collections.abc.Iterable[Set]) -> Set"),
      "The union of any number of sets.");
  m.def(
      "intersect",
      [](nb::iterable sets) { return join(sets, "intersect", [](auto const& all) { return intersect(all); }); },
      nb::arg("sets"), nb::sig("def intersect(sets: collections.abc.Iterable[Set]) -> Set"),
      "The intersection of any number of sets.");
}

}  // namespace sparse::python
