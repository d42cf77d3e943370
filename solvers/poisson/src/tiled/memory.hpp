#pragma once
/// How kernels on tiles reach memory: as it is, or counted.

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <unordered_map>

#include <sparse/base/config.hpp>
#include <sparse/poisson/tile_counts.hpp>

namespace sparse::poisson::detail {

/// Memory as it is.
struct PlainMemory {
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION V& at(V* values, Index i) const {
    return values[i];
  }
  KOKKOS_FORCEINLINE_FUNCTION void note_division() const {}
};

/// Counts what a launch asks memory for, and the sectors in which that lies. For one thread of the host.
class SectorCounter {
public:
  void load(void const* from, std::size_t bytes) { touch(from, bytes, 0); }
  void store(void const* to, std::size_t bytes) { touch(to, bytes, 1); }
  void divide() { ++divisions_; }
  /// Adds the counts since the last call to those of a kernel.
  void flush(KernelCounts& to);

private:
  static constexpr std::uintptr_t page_sectors = 64;
  using Page = std::array<std::uint64_t, 2>;  // bit: a sector that has been read; that has been written

  void touch(void const* address, std::size_t bytes, std::size_t direction);

  std::unordered_map<std::uintptr_t, Page> pages_;
  Page* last_ = nullptr;
  std::uintptr_t last_number_ = 0;
  Index asked_ = 0, sectors_ = 0, divisions_ = 0;
};

/// A value in memory whose loads and stores are counted.
template <class V>
class CountedValue {
public:
  using Value = std::remove_const_t<V>;
  CountedValue(V* at, SectorCounter& counter) : at_(at), counter_(counter) {}
  operator Value() const {
    counter_.load(at_, sizeof(V));
    return *at_;
  }
  void operator=(Value value) const {
    counter_.store(at_, sizeof(V));
    *at_ = value;
  }
  void operator+=(Value value) const { *this = static_cast<Value>(*this) + value; }
  void operator-=(Value value) const { *this = static_cast<Value>(*this) - value; }

private:
  V* at_;
  SectorCounter& counter_;
};

struct CountedMemory {
  SectorCounter* counter;
  template <class V>
  CountedValue<V> at(V* values, Index i) const {
    return {values + i, *counter};
  }
  void note_division() const { counter->divide(); }
};

}  // namespace sparse::poisson::detail
