#include "set.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>

#include <nanobind/stl/tuple.h>

#include <sparse/fields/select.hpp>
#include <sparse/io/pictures/draw.hpp>
#include <sparse/io/sets/set_file.hpp>
#include <sparse/sets/locate.hpp>

#include "files.hpp"
#include "pictures.hpp"

namespace sparse::python {
namespace {

template <class T>
nb::object lent_array(nb::handle owner, T const* data, std::vector<std::size_t> const& shape) {
  static T const nothing{};
  return nb::cast(
      nb::ndarray<nb::numpy, T const>(data != nullptr ? data : &nothing, shape.size(), shape.data(), owner));
}

nb::object rows(nb::handle_t<Set> self) {
  SetView const view = nb::cast<Set const&>(self).visit([](auto const& set) { return set.rows(); });
  return lent_array(self, view.row_keys, {static_cast<std::size_t>(view.row_count)});
}
nb::object row_ptr(nb::handle_t<Set> self) {
  SetView const view = nb::cast<Set const&>(self).visit([](auto const& set) { return set.rows(); });
  auto const count = static_cast<std::size_t>(view.row_count);
  return lent_array(self, view.row_ptr, {view.row_ptr == nullptr ? 1 : count + 1});
}
nb::object intervals(nb::handle_t<Set> self) {
  SetView const view = nb::cast<Set const&>(self).visit([](auto const& set) { return set.rows(); });
  static_assert(sizeof(Interval) == 2 * sizeof(Coord));
  return lent_array(self, reinterpret_cast<Coord const*>(view.intervals),
                    {static_cast<std::size_t>(view.interval_count), 2});
}

template <int Dim>
nb::tuple tuple_of(Vec<Coord, Dim> const& cell) {
  if constexpr (Dim == 2)
    return nb::make_tuple(cell[0], cell[1]);
  else
    return nb::make_tuple(cell[0], cell[1], cell[2]);
}

nb::tuple bounds(Set const& self) {
  return self.visit([]<int Dim>(IntervalSet<Dim> const& set) {
    auto const box = set.is_empty() ? Box<Dim>{} : with_kernels([&] { return set.bounds(); });
    return nb::make_tuple(tuple_of(box.begin), tuple_of(box.end));
  });
}

/// Calls `body(cell of the first, interval, offset)` for each interval, on the host.
template <int Dim, class Body>
void for_each_interval(IntervalSet<Dim> const& set, Body const& body) {
  SetView const view = set.rows();
  Index offset = 0;
  for (Index r = 0; r < view.row_count; ++r)
    for (Index i = view.row_ptr[r]; i < view.row_ptr[r + 1]; ++i) {
      Interval const interval = view.intervals[i];
      body(cell_at<Dim>(view.row_keys[r], interval.begin), interval, offset);
      offset += interval.end - interval.begin;
    }
}

nb::object cells(Set const& self) {
  auto const count = static_cast<std::size_t>(self.cell_count());
  Coord* out = nullptr;
  nb::object const array = new_array<Coord>({count, static_cast<std::size_t>(self.dim())}, out);
  nb::gil_scoped_release const release;
  self.visit([&]<int Dim>(IntervalSet<Dim> const& set) {
    for_each_interval(set, [&](Vec<Coord, Dim> cell, Interval interval, Index) {
      for (; cell[0] < interval.end; ++cell[0])
        for (int axis = 0; axis < Dim; ++axis) *out++ = cell[axis];
    });
  });
  return array;
}

nb::object centers(Set const& self, nb::handle axis) {
  int const a = axis_of(axis, self.dim(), "centers: axis");
  double* out = nullptr;
  nb::object const array = new_array<double>({static_cast<std::size_t>(self.cell_count())}, out);
  nb::gil_scoped_release const release;
  self.visit([&]<int Dim>(IntervalSet<Dim> const& set) {
    for_each_interval(set, [&](Vec<Coord, Dim> cell, Interval interval, Index) {
      for (; cell[0] < interval.end; ++cell[0]) *out++ = cell[a] + 0.5;
    });
  });
  return array;
}

nb::object to_mask(Set const& self, nb::object lower, nb::object upper) {
  if (lower.is_none() != upper.is_none()) throw std::invalid_argument("to_mask: give lower and upper, or neither");
  return self.visit([&]<int Dim>(IntervalSet<Dim> const& set) {
    Box<Dim> box{};
    if (!lower.is_none())
      box = {to_vec<Coord, Dim>(cell(lower, Dim, "to_mask: lower")),
             to_vec<Coord, Dim>(cell(upper, Dim, "to_mask: upper"))};
    else if (!set.is_empty())
      box = with_kernels([&] { return set.bounds(); });
    std::vector<std::size_t> shape;
    for (int axis = Dim - 1; axis >= 0; --axis)
      shape.push_back(static_cast<std::size_t>(std::max(0, box.end[axis] - box.begin[axis])));
    bool* out = nullptr;
    nb::object const array = new_array<bool>(shape, out);
    nb::gil_scoped_release const release;
    std::size_t size = 1;
    for (std::size_t const n : shape) size *= n;
    std::memset(out, 0, size);
    if (size == 0) return array;
    for_each_interval(set, [&](Vec<Coord, Dim> const& first, Interval interval, Index) {
      std::size_t row = 0;
      for (int axis = Dim - 1; axis > 0; --axis) {
        if (first[axis] < box.begin[axis] || first[axis] >= box.end[axis]) return;
        row = row * shape[static_cast<std::size_t>(Dim - 1 - axis)] +
              static_cast<std::size_t>(first[axis] - box.begin[axis]);
      }
      Coord const begin = std::max(interval.begin, box.begin[0]), end = std::min(interval.end, box.end[0]);
      if (begin < end)
        std::memset(out + row * shape.back() + (begin - box.begin[0]), 1, static_cast<std::size_t>(end - begin));
    });
    return array;
  });
}

bool contains(Set const& self, nb::handle where) {
  auto const at = cell(where, self.dim(), "a cell");
  return self.visit([&]<int Dim>(IntervalSet<Dim> const& set) {
    return !set.is_empty() && with_kernels([&] { return set.contains(to_vec<Coord, Dim>(at)); });
  });
}

/// The position of each of the cells, or -1.
nb::object find_cells(Set const& self, nb::handle wanted) {
  nb::object const list = numpy_array(wanted, "int32", {-1, self.dim()}, "find: cells");
  std::size_t const count = length_of(list);
  auto const* const from = static_cast<Coord const*>(address_of(list));
  Index* out = nullptr;
  nb::object const array = new_array<Index>({count}, out);
  if (count == 0) return array;
  with_kernels([&] {
    self.visit([&]<int Dim>(IntervalSet<Dim> const& set) {
      if (set.is_empty()) {
        std::fill(out, out + count, Index{-1});
        return;
      }
      std::vector<Vec<Coord, Dim>> cells(count);
      std::memcpy(cells.data(), from, count * sizeof(cells[0]));
      auto const found = find(set, to_device(set.context(), cells));
      auto const positions = to_host(set.context(), static_cast<Index const*>(found.data()), found.size());
      std::copy(positions.begin(), positions.end(), out);
    });
  });
  return array;
}

struct IsMarked {
  bool const* marks;
  KOKKOS_FUNCTION bool operator()(Index cell) const { return marks[cell]; }
};

/// The cells with a true value.
Set chosen(Set const& self, nb::handle marks) {
  std::string const count = std::to_string(self.cell_count());
  if (!nb::hasattr(marks, "dtype") || text_of(marks.attr("dtype")) != "bool")
    throw nb::type_error(("a set takes a boolean array with a value for each of its " + count +
                          " cells, as in fluid[field.values > 0.5]; for coordinates write (x, y) in fluid")
                             .c_str());
  nb::object const array = numpy_array(marks, "bool", {self.cell_count()}, "the boolean array");
  IsMarked const predicate{static_cast<bool const*>(address_of(array))};
  return map(self, [&](auto const& set) { return set.is_empty() ? set : select(set, predicate); });
}

template <class T>
std::vector<T> vector_of(nb::handle array) {
  auto const* const data = static_cast<T const*>(address_of(array));
  return std::vector<T>(data, data + length_of(array));
}

nb::tuple get_state(nb::handle_t<Set> self) {
  return nb::make_tuple(nb::cast<Set const&>(self).dim(), rows(self), row_ptr(self), intervals(self));
}

void set_state(Set& self, nb::tuple const& state) {
  if (nb::len(state) != 4) throw std::invalid_argument("this is no pickled set");
  int const dim = nb::cast<int>(state[0]);
  if (dim != 2 && dim != 3) throw std::invalid_argument("a pickled set must be in 2D or in 3D");
  nb::object const keys = numpy_array(state[1], "int64", {-1}, "rows"),
                   ptr = numpy_array(state[2], "int64", {-1}, "row_ptr"),
                   pairs = numpy_array(state[3], "int32", {-1, 2}, "intervals");
  auto const key_list = vector_of<RowKey>(keys);
  auto const ptr_list = vector_of<Index>(ptr);
  auto const pair_list = vector_of<Interval>(pairs);
  new (&self) Set(with_kernels([&] {
    return by_dimension(static_cast<std::size_t>(dim), [&](auto d) {
      HostSet<d> host{key_list, ptr_list, pair_list, {}};
      return Set(from_host(host));
    });
  }));
}

std::string describe(Set const& self) {
  std::ostringstream text;
  self.visit([&]<int Dim>(IntervalSet<Dim> const& set) {
    text << "Set(" << Dim << "D, " << set.cell_count() << (set.cell_count() == 1 ? " cell, " : " cells, ")
         << set.interval_count() << (set.interval_count() == 1 ? " interval" : " intervals");
    if (!set.is_empty()) {
      auto const box = with_kernels([&] { return set.bounds(); });
      for (int axis = 0; axis < Dim; ++axis)
        text << ", "
             << "xyz"[axis] << " " << box.begin[axis] << ".." << box.end[axis];
    }
    text << ")";
  });
  return text.str();
}

std::size_t hash_of(Set const& self) {
  return self.visit([&]<int Dim>(IntervalSet<Dim> const& set) {
    SetView const view = set.rows();
    std::size_t result = static_cast<std::size_t>(Dim);
    auto const mix = [&](std::uint64_t value) { result = (result ^ value) * 0x9e3779b97f4a7c15u + (result >> 29); };
    mix(static_cast<std::uint64_t>(set.cell_count()));
    for (Index r = 0; r < view.row_count; r += 1 + view.row_count / 64)
      mix(static_cast<std::uint64_t>(view.row_keys[r]));
    for (Index i = 0; i < view.interval_count; i += 1 + view.interval_count / 64) {
      mix(static_cast<std::uint32_t>(view.intervals[i].begin));
      mix(static_cast<std::uint32_t>(view.intervals[i].end));
    }
    return result;
  });
}

nb::object picture(Set const& self) {
  auto const image = [&](auto const& draw) { return with_kernels(draw); };
  return self.visit([&]<int Dim>(IntervalSet<Dim> const& set) -> nb::object {
    if constexpr (Dim == 2) {
      return picture_of(image([&] { return io::draw(set); }));
    } else {
      nb::list views;
      for (int axis = 2; axis >= 0; --axis) views.append(picture_of(image([&] { return io::draw(set, axis); })));
      return nb::module_::import_("sparsecells._pictures").attr("beside")(views);
    }
  });
}

void save(Set const& self, nb::handle path) {
  auto const file = path_of(path);
  with_files([&] { self.visit([&](auto const& set) { io::write_hdf5(file, set); }); });
}

Set load(nb::handle path, std::string const& name) {
  auto const file = path_of(path);
  return with_files([&] {
    if (io::read_set_file_contents(file).dimension == 2) return Set(io::read_set<2>(file, name));
    return Set(io::read_set<3>(file, name));
  });
}

}  // namespace

Set const& set_of(nb::handle value, char const* what) {
  Set const* set = nullptr;
  if (!nb::try_cast(value, set) || set == nullptr)
    throw nb::type_error((std::string(what) + " must be a Set, not " + nb::cast<std::string>(nb::inst_name(value)) +
                          "; box, ball and from_mask make sets")
                             .c_str());
  return *set;
}

void bind_set(nb::module_& m) {
  nb::class_<Set> c(
      m, "Set",
      "A set of cells of the plane (2D) or of space (3D), stored as intervals along x.\n\n"
      "Cell (i, j) covers i <= x < i + 1 and j <= y < j + 1; coordinates are whole numbers between -2^30 and\n"
      "2^30. A set never changes: operations return new sets, and copies share memory. `a | b`, `a & b`,\n"
      "`a - b` and `a ^ b` are union, intersection, difference and symmetric difference. Sets are made by\n"
      "`box`, `ball`, `polygon`, `from_mask` and others.");
  c.def(nb::init<>(), "The empty set in 2D.");
  c.def_prop_ro("dim", &Set::dim, "2 or 3.");
  c.def("__len__", &Set::cell_count, "The number of cells.");
  c.def(
      "__bool__", [](Set const& self) { return self.cell_count() > 0; }, "Whether there is a cell.");
  c.def("__contains__", contains, nb::arg("cell"),
        nb::sig("def __contains__(self, cell: collections.abc.Sequence[int]) -> bool"),
        "Whether the cell (x, y) or (x, y, z) belongs to the set.");
  c.def_prop_ro("bounds", bounds, nb::sig("def bounds(self) -> tuple[tuple[int, ...], tuple[int, ...]]"),
                "((x, y), (x, y)) of the smallest box around all cells: its first cell, and one past its last one.\n"
                "Both are zeros for the empty set.");
  c.def_prop_ro(
      "nbytes", [](Set const& self) { return self.visit([](auto const& set) { return set.byte_count(); }); },
      "Bytes of memory that the set takes: 16 per row and 8 per interval.");
  c.def_prop_ro(
      "interval_count",
      [](Set const& self) { return self.visit([](auto const& set) { return set.interval_count(); }); },
      "The number of intervals.");
  c.def_prop_ro("rows", rows, nb::sig("def rows(self) -> numpy.typing.NDArray[numpy.int64]"),
                "(rows,) the keys of the rows that are not empty, increasing: y in 2D, z * 2**32 + y in 3D.\n"
                "Read-only, without a copy; it keeps the set's memory.");
  c.def_prop_ro("row_ptr", row_ptr, nb::sig("def row_ptr(self) -> numpy.typing.NDArray[numpy.int64]"),
                "(rows + 1,) the number of the first interval of each row. Read-only, without a copy.");
  c.def_prop_ro("intervals", intervals, nb::sig("def intervals(self) -> numpy.typing.NDArray[numpy.int32]"),
                "(intervals, 2) the first x of each interval and one past its last. Read-only, without a copy.");
  c.def("cells", cells, nb::sig("def cells(self) -> numpy.typing.NDArray[numpy.int32]"),
        "(n, dim) the coordinates of all cells in their order: by z, then y, then x. A new array.");
  c.def("centers", centers, nb::arg("axis"),
        nb::sig("def centers(self, axis: int | str) -> numpy.typing.NDArray[numpy.float64]"),
        "(n,) one coordinate of the centres of all cells in their order [cell widths]: cell i has its centre at i + "
        "0.5.");
  c.def("find", find_cells, nb::arg("cells"),
        nb::sig("def find(self, cells: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.int64]"),
        "(m,) the place of each of the (m, dim) cells in the set's order, or -1 for a cell outside.");
  c.def("to_mask", to_mask, nb::arg("lower") = nb::none(), nb::arg("upper") = nb::none(),
        nb::sig("def to_mask(self, lower: collections.abc.Sequence[int] | None = None, "
                "upper: collections.abc.Sequence[int] | None = None) -> numpy.typing.NDArray[numpy.bool_]"),
        "A boolean array [y, x] or [z, y, x] of the cells lower <= cell < upper; without them, of `bounds`.\n\n"
        "Memory grows with the box, not with the set.");
  c.def("__getitem__", chosen, nb::arg("marks"),
        nb::sig("def __getitem__(self, marks: numpy.typing.NDArray[numpy.bool_]) -> Set"),
        "The cells with a true value: `fluid[heat.values > 0.1]`.\n\n"
        "marks: (n,) booleans in the set's order. Raises TypeError for other types, ValueError for other shapes.");
  c.def(
      "__eq__",
      [](Set const& a, nb::handle other) -> nb::object {
        Set const* b = nullptr;
        if (!nb::try_cast(other, b) || b == nullptr) return nb::borrow(Py_NotImplemented);
        if (a.dim() != b->dim()) return nb::bool_(false);
        bool const is_equal = a.any.index() == 0
                                  ? with_kernels([&] { return std::get<0>(a.any) == std::get<0>(b->any); })
                                  : with_kernels([&] { return std::get<1>(a.any) == std::get<1>(b->any); });
        return nb::bool_(is_equal);
      },
      nb::arg("other"), nb::sig("def __eq__(self, other: object) -> bool"), "Whether both have the same cells.");
  c.def("__hash__", hash_of, "Equal sets have equal hashes.");
  c.def("__getstate__", get_state, nb::sig("def __getstate__(self) -> tuple[object, ...]"),
        "The set's arrays, for pickle.");
  c.def("__setstate__", set_state, nb::arg("state"),
        nb::sig("def __setstate__(self, state: tuple[object, ...]) -> None"),
        "Takes what `__getstate__` gave. Raises ValueError if the arrays are no set.");
  c.def(
      "__copy__", [](Set const& self) { return self; }, "The same set; copies share memory.");
  c.def(
      "__deepcopy__", [](Set const& self, nb::handle) { return self; }, nb::arg("memo"),
      nb::sig("def __deepcopy__(self, memo: object) -> Set"), "The same set, since it never changes.");
  c.def("__repr__", describe, "One line: dimension, cells, intervals, bounds.");
  c.def(
      "to_text",
      [](Set const& self) {
        return self.visit([](auto const& set) { return with_kernels([&] { return to_text(set); }); });
      },
      "A drawing with # for cells and . for the others in the bounds, y upwards; 3D as slices.\n"
      "Sets wider or higher than 200 cells are summarised in one line.");
  c.def(
      "__str__",
      [](Set const& self) {
        return self.visit([](auto const& set) { return with_kernels([&] { return to_text(set); }); });
      },
      "As `to_text`.");
  c.def("plot", picture, nb::sig("def plot(self) -> sparsecells.Picture"),
        "A picture in black on white, y upwards, cut to the bounds; in 3D seen along z, y and x.");
  c.def(
      "_repr_mimebundle_",
      [](nb::handle self, nb::handle include, nb::handle exclude) {
        return nb::module_::import_("sparsecells._pictures").attr("mimebundle")(self, include, exclude);
      },
      nb::arg("include") = nb::none(), nb::arg("exclude") = nb::none(),
      nb::sig("def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]"),
      "Text and a PNG of at most 500 pixels, for notebooks.");
  c.def("save", save, nb::arg("path"), nb::sig("def save(self, path: str | os.PathLike[str]) -> None"),
        "Writes a set file (HDF5 behind a header), complete or not at all. Raises OSError with the path.");
  m.def("load_set", load, nb::arg("path"), nb::arg("name") = "",
        nb::sig("def load_set(path: str | os.PathLike[str], name: str = '') -> Set"),
        "Reads a set of a set file: the one of that name, or the only one.\n\n"
        "Raises OSError with the path if the file is missing, damaged or has no such set.");
  bind_set_operations(c);
  bind_components(m, c);
}

}  // namespace sparse::python
