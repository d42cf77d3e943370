// Connected components of sets.

#include <sparse/sets/components.hpp>

#include "set.hpp"

namespace sparse::python {
namespace {

/// Components in either dimension.
struct AnyComponents {
  std::variant<Components<2>, Components<3>> any;
  Alive alive = {};

  template <class Body>
  Set make(Body const& body) const {
    return with_kernels([&] { return std::visit([&](auto const& parts) { return Set(body(parts)); }, any); });
  }
  Index count() const {
    return std::visit([](auto const& parts) { return parts.count(); }, any);
  }
};

Neighbours neighbours_of(std::string const& name) {
  return static_cast<Neighbours>(1 + choice(name, {"faces", "edges", "corners"}, "neighbours"));
}

AnyComponents split(Set const& set, std::string const& neighbours) {
  Neighbours const by = neighbours_of(neighbours);
  return with_kernels(
      [&] { return set.visit([&](auto const& cells) { return AnyComponents{connected_components(cells, by)}; }); });
}

nb::object sizes(AnyComponents const& self) {
  auto const counts =
      with_kernels([&] { return std::visit([](auto const& parts) { return component_sizes(parts); }, self.any); });
  Index* out = nullptr;
  nb::object const array = new_array<Index>({counts.size()}, out);
  std::copy(counts.begin(), counts.end(), out);
  return array;
}

}  // namespace

void bind_components(nb::module_& m, nb::class_<Set>& c) {
  char const* const by =
      "neighbours: \"faces\", \"edges\" or \"corners\" that cells share; in 2D the last two are equal.";
  nb::class_<AnyComponents> parts(m, "Components",
                                  "The connected components of a set, numbered in the order of their first cells.");
  parts.def("__len__", &AnyComponents::count, "The number of components.");
  parts.def_prop_ro("sizes", sizes, nb::sig("def sizes(self) -> numpy.typing.NDArray[numpy.int64]"),
                    "(count,) the number of cells of each component.");
  parts.def(
      "__getitem__",
      [](AnyComponents const& self, nb::handle index) {
        long long k = whole_number(index, "components: number");
        if (k < 0) k += self.count();
        if (k < 0 || k >= self.count())
          throw nb::index_error(("there are " + std::to_string(self.count()) + " components").c_str());
        return self.make([&](auto const& all) { return component(all, k); });
      },
      nb::arg("index"), nb::sig("def __getitem__(self, index: int) -> Set"),
      "The cells of one component. Raises IndexError if there is no such component.");
  parts.def(
      "of_size",
      [](AnyComponents const& self, nb::handle least) {
        long long const cells = whole_number(least, "of_size: least");
        return self.make([&](auto const& all) { return components_of_size(all, cells); });
      },
      nb::arg("least"), nb::sig("def of_size(self, least: int) -> Set"),
      "The components of at least so many cells, as one set.");
  parts.def(
      "touching",
      [](AnyComponents const& self, Set const& seeds) {
        return self.make([&]<int Dim>(Components<Dim> const& all) {
          return components_touching(all, seeds.in<Dim>("touching: seeds"));
        });
      },
      nb::arg("seeds"), "The components with at least one cell in `seeds`, as one set.");
  c.def("components", split, nb::arg("neighbours") = "faces",
        (std::string("The connected components of the set.\n\n") + by).c_str());
  c.def(
      "fill_holes",
      [](Set const& self, std::string const& neighbours) {
        Neighbours const steps = neighbours_of(neighbours);
        return map(self, [&](auto const& set) { return fill_holes(set, steps); });
      },
      nb::arg("neighbours") = "faces",
      "The set and its holes: the regions outside that no path across `neighbours` leaves.");
}

}  // namespace sparse::python
