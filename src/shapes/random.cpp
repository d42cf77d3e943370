#include <sparse/shapes/random.hpp>

#include <sparse/shapes/shapes.hpp>

namespace sparse {
namespace {

/// Mixes all bits into all others. Source: Steele, Lea, Flood (2014), "Fast splittable pseudorandom number generators",
/// with the constants of Stafford's variant 13.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// The random bits of a row, with random access.
struct RowBits {
  std::uint64_t state;
  KOKKOS_FORCEINLINE_FUNCTION RowBits(std::uint64_t seed, RowKey row)
      : state(mixed(seed + 0x9e3779b97f4a7c15ull * static_cast<std::uint64_t>(row))) {}
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator()(std::int64_t number) const {
    return mixed(state + 0xd1342543de82ef95ull * static_cast<std::uint64_t>(number));
  }
};

/// A fraction `probability` of the numbers below 2^32 is smaller than this.
std::uint64_t threshold_of(double probability) { return static_cast<std::uint64_t>(probability * 0x1p32 + 0.5); }

template <int Dim>
struct IsRandom {
  std::uint64_t seed, threshold;
  KOKKOS_FUNCTION bool operator()(Vec<Coord, Dim> const& cell) const {
    return RowBits(seed, row_key(cell))(cell[0]) >> 32 < threshold;
  }
};

/// A geometric distribution on 1, 2, 3, ... with mean m. The binary digits of the number minus 1 are independent. With
/// q = 1 - 1/m, digit k is 1 with probability q^(2^k) / (1 + q^(2^k)).
struct Geometric {
  static constexpr int digit_limit = 31;
  std::uint32_t thresholds[digit_limit + 1] = {};
  int digit_count = 0;  // higher digits are practically always 0

  explicit Geometric(double mean) {
    double power = 1 - 1 / mean;
    for (; digit_count < digit_limit; ++digit_count) {
      std::uint64_t const threshold = threshold_of(power / (1 + power));
      if (threshold == 0) break;
      thresholds[digit_count] = static_cast<std::uint32_t>(threshold);
      power *= power;
    }
  }
  /// @param count  number of random numbers used so far
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t operator()(RowBits const& row, std::int64_t& count) const {
    std::int64_t value = 1;
    for (int digit = 0; digit < digit_count; digit += 2) {
      std::uint64_t const bits = row(count++);
      value += std::int64_t{static_cast<std::uint32_t>(bits) < thresholds[digit]} << digit;
      value += std::int64_t{static_cast<std::uint32_t>(bits >> 32) < thresholds[digit + 1]} << (digit + 1);
    }
    return value;
  }
};

struct RandomRow {
  RowKey const* keys;
  Interval range;
  std::uint64_t seed, begins_inside;
  Geometric length, gap;

  template <class Emit>
  KOKKOS_FUNCTION void operator()(Index r, Emit& emit) const {
    RowBits const row(seed, keys[r]);
    std::int64_t count = 0, x = range.begin;
    if (row(count++) >> 32 >= begins_inside) x += gap(row, count);
    while (x < range.end) {
      std::int64_t const end = x + length(row, count);
      emit(static_cast<Coord>(x), end < range.end ? static_cast<Coord>(end) : range.end);
      x = end + gap(row, count);
    }
  }
};

/// Makes consecutive seeds give unrelated rows.
std::uint64_t spread(std::uint64_t seed) { return mixed(seed + 0x9e3779b97f4a7c15ull); }

}  // namespace

template <int Dim>
IntervalSet<Dim> random_cells(Box<Dim> const& domain, double probability, std::uint64_t seed, Context const& context) {
  expects(probability >= 0 && probability <= 1, "random_cells: the probability must be in [0, 1]");
  return from_predicate(domain, IsRandom<Dim>{spread(seed), threshold_of(probability)}, context);
}

template <int Dim>
IntervalSet<Dim> random_intervals(Box<Dim> const& domain, double mean_length, double mean_gap, std::uint64_t seed,
                                  Context const& context) {
  detail::expect_valid(domain, "random_intervals");
  for (double const mean : {mean_length, mean_gap})
    expects(mean >= 1 && mean <= coord_limit, "random_intervals: mean lengths and gaps must be in [1, 2^30]");
  if (domain.is_empty()) return {};
  Buffer<RowKey> const keys = detail::keys_of(context, domain);
  return assemble<Dim>(context, "sparse::random::intervals", keys.data(), keys.size(),
                       RandomRow{keys.data(),
                                 {domain.begin[0], domain.end[0]},
                                 spread(seed),
                                 threshold_of(mean_length / (mean_length + mean_gap)),
                                 Geometric(mean_length),
                                 Geometric(mean_gap)});
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> random_cells(Box<Dim> const&, double, std::uint64_t, Context const&);                      \
  template IntervalSet<Dim> random_intervals(Box<Dim> const&, double, double, std::uint64_t, Context const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
