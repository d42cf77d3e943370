#pragma once
/// The common parts of all cases: a box, shapes in it, its sides, and outputs.

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <sparse/base/boundary_kind.hpp>

namespace sparse::app {

/// x, y and, in 3D, z.
using Triple = std::array<double, 3>;

/// The box of a case, from 0 on each axis, and the folder of its files.
struct CaseBox {
  std::filesystem::path folder = {};  ///< folder of relative file names; empty for the working folder
  /// 2 or 3, the lengths of the box, and its cells.
  int dim = 2;
  Triple size = {1, 1, 1};
  std::array<int, 3> cells = {64, 64, 64};
};

/// A shape in the case's unit of length. A cell belongs when its centre does.
struct CaseShape {
  /// The kind decides the meaning of `numbers`:
  enum class Kind {
    box,        ///< the lower corner, the upper corner
    ball,       ///< the centre, the radius
    ellipsoid,  ///< the centre, a radius for each axis
    capsule,    ///< the ends of its middle line, the radius
    polygon,    ///< in 2D: x and y of its corners
    bitmap,  ///< in 2D: the lower and the upper corner of the rectangle that the picture fills; its dark pixels count
    stl,     ///< in 3D: position of the file's origin, and the length of its unit
    cells,   ///< none: an expression of sparse/io/language in cells, which may use nx, ny, nz
  };
  /// What it is, and its numbers.
  Kind kind = Kind::box;
  std::vector<double> numbers = {};
  std::string text = {};  ///< the file, or the expression
};

/// A side of the box, or a part of it.
struct CaseSide {
  /// The side: its normal axis, and its end.
  int axis = 0;
  sparse::FaceSide side = sparse::FaceSide::lower;
  /// Along each other axis in order: the range of a part; it has the faces whose centres lie in it. Empty: the whole
  /// side.
  std::vector<std::array<double, 2>> range = {};
};

/// A line along which values are written.
struct CaseProfile {
  /// Its ends, and how many points it has, both ends included.
  Triple from = {}, to = {};
  int count = 101;
};

/// Reference results for cases with certain numbers.
struct CaseReference {
  std::map<std::string, double> numbers = {};  ///< numbers that the case must have, by their names in a file
  std::map<std::string, double> results = {};  ///< by the names of results
};

/// The common data of all kinds of flow. Lengths, velocities and times are in one system of units.
struct Case : CaseBox {
  std::string name = "flow";  ///< of the folder and the files of results
  /// In a sentence.
  std::string description = {};
  /// Points and lines where values are written.
  std::vector<Triple> probes = {};
  std::vector<CaseProfile> profiles = {};
  std::vector<std::string> pictures = {};  ///< names of fields; the first one is also NAME.png
  /// What results should be.
  std::vector<CaseReference> references = {};
};

/// The reference results for a case with these numbers, by name.
std::map<std::string, double> references_for(Case const& c, std::map<std::string, double> const& numbers);

}  // namespace sparse::app
