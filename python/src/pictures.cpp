#include "pictures.hpp"

#include <cstring>

#include "files.hpp"

namespace sparse::python {

nb::object picture_of(io::Image const& image) {
  std::uint8_t* out = nullptr;
  auto const height = static_cast<std::size_t>(image.height), width = static_cast<std::size_t>(image.width);
  nb::object const pixels = new_array<std::uint8_t>({height, width, 3}, out);
  std::memcpy(out, image.pixels.data(), 3 * width * height);
  return nb::module_::import_("sparsecells._pictures").attr("Picture")(pixels);
}

io::RenderOptions render_options(nb::handle keywords) {
  io::RenderOptions options;
  for (auto const& [key, value] : nb::borrow<nb::dict>(keywords)) {
    std::string const name = nb::cast<std::string>(key);
    auto const pair = [&](nb::handle numbers, char const* what) {
      auto const ends = point(numbers, 2, what);
      return std::array<double, 2>{ends[0], ends[1]};
    };
    if (name == "size") {
      options.size = static_cast<int>(whole_number(value, "plot: size"));
    } else if (name == "colours") {
      options.colours =
          static_cast<io::ColourMap>(choice(text_of(value), {"viridis", "inferno", "coolwarm"}, "plot: colours"));
    } else if (name == "range") {
      if (!value.is_none()) options.range = pair(value, "plot: range");
    } else if (name == "mesh") {
      options.mesh = nb::cast<bool>(value);
    } else if (name == "outlines") {
      options.outlines = nb::cast<bool>(value);
    } else if (name == "title") {
      options.title = nb::cast<std::string>(value);
    } else if (name == "label") {
      options.label = nb::cast<std::string>(value);
    } else if (name == "slice") {
      options.slice = number(value, "plot: slice");
    } else if (name == "window") {
      if (!value.is_none()) options.window = {{pair(value[0], "plot: window"), pair(value[1], "plot: window")}};
    } else {
      throw nb::type_error(
          ("plot takes size, colours, range, mesh, outlines, title, label, slice and window, not " + name).c_str());
    }
  }
  return options;
}

std::filesystem::path path_of(nb::handle path) {
  nb::object const text = nb::steal(PyOS_FSPath(path.ptr()));
  if (!text.is_valid()) throw nb::python_error();
  if (PyBytes_Check(text.ptr())) return std::string(PyBytes_AsString(text.ptr()));
  return nb::cast<std::string>(text);
}

}  // namespace sparse::python
