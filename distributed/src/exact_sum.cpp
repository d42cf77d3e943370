#include <sparse/distributed/exact_sum.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace sparse::distributed {
namespace {

constexpr int mantissa_bits = 52, exponent_mask = 2047, exponent_bias = 1023;
constexpr std::uint64_t implicit_bit = std::uint64_t{1} << mantissa_bits, sign_bit = std::uint64_t{1} << 63;
constexpr std::int64_t digit_mask = 0xffffffff, most_additions = std::int64_t{1} << 30;

/// Terms that are split together. 2^block_bits of them, of slice_bits each, fit into the 53 bits of a double.
constexpr int block_bits = 9, block_terms = 1 << block_bits, slice_bits = 43;

/// The part of `rest` that is a multiple of the unit of `shifter`, 1.5 * 2^52 units, rounded. What is left stays.
inline double slice(double& rest, double shifter) {
  double const part = (rest + shifter) - shifter;
  rest -= part;
  return part;
}

}  // namespace

void ExactSum::add_digits(bool is_negative, std::uint64_t mantissa, int exponent) {
  // The mantissa counts 2^exponent units.
  auto const place = static_cast<std::size_t>(exponent / bits);
  int const shift = exponent % bits;
  std::uint64_t const low = mantissa << shift, high = shift == 0 ? 0 : mantissa >> (64 - shift);
  std::int64_t const sign = is_negative ? -1 : 1;
  entries_[place] += sign * (static_cast<std::int64_t>(low) & digit_mask);
  entries_[place + 1] += sign * static_cast<std::int64_t>(low >> bits);
  entries_[place + 2] += sign * static_cast<std::int64_t>(high);
}

/// Makes entries digits from 0 to 2^32 - 1, but for the last one, which has the sign.
void ExactSum::carry() {
  for (std::size_t k = 0; k + 1 < limb_count; ++k) {
    entries_[k + 1] += entries_[k] >> bits;  // rounds down, also below 0
    entries_[k] &= digit_mask;
  }
  addition_count_ = 1;
}

void ExactSum::add(double term) {
  if (addition_count_ >= most_additions) carry();
  auto const pattern = std::bit_cast<std::uint64_t>(term);
  int const exponent = static_cast<int>(pattern >> mantissa_bits) & exponent_mask;
  std::uint64_t const fraction = pattern & (implicit_bit - 1);
  bool const is_negative = (pattern & sign_bit) != 0;
  ++addition_count_;
  if (exponent == exponent_mask) {
    ++entries_[fraction != 0 ? nan : is_negative ? negative : positive];
    return;
  }
  if (exponent == 0)
    add_digits(is_negative, fraction, 0);
  else
    add_digits(is_negative, fraction | implicit_bit, exponent - 1);
}

template <class T>
void ExactSum::add(T const* terms, Index count) {
  double block[block_terms];
  for (Index begin = 0; begin < count; begin += block_terms) {
    auto const length = static_cast<int>(std::min<Index>(block_terms, count - begin));
    for (int i = 0; i < length; ++i) block[i] = static_cast<double>(terms[begin + i]);
    take(block, length);
  }
}

/// Splits terms into slices of equal units, whose sums a double holds exactly; only these sums are added bit by bit.
/// Source: Rump, Ogita, Oishi, Accurate floating-point summation part I, SIAM J. Sci. Comput. 31 (2008), section 3.
void ExactSum::take(double* terms, int count) {
  constexpr int few = 8, least = -800, greatest = 1000;
  std::int64_t most = 0;  // a pattern without sign grows with the number; NaN is the greatest
#pragma omp simd reduction(max : most)
  for (int i = 0; i < count; ++i) {
    auto const pattern = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(terms[i]) & ~sign_bit);
    most = pattern > most ? pattern : most;
  }
  if (most == 0) return;
  // All terms are below 2^top.
  int top = static_cast<int>(most >> mantissa_bits) - exponent_bias + 1;
  while (count > few && top > least && top < greatest) {
    constexpr int slices = 3;
    double shifter[slices];
    for (int k = 0; k < slices; ++k) shifter[k] = std::ldexp(1.5, mantissa_bits + top - (k + 1) * slice_bits);
    double first = 0, second = 0, third = 0;
    std::uint64_t left = 0;
#pragma omp simd reduction(+ : first, second, third) reduction(| : left)
    for (int i = 0; i < count; ++i) {
      double rest = terms[i];
      first += slice(rest, shifter[0]);
      second += slice(rest, shifter[1]);
      third += slice(rest, shifter[2]);
      terms[i] = rest;
      left |= std::bit_cast<std::uint64_t>(rest) << 1;  // not 0 unless all that is left is
    }
    add(first);
    add(second);
    add(third);
    if (left == 0) return;
    top -= slices * slice_bits;
  }
  for (int i = 0; i < count; ++i) add(terms[i]);
}

void ExactSum::add(ExactSum const& other) {
  if (addition_count_ >= most_additions) carry();
  if (other.addition_count_ >= most_additions) {
    ExactSum normal = other;
    normal.carry();
    return add(normal);
  }
  for (std::size_t k = 0; k < entry_count; ++k) entries_[k] += other.entries_[k];
  addition_count_ += other.addition_count_;
}

double ExactSum::value() const {
  if (entries_[nan] > 0 || (entries_[positive] > 0 && entries_[negative] > 0))
    return std::numeric_limits<double>::quiet_NaN();
  if (entries_[positive] > 0) return std::numeric_limits<double>::infinity();
  if (entries_[negative] > 0) return -std::numeric_limits<double>::infinity();

  ExactSum magnitude = *this;
  magnitude.carry();
  bool const is_negative = magnitude.entries_[limb_count - 1] < 0;
  if (is_negative) {
    for (std::size_t k = 0; k < limb_count; ++k) magnitude.entries_[k] = -magnitude.entries_[k];
    magnitude.carry();
  }
  auto const& digits = magnitude.entries_;
  int top = limb_count - 1;
  while (top >= 0 && digits[static_cast<std::size_t>(top)] == 0) --top;
  if (top < 0) return 0;
  // The 64 bits from the highest one on. Whether bits below are set goes into the last one, which decides no tie.
  auto const digit = [&](int k) { return k < 0 ? 0 : static_cast<std::uint64_t>(digits[static_cast<std::size_t>(k)]); };
  int const width = static_cast<int>(std::bit_width(digit(top)));
  if (width > bits)
    return is_negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  std::uint64_t kept =
      (digit(top) << (64 - width)) | (digit(top - 1) << (bits - width)) | (width == bits ? 0 : digit(top - 2) >> width);
  bool is_inexact = width < bits ? (digit(top - 2) & ((std::uint64_t{1} << width) - 1)) != 0 : digit(top - 2) != 0;
  for (int k = 0; k < top - 2; ++k) is_inexact |= digit(k) != 0;

  // The number is kept * 2^exponent. Denormal numbers have fewer bits, down to the unit of the sums.
  int exponent = least_exponent + top * bits + width - 64;
  int const cut = std::max(64 - (mantissa_bits + 1), least_exponent - exponent);
  std::uint64_t const half = std::uint64_t{1} << (cut - 1), rest = kept & ((std::uint64_t{1} << cut) - 1);
  std::uint64_t mantissa = kept >> cut;
  if (rest > half || (rest == half && (is_inexact || (mantissa & 1) != 0))) ++mantissa;
  double const result = std::ldexp(static_cast<double>(mantissa), exponent + cut);
  return is_negative ? -result : result;
}

std::vector<double> exact_totals(Team& team, std::vector<ExactSum> of_rank) {
  std::vector<std::int64_t> entries;
  for (auto& sum : of_rank) {
    sum.carry();
    entries.insert(entries.end(), sum.entries_.begin(), sum.entries_.end());
  }
  team.add(entries);
  std::vector<double> values;
  auto next = entries.begin();
  for (auto& sum : of_rank) {
    std::copy(next, next + ExactSum::entry_count, sum.entries_.begin());
    next += ExactSum::entry_count;
    values.push_back(sum.value());
  }
  return values;
}

template void ExactSum::add(float const*, Index);
template void ExactSum::add(double const*, Index);

}  // namespace sparse::distributed
