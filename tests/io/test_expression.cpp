#include <functional>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include <sparse/io/files/file.hpp>
#include <sparse/io/language/evaluate.hpp>
#include <sparse/io/pictures/bitmap.hpp>
#include <sparse/io/sets/set_file.hpp>
#include <sparse/io/vtk/vtk_readers.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/components.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/sets/transform.hpp>
#include <sparse/shapes/polygon.hpp>
#include <sparse/shapes/random.hpp>
#include <sparse/shapes/shapes.hpp>
#include <sparse/shapes/triangle_mesh.hpp>

#include "support/io_levels.hpp"

namespace {

using namespace io_test;
using namespace sparse;
using reference::random_int;

/// `box(...)` as text.
template <int Dim>
std::string text_of(Box<Dim> const& box) {
  std::ostringstream text;
  text << "box(";
  for (int i = 0; i < 2 * Dim; ++i) text << (i == 0 ? "" : ", ") << (i < Dim ? box.begin : box.end)[i % Dim];
  text << ")";
  return text.str();
}

/// Random text with the cells that it should mean. Operators are applied by looking for the tightest again and again,
/// unlike in any parser.
template <int Dim>
struct Random {
  std::mt19937 engine;
  std::string definitions = {};
  std::map<std::string, Cells<Dim>> defined = {};

  std::string space() {
    return std::string(random_int(engine, 0, 9) == 0 ? "\n # | (\n " : " ", random_int(engine, 0, 1));
  }

  std::string number(int value) {
    int const a = random_int(engine, -9, 9);
    switch (random_int(engine, 0, 4)) {
    case 0:
      return std::to_string(value - a) + "+ " + (a < 0 ? "-" : "") + std::to_string(std::abs(a));
    case 1:
      return "(" + std::to_string(2 * value) + ") / 2";
    case 2:
      return "--" + std::to_string(value + 6) + " - 2*3";
    case 3:
      return std::to_string(value) + ".0e0";
    default:
      return std::to_string(value);
    }
  }

  std::pair<std::string, Cells<Dim>> operand(int depth) {
    int const kind = random_int(engine, 0, 5);
    if (kind == 0 && depth > 0) {
      auto [text, cells] = operators(depth - 1);
      return {"(" + space() + text + ")", cells};
    }
    if (kind == 1 && !defined.empty()) {
      auto const at = std::next(defined.begin(), random_int(engine, 0, static_cast<int>(defined.size()) - 1));
      return *at;
    }
    if (kind == 2 && depth > 0) {
      auto [inner, cells] = operators(depth - 1);
      Cell<Dim> offset;
      std::string text = "shift(" + inner;
      for (int axis = 0; axis < Dim; ++axis) {
        offset[axis] = random_int(engine, -3, 3);
        text += "," + number(offset[axis]);
      }
      return {text + ")", reference::moved(cells, offset)};
    }
    Box<Dim> box;
    std::string text = "box" + space() + "(", ends;
    for (int axis = 0; axis < Dim; ++axis) {
      box.begin[axis] = random_int(engine, -6, 6);
      box.end[axis] = box.begin[axis] + random_int(engine, 0, 6);
      text += number(box.begin[axis]) + ",";
      ends += (axis == 0 ? "" : ",") + number(box.end[axis]);
    }
    return {text + ends + ")", reference::box<Dim>(box.begin, box.end)};
  }

  std::pair<std::string, Cells<Dim>> operators(int depth) {
    auto [text, cells] = operand(depth);
    std::vector<Cells<Dim>> operands = {cells};
    std::string ops;
    for (int i = random_int(engine, 0, 5); i > 0; --i) {
      ops += "|&-^"[random_int(engine, 0, 3)];
      auto [more, its_cells] = operand(depth);
      text += space() + ops.back() + space() + more;
      operands.push_back(its_cells);
    }
    for (char const op : {'-', '&', '^', '|'})
      for (auto at = ops.find(op); at != std::string::npos; at = ops.find(op)) {
        auto const &a = operands[at], &b = operands[at + 1];
        operands[at] = op == '-'   ? reference::difference(a, b)
                       : op == '&' ? reference::both(a, b)
                       : op == '^' ? reference::exactly_one(a, b)
                                   : reference::either(a, b);
        operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        ops.erase(at, 1);
      }
    return {text, operands[0]};
  }

  /// Definitions, some of which use and replace earlier ones, and a result.
  std::pair<std::string, Cells<Dim>> program() {
    std::string text;
    for (int i = random_int(engine, 0, 3); i > 0; --i) {
      std::string const name(1, "abx"[random_int(engine, 0, 2)]);
      auto const [value, cells] = operators(2);
      text += name + space() + "=" + value + ";" + space();
      defined[name] = cells;
    }
    auto const [value, cells] = operators(3);
    return {text + value + (random_int(engine, 0, 1) ? ";" : ""), cells};
  }
};

template <class Dimension>
class Expressions : public testing::Test {};
TYPED_TEST_SUITE(Expressions, reference::Dimensions);

TYPED_TEST(Expressions, MeanWhatTheSameOperationsOnCellsGive) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= reference::seed_count; ++seed) {
    Random<Dim> random{reference::random_engine(seed)};
    auto const [text, cells] = random.program();
    SCOPED_TRACE(testing::Message() << "seed " << seed << ": " << text);
    ASSERT_TRUE(reference::matches(io::evaluate<Dim>(text), cells));
  }
}

/// A call of each function and what it stands for.
template <int Dim>
struct Meaning {
  std::string text;
  std::function<IntervalSet<Dim>()> set;
};

template <int Dim>
Vec<Coord, Dim> cell(Coord x, Coord y, Coord z) {
  if constexpr (Dim == 2)
    return {x, y};
  else
    return {x, y, z};
}
template <int Dim>
Vec<double, Dim> point(double x, double y, double z) {
  if constexpr (Dim == 2)
    return {x, y};
  else
    return {x, y, z};
}

/// Texts have "{flat|solid}" where 2D and 3D differ.
std::string in_dimension(std::string text, int dimension) {
  for (auto open = text.find('{'); open != std::string::npos; open = text.find('{')) {
    auto const bar = text.find('|', open), close = text.find('}', open);
    auto const part = dimension == 2 ? text.substr(open + 1, bar - open - 1) : text.substr(bar + 1, close - bar - 1);
    text.replace(open, close + 1 - open, part);
  }
  return text;
}

template <int Dim>
std::vector<Meaning<Dim>> meanings(Folder const& folder) {
  static_assert(Dim == 2 || Dim == 3);
  auto const set = ball<Dim>(point<Dim>(3, 4, 5), 6.5) - ball<Dim>(point<Dim>(3, 4, 5), 2);
  std::string const a = in_dimension("a = ball(3, 4, {|5,} 6.5) - ball(3, 4, {|5,} 2); ", Dim);
  auto const field = cell<Dim>(-20, -20, -20), end = cell<Dim>(20, 20, 20);
  io::SetWriter<Dim>().add("ring", set).add("box", box<Dim>(field, end)).save(folder / "sets.h5");
  io::write_hdf5(folder / "one.h5", set);
  std::vector<Meaning<Dim>> all = {
      {"box(-1, -2, {|-3,} 4, 5 {|, 6})", [=] { return box<Dim>(cell<Dim>(-1, -2, -3), cell<Dim>(4, 5, 6)); }},
      {"ball(1.5, 2, {|3,} 4.25)", [=] { return ball<Dim>(point<Dim>(1.5, 2, 3), 4.25); }},
      {"ball(y = 2, radius = 4.25, x = 1.5 {|, z = 3})", [=] { return ball<Dim>(point<Dim>(1.5, 2, 3), 4.25); }},
      {"ellipsoid(1.5, 2, {|3,} 4, 5 {|, 6})",
       [=] { return ellipsoid<Dim>(point<Dim>(1.5, 2, 3), point<Dim>(4, 5, 6)); }},
      {"capsule(1.5, 2, {|3,} -4, -5, {|-6,} 2.5)",
       [=] { return capsule<Dim>(point<Dim>(1.5, 2, 3), point<Dim>(-4, -5, -6), 2.5); }},
      {a + "half_space(a, 1, 2, {|3,} -1, 2 {|, 3})",
       [=] {
         return set & half_space<Dim>(point<Dim>(1, 2, 3), point<Dim>(-1, 2, 3), {field, end});
       }},
      {a + "checkerboard(a, 3)",
       [=] {
         return set & checkerboard<Dim>({field, end}, 3);
       }},
      {a + "random(a, 0.5)",
       [=] {
         return set & random_cells<Dim>({field, end}, 0.5, 1);
       }},
      {a + "random(a, 0.5, seed = 9)",
       [=] {
         return set & random_cells<Dim>({field, end}, 0.5, 9);
       }},
      {a + "random_intervals(a, 3, 2.5, 7)", [=] { return set & random_intervals<Dim>(set.bounds(), 3, 2.5, 7); }},
      {a + "complement(a, -20, -20, {|-20,} 20, 20 {|, 20})", [=] { return box<Dim>(field, end) - set; }},
      {a + "bounds(a)", [=] { return box<Dim>(set.bounds().begin, set.bounds().end); }},
      {a + "shift(a, 1, -2 {|, 3})", [=] { return shift(set, cell<Dim>(1, -2, 3)); }},
      {a + "shift(a, dx = 1, dy = -2 {|, dz = 3})", [=] { return shift(set, cell<Dim>(1, -2, 3)); }},
      {a + "mirror(a, y, 7)", [=] { return mirror(set, 1, 7); }},
      {a + "transpose(a, x, {y|z})", [=] { return transpose(set, 0, Dim - 1); }},
      {a + "rotate(a, {y|z}, x)", [=] { return rotate(set, Dim - 1, 0); }},
      {a + "expand(a, 2)", [=] { return expand(set, 2); }},
      {a + "shrink(a, 1)", [=] { return shrink(set, 1); }},
      {a + "expand_box(a, 3, 0 {|, 1})", [=] { return expand(set, cell<Dim>(3, 0, 1)); }},
      {a + "expand_box(a, radius_x = 1, radius_y = 2 {|, radius_z = 0})",
       [=] { return expand(set, cell<Dim>(1, 2, 0)); }},
      {a + "shrink_box(a, 0, 1 {|, 2})", [=] { return shrink(set, cell<Dim>(0, 1, 2)); }},
      {a + "open(a, 1)", [=] { return expand(shrink(set, 1), 1); }},
      {a + "close(a, 2)", [=] { return shrink(expand(set, 2), 2); }},
      {a + "expand(a, 3, 'ball')", [=] { return expand(set, 3, Element::ball); }},
      {a + "expand(a, 3, element = 'diamond')", [=] { return expand(set, 3, Element::diamond); }},
      {a + "shrink(a, 1, 'diamond')", [=] { return shrink(set, 1, Element::diamond); }},
      {a + "open(a, 1, 'diamond')", [=] { return open(set, 1, Element::diamond); }},
      {a + "close(a, 2, 'ball')", [=] { return close(set, 2, Element::ball); }},
      {a + "skin(a, element = 'diamond')", [=] { return set - shrink(set, 1, Element::diamond); }},
      {a + "coarsen(a, 'majority')", [=] { return coarsen(set, Children::majority); }},
      {a + "coarsen(a, children = 'all')", [=] { return coarsen(set, Children::all); }},
      {a + "skin(a)", [=] { return set - shrink(set, 1); }},
      {a + "skin(a, 2)", [=] { return set - shrink(set, 2); }},
      {a + "shell(a, width = 3)", [=] { return expand(set, 3) - set; }},
      {a + "fill_holes(a)", [=] { return fill_holes(set); }},
      {a + "pieces(a | box(40, 40, {|40,} 42, 42 {|, 42}), 9)", [=] { return set; }},
      {a + "connected(a | box(40, 40, {|40,} 42, 42 {|, 42}), a)", [=] { return set; }},
      {a + "coarsen(a)", [=] { return coarsen(set); }},
      {a + "refine(a)", [=] { return refine(set); }},
      {a + "faces(a, x)", [=] { return faces(set, 0); }},
      {"file('sets.h5', 'ring')", [=] { return set; }},
      {"file(name = \"ring\", path = \"sets.h5\") & box(0, 0, {|0,} 9, 9 {|, 9})",
       [=] { return set & box<Dim>(cell<Dim>(0, 0, 0), cell<Dim>(9, 9, 9)); }},
      {"expand(file('one.h5'), 1)", [=] { return expand(set, 1); }},
  };
  if constexpr (Dim == 2) {
    io::write_text(folder / "a.pgm", "P2 3 2 9\n0 5 9\n9 0 3");
    auto const picture = io::read_bitmap(folder / "a.pgm");
    auto const ink = [=](int threshold) {
      return from_bitmap<2>({{0, 0}, {3, 2}}, io::dark_pixels(picture, threshold));
    };
    all.push_back({"polygon(0, 0, 9, 1, 4, 12.5)", [=] { return polygon({{0, 0}, {9, 1}, {4, 12.5}}); }});
    all.push_back({"polygon(0, 0, 9, 9, 9, 0, 0, 9)", [=] { return polygon({{0, 0}, {9, 9}, {9, 0}, {0, 9}}); }});
    all.push_back({"image('a.pgm')", [=] { return ink(128); }});
    all.push_back({"image('a.pgm', threshold = 50)", [=] { return ink(50); }});
    auto const solid = ball<3>({1, 2, 3}, 5.5);
    all.push_back({"slice(ball(1, 2, 3, 5.5), z, 4)", [=] { return slice(solid, 2, 4); }});
    all.push_back({"slice(ball(1, 2, 3, 5.5), x, at = -1)", [=] { return slice(solid, 0, -1); }});
  } else {
    auto const flat = ball<2>({1, 2}, 5.5);
    // A tetrahedron, and two layers of values.
    io::write_text(folder / "a.stl", [] {
      int const corners[4][3] = {{0, 0, 0}, {6, 0, 0}, {0, 6, 0}, {0, 0, 6}};
      int const sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
      std::ostringstream text;
      text << "solid tetrahedron\n";
      for (auto const& side : sides) {
        text << "facet normal 0 0 0\nouter loop\n";
        for (int corner : side)
          text << "vertex " << corners[corner][0] << " " << corners[corner][1] << " " << corners[corner][2] << "\n";
        text << "endloop\nendfacet\n";
      }
      text << "endsolid tetrahedron\n";
      return text.str();
    }());
    io::write_text(
        folder / "a.vtk",
        "# vtk DataFile Version 3.0\nvalues\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 3 3 3\nORIGIN 0 0 0\n"
        "SPACING 1 1 1\nCELL_DATA 8\nSCALARS heat float 1\nLOOKUP_TABLE default\n1 5 2 6 3 7 4 8\n");
    auto const tetrahedron = [](double scale) {
      TriangleMesh mesh{{{0, 0, 0}, {6, 0, 0}, {0, 6, 0}, {0, 0, 6}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
      for (auto& vertex : mesh.vertices) vertex *= scale;
      return triangle_mesh(mesh);
    };
    auto const upper = box<3>({1, 0, 0}, {2, 2, 2});
    all.push_back({"stl('a.stl')", [=] { return tetrahedron(1); }});
    all.push_back({"stl('a.stl', scale = 2.5)", [=] { return tetrahedron(2.5); }});
    all.push_back({"above('a.vtk', 4.5)", [=] { return upper; }});
    all.push_back({"above('a.vtk', 4.5, array = 'heat')", [=] { return upper; }});
    all.push_back({"below('a.vtk', 4.5)", [=] { return box<3>({0, 0, 0}, {2, 2, 2}) - upper; }});
    all.push_back({"extrude(ball(1, 2, 5.5), -3, 4)", [=] { return extrude(flat, -3, 4); }});
    all.push_back({"extrude(ball(1, 2, 5.5), -3, 4, axis = x)", [=] { return extrude(flat, -3, 4, 0); }});
  }
  return all;
}

TYPED_TEST(Expressions, CallTheFunctionsOfTheLibrary) {
  constexpr int Dim = TypeParam::value;
  Folder const folder;
  for (auto const& meaning : meanings<Dim>(folder)) {
    auto const text = in_dimension(meaning.text, Dim);
    SCOPED_TRACE(text);
    auto const found = io::evaluate<Dim>(text, {.folder = folder / "", .readers = io::vtk_readers()});
    EXPECT_TRUE(found == meaning.set()) << found;
    EXPECT_FALSE(found.is_empty());
  }
}

TEST(ExpressionFunctions, AreAllTestedAndListed) {
  Folder const folder;
  std::string tested, help = io::expression_help();
  for (auto const& meaning : meanings<2>(folder)) tested += meaning.text;
  for (auto const& meaning : meanings<3>(folder)) tested += meaning.text;
  for (auto const& function : io::expression_functions()) {
    EXPECT_NE(tested.find(function.name + "("), std::string::npos) << function.name;
    EXPECT_NE(help.find("  " + function.signature(function.in_2d ? 2 : 3) + "\n"), std::string::npos) << function.name;
    EXPECT_NE(help.find("  " + function.signature(function.in_3d ? 3 : 2) + "\n"), std::string::npos) << function.name;
    EXPECT_FALSE(function.help.empty());
  }
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(ExpressionResults, HaveTheDimensionOfTheirParts) {
  EXPECT_TRUE(std::holds_alternative<IntervalSet<2>>(io::evaluate(io::parse_expression("ball(1, 2, 3)"))));
  EXPECT_TRUE(std::holds_alternative<IntervalSet<3>>(io::evaluate(io::parse_expression("ball(1, 2, 3, 4)"))));
  EXPECT_THROW(io::evaluate<3>("ball(1, 2, 3)"), io::ExpressionError);
  EXPECT_THROW(io::evaluate<2>("ball(1, 2, 3, 4)"), io::ExpressionError);
}

}  // namespace
