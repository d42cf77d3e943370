#include <sparse/distributed/set_bytes.hpp>

#include <cstring>

#include <sparse/base/error.hpp>
#include <sparse/sets/host_set.hpp>

namespace sparse::distributed {
namespace {

template <class T>
void append_array(Bytes& bytes, std::vector<T> const& values) {
  auto const* const begin = reinterpret_cast<std::byte const*>(values.data());
  bytes.insert(bytes.end(), begin, begin + values.size() * sizeof(T));
}

template <class T>
std::vector<T> take_array(Bytes const& bytes, std::size_t& position, std::size_t count) {
  expects(count <= (bytes.size() - position) / sizeof(T), "a message ends within a set or a number");
  std::vector<T> values(count);
  if (count > 0) std::memcpy(values.data(), bytes.data() + position, count * sizeof(T));
  position += count * sizeof(T);
  return values;
}

}  // namespace

void append_number(Bytes& bytes, std::uint64_t number) { append_array<std::uint64_t>(bytes, {number}); }

std::uint64_t take_number(Bytes const& bytes, std::size_t& position) {
  expects(position <= bytes.size(), "take_number: a message ends before a number");
  return take_array<std::uint64_t>(bytes, position, 1).front();
}

template <int Dim>
void append(Bytes& bytes, IntervalSet<Dim> const& set) {
  HostSet<Dim> const host = set.is_empty() ? HostSet<Dim>{} : set.to_host();
  append_array<std::uint64_t>(bytes, {host.row_keys.size(), host.intervals.size()});
  append_array(bytes, host.row_keys);
  std::vector<std::uint32_t> counts;
  for (std::size_t r = 0; r < host.row_keys.size(); ++r)
    counts.push_back(static_cast<std::uint32_t>(host.row_ptr[r + 1] - host.row_ptr[r]));
  append_array(bytes, counts);
  append_array(bytes, host.intervals);
}

template <int Dim>
IntervalSet<Dim> take_set(Bytes const& bytes, std::size_t& position, Context const& context) {
  expects(position <= bytes.size(), "take_set: a message ends before a set");
  auto const sizes = take_array<std::uint64_t>(bytes, position, 2);
  HostSet<Dim> host;
  host.row_keys = take_array<RowKey>(bytes, position, sizes[0]);
  auto const counts = take_array<std::uint32_t>(bytes, position, sizes[0]);
  host.intervals = take_array<Interval>(bytes, position, sizes[1]);
  host.row_ptr.push_back(0);
  for (auto const count : counts) host.row_ptr.push_back(host.row_ptr.back() + count);
  Index cell_count = 0;
  for (Interval const& interval : host.intervals) {
    host.cell_offsets.push_back(cell_count);
    cell_count += Index{interval.end} - interval.begin;
  }
  return host.intervals.empty() && host.row_keys.empty() ? IntervalSet<Dim>() : from_host<Dim>(host, context);
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template void append(Bytes&, IntervalSet<Dim> const&);                                                               \
  template IntervalSet<Dim> take_set(Bytes const&, std::size_t&, Context const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::distributed
