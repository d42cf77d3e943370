#include "axis.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace sparse::io {
namespace {

/// A number with a true minus sign.
std::string with_sign(std::string const& number) {
  return number.starts_with('-') ? "\u2212" + number.substr(1) : number;
}

std::string power_of_ten(int exponent) {
  static constexpr std::string_view digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                                "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = exponent < 0 ? "10\u207b" : "10";
  for (char const digit : std::to_string(std::abs(exponent))) text += digits[digit - '0'];
  return text;
}

int count_of(double low, double high, double step) {
  return static_cast<int>(std::floor(high / step + 1e-9) - std::ceil(low / step - 1e-9)) + 1;
}

/// The least step of 1, 2 or 5 times a power of ten that has at most `most` multiples between the ends.
double step_between(double low, double high, int most) {
  double finer = 0;
  for (double power = std::pow(10, std::floor(std::log10((high - low) / (most + 1))));; power *= 10)
    for (double const digit : {1, 2, 5}) {
      int const count = count_of(low, high, digit * power);
      if (count == 0) return finer;
      if (count <= most) return digit * power;
      finer = digit * power;
    }
}

}  // namespace

std::string Ticks::label(std::string const& name) const {
  if (factor.empty()) return name;
  return name.empty() ? factor : name + "  (" + factor + ")";
}

Ticks ticks_between(double low, double high, int most) {
  double const size = std::max(std::abs(low), std::abs(high));
  if (!(high - low > 1e-9 * size)) return {{{0.5 * (low + high), with_sign(fmt::format("{:.6g}", low))}}};
  double const step = step_between(low, high, most);
  int const exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
  bool const has_factor = exponent >= 5 || exponent <= -3;
  double const factor = has_factor ? std::pow(10, exponent) : 1;
  int const decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step / factor) - 1e-9)));
  Ticks result;
  double const first = std::ceil(low / step - 1e-9);
  for (int i = 0; i < std::min(most, count_of(low, high, step)); ++i) {
    double const value = (first + i) * step + 0.0;  // + 0 avoids "-0"
    result.ticks.push_back({value, with_sign(fmt::format("{:.{}f}", value / factor, decimals))});
  }
  if (has_factor) result.factor = "\u00d7" + power_of_ten(exponent);
  return result;
}

Ticks logarithmic_ticks_between(double low, double high, int most) {
  double const first = std::ceil(low - 1e-9), last = std::floor(high + 1e-9);
  int const decades = static_cast<int>(last - first) + 1;
  Ticks result;
  if (decades < 2 && high - low < 1) {
    result = ticks_between(std::pow(10, low), std::pow(10, high), most);
    for (Tick& tick : result.ticks) tick.value = std::log10(tick.value);
    return result;
  }
  int const stride = (decades + most - 1) / most;
  bool const is_short = std::max(std::abs(first), std::abs(last)) <= 3;
  for (int i = 0; i < decades; ++i) {
    int const exponent = static_cast<int>(first) + i;
    if (exponent % stride != 0) continue;
    result.ticks.push_back(
        {exponent + 0.0, is_short ? fmt::format("{:g}", std::pow(10, exponent)) : power_of_ten(exponent)});
  }
  return result;
}

}  // namespace sparse::io
