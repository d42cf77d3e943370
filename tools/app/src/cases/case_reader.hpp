#pragma once
/// Reads the common parts of all cases. All functions throw as `TomlTable` does.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sparse/io/pictures/image.hpp>

#include <sparse/app/cases/case.hpp>
#include <sparse/app/cases/toml_table.hpp>

namespace sparse::app {

class CaseReader {
public:
  using Kinds = std::vector<std::pair<std::string, sparse::BoundaryKind>>;

  explicit CaseReader(Case& c) : c_(c) {}

  /// A vector with as many numbers as the box has dimensions.
  std::optional<Triple> point(TomlTable& table, char const* key) const;
  /// The size and the cells of the box.
  void box(TomlTable& table) const;
  /// The shape in a table. There must be exactly one.
  CaseShape shape(TomlTable& table) const;
  bool has_shape(TomlTable& table) const;
  /// Which of the sides `side` names.
  CaseSide side_of_box(TomlTable& table) const;
  /// The same with its `range`.
  CaseSide side(TomlTable& table) const;
  /// The kind of a side, after `side`.
  /// @param others  sides that have been read
  template <class Side>
  sparse::BoundaryKind kind(TomlTable& table, CaseSide const& side, Kinds const& kinds,
                            std::vector<Side> const& others) const {
    auto const kind = table.required(table.choice("kind", kinds), "kind");
    bool const is_periodic = kind == sparse::BoundaryKind::periodic;
    if (is_periodic && !side.range.empty()) table.fail("range", "periodic sides are whole");
    for (Side const& other : others)
      if (other.axis == side.axis && (other.kind == sparse::BoundaryKind::periodic) != is_periodic)
        table.fail("kind", "along an axis both sides are periodic or none is");
    return kind;
  }
  sparse::io::Colour colour(TomlTable& table, char const* key, std::string const& text) const;
  void profile(TomlTable table) const;
  void probes(TomlTable& output) const;
  /// @param numbers  names of the numbers that references can require
  void reference(TomlTable table, std::vector<char const*> const& numbers) const;

private:
  std::size_t dim() const { return static_cast<std::size_t>(c_.dim); }
  std::optional<CaseShape> find_shape(TomlTable& table) const;
  void expect_possible(TomlTable& table, CaseShape const& shape) const;

  Case& c_;
};

}  // namespace sparse::app
