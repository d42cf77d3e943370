// What the language says of wrong expressions, and where it points.

#include <gtest/gtest.h>

#include <sparse/io/evaluate.hpp>
#include <sparse/io/file.hpp>
#include <sparse/io/set_file.hpp>
#include <sparse/set_algebra.hpp>
#include <sparse/shapes.hpp>

#include "support/io_levels.hpp"

namespace {

using namespace io_test;
using namespace sparse;

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
