// Sets from shapes, masks, functions and pictures.

#include <sparse/fields/select.hpp>
#include <sparse/io/language/evaluate.hpp>
#include <sparse/io/pictures/bitmap.hpp>
#include <sparse/shapes/polygon.hpp>
#include <sparse/shapes/random.hpp>
#include <sparse/shapes/shapes.hpp>
#include <sparse/shapes/triangle_mesh.hpp>

#include "bodies.hpp"
#include "files.hpp"
#include "set.hpp"

namespace sparse::python {
namespace {

/// `body.operator()<Dim>()` within a `KernelScope`.
template <class Body>
Set make(std::size_t dim, Body const& body) {
  return with_kernels([&] { return by_dimension(dim, [&](auto d) { return Set(body.template operator()<d>()); }); });
}

void expect_same(std::size_t a, std::size_t b, char const* what) {
  if (a != b)
    throw std::invalid_argument(std::string(what) + " must have as many numbers, not " + std::to_string(a) + " and " +
                                std::to_string(b));
}

struct Limits {
  std::vector<Coord> lower, upper;
  template <int Dim>
  Box<Dim> box() const {
    return {to_vec<Coord, Dim>(lower), to_vec<Coord, Dim>(upper)};
  }
};

Limits limits(nb::handle lower, nb::handle upper, std::string const& name) {
  Limits result{cell(lower, (name + ": lower").c_str()), cell(upper, (name + ": upper").c_str())};
  expect_same(result.lower.size(), result.upper.size(), (name + ": lower and upper").c_str());
  return result;
}

Set make_box(nb::handle lower, nb::handle upper) {
  Limits const l = limits(lower, upper, "box");
  return make(l.lower.size(), [&]<int Dim>() { return box(l.box<Dim>().begin, l.box<Dim>().end); });
}

Set make_ball(nb::handle center, nb::handle radius) {
  auto const at = point(center, "ball: center");
  double const r = number(radius, "ball: radius");
  return make(at.size(), [&]<int Dim>() { return ball(to_vec<double, Dim>(at), r); });
}

Set make_ellipsoid(nb::handle center, nb::handle radii) {
  auto const at = point(center, "ellipsoid: center"), axes = point(radii, "ellipsoid: radii");
  expect_same(at.size(), axes.size(), "ellipsoid: center and radii");
  return make(at.size(), [&]<int Dim>() { return ellipsoid(to_vec<double, Dim>(at), to_vec<double, Dim>(axes)); });
}

Set make_capsule(nb::handle a, nb::handle b, nb::handle radius) {
  auto const from = point(a, "capsule: a"), to = point(b, "capsule: b");
  double const r = number(radius, "capsule: radius");
  expect_same(from.size(), to.size(), "capsule: a and b");
  return make(from.size(), [&]<int Dim>() { return capsule(to_vec<double, Dim>(from), to_vec<double, Dim>(to), r); });
}

Set make_half_space(nb::handle where, nb::handle normal, nb::handle lower, nb::handle upper) {
  Limits const l = limits(lower, upper, "half_space");
  int const dim = static_cast<int>(l.lower.size());
  auto const x = point(where, dim, "half_space: point"), n = point(normal, dim, "half_space: normal");
  return make(l.lower.size(),
              [&]<int Dim>() { return half_space(to_vec<double, Dim>(x), to_vec<double, Dim>(n), l.box<Dim>()); });
}

Set make_checkerboard(nb::handle lower, nb::handle upper, nb::handle width) {
  Limits const l = limits(lower, upper, "checkerboard");
  Coord const w = coordinate(width, "checkerboard: width");
  return make(l.lower.size(), [&]<int Dim>() { return checkerboard(l.box<Dim>(), w); });
}

Set make_random(nb::handle lower, nb::handle upper, nb::handle probability, nb::handle seed) {
  Limits const l = limits(lower, upper, "random_cells");
  double const p = number(probability, "random_cells: probability");
  auto const s = static_cast<std::uint64_t>(whole_number(seed, "random_cells: seed"));
  return make(l.lower.size(), [&]<int Dim>() { return random_cells(l.box<Dim>(), p, s); });
}

Loop loop_of(nb::handle points, char const* what) {
  nb::object const array = numpy_array(points, "float64", {-1, 2}, what);
  auto const* const from = static_cast<double const*>(address_of(array));
  Loop loop(length_of(array));
  for (std::size_t i = 0; i < loop.size(); ++i) loop[i] = {from[2 * i], from[2 * i + 1]};
  return loop;
}

Set make_polygon(nb::handle points, std::string const& rule) {
  auto const fill = static_cast<FillRule>(choice(rule, {"even_odd", "non_zero"}, "polygon: rule"));
  auto const loops = loops_of(points, "polygon: points");
  return with_kernels([&] { return Set(polygon(loops, fill)); });
}

Set make_mesh(nb::handle vertices, nb::handle triangles) {
  auto const mesh = mesh_of(vertices, triangles, "triangle_mesh");
  return with_kernels([&] { return Set(triangle_mesh(mesh)); });
}

struct IsTrue {
  std::uint8_t const* marks;
  Vec<Index, 3> stride;  // in marks, along each axis
  Vec<Coord, 3> origin;
  template <int Dim>
  KOKKOS_FUNCTION bool operator()(Vec<Coord, Dim> const& cell) const {
    Index at = 0;
    for (int axis = 0; axis < Dim; ++axis) at += (cell[axis] - origin[axis]) * stride[axis];
    return marks[at] != 0;
  }
};

Set from_mask(nb::handle mask, nb::handle origin) {
  nb::object const numpy = nb::module_::import_("numpy");
  if (!nb::isinstance(mask, numpy.attr("ndarray")))
    throw nb::type_error("from_mask: mask must be a NumPy array of booleans; use numpy.asarray(...)");
  std::string const kind = nb::cast<std::string>(mask.attr("dtype").attr("kind"));
  if (kind != "b")
    throw nb::type_error(
        ("from_mask: mask must have booleans, not " + text_of(mask.attr("dtype")) + "; write mask > 0 or the like")
            .c_str());
  int const dim = nb::cast<int>(mask.attr("ndim"));
  if (dim != 2 && dim != 3)
    throw std::invalid_argument("from_mask: mask must have 2 axes [y, x] or 3 axes [z, y, x], not " +
                                std::to_string(dim));
  nb::object const array = numpy.attr("ascontiguousarray")(mask);
  std::vector<Coord> lower =
      origin.is_none() ? std::vector<Coord>(static_cast<std::size_t>(dim), 0) : cell(origin, dim, "from_mask: origin");
  IsTrue is_true{static_cast<std::uint8_t const*>(address_of(array)), {}, {}};
  Limits l{lower, lower};
  Index stride = 1;
  for (int axis = 0; axis < dim; ++axis) {
    auto const n = length_of(array, dim - 1 - axis);
    auto const end = static_cast<Index>(n) + lower[static_cast<std::size_t>(axis)];
    if (end > coord_limit)
      throw std::invalid_argument("from_mask: the mask reaches beyond the range of coordinates, 2^30");
    l.upper[static_cast<std::size_t>(axis)] = static_cast<Coord>(end);
    is_true.origin[axis] = lower[static_cast<std::size_t>(axis)];
    is_true.stride[axis] = stride;
    stride *= static_cast<Index>(n);
  }
  return make(lower.size(), [&]<int Dim>() { return from_predicate(l.box<Dim>(), is_true); });
}

struct IsChosen {
  bool const* marks;
  KOKKOS_FUNCTION bool operator()(Index cell) const { return marks[cell]; }
};

Set from_function(nb::handle domain, nb::callable function) {
  Set const& cells = set_of(domain, "from_function: domain");
  nb::object const self = nb::borrow(domain);
  nb::list coordinates;
  for (int axis = 0; axis < cells.dim(); ++axis) coordinates.append(self.attr("centers")(axis));
  nb::object const result = function(*nb::tuple(coordinates));
  nb::object const numpy = nb::module_::import_("numpy");
  nb::object const given = numpy.attr("asarray")(result);
  if (nb::cast<std::string>(given.attr("dtype").attr("kind")) != "b")
    throw nb::type_error(
        "from_function: the function must return booleans, as x*x + y*y < 9 does; compare its result with something");
  nb::object const full =
      numpy.attr("ascontiguousarray")(numpy.attr("broadcast_to")(given, nb::make_tuple(cells.cell_count())));
  IsChosen const chosen{static_cast<bool const*>(address_of(full))};
  return map(cells, [&](auto const& set) { return set.is_empty() ? set : select(set, chosen); });
}

Set from_image(nb::handle path, nb::handle threshold, nb::handle origin) {
  auto const file = path_of(path);
  long long const level = whole_number(threshold, "image: threshold");
  auto const at = cell(origin, 2, "image: origin");
  auto const bitmap = with_files([&] { return io::read_bitmap(file); });
  return with_kernels([&] {
    Box<2> const box{{at[0], at[1]}, {at[0] + bitmap.width, at[1] + bitmap.height}};
    return Set(from_bitmap(box, io::dark_pixels(bitmap, static_cast<int>(level))));
  });
}

Set from_expression(std::string const& text, nb::handle folder) {
  io::EvaluateOptions options{.folder = folder.is_none() ? std::filesystem::path() : path_of(folder),
                              .context = with_kernels([] { return Context(); })};
  return with_kernels([&] {
    return std::visit([](auto const& set) { return Set(set); }, io::evaluate(io::parse_expression(text), options));
  });
}

}  // namespace

std::vector<Loop> loops_of(nb::handle points, char const* what) {
  bool is_list = PySequence_Check(points.ptr()) && nb::len(points) > 0;
  if (is_list) {
    nb::object const first = nb::borrow(points)[0];
    is_list = PySequence_Check(first.ptr()) && nb::len(first) > 0 && PySequence_Check(nb::object(first[0]).ptr());
  }
  std::vector<Loop> loops;
  if (is_list)
    for (nb::handle const loop : nb::iter(points)) loops.push_back(loop_of(loop, what));
  else
    loops.push_back(loop_of(points, what));
  return loops;
}

TriangleMesh mesh_of(nb::handle vertices, nb::handle triangles, char const* what) {
  nb::object const points = numpy_array(vertices, "float64", {-1, 3}, (std::string(what) + ": vertices").c_str()),
                   corners = numpy_array(triangles, "int32", {-1, 3}, (std::string(what) + ": triangles").c_str());
  auto const* const from = static_cast<double const*>(address_of(points));
  auto const* const numbers = static_cast<int const*>(address_of(corners));
  TriangleMesh mesh;
  for (std::size_t i = 0; i < length_of(points); ++i)
    mesh.vertices.push_back({from[3 * i], from[3 * i + 1], from[3 * i + 2]});
  for (std::size_t i = 0; i < length_of(corners); ++i)
    mesh.triangles.push_back({numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]});
  return mesh;
}

void bind_shapes(nb::module_& m) {
  m.def("box", make_box, nb::arg("lower"), nb::arg("upper"),
        nb::sig("def box(lower: collections.abc.Sequence[int], upper: collections.abc.Sequence[int]) -> Set"),
        "The cells with lower <= cell < upper on each axis: box((0, 0), (400, 160)). Three numbers each give a 3D "
        "set.\n\n"
        "Raises TypeError for numbers that are not whole, ValueError if an end lies before its begin.");
  m.def("ball", make_ball, nb::arg("center"), nb::arg("radius"),
        nb::sig("def ball(center: collections.abc.Sequence[float], radius: float) -> Set"),
        "The cells whose centres are at most `radius` away from `center` [cell widths]. (8, 8) is the corner between "
        "cells\n"
        "7 and 8; cell 8 has its centre at 8.5.\n\nRaises ValueError if the radius is negative or not finite.");
  m.def(
      "ellipsoid", make_ellipsoid, nb::arg("center"), nb::arg("radii"),
      nb::sig("def ellipsoid(center: collections.abc.Sequence[float], radii: collections.abc.Sequence[float]) -> Set"),
      "The cells with centres in the ellipse or ellipsoid with these semi-axes [cell widths].");
  m.def(
      "capsule", make_capsule, nb::arg("a"), nb::arg("b"), nb::arg("radius"),
      nb::sig(
          "def capsule(a: collections.abc.Sequence[float], b: collections.abc.Sequence[float], radius: float) -> Set"),
      "The cells whose centres are at most `radius` away from the segment from a to b [cell widths].");
  m.def(
      "half_space", make_half_space, nb::arg("point"), nb::arg("normal"), nb::arg("lower"), nb::arg("upper"),
      nb::sig("def half_space(point: collections.abc.Sequence[float], normal: collections.abc.Sequence[float], lower: "
              "collections.abc.Sequence[int], upper: collections.abc.Sequence[int]) -> Set"),
      "The cells of the box from lower to upper on or behind the line or plane through `point`. The normal points "
      "outwards.");
  m.def("checkerboard", make_checkerboard, nb::arg("lower"), nb::arg("upper"), nb::arg("width"),
        nb::sig("def checkerboard(lower: collections.abc.Sequence[int], upper: collections.abc.Sequence[int], width: "
                "int) -> Set"),
        "The cells of every other square or cube of side `width` in a box, anchored at the origin.");
  m.def("random_cells", make_random, nb::arg("lower"), nb::arg("upper"), nb::arg("probability"), nb::arg("seed"),
        nb::sig("def random_cells(lower: collections.abc.Sequence[int], upper: collections.abc.Sequence[int], "
                "probability: float, "
                "seed: int) -> Set"),
        "Each cell of a box with the same probability, 0 to 1; the same cells on every machine.");
  m.def("polygon", make_polygon, nb::arg("points"), nb::arg("rule") = "even_odd",
        nb::sig("def polygon(points: numpy.typing.ArrayLike | collections.abc.Sequence[numpy.typing.ArrayLike], rule: "
                "str = 'even_odd') -> Set"),
        "The cells whose centres lie inside a polygon [cell widths].\n\n"
        "points: (n, 2), or a list of such loops. rule: \"even_odd\" (loops in loops are holes) or \"non_zero\" (only "
        "loops of\n"
        "the opposite direction make holes). Raises ValueError for a loop of fewer than three points.");
  m.def("triangle_mesh", make_mesh, nb::arg("vertices"), nb::arg("triangles"),
        nb::sig("def triangle_mesh(vertices: numpy.typing.ArrayLike, triangles: numpy.typing.ArrayLike) -> Set"),
        "The cells whose centres lie inside a closed surface of triangles.\n\n"
        "vertices: (n, 3) [cell widths]; triangles: (m, 3) numbers of vertices, all turning in the same sense. Raises\n"
        "ValueError if the surface is not closed.");
  m.def("from_mask", from_mask, nb::arg("mask"), nb::arg("origin") = nb::none(),
        nb::sig("def from_mask(mask: numpy.typing.NDArray[numpy.bool_], origin: collections.abc.Sequence[int] | None = "
                "None) -> Set"),
        "The cells where a boolean array [y, x] or [z, y, x] is true; its first value is cell `origin`, the zero cell "
        "by default.\n\n"
        "Raises TypeError for values that are not booleans.");
  m.def("from_function", from_function, nb::arg("domain"), nb::arg("function"),
        nb::sig("def from_function(domain: Set, function: collections.abc.Callable[..., object]) -> Set"),
        "The cells of `domain` where a function of their centres is true: from_function(box, lambda x, y: x*x + y*y < "
        "9).\n\n"
        "The function gets one array (n,) per axis and returns n booleans, or one. It is called once.");
  m.def("image", from_image, nb::arg("path"), nb::arg("threshold") = 128, nb::arg("origin") = nb::make_tuple(0, 0),
        nb::sig("def image(path: str | os.PathLike[str], threshold: int = 128, origin: collections.abc.Sequence[int] = "
                "(0, 0)) -> Set"),
        "The dark pixels of a PNG, PGM or PBM file, with the lower left pixel at the cell `origin`.\n\n"
        "threshold: pixels with grey values below it count, 0 (black) to 255 (white). Raises OSError with the path.");
  m.def("expression", from_expression, nb::arg("text"), nb::arg("folder") = nb::none(),
        nb::sig("def expression(text: str, folder: str | os.PathLike[str] | None = None) -> Set"),
        "The set of an expression of the geometry language: expression(\"box(0, 0, 400, 160) - ball(80, 80, 20)\").\n\n"
        "folder: that of relative file names. Raises ExpressionError with the place of a mistake.");
  m.def(
      "expression_help", [] { return io::expression_help(); },
      "All functions of the geometry language, with signatures.");
}

}  // namespace sparse::python
