// Any numbers are a canonical set, which gives the same numbers back, or refused.

#include <cstring>
#include <stdexcept>

#include "io/sets/set_codec.hpp"
#include "plain_set.hpp"

namespace {

/// Takes numbers from the front of the input: mostly small ones, but all can come.
struct Input {
  std::uint8_t const* data;
  std::size_t size;

  std::uint64_t bytes(std::size_t count) {
    std::uint64_t value = 0;
    count = count < size ? count : size;
    std::memcpy(&value, data, count);
    data += count;
    size -= count;
    return value;
  }
  std::int64_t number() {
    auto const kind = bytes(1);
    if (kind < 250) return static_cast<std::int64_t>(kind) - 20;
    std::int64_t const wide = static_cast<std::int64_t>(bytes(kind < 252 ? 2 : kind < 254 ? 4 : 8));
    return kind % 2 == 0 ? wide : -1 - wide;
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  Input input{data, size};
  int const dimension = input.bytes(1) % 2 == 0 ? 2 : 3;
  sparse::io::CodedSet code;
  for (auto rows = input.bytes(1) % 8; rows > 0; --rows) {
    code.row_steps.push_back(input.number());
    code.interval_counts.push_back(input.number());
  }
  while (input.size > 0) {
    code.begins.push_back(static_cast<std::int32_t>(input.number()));
    code.lengths.push_back(static_cast<std::int32_t>(input.number()));
  }
  try {
    auto const set = sparse::io::decode<PlainSet>(dimension, code);
    expect_canonical(dimension, set);
    auto const again = sparse::io::encode(set);
    if (again.row_steps != code.row_steps || again.interval_counts != code.interval_counts ||
        again.begins != code.begins || again.lengths != code.lengths)
      std::abort();
  } catch (std::runtime_error const&) {
  }
  return 0;
}
