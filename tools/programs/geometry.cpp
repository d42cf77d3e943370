// Makes, measures, draws and converts geometry that is written as an expression.

#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sparse/base/runtime.hpp>
#include <sparse/sets/components.hpp>
#include <sparse/sets/faces.hpp>
#include <sparse/sets/transform.hpp>
#include <sparse/version.hpp>

#include <sparse/io/language/evaluate.hpp>
#include <sparse/io/levels/merged_cells.hpp>
#include <sparse/io/levels/overlapping_amr.hpp>
#include <sparse/io/pictures/draw.hpp>
#include <sparse/io/pictures/frame.hpp>
#include <sparse/io/sets/set_file.hpp>
#include <sparse/io/vtk/vtk_readers.hpp>
#include <sparse/io/vtk/vtu.hpp>

using namespace sparse;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

struct Options {
  std::string expression;
  std::vector<std::string> outputs;
  int dimension = 0;  // 0: what the expression has
  bool measures = false, is_json = false, shows = false, prints_arrays = false, lists_functions = false;
  std::string view = "z";
  int slice = 0;
  bool is_sliced = false;
  bool has_axes = false;
  int threads = 0;
};

int view_axis(Options const& o) { return o.view[0] - 'x'; }

// ---- files

constexpr int merged_levels = 6;  // families of 2^6 cells along each axis become one large cell

template <int Dim>
void write_grid(fs::path const& path, IntervalSet<Dim> const& set) {
  Grid<Dim> const grid{Vec<double, Dim>::filled(0), Vec<double, Dim>::filled(1 << merged_levels)};
  io::write_vtu(path, grid, io::merged_cells(set, merged_levels));
}

template <int Dim>
void write_levels(fs::path const& path, IntervalSet<Dim> const& set) {
  io::write_overlapping_amr<Dim>(path, {}, {io::LevelCells<Dim>{0, set.to_host(), {}}});
}

/// The picture of a set with coordinates along its edges, if they are wanted.
/// @param names  of the axes that point right and up
template <int Dim>
io::Image with_axes(io::Image const& picture, IntervalSet<Dim> const& set, std::string const& names, Options const& o) {
  if (!o.has_axes || set.is_empty()) return picture;
  auto const [begin, end] = set.bounds();
  io::Axes axes{{}, {}, {names.substr(0, 1), names.substr(1, 1)}};
  for (std::size_t a = 0; a < 2; ++a) {
    int const axis = Dim == 2 ? static_cast<int>(a) : names[a] - 'x';
    axes.begin[a] = begin[axis];
    axes.end[a] = end[axis];
  }
  return io::framed(picture, {{}, axes, {}});
}

void write_picture(fs::path const& path, IntervalSet<2> const& set, Options const& o) {
  io::write_png(path, with_axes(io::draw(set), set, "xy", o));
}
void write_picture(fs::path const& path, IntervalSet<3> const& set, Options const& o) {
  std::string const names = o.view == "x" ? "yz" : o.view == "y" ? "xz" : "xy";
  if (!o.is_sliced) return io::write_png(path, with_axes(io::draw(set, view_axis(o)), set, names, o));
  auto const layer = slice(set, view_axis(o), o.slice);
  io::write_png(path, with_axes(io::draw(layer), layer, names, o));
}

constexpr char const* extensions = ".h5 (for programs), .vtu or .hdf (ParaView), .png";
bool is_known(fs::path const& path) {
  auto const extension = path.extension();
  return extension == ".h5" || extension == ".vtu" || extension == ".hdf" || extension == ".png";
}

template <int Dim>
void write(fs::path const& path, IntervalSet<Dim> const& set, Options const& o) {
  auto const extension = path.extension();
  if (extension == ".h5") io::write_hdf5(path, set);
  if (extension == ".vtu") write_grid(path, set);
  if (extension == ".hdf") write_levels(path, set);
  if (extension == ".png") write_picture(path, set, o);
}

// ---- numbers

template <int Dim>
Json to_json(Vec<Coord, Dim> const& v) {
  Json list = Json::array();
  for (int axis = 0; axis < Dim; ++axis) list.push_back(v[axis]);
  return list;
}

template <int Dim>
Json facts(IntervalSet<Dim> const& set, Options const& o) {
  auto const bounds = set.bounds();
  Json facts = {{"dimension", Dim},          {"cells", set.cell_count()}, {"intervals", set.interval_count()},
                {"rows", set.row_count()},   {"bytes", set.byte_count()}, {"begin", to_json(bounds.begin)},
                {"end", to_json(bounds.end)}};
  if (o.measures) {
    facts["components"] = component_count(set);
    facts["faces"] = boundary(set).face_count();
  }
  return facts;
}

/// The arrays that store a set, as `HostSet` describes them. Keys of rows in 3D are pairs (y, z).
template <int Dim>
Json arrays(IntervalSet<Dim> const& set) {
  auto const host = set.to_host();
  Json keys = Json::array(), intervals = Json::array();
  for (RowKey const key : host.row_keys) {
    auto const cell = cell_at<Dim>(key, 0);
    keys.push_back(Dim == 2 ? Json(cell[1]) : Json({cell[1], cell[Dim - 1]}));
  }
  for (Interval const& interval : host.intervals) intervals.push_back({interval.begin, interval.end});
  return {{"row_keys", keys}, {"row_ptr", host.row_ptr}, {"intervals", intervals}, {"cell_offsets", host.cell_offsets}};
}

std::string joined(Json const& list, char const* separator) {
  std::string text;
  for (auto const& entry : list) text += (text.empty() ? "" : separator) + entry.dump();
  return text;
}

void print(Json const& facts) {
  for (auto const& [name, value] : facts.items()) {
    if (name == "end") continue;
    if (name == "begin") {
      std::string bounds;
      for (std::size_t axis = 0; axis < value.size(); ++axis)
        bounds += fmt::format("{}[{}, {})", axis == 0 ? "" : " x ", value[axis].dump(), facts["end"][axis].dump());
      fmt::print("{:<12}{}\n", "bounds", facts["cells"] == 0 ? "none" : bounds);
    } else {
      fmt::print("{:<12}{}\n", name, value.is_array() ? joined(value, ", ") : value.dump());
    }
  }
}

template <int Dim>
void report(IntervalSet<Dim> const& set, Options const& o) {
  Json result = facts(set, o);
  Json const csr = o.prints_arrays ? arrays(set) : Json::object();
  for (auto const& output : o.outputs) write(output, set, o);
  if (o.is_json) {
    if (o.prints_arrays) result["csr"] = csr;
    result["files"] = o.outputs;
    fmt::print("{}\n", result.dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    print(result);
    for (auto const& [name, values] : csr.items()) fmt::print("{:<13}[{}]\n", name, joined(values, ", "));
    for (auto const& output : o.outputs) fmt::print("{:<12}{}\n", "wrote", output);
  }
  if (o.shows) fmt::print("{}", to_text(set));
}

// ---- the command line

std::string text_from(std::istream& in) { return {std::istreambuf_iterator<char>(in), {}}; }

/// The text of the expression: given, in a file (@NAME), or from standard input (-).
std::string expression_text(std::string const& given) {
  if (given == "-") return text_from(std::cin);
  if (!given.starts_with('@')) return given;
  std::string const name = given.substr(1);
  std::ifstream file(name, std::ios::binary);
  if (!file) throw std::runtime_error(fmt::format("{}: {}", name, std::strerror(errno)));
  if (fs::is_directory(name)) throw std::runtime_error(fmt::format("{}: {}", name, std::strerror(EISDIR)));
  return text_from(file);
}

Options parse_options(int argc, char** argv) {
  Options o;
  CLI::App app(
      "Makes the set of cells that an expression describes, measures it, and writes it to files:\n\n"
      "  geometry 'box(0, 0, 400, 160) - ball(80, 80, 20)' --measure -o fluid.vtu -o fluid.png\n\n"
      "Sets are combined by | (either), & (both), - (the first without the second) and ^ (exactly one); - binds more\n"
      "tightly than &, that than ^, and that than |. 'name = ...;' defines a name for what follows. --functions lists\n"
      "the shapes and operations there are.");
  auto* const expression =
      app.add_option("expression", o.expression, "the geometry; @FILE reads it from a file, - from standard input");
  app.add_option("-o,--output", o.outputs, fmt::format("file to write, may be repeated: {}", extensions))
      ->take_all()
      ->check(CLI::Validator(
          [](std::string& name) {
            return is_known(name) ? std::string() : name + " ends with none of the known names: " + extensions;
          },
          "FILE"));
  app.add_option("--dim", o.dimension, "insist on a set in 2 or 3 dimensions")->check(CLI::IsMember({2, 3}));
  app.add_flag("--measure", o.measures, "also count components and faces of the boundary");
  app.add_flag("--json", o.is_json, "print the numbers as JSON");
  app.add_flag("--show", o.shows, "draw small sets as text");
  app.add_flag("--csr", o.prints_arrays,
               "print the arrays that store the set: keys and intervals of its rows, offsets");
  app.add_option("--view", o.view, "3D pictures: the axis to look along")
      ->check(CLI::IsMember({"x", "y", "z"}))
      ->capture_default_str();
  auto const* const slice = app.add_option("--slice", o.slice, "3D pictures: only the cells at this coordinate of it");
  app.add_flag("--axes", o.has_axes, "pictures: with coordinates around, so that they cannot be read back");
  app.add_flag("--functions", o.lists_functions, "list the functions of the language");
  app.add_option("--threads", o.threads, "host threads, 0: all")->check(CLI::Range(0, 4096))->capture_default_str();
  app.set_version_flag("--version", sparse::version);
  try {
    app.parse(argc, argv);
    if (expression->count() == 0 && !o.lists_functions) throw CLI::RequiredError("expression");
  } catch (CLI::ParseError const& error) {
    std::exit(app.exit(error));
  }
  o.is_sliced = slice->count() > 0;
  return o;
}

void run(Options const& o) {
  if (o.lists_functions) {
    fmt::print("{}", io::expression_help());
    return;
  }
  io::Expression const expression = io::parse_expression(expression_text(o.expression));
  io::check_expression(expression);  // before Kokkos starts
  Runtime const runtime(o.threads);
  io::EvaluateOptions const options{.readers = io::vtk_readers()};
  if (o.dimension == 2) return report(io::evaluate<2>(expression, options), o);
  if (o.dimension == 3) return report(io::evaluate<3>(expression, options), o);
  std::visit([&](auto const& set) { report(set, o); }, io::evaluate(expression, options));
}

}  // namespace

int main(int argc, char** argv) {
  Options const options = parse_options(argc, argv);
  try {
    run(options);
  } catch (std::bad_alloc const&) {
    fmt::print(stderr, "geometry: there is not enough memory\n");
    return 1;
  } catch (std::exception const& error) {
    fmt::print(stderr, "geometry: {}\n", io::reason_of(error));
    return 1;
  }
  return 0;
}
