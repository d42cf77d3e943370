#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <sparse/io/language/expression.hpp>

namespace sparse::io {
namespace {

using Parameter = ExpressionParameter;

enum class Result { as_arguments, in_2d, in_3d, unknown };

struct Row {
  char const* group;  ///< empty: the group of the row before
  char const* name;
  /// "KIND NAME[*][...][=DEFAULT], ...". A star marks a parameter for 3D only; dots mark the group that may be
  /// repeated.
  char const* parameters;
  Result result;
  char const* help;
};

constexpr Row rows[] = {
    {"Shapes (a cell belongs when its centre does; cell i has it at i + 1/2)", "box",
     "integer x0, integer y0, integer z0*, integer x1, integer y1, integer z1*", Result::as_arguments,
     "the cells from x0 to before x1, from y0 to before y1 (and z)"},
    {"", "ball", "number x, number y, number z*, length radius", Result::as_arguments,
     "the centres at most radius away from the point"},
    {"", "ellipsoid", "number x, number y, number z*, length radius_x, length radius_y, length radius_z*",
     Result::as_arguments, "an ellipse or ellipsoid along the axes"},
    {"", "capsule", "number x0, number y0, number z0*, number x1, number y1, number z1*, length radius",
     Result::as_arguments, "the centres at most radius away from the segment between two points"},
    {"", "polygon", "number x..., number y...", Result::in_2d,
     "the polygon with these corners; where it crosses itself, what is inside an even number of times is outside"},
    {"", "half_space", "set within, number x, number y, number z*, number normal_x, number normal_y, number normal_z*",
     Result::as_arguments, "the part of a set behind the line or plane through a point whose normal points outwards"},
    {"", "checkerboard", "set within, count width", Result::as_arguments,
     "the part of a set on every other square or cube of so many cells; the one from the origin belongs"},
    {"", "random", "set within, fraction probability, count seed=1", Result::as_arguments,
     "cells of a set that each belong with this probability"},
    {"", "random_intervals", "set within, length mean_length, length mean_gap, count seed=1", Result::as_arguments,
     "intervals of random length between random gaps along x, cut to a set"},

    {"Files", "image", "text path, count threshold=128", Result::in_2d,
     "the cells under the pixels of a PNG, PGM or PBM picture that are darker than threshold (0 to 256); its lower "
     "left "
     "pixel is cell (0, 0)"},
    {"", "stl", "text path, number scale=1", Result::in_3d,
     "the inside of a closed surface of triangles; a unit of the file is scale cells"},
    {"", "above", "text path, number bound, text array=''", Result::in_3d,
     "the cells of VTK image data (.vti or .vtk) whose value is greater than bound; without array, of the first one"},
    {"", "below", "text path, number bound, text array=''", Result::in_3d, "those whose value is smaller than bound"},
    {"", "file", "text path, text name=''", Result::unknown,
     "a set of an .h5 file of this library; without name, the only one in it"},

    {"Combining (also a | b, a & b, a - b, a ^ b)", "complement",
     "set a, integer x0, integer y0, integer z0*, integer x1, integer y1, integer z1*", Result::as_arguments,
     "the cells of the box that are not in a"},
    {"", "bounds", "set a", Result::as_arguments, "the smallest box around a"},

    {"Moving", "shift", "set a, integer dx, integer dy, integer dz*", Result::as_arguments, "a moved by so many cells"},
    {"", "mirror", "set a, axis axis, integer at", Result::as_arguments,
     "a reflected at the grid line or plane where the coordinate along axis (x, y or z) is at"},
    {"", "transpose", "set a, axis first, axis second", Result::as_arguments, "a with two axes swapped"},
    {"", "rotate", "set a, axis from, axis to", Result::as_arguments,
     "a after a quarter turn around the origin that takes one axis to the other"},

    {"Growing and shrinking (element: 'box', 'diamond' or 'ball')", "expand", "set a, count radius, text element='box'",
     Result::as_arguments,
     "the cells at most radius away from a: along every axis, by steps across faces, or from centre to centre"},
    {"", "shrink", "set a, count radius, text element='box'", Result::as_arguments,
     "the cells with all cells at most radius away in a"},
    {"", "expand_box", "set a, count radius_x, count radius_y, count radius_z*", Result::as_arguments,
     "the cells at most these radii away from a along the axes"},
    {"", "shrink_box", "set a, count radius_x, count radius_y, count radius_z*", Result::as_arguments,
     "the cells with all cells at most these radii away along the axes in a"},
    {"", "open", "set a, count radius, text element='box'", Result::as_arguments,
     "a without what is thinner than 2 radius + 1"},
    {"", "close", "set a, count radius, text element='box'", Result::as_arguments,
     "a with gaps narrower than 2 radius + 1 filled"},
    {"", "skin", "set a, count width=1, text element='box'", Result::as_arguments,
     "the outermost layers of a: a - shrink(a, width, element)"},
    {"", "shell", "set a, count width=1, text element='box'", Result::as_arguments,
     "the layers around a: expand(a, width, element) - a"},

    {"Connected pieces (of cells that share faces)", "fill_holes", "set a", Result::as_arguments,
     "a and what it encloses"},
    {"", "pieces", "set a, count least", Result::as_arguments, "the pieces of at least so many cells"},
    {"", "connected", "set a, set seeds", Result::as_arguments, "the pieces of a with a cell in seeds"},

    {"Resolution, faces", "coarsen", "set a, text children='any'", Result::as_arguments,
     "the cells of twice the width that hold any cell of a, a 'majority' (more than half) of theirs, or 'all'"},
    {"", "refine", "set a", Result::as_arguments, "the cells of half the width that a covers"},
    {"", "faces", "set a, axis axis", Result::as_arguments,
     "the faces of the cells normal to an axis; face i lies between cells i - 1 and i"},

    {"Between 2D and 3D", "slice", "solid a, axis axis, integer at", Result::in_2d,
     "the cells of a whose coordinate along axis is at, in the coordinates of the other two axes"},
    {"", "extrude", "plane a, integer begin, integer end, axis axis=z", Result::in_3d,
     "the set all of whose slices along axis, from begin to before end, are a"},
};

Parameter::Kind kind_named(std::string_view name) {
  using Kind = Parameter::Kind;
  static std::map<std::string_view, Kind> const kinds = {
      {"integer", Kind::integer},   {"count", Kind::count}, {"number", Kind::number}, {"length", Kind::length},
      {"fraction", Kind::fraction}, {"axis", Kind::axis},   {"text", Kind::text},     {"set", Kind::set},
      {"plane", Kind::plane},       {"solid", Kind::solid}};
  return kinds.at(name);
}

Parameter parameter_from(std::string_view text) {
  auto const space = text.find(' ');
  Parameter parameter{kind_named(text.substr(0, space)), std::string(text.substr(space + 1)), false, false, {}};
  auto& name = parameter.name;
  if (auto const sign = name.find('='); sign != std::string::npos) {
    parameter.default_value = name.substr(sign + 1);
    name.erase(sign);
  }
  if (name.ends_with("...")) {
    parameter.is_repeated = true;
    name.erase(name.size() - 3);
  }
  if (name.ends_with('*')) {
    parameter.is_3d_only = true;
    name.pop_back();
  }
  return parameter;
}

ExpressionFunction function_from(Row const& row) {
  ExpressionFunction function{row.group, row.name, {}, true, true, ExpressionType::set, row.help};
  if (row.result == Result::in_2d || row.result == Result::in_3d) {
    function.in_2d = row.result == Result::in_2d;
    function.in_3d = !function.in_2d;
    function.result = function.in_2d ? ExpressionType::set_2d : ExpressionType::set_3d;
  }
  std::string_view rest = row.parameters;
  while (!rest.empty()) {
    auto const comma = rest.find(", ");
    function.parameters.push_back(parameter_from(rest.substr(0, comma)));
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 2);
  }
  return function;
}

/// Whether the signatures for 2D and 3D are different.
bool depends_on_dimension(ExpressionFunction const& function) {
  if (function.in_2d != function.in_3d) return false;
  for (auto const& parameter : function.parameters)
    if (parameter.is_3d_only) return true;
  return false;
}

/// Breaks `text` into lines of at most `width` characters, each after `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string lines;
  std::size_t column = width;
  while (!text.empty()) {
    auto const word = text.substr(0, text.find(' '));
    if (column + 1 + word.size() > width) {
      lines += fmt::format("{}{:{}}", lines.empty() ? "" : "\n", "", indent);
      column = indent;
    } else {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::string ExpressionFunction::signature(int dimension) const {
  std::string text = name + "(", separator;
  for (auto const& parameter : parameters) {
    if (parameter.is_3d_only && dimension == 2) continue;
    text += separator + parameter.name;
    if (parameter.default_value) text += " = " + *parameter.default_value;
    separator = ", ";
  }
  if (!parameters.empty() && parameters.back().is_repeated) text += ", ...";
  return text + ")";
}

std::vector<ExpressionFunction> const& expression_functions() {
  static std::vector<ExpressionFunction> const functions = [] {
    std::vector<ExpressionFunction> made;
    for (Row const& row : rows) {
      made.push_back(function_from(row));
      if (made.back().group.empty()) made.back().group = made[made.size() - 2].group;
    }
    return made;
  }();
  return functions;
}

std::string expression_help() {
  std::string text, group;
  for (auto const& function : expression_functions()) {
    if (function.group != group) text += fmt::format("{}{}\n", group.empty() ? "" : "\n", function.group);
    group = function.group;
    text += fmt::format("  {}\n", function.signature(function.in_2d ? 2 : 3));
    if (depends_on_dimension(function)) text += fmt::format("  {}\n", function.signature(3));
    text += wrapped(function.help, 6, 100);
    text += '\n';
  }
  return text;
}

}  // namespace sparse::io
