#pragma once
/// Round numbers along an axis.

#include <string>
#include <vector>

namespace sparse::io {

struct Tick {
  double value;
  std::string text;
};

/// Marks on an axis, and a common factor that their texts omit.
struct Ticks {
  std::vector<Tick> ticks;
  std::string factor = {};  ///< "×10⁻³", or empty

  /// The axis' name with the factor.
  std::string label(std::string const& name) const;
};

/// At most `most` multiples of 1, 2 or 5 times a power of ten from `low` to `high`. If both ends are nearly equal, this
/// one number.
/// @param most  at least 1
Ticks ticks_between(double low, double high, int most);

/// The same for logarithms to base ten. The values are logarithms; the texts show the numbers themselves.
Ticks logarithmic_ticks_between(double low, double high, int most);

}  // namespace sparse::io
