#include <functional>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include <sparse/components.hpp>
#include <sparse/io/bitmap.hpp>
#include <sparse/io/evaluate.hpp>
#include <sparse/io/file.hpp>
#include <sparse/io/set_file.hpp>
#include <sparse/morphology.hpp>
#include <sparse/polygon.hpp>
#include <sparse/random.hpp>
#include <sparse/scaling.hpp>
#include <sparse/set_algebra.hpp>
#include <sparse/shapes.hpp>
#include <sparse/transform.hpp>
#include <sparse/triangle_mesh.hpp>

#include "support/io_levels.hpp"

namespace {

using namespace io_test;
using namespace sparse;
using reference::random_int;

// ---- what expressions mean

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
    auto const found = io::evaluate<Dim>(text, {.folder = folder / ""});
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

// ---- what is wrong, and where

struct Wrong {
  std::string text;
  std::size_t begin, end;  ///< the place that is marked
  std::string reason;
};

void expect_error(Wrong const& wrong, io::EvaluateOptions const& options = {}) {
  SCOPED_TRACE(wrong.text);
  try {
    io::evaluate(io::parse_expression(wrong.text), options);
    ADD_FAILURE() << "accepted, expected: " << wrong.reason;
  } catch (io::ExpressionError const& error) {
    EXPECT_EQ(error.begin(), wrong.begin) << error.what();
    EXPECT_EQ(error.end(), wrong.end) << error.what();
    EXPECT_NE(error.reason().find(wrong.reason), std::string::npos) << error.what();
  }
}

TEST(ExpressionErrors, OfSyntaxSayWhatWasExpectedWhere) {
  for (auto const& wrong : std::vector<Wrong>{
           {"", 0, 0, "the expression is empty"},
           {" # only a comment", 17, 17, "the expression is empty"},
           {"ball(1, 2, 3", 12, 12, "expected ',' or ')' to close the '(' of column 5, but the text ends"},
           {"ball(1, 2 3)", 10, 11, "expected ',' or ')' to close the '(' of column 5, but found '3'"},
           {"ball(1, 2, )", 11, 12, "expected a function, a number, a name or '(', but found ')'"},
           {"ball(1, 2, 3))", 13, 14, "expected an operator (| & - ^) or the end, but found ')'"},
           {"(ball(1, 2, 3)", 14, 14, "expected ')' to close the '(' of column 1, but the text ends"},
           {"\n (\nball(1, 2, 3)", 17, 17, "the '(' of line 2, column 2"},
           {"ball(1, 2, 3) |", 15, 15, "expected a function, a number"},
           {"ball(1, 2, 3) ball(1, 2, 3)", 14, 18, "but found 'ball'"},
           {"| ball(1, 2, 3)", 0, 1, "but found '|'"},
           {"a = ball(1, 2, 3)", 17, 17, "expected ';' to end the definition of 'a', but the text ends"},
           {"a = ball(1, 2, 3);", 18, 18, "expected an expression for the result"},
           {"a == ball(1, 2, 3); a", 3, 4, "found '='"},
           {"image('a.png)", 6, 7, "no closing quote on its line"},
           {"image('a\n.png')", 6, 7, "no closing quote on its line"},
           {"ball(1..5, 2, 3)", 5, 9, "this is not a number"},
           {"ball(0x5, 2, 3)", 5, 8, "this is not a number"},
           {"ball(5e, 2, 3)", 5, 7, "this is not a number"},
           {"ball(1e999, 2, 3)", 5, 10, "too large or too small"},
           {"ball(1, 2, radius = 3, 4)", 23, 24, "arguments by position come before those by name"},
           {"ball", 0, 4, "expected '(' after the function 'ball'"},
           {"disk", 0, 4, "nothing is called 'disk'; texts stand in quotes"},
           {"bals | ball(1, 2, 3)", 0, 4, "nothing is called 'bals'; did you mean 'ball'?"},
           {"body = ball(1, 2, 3); bodi", 22, 26, "nothing is called 'bodi'; did you mean 'body'?"},
           {"a = b; b = a; a", 4, 5, "nothing is called 'b'"},
           {"é", 0, 2, "but found 'é'"},
           {std::string("ball(\0", 6), 5, 6, "but found '?'"},
           {"x", 0, 1, "the result is an axis, not a set"},
       })
    expect_error(wrong);
}

TEST(ExpressionErrors, OfMeaningNameTheFunctionAndItsArguments) {
  for (auto const& wrong : std::vector<Wrong>{
           {"1 + 2 * 3", 0, 9, "the result is a number, not a set"},
           {"'text'", 0, 6, "the result is a text, not a set"},
           {"bll(1, 2, 3)", 0, 3, "there is no function 'bll'; did you mean 'ball'?"},
           {"flood(1, 2, 3)", 0, 5, "there is no function 'flood'"},
           {"ball(1, 2)", 0, 10,
            "the argument 'radius' is missing; the function is ball(x, y, radius) or ball(x, y, z, radius)"},
           {"box(1, 2, 3, 4, 5)", 16, 17, "5 arguments are too many"},
           {"box(1, 2, 3, 4, 5, 6, 7)", 16, 17, "7 arguments are too many"},
           {"ball(1, 2, z = 5)", 11, 12, "there is no argument 'z'; the function is ball(x, y, radius)"},
           {"ball(1, 2, radios = 5)", 11, 17,
            "there is no argument 'radios'; the function is ball(x, y, radius); did you"},
           {"ball(1, 2, 3, x = 5)", 14, 15, "the argument 'x' is given twice"},
           {"ball('a', 2, 3)", 5, 8, "'x' must be a number, and this is a text; the function is ball(x, y, radius)"},
           {"ball(1, 2, -3)", 11, 13, "'radius' must be a number that is not negative, not -3"},
           {"box(0, 0, 1, 1.5)", 13, 16, "'y1' must be an integer between -2^30 and 2^30, not 1.5"},
           {"box(0, 0, 1, 2000000000)", 13, 23, "'y1' must be an integer between"},
           {"expand(box(0, 0, 1, 1), -1)", 24, 26, "'radius' must be an integer from 0 to 2^30"},
           {"expand(1, 1)", 7, 8,
            "'a' must be a set, and this is a number; the function is expand(a, radius, element = 'box')"},
           {"shift(box(0, 0, 1, 1), 1, 2, 3)", 29, 30, "4 arguments are too many; the function is shift(a, dx, dy)"},
           {"shift(box(0, 0, 0, 1, 1, 1), 1, 2)", 0, 34, "'dz' is missing; the function is shift(a, dx, dy, dz)"},
           {"mirror(box(0, 0, 1, 1), 1, 2)", 24, 25, "'axis' must be an axis: x, y or z, and this is a number"},
           {"extrude(box(0, 0, 0, 1, 1, 1), 0, 1)", 8, 29, "'a' must be a set in 2D, and this is a set in 3D"},
           {"slice(box(0, 0, 1, 1), z, 1)", 6, 21, "'a' must be a set in 3D, and this is a set in 2D"},
           {"connected(box(0, 0, 1, 1), box(0, 0, 0, 1, 1, 1))", 27, 48, "'seeds' must be a set in 2D here"},
           {"box(0, 0, 1, 1) + box(0, 0, 1, 1)", 16, 17, "did you mean '|'?"},
           {"box(0, 0, 1, 1) * box(0, 0, 1, 1)", 16, 17, "did you mean '&'?"},
           {"box(0, 0, 1, 1) - 1", 16, 17, "'-' cannot combine a set in 2D and a number"},
           {"box(0, 0, 1, 1) | box(0, 0, 0, 1, 1, 1)", 16, 17, "'|' cannot combine a set in 2D and a set in 3D"},
           {"ball(1 & 2, 2, 3)", 7, 8, "'&' combines sets, and these are numbers"},
           {"ball(1 / (2 - 2), 2, 3)", 7, 8, "division by zero"},
           {"ball(1e200 * 1e200, 2, 3)", 11, 12, "the number is too large"},
           {"-box(0, 0, 1, 1)", 0, 16, "a set has no sign; complement"},
           {"polygon(0, 0, 1, 0, 1)", 0, 22, "the argument 'y' is missing; the function is polygon(x, y, ...)"},
           {"polygon()", 0, 9, "the argument 'x' is missing"},
           {"polygon(0, 0, 1, 0, x, 1)", 20, 21, "'x' must be a number, and this is an axis"},
           {"random(box(0, 0, 1, 1), 1.5)", 24, 27, "'probability' must be a number from 0 to 1"},
           {"-'a'", 0, 4, "a text has no sign"},
       })
    expect_error(wrong);
}

TEST(ExpressionErrors, WhileEvaluatingHaveTheirPlaceToo) {
  Folder const folder;
  io::write_hdf5(folder / "solid.h5", ball<3>({1, 2, 3}, 4));
  io::write_text(folder / "bad.png", "no picture");
  io::EvaluateOptions const options{.folder = folder / ""};
  auto const at = [&](char const* name) { return (folder / name).string(); };
  for (auto const& wrong : std::vector<Wrong>{
           {"box(0, 0, 1, 1) | image('no.png')", 18, 33, at("no.png") + ": No such file or directory"},
           {"image('bad.png')", 0, 16, "neither a PBM, PGM nor PNG file"},
           {"stl('bad.png')", 0, 14, at("bad.png") + ": "},
           {"stl('no.stl')", 0, 13, at("no.stl") + ": "},
           {"above('bad.png', 1)", 0, 19, at("bad.png") + ": "},
           {"file('bad.png')", 0, 15, at("bad.png") + ": not a file of sparse sets"},
           {"file('solid.h5', 'fluid')", 0, 25, "there is no set 'fluid' in it, but: set"},
           {"a = file('solid.h5'); shift(a, 1, 2)", 22, 36, "'dz' is missing; the function is shift(a, dx, dy, dz)"},
           {"box(0, 0, 1, 1) | file('solid.h5')", 16, 17, "'|' cannot combine a set in 2D and a set in 3D"},
           {"extrude(file('solid.h5'), 0, 1)", 8, 24, "'a' must be a set in 2D, and this is a set in 3D"},
           {"box(5, 0, 1, 1)", 0, 15, "box: the end 1 on axis 0 lies before the begin 5"},
           {"mirror(box(0, 0, 1, 1), z, 1)", 0, 29, "there is no axis z in 2D"},
           {"shift(box(0, 0, 1, 1), 1073741824, 0)", 0, 37, "shift"},
           {"expand(box(0, 0, 1, 1), 2, 'disk')", 0, 34, "'disk' is none of 'box', 'diamond', 'ball'"},
           {"coarsen(box(0, 0, 1, 1), 'most')", 0, 32, "'most' is none of 'any', 'majority', 'all'"},
           {"polygon(0, 0, 1, 0)", 0, 19, "polygon"},
           {"half_space(box(0, 0, 1, 1), 0, 0, 0, 0)", 0, 39, "half_space: "},
       })
    expect_error(wrong, options);
}

TEST(ExpressionErrors, ComeBeforeMemoryRunsOut) {
  for (std::string const& text :
       {std::string("box(-1000000000, -1000000000, 1000000000, 1000000000)"),
        std::string("box(0, 0, 0, 1, 100000, 100000)"), std::string("ball(0, 0, 1e9)"),
        std::string("ball(0, 0, 0, 1e5)"), std::string("ellipsoid(0, 0, 1, 1e9)"),
        std::string("polygon(0, 0, 1, 0, 0, 1e9)"), std::string("random(box(0, 0, 100000, 100000), 0.5)"),
        std::string("capsule(0, -5e8, 0, 5e8, 1)")})
    expect_error({text, 0, text.size(), "rows of cells, and 134217728 are allowed"});
  expect_error({"box(0, 0, 1, 101)", 0, 17, "up to 101 rows of cells, and 100 are allowed"}, {.row_limit = 100});
  EXPECT_EQ(io::evaluate<2>("box(0, 0, 1, 100)", {.row_limit = 100}).row_count(), 100);
  for (std::string const& call :
       {std::string("expand(box(0, 0, 1, 90), 6)"), std::string("refine(box(0, 0, 1, 90))"),
        std::string("shell(box(0, 0, 1, 90), 6)"), std::string("bounds(box(0, 0, 1, 1) | box(0, 100, 1, 101))"),
        std::string("complement(box(0, 0, 1, 90), 0, 0, 1, 101)"), std::string("extrude(box(0, 0, 1, 11), 0, 10)"),
        std::string("extrude(box(0, 0, 20, 6), 0, 1, x)")})
    expect_error({call, 0, call.size(), "are allowed"}, {.row_limit = 100});
}

TEST(ExpressionErrors, ShowTheLineWithACaretUnderThePlace) {
  auto const message = [](std::string const& text) -> std::string {
    try {
      io::check_expression(io::parse_expression(text));
    } catch (io::ExpressionError const& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message("box(0, 0, 9, 9) - bll(1, 2, 3)"),
            "line 1, column 19: there is no function 'bll'; did you mean 'ball'?\n"
            "    box(0, 0, 9, 9) - bll(1, 2, 3)\n"
            "                      ^~~");
  EXPECT_EQ(message("# é\n\t'é' - ball(1,\t2, oops)\n"),
            "line 2, column 19: nothing is called 'oops'; texts stand in quotes\n"
            "     'é' - ball(1, 2, oops)\n"
            "                      ^~~~");
  EXPECT_EQ(message("ball(1, 2, 3) |"),
            "line 1, column 16: expected a function, a number, a name or '(', but the text ends\n"
            "    ball(1, 2, 3) |\n"
            "                   ^");
  // Of long lines only the part around the place is shown; the caret is under it all the same.
  std::string const long_line = std::string(500, ' ') + "ball(1, 2, oops)" + std::string(500, ' ');
  std::string const what = message(long_line);
  std::vector<std::string> lines(3);
  std::istringstream in(what);
  for (auto& line : lines) std::getline(in, line);
  EXPECT_LE(lines[1].size(), 120u);
  EXPECT_EQ(lines[1].find("oops"), lines[2].find("^~~~"));
  EXPECT_EQ(lines[0].find("line 1, column 512: "), 0u);
  EXPECT_EQ(message(std::string("ball(\x1b[2J", 9)).find('\x1b'), std::string::npos);
}

TEST(ExpressionSizes, AreLimitedInDepthButNotInLength) {
  auto const nested = [](int depth, std::string const& open, std::string const& close) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    text += "box(0, 0, 1, 1)";
    for (int i = 0; i < depth; ++i) text += close;
    return text;
  };
  EXPECT_EQ(io::evaluate<2>(nested(198, "(", ")")).cell_count(), 1);
  EXPECT_EQ(io::evaluate<2>(nested(198, "expand(", ", 0)")).cell_count(), 1);
  for (std::string const& text : {nested(300, "(", ")"), nested(100000, "(", ")"), nested(100000, "-", ""),
                                  nested(50000, "expand(", ", 0)"), std::string(100000, '(')})
    try {
      io::parse_expression(text);
      ADD_FAILURE() << "accepted";
    } catch (io::ExpressionError const& error) {
      EXPECT_NE(std::string(error.what()).find("nested more than 200 deep"), std::string::npos);
    }
  std::string chain = "box(0, 0, 1, 1)";
  for (int i = 1; i < 2000; ++i)
    chain += " | box(" + std::to_string(2 * i) + ", 0, " + std::to_string(2 * i + 1) + ", 1)";
  EXPECT_EQ(io::evaluate<2>(chain).interval_count(), 2000);
  EXPECT_THROW(io::parse_expression(std::string((1 << 20) + 1, ' ')), io::ExpressionError);
}

}  // namespace
