#include "field.hpp"

#include <algorithm>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/sample.hpp>
#include <sparse/io/levels/field_array.hpp>
#include <sparse/io/sets/set_file.hpp>

#include "files.hpp"
#include "pictures.hpp"

namespace sparse::python {
namespace {

static_assert(is_host_backend, "the module hands out memory of the host");

void make(AnyField* self, nb::handle domain, nb::handle dtype, nb::handle components, std::string const& name,
          nb::handle fill) {
  Set const& cells = set_of(domain, "Field: domain");
  long long const count = whole_number(components, "Field: components");
  if (count < 1 || count > 1 << 16) throw std::invalid_argument("Field: components must be 1 or more");
  double const value = number(fill, "Field: fill");
  by_dtype(dtype, "Field: dtype", [&]<class T>(T) {
    cells.visit([&]<int Dim>(IntervalSet<Dim> const& set) {
      auto field =
          with_kernels([&] { return Field<T, Dim>(name, set, static_cast<int>(count), static_cast<T>(value)); });
      new (self) AnyField(std::move(field));
    });
  });
}

nb::object values(nb::handle_t<AnyField> self) {
  return nb::cast<AnyField&>(self).visit(
      [&](auto& field) { return values_array(field.view(), field.cell_count(), field.component_count(), self); });
}

Set domain(AnyField const& self) {
  return self.visit([](auto const& field) { return Set(field.domain()); });
}

nb::object coordinate_along(AnyField const& self, char const* axis) {
  return nb::cast(domain(self)).attr("centers")(axis);
}

AnyField copy(AnyField const& self) {
  return with_kernels([&] { return self.visit([](auto const& field) { return AnyField(clone(field)); }); });
}

nb::object sample_at(AnyField const& self, nb::handle points, nb::handle missing, nb::handle component) {
  int const c = static_cast<int>(whole_number(component, "sample: component"));
  return self.visit([&]<class T, int Dim>(Field<T, Dim> const& field) -> nb::object {
    if constexpr (!std::is_floating_point_v<T>) {
      throw nb::type_error("sample needs a field of float32 or float64");
    } else {
      nb::object const list = numpy_array(points, "float64", {-1, Dim}, "sample: points");
      auto const* const from = static_cast<double const*>(address_of(list));
      std::vector<Vec<double, Dim>> places(length_of(list));
      for (std::size_t i = 0; i < places.size(); ++i)
        for (int axis = 0; axis < Dim; ++axis) places[i][axis] = from[Dim * i + static_cast<std::size_t>(axis)];
      bool const may_miss = !missing.is_none();
      T const otherwise = may_miss ? static_cast<T>(number(missing, "sample: missing")) : T();
      auto const found =
          with_kernels([&] { return may_miss ? sample_or(field, places, otherwise, c) : sample(field, places, c); });
      T* out = nullptr;
      nb::object const array = new_array<T>({found.size()}, out);
      std::copy(found.begin(), found.end(), out);
      return array;
    }
  });
}

nb::object plot(AnyField const& self, nb::kwargs options) {
  auto const render = render_options(options);
  return self.visit([&]<class T, int Dim>(Field<T, Dim> const& field) {
    if (field.cell_count() == 0) throw std::invalid_argument("plot: the field has no cells");
    auto const image = with_kernels([&] {
      io::LevelCells<Dim> level{0, field.domain().to_host(), {}, {}};
      if constexpr (std::is_floating_point_v<T>)
        level.arrays.push_back(io::array_of(field));
      else
        level.arrays.push_back(io::array_of<double>(field));
      return io::render<Dim>({}, {level}, field.name(), render);
    });
    return picture_of(image);
  });
}

void save(AnyField const& self, nb::handle path) {
  auto const file = path_of(path);
  with_files([&] { self.visit([&](auto const& field) { io::write_hdf5(file, field); }); });
}

template <class T>
AnyField read(std::filesystem::path const& file, std::string const& name, int dim) {
  return dim == 2 ? AnyField(io::read_field<T, 2>(file, name)) : AnyField(io::read_field<T, 3>(file, name));
}

AnyField load(nb::handle path, std::string const& name) {
  auto const file = path_of(path);
  return with_files([&] {
    auto const contents = io::read_set_file_contents(file);
    std::string type = "double";  // if there is no such field, reading it says so
    for (auto const& entry : contents.entries)
      if (entry.is_field && (name.empty() || entry.name == name)) type = entry.type;
    if (type == "float") return read<float>(file, name, contents.dimension);
    if (type == "int32") return read<std::int32_t>(file, name, contents.dimension);
    if (type == "int64") return read<std::int64_t>(file, name, contents.dimension);
    return read<double>(file, name, contents.dimension);
  });
}

nb::tuple get_state(nb::handle_t<AnyField> self) {
  AnyField const& field = nb::cast<AnyField const&>(self);
  return nb::make_tuple(domain(field), field.visit([](auto const& f) { return f.name(); }), values(self));
}

void set_state(AnyField& self, nb::tuple const& state) {
  if (nb::len(state) != 3) throw std::invalid_argument("this is no pickled field");
  nb::object const array = state[2];
  nb::object const components =
      nb::cast<int>(array.attr("ndim")) == 2 ? nb::object(nb::object(array.attr("shape"))[0]) : nb::object(nb::int_(1));
  make(&self, state[0], array.attr("dtype"), components, nb::cast<std::string>(state[1]), nb::int_(0));
  self.visit([&](auto& field) { copy_into(field, array, "the pickled values"); });
}

std::string describe(AnyField const& self) {
  return self.visit([]<class T, int Dim>(Field<T, Dim> const& field) {
    std::string text = "Field(\"" + field.name() + "\", " + dtype_of<T> + ", ";
    if (field.component_count() > 1) text += std::to_string(field.component_count()) + " components, ";
    return text + std::to_string(field.cell_count()) + " cells in " + std::to_string(Dim) + "D)";
  });
}

}  // namespace

void bind_field(nb::module_& m) {
  nb::class_<AnyField> c(
      m, "Field",
      "A value, or several components, for each cell of a set.\n\n"
      "`values` is a NumPy array of the field's own memory: write to it. Its order is that of `Set.cells`:\n"
      "by z, then y, then x.");
  c.def("__init__", make, nb::arg("domain"), nb::arg("dtype") = "f8", nb::arg("components") = 1,
        nb::arg("name") = "values", nb::arg("fill") = 0,
        nb::sig("def __init__(self, domain: Set, dtype: numpy.typing.DTypeLike = 'f8', components: int = 1, name: str "
                "= 'values', "
                "fill: float = 0) -> None"),
        "A field on `domain` whose values all are `fill`.\n\n"
        "dtype: float64 (\"f8\"), float32, int32 or int64. name: for files and pictures. Raises ValueError for another "
        "dtype.");
  c.def_prop_ro("values", values, nb::sig("def values(self) -> numpy.typing.NDArray[typing.Any]"),
                "(n,) or (components, n) the values without a copy; writable. The array keeps the field's memory.");
  c.def_prop_ro("domain", domain, "The set that the field lives on.");
  c.def_prop_ro(
      "name", [](AnyField const& self) { return self.visit([](auto const& field) { return field.name(); }); },
      "Its name in files and pictures.");
  c.def_prop_ro(
      "components",
      [](AnyField const& self) { return self.visit([](auto const& field) { return field.component_count(); }); },
      "The number of components.");
  c.def_prop_ro(
      "dtype",
      [](AnyField const& self) {
        return nb::module_::import_("numpy").attr("dtype")(
            self.visit([]<class T, int Dim>(Field<T, Dim> const&) { return dtype_of<T>; }));
      },
      nb::sig("def dtype(self) -> numpy.dtype[typing.Any]"), "The type of the values.");
  c.def_prop_ro(
      "x", [](AnyField const& self) { return coordinate_along(self, "x"); },
      nb::sig("def x(self) -> numpy.typing.NDArray[numpy.float64]"),
      "(n,) x of the centres of the cells [cell widths].");
  c.def_prop_ro(
      "y", [](AnyField const& self) { return coordinate_along(self, "y"); },
      nb::sig("def y(self) -> numpy.typing.NDArray[numpy.float64]"),
      "(n,) y of the centres of the cells [cell widths].");
  c.def_prop_ro(
      "z", [](AnyField const& self) { return coordinate_along(self, "z"); },
      nb::sig("def z(self) -> numpy.typing.NDArray[numpy.float64]"),
      "(n,) z of the centres of the cells [cell widths]. Raises ValueError in 2D.");
  c.def(
      "__len__", [](AnyField const& self) { return self.visit([](auto const& field) { return field.cell_count(); }); },
      "The number of cells.");
  c.def(
      "__array__",
      [](nb::handle_t<AnyField> self, nb::handle dtype, nb::handle copy) {
        nb::object const numpy = nb::module_::import_("numpy");
        if (copy.is_none()) return nb::object(numpy.attr("asarray")(values(self), dtype));
        return nb::object(numpy.attr("array")(values(self), dtype, nb::arg("copy") = copy));
      },
      nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none(),
      nb::sig("def __array__(self, dtype: numpy.typing.DTypeLike | None = None, copy: bool | None = None) -> "
              "numpy.typing.NDArray[typing.Any]"),
      "`values`, so that NumPy's functions take a field.");
  c.def(
      "__dlpack__",
      [](nb::handle_t<AnyField> self, nb::kwargs options) { return values(self).attr("__dlpack__")(**options); },
      nb::sig("def __dlpack__(self, **kwargs: typing.Any) -> typing.Any"),
      "The values for other libraries of arrays: `numpy.from_dlpack(field)`, without a copy.");
  c.def(
      "__dlpack_device__", [](nb::handle_t<AnyField> self) { return values(self).attr("__dlpack_device__")(); },
      nb::sig("def __dlpack_device__(self) -> tuple[int, int]"), "Where the values are: (1, 0), in the host's memory.");
  c.def("copy", copy, "A field of its own with the same values.");
  c.def("__copy__", copy, "As `copy`.");
  c.def(
      "__deepcopy__", [](AnyField const& self, nb::handle) { return copy(self); }, nb::arg("memo"),
      nb::sig("def __deepcopy__(self, memo: object) -> Field"), "As `copy`.");
  c.def("sample", sample_at, nb::arg("points"), nb::arg("missing") = nb::none(), nb::arg("component") = 0,
        nb::sig("def sample(self, points: numpy.typing.ArrayLike, missing: float | None = None, component: int = 0) -> "
                "numpy.typing.NDArray[typing.Any]"),
        "(m,) values between the centres of cells, linear along each axis.\n\n"
        "points: (m, dim) [cell widths]. missing: the value for points in no cell; without it they raise ValueError.");
  c.def(
      "to_dense",
      [](nb::handle self, nb::handle fill) {
        return nb::module_::import_("sparsecells._convert").attr("to_dense")(self, fill);
      },
      nb::arg("fill") = nb::none(),
      nb::sig("def to_dense(self, fill: float | None = None) -> numpy.typing.NDArray[typing.Any]"),
      "A new array [y, x] or [z, y, x] over `domain.bounds`, with the axis of components before, if there are "
      "several.\n\n"
      "fill: the value where no cell is; NaN, or 0 for whole numbers, by default.");
  c.def(
      "to_xarray", [](nb::handle self) { return nb::module_::import_("sparsecells._convert").attr("to_xarray")(self); },
      nb::sig("def to_xarray(self) -> typing.Any"),
      "An `xarray.DataArray` over `domain.bounds` with the coordinates of centres. Raises ImportError without xarray.");
  c.def(
      "to_pyvista",
      [](nb::handle self) { return nb::module_::import_("sparsecells._convert").attr("to_pyvista")(self); },
      nb::sig("def to_pyvista(self) -> typing.Any"),
      "A `pyvista.ImageData` of the bounds with the values on cells, NaN where no cell is. Raises ImportError without "
      "pyvista.");
  c.def("plot", plot, nb::arg("options"), nb::sig("def plot(self, **options: typing.Any) -> sparsecells.Picture"),
        "A picture in colours with axes and a bar; several components are shown by their magnitude.\n\n"
        "size: pixels of the longer side (1600). colours: \"viridis\", \"inferno\" or \"coolwarm\". range: values of "
        "the first\n"
        "and last colour. mesh: lines between cells. title, label: texts. slice: 3D, height of the plane, 0 to 1. "
        "window:\n"
        "((x, x), (y, y)) of the part to draw. Raises ValueError for a size outside 16 to 16384.");
  c.def(
      "_repr_mimebundle_",
      [](nb::handle self, nb::handle include, nb::handle exclude) {
        return nb::module_::import_("sparsecells._pictures").attr("mimebundle")(self, include, exclude);
      },
      nb::arg("include") = nb::none(), nb::arg("exclude") = nb::none(),
      nb::sig("def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]"),
      "Text and a PNG of at most 500 pixels, for notebooks.");
  c.def("save", save, nb::arg("path"), nb::sig("def save(self, path: str | os.PathLike[str]) -> None"),
        "Writes a set file with the field and its set, complete or not at all. Raises OSError with the path.");
  c.def("__getstate__", get_state, nb::sig("def __getstate__(self) -> tuple[object, ...]"),
        "Set, name and values, for pickle.");
  c.def("__setstate__", set_state, nb::arg("state"),
        nb::sig("def __setstate__(self, state: tuple[object, ...]) -> None"), "Takes what `__getstate__` gave.");
  c.def("__repr__", describe, "One line: name, type, components, cells.");
  m.def("load_field", load, nb::arg("path"), nb::arg("name") = "",
        nb::sig("def load_field(path: str | os.PathLike[str], name: str = '') -> Field"),
        "Reads a field of a set file: the one of that name, or the only one. Raises OSError with the path.");
}

}  // namespace sparse::python
