#pragma once
/// What a user can ask of the engine, from the window, a script or a browser.

#include <array>
#include <optional>
#include <string>
#include <variant>

#include <sparse/base/vec.hpp>
#include <sparse/io/pictures/image.hpp>

#include "view.hpp"

namespace sparse::live {

/// A position in the case's unit of length.
using Point = Vec<double, 2>;

/// Draws or erases obstacles.
struct Stroke {
  bool erases = false;
  bool is_box = false;  ///< the box between two corners; else all within `radius` of the line from `from` to `to`
  Point from = {}, to = {};
  double radius = 0;
};

struct AddEmitter {
  Point at = {};
  double radius = 0;  ///< 0: what suits the case
  io::Colour colour = {214, 39, 40};
  std::optional<Point> jet = {};
};
/// Changes what is given.
struct ChangeEmitter {
  std::size_t number = 0;
  std::optional<Point> to = {};  ///< new place of its middle
  std::optional<double> radius = {};
  std::optional<io::Colour> colour = {};
  std::optional<bool> is_on = {};
  std::optional<Point> jet = {};  ///< 0: none
};
struct RemoveEmitter {
  std::size_t number = 0;
};

struct Pin {
  Point at = {};
};
struct Unpin {
  std::size_t number = 0;
};
struct AddStreamline {
  Point at = {};
};
struct ClearStreamlines {};
/// Values at a position go into the snapshots; without one, none.
struct Hover {
  std::optional<Point> at = {};
};

/// Changes what is given.
struct Settings {
  std::optional<double> re = {};     ///< Reynolds number; Rayleigh number of cases that have one
  std::optional<double> speed = {};  ///< of inflows and moving walls, over that of the case
  std::optional<double> decay = {};  ///< of ink [1 / time]
  std::optional<int> steps = {};     ///< per frame
  std::optional<View> view = {};
  std::optional<io::ColourMap> map = {};
  std::optional<std::array<double, 2>> range = {};  ///< of the colours, from now on
  std::optional<bool> follows = {};                 ///< whether the range follows the flow; else it is held
  std::optional<bool> outlines = {};                ///< of levels
};

struct Pause {
  bool is_on = true;
};
struct SingleStep {};
struct Reset {};
struct Load {
  std::string name;  ///< of the menu of cases
};
struct SavePicture {};
struct Film {
  bool is_on = true;
};
/// Saves geometry and case so that the program `flow` repeats them.
struct Save {};

using Command =
    std::variant<Stroke, AddEmitter, ChangeEmitter, RemoveEmitter, Pin, Unpin, AddStreamline, ClearStreamlines, Hover,
                 Settings, Pause, SingleStep, Reset, Load, SavePicture, Film, Save>;

/// A command from a JSON object such as {"do": "draw", "from": [1, 0.5], "radius": 0.1}; docs/live.md lists all.
/// @throws std::runtime_error  in one sentence, if it is no JSON object, or a key is unknown, missing or wrong
Command command_from_json(std::string const& text);

}  // namespace sparse::live
