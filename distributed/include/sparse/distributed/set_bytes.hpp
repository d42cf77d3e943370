#pragma once
/// Sets and numbers as bytes, for messages.

#include <sparse/distributed/team.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse::distributed {

/// Appends the arrays of a set: 12 bytes per row and 8 per interval, after 16. Cost: a copy of the set to the host.
template <int Dim>
void append(Bytes& bytes, IntervalSet<Dim> const& set);

/// The set that begins at `position`, which moves behind it.
/// @throws std::invalid_argument  if the bytes end before, or are no set
template <int Dim>
IntervalSet<Dim> take_set(Bytes const& bytes, std::size_t& position, Context const& context = Context());

/// The same for a number.
void append_number(Bytes& bytes, std::uint64_t number);
/// @throws std::invalid_argument  if the bytes end before
std::uint64_t take_number(Bytes const& bytes, std::size_t& position);

}  // namespace sparse::distributed
