// What the language says of wrong expressions, and where it points.

#include <gtest/gtest.h>

#include <sparse/io/files/file.hpp>
#include <sparse/io/language/evaluate.hpp>
#include <sparse/io/sets/set_file.hpp>
#include <sparse/io/vtk/vtk_readers.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>

#include "support/io_levels.hpp"

namespace {

using namespace io_test;
using namespace sparse;

struct Wrong {
  std::string marked;  ///< the expression, with the place that the message marks between < and >
  std::string reason;
};

void expect_error(Wrong const& wrong, io::EvaluateOptions const& options = {}) {
  SCOPED_TRACE(wrong.marked);
  auto const begin = wrong.marked.find('<'), end = wrong.marked.find('>') - 1;
  std::string text = wrong.marked;
  text.erase(end + 1, 1).erase(begin, 1);
  try {
    io::evaluate(io::parse_expression(text), options);
    ADD_FAILURE() << "accepted, expected: " << wrong.reason;
  } catch (io::ExpressionError const& error) {
    EXPECT_EQ(error.begin(), begin) << error.what();
    EXPECT_EQ(error.end(), end) << error.what();
    EXPECT_NE(error.reason().find(wrong.reason), std::string::npos) << error.what();
  }
}

TEST(ExpressionErrors, OfSyntaxSayWhatWasExpectedWhere) {
  for (auto const& wrong : std::vector<Wrong>{
           {"<>", "the expression is empty"},
           {" # only a comment<>", "the expression is empty"},
           {"ball(1, 2, 3<>", "expected ',' or ')' to close the '(' of column 5, but the text ends"},
           {"ball(1, 2 <3>)", "expected ',' or ')' to close the '(' of column 5, but found '3'"},
           {"ball(1, 2, <)>", "expected a function, a number, a name or '(', but found ')'"},
           {"ball(1, 2, 3)<)>", "expected an operator (| & - ^) or the end, but found ')'"},
           {"(ball(1, 2, 3)<>", "expected ')' to close the '(' of column 1, but the text ends"},
           {"\n (\nball(1, 2, 3)<>", "the '(' of line 2, column 2"},
           {"ball(1, 2, 3) |<>", "expected a function, a number"},
           {"ball(1, 2, 3) <ball>(1, 2, 3)", "but found 'ball'"},
           {"<|> ball(1, 2, 3)", "but found '|'"},
           {"a = ball(1, 2, 3)<>", "expected ';' to end the definition of 'a', but the text ends"},
           {"a = ball(1, 2, 3);<>", "expected an expression for the result"},
           {"a =<=> ball(1, 2, 3); a", "found '='"},
           {"image(<'>a.png)", "no closing quote on its line"},
           {"image(<'>a\n.png')", "no closing quote on its line"},
           {"ball(<1..5>, 2, 3)", "this is not a number"},
           {"ball(<0x5>, 2, 3)", "this is not a number"},
           {"ball(<5e>, 2, 3)", "this is not a number"},
           {"ball(<1e999>, 2, 3)", "too large or too small"},
           {"ball(1, 2, radius = 3, <4>)", "arguments by position come before those by name"},
           {"<ball>", "expected '(' after the function 'ball'"},
           {"<disk>", "nothing is called 'disk'; texts stand in quotes"},
           {"<bals> | ball(1, 2, 3)", "nothing is called 'bals'; did you mean 'ball'?"},
           {"body = ball(1, 2, 3); <bodi>", "nothing is called 'bodi'; did you mean 'body'?"},
           {"a = <b>; b = a; a", "nothing is called 'b'"},
           {"<é>", "but found 'é'"},
           {std::string("ball(<\0>", 8), "but found '?'"},
           {"<x>", "the result is an axis, not a set"},
       })
    expect_error(wrong);
}

TEST(ExpressionErrors, OfMeaningNameTheFunctionAndItsArguments) {
  for (auto const& wrong : std::vector<Wrong>{
           {"<1 + 2 * 3>", "the result is a number, not a set"},
           {"<'text'>", "the result is a text, not a set"},
           {"<bll>(1, 2, 3)", "there is no function 'bll'; did you mean 'ball'?"},
           {"<flood>(1, 2, 3)", "there is no function 'flood'"},
           {"<ball(1, 2)>",
            "the argument 'radius' is missing; the function is ball(x, y, radius) or ball(x, y, z, radius)"},
           {"box(1, 2, 3, 4, <5>)", "5 arguments are too many"},
           {"box(1, 2, 3, 4, <5>, 6, 7)", "7 arguments are too many"},
           {"ball(1, 2, <z> = 5)", "there is no argument 'z'; the function is ball(x, y, radius)"},
           {"ball(1, 2, <radios> = 5)", "there is no argument 'radios'; the function is ball(x, y, radius); did you"},
           {"ball(1, 2, 3, <x> = 5)", "the argument 'x' is given twice"},
           {"ball(<'a'>, 2, 3)", "'x' must be a number, and this is a text; the function is ball(x, y, radius)"},
           {"ball(1, 2, <-3>)", "'radius' must be a number that is not negative, not -3"},
           {"box(0, 0, 1, <1.5>)", "'y1' must be an integer between -2^30 and 2^30, not 1.5"},
           {"box(0, 0, 1, <2000000000>)", "'y1' must be an integer between"},
           {"expand(box(0, 0, 1, 1), <-1>)", "'radius' must be an integer from 0 to 2^30"},
           {"expand_box(box(0, 0, 1, 1), 1, <-1>)", "'radius_y' must be an integer from 0 to 2^30"},
           {"<shrink_box(box(0, 0, 1, 1), 1)>",
            "'radius_y' is missing; the function is shrink_box(a, radius_x, radius_y)"},
           {"expand(<1>, 1)",
            "'a' must be a set, and this is a number; the function is expand(a, radius, element = 'box')"},
           {"shift(box(0, 0, 1, 1), 1, 2, <3>)", "4 arguments are too many; the function is shift(a, dx, dy)"},
           {"<shift(box(0, 0, 0, 1, 1, 1), 1, 2)>", "'dz' is missing; the function is shift(a, dx, dy, dz)"},
           {"mirror(box(0, 0, 1, 1), <1>, 2)", "'axis' must be an axis: x, y or z, and this is a number"},
           {"extrude(<box(0, 0, 0, 1, 1, 1)>, 0, 1)", "'a' must be a set in 2D, and this is a set in 3D"},
           {"slice(<box(0, 0, 1, 1)>, z, 1)", "'a' must be a set in 3D, and this is a set in 2D"},
           {"connected(box(0, 0, 1, 1), <box(0, 0, 0, 1, 1, 1)>)", "'seeds' must be a set in 2D here"},
           {"box(0, 0, 1, 1) <+> box(0, 0, 1, 1)", "did you mean '|'?"},
           {"box(0, 0, 1, 1) <*> box(0, 0, 1, 1)", "did you mean '&'?"},
           {"box(0, 0, 1, 1) <-> 1", "'-' cannot combine a set in 2D and a number"},
           {"box(0, 0, 1, 1) <|> box(0, 0, 0, 1, 1, 1)", "'|' cannot combine a set in 2D and a set in 3D"},
           {"ball(1 <&> 2, 2, 3)", "'&' combines sets, and these are numbers"},
           {"ball(1 </> (2 - 2), 2, 3)", "division by zero"},
           {"ball(1e200 <*> 1e200, 2, 3)", "the number is too large"},
           {"<-box(0, 0, 1, 1)>", "a set has no sign; complement"},
           {"<polygon(0, 0, 1, 0, 1)>", "the argument 'y' is missing; the function is polygon(x, y, ...)"},
           {"<polygon()>", "the argument 'x' is missing"},
           {"polygon(0, 0, 1, 0, <x>, 1)", "'x' must be a number, and this is an axis"},
           {"random(box(0, 0, 1, 1), <1.5>)", "'probability' must be a number from 0 to 1"},
           {"<-'a'>", "a text has no sign"},
       })
    expect_error(wrong);
}

TEST(ExpressionErrors, WhileEvaluatingHaveTheirPlaceToo) {
  Folder const folder;
  io::write_hdf5(folder / "solid.h5", ball<3>({1, 2, 3}, 4));
  io::write_text(folder / "bad.png", "no picture");
  io::EvaluateOptions const options{.folder = folder / "", .readers = io::vtk_readers()};
  auto const at = [&](char const* name) { return (folder / name).string(); };
  for (auto const& wrong : std::vector<Wrong>{
           {"box(0, 0, 1, 1) | <image('no.png')>", at("no.png") + ": No such file or directory"},
           {"<image('bad.png')>", "neither a PBM, PGM nor PNG file"},
           {"<stl('bad.png')>", at("bad.png") + ": "},
           {"<stl('no.stl')>", at("no.stl") + ": "},
           {"<above('bad.png', 1)>", at("bad.png") + ": "},
           {"<file('bad.png')>", at("bad.png") + ": not a file of sparse sets"},
           {"<file('solid.h5', 'fluid')>", "there is no set 'fluid' in it, but: set"},
           {"a = file('solid.h5'); <shift(a, 1, 2)>", "'dz' is missing; the function is shift(a, dx, dy, dz)"},
           {"box(0, 0, 1, 1) <|> file('solid.h5')", "'|' cannot combine a set in 2D and a set in 3D"},
           {"extrude(<file('solid.h5')>, 0, 1)", "'a' must be a set in 2D, and this is a set in 3D"},
           {"<box(5, 0, 1, 1)>", "box: the end 1 on axis 0 lies before the begin 5"},
           {"<mirror(box(0, 0, 1, 1), z, 1)>", "there is no axis z in 2D"},
           {"<shift(box(0, 0, 1, 1), 1073741824, 0)>", "shift"},
           {"<expand(box(0, 0, 1, 1), 2, 'disk')>", "'disk' is none of 'box', 'diamond', 'ball'"},
           {"<coarsen(box(0, 0, 1, 1), 'most')>", "'most' is none of 'any', 'majority', 'all'"},
           {"<polygon(0, 0, 1, 0)>", "polygon"},
           {"<half_space(box(0, 0, 1, 1), 0, 0, 0, 0)>", "half_space: "},
       })
    expect_error(wrong, options);
}

TEST(ExpressionErrors, NameTheReaderThatAProgramDoesNotHave) {
  expect_error({"<stl('a.stl')>", "no reader of STL files"});
  expect_error({"box(0, 0, 0, 1, 1, 1) - <above('a.vti', 1)>", "no reader of VTK image data"});
  expect_error({"<below('a.vti', 1)>", "no reader of VTK image data"});
}

TEST(ExpressionErrors, ComeBeforeMemoryRunsOut) {
  for (char const* const call :
       {"<box(-1000000000, -1000000000, 1000000000, 1000000000)>", "<box(0, 0, 0, 1, 100000, 100000)>",
        "<ball(0, 0, 1e9)>", "<ball(0, 0, 0, 1e5)>", "<ellipsoid(0, 0, 1, 1e9)>", "<polygon(0, 0, 1, 0, 0, 1e9)>",
        "<random(box(0, 0, 100000, 100000), 0.5)>", "<capsule(0, -5e8, 0, 5e8, 1)>"})
    expect_error({call, "rows of cells, and 134217728 are allowed"});
  expect_error({"<box(0, 0, 1, 101)>", "up to 101 rows of cells, and 100 are allowed"}, {.row_limit = 100});
  EXPECT_EQ(io::evaluate<2>("box(0, 0, 1, 100)", {.row_limit = 100}).row_count(), 100);
  EXPECT_EQ(io::evaluate<2>("expand_box(box(0, 0, 1, 100), 9, 0)", {.row_limit = 100}).row_count(), 100);
  for (char const* const call :
       {"<expand(box(0, 0, 1, 90), 6)>", "<expand_box(box(0, 0, 1, 90), 0, 6)>", "<refine(box(0, 0, 1, 90))>",
        "<shell(box(0, 0, 1, 90), 6)>", "<bounds(box(0, 0, 1, 1) | box(0, 100, 1, 101))>",
        "<complement(box(0, 0, 1, 90), 0, 0, 1, 101)>", "<extrude(box(0, 0, 1, 11), 0, 10)>",
        "<extrude(box(0, 0, 20, 6), 0, 1, x)>"})
    expect_error({call, "are allowed"}, {.row_limit = 100});
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
