/// The parallel primitives against the standard library.

#include <algorithm>
#include <limits>
#include <numeric>

#include <sparse/base/parallel.hpp>
#include <support/reference.hpp>

namespace {

using namespace reference;
using sparse::Buffer;
using sparse::Index;

/// Around the numbers of values for which primitives change their ways.
constexpr Index sizes[] = {0, 1, 2, 3, 31, 33, 256, 4095, 4096, 4097, 100003};

std::vector<Index> random_values(Index count, int greatest, unsigned seed) {
  auto engine = random_engine(seed);
  std::vector<Index> values(static_cast<std::size_t>(count));
  for (auto& value : values) value = random_int(engine, -greatest, greatest);
  return values;
}

template <class T>
std::vector<T> on_host(Buffer<T> const& buffer) {
  return sparse::to_host(sparse::Context(), static_cast<T const*>(buffer.data()), buffer.size());
}

/// A key, and what tells values with the same key apart.
struct Tagged {
  int key, tag;
  bool operator==(Tagged const&) const = default;
};
struct HasLesserKey {
  KOKKOS_FUNCTION bool operator()(Tagged const& a, Tagged const& b) const { return a.key < b.key; }
};

struct IsDivisible {
  Index const* values;
  Index divisor;
  KOKKOS_FUNCTION bool operator()(Index i) const { return values[i] % divisor == 0; }
};

struct Square {
  Index const* values;
  KOKKOS_FUNCTION sparse::Count operator()(Index i) const { return {values[i] * values[i]}; }
};

struct AddValue {
  Index const* values;
  KOKKOS_FUNCTION void operator()(Index i, Index& sum) const { sum += values[i]; }
};
struct KeepGreater {
  Index const* values;
  KOKKOS_FUNCTION void operator()(Index i, Index& greatest) const {
    greatest = values[i] > greatest ? values[i] : greatest;
  }
};

}  // namespace

TEST(Parallel, SumsBeforeEachValue) {
  sparse::Context const context;
  for (Index const size : sizes) {
    auto const values = random_values(size, 1000, 1);
    auto const on_device = sparse::to_device(context, values);
    std::vector<Index> sums{0};
    for (Index const value : values) sums.push_back(sums.back() + value * value);
    for (bool const is_light : {false, true}) {
      auto const starts = on_host(sparse::count_and_scan<sparse::Count>(context, "sparse::test::count", size,
                                                                        Square{on_device.data()}, is_light));
      ASSERT_EQ(starts.size(), sums.size());
      for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_EQ(starts[i].value, sums[i]) << size << ", " << i;
    }
  }
}

TEST(Parallel, ReducesToSumsAndExtremes) {
  sparse::Context const context;
  for (Index const size : sizes) {
    auto const values = random_values(size, 1000000, 2);
    auto const on_device = sparse::to_device(context, values);
    auto const sum =
        sparse::parallel_reduce<Kokkos::Sum, Index>(context, "sparse::test::sum", size, AddValue{on_device.data()});
    EXPECT_EQ(sum, std::accumulate(values.begin(), values.end(), Index{0})) << size;
    auto const greatest = sparse::parallel_reduce<Kokkos::Max, Index>(context, "sparse::test::greatest", size,
                                                                      KeepGreater{on_device.data()});
    EXPECT_EQ(greatest,
              size == 0 ? std::numeric_limits<Index>::lowest() : *std::max_element(values.begin(), values.end()))
        << size;
  }
}

TEST(Parallel, SelectsInOrder) {
  sparse::Context const context;
  for (Index const size : sizes)
    for (Index const divisor : {1, 3, 7919, 1000003}) {  // all, some, few, zeros
      auto const values = random_values(size, 1000000, 3);
      auto const on_device = sparse::to_device(context, values);
      std::vector<Index> wanted;
      for (Index i = 0; i < size; ++i)
        if (values[static_cast<std::size_t>(i)] % divisor == 0) wanted.push_back(i);
      auto const chosen =
          sparse::select_indices(context, "sparse::test::select", size, IsDivisible{on_device.data(), divisor});
      EXPECT_EQ(on_host(chosen), wanted) << size << ", " << divisor;
    }
}

TEST(Parallel, SortsAndKeepsTheOrderOfEquals) {
  sparse::Context const context;
  for (Index const size : sizes)
    for (int const greatest : {0, 5, 1000000}) {
      auto const keys = random_values(size, greatest, 4);
      std::vector<Tagged> values;
      for (Index const key : keys) values.push_back({static_cast<int>(key), static_cast<int>(values.size())});
      auto const on_device = sparse::to_device(context, values);
      for (int pass = 0; pass < 2; ++pass) {  // the second one finds them in order
        sparse::stable_sort(context, on_device.data(), size, HasLesserKey{});
        std::stable_sort(values.begin(), values.end(), HasLesserKey{});
        EXPECT_EQ(on_host(on_device), values) << size << ", " << greatest;
      }
    }
}

TEST(Parallel, SortsAndDropsRepetitions) {
  sparse::Context const context;
  for (Index const size : sizes)
    for (int const greatest : {0, 5, 1000000}) {
      auto values = random_values(size, greatest, 5);
      auto const on_device = sparse::to_device(context, values);
      std::sort(values.begin(), values.end());
      values.erase(std::unique(values.begin(), values.end()), values.end());
      Index const left = sparse::sort_unique(context, on_device.data(), size);
      EXPECT_EQ(sparse::to_host(context, static_cast<Index const*>(on_device.data()), left), values)
          << size << ", " << greatest;
    }
}
