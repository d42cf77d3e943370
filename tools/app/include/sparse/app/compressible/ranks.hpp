#pragma once
/// Rank 0 leads: it runs the loop in time and writes all files. The others do what it says.

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include <sparse/amr/simulation.hpp>
#include <sparse/distributed/team.hpp>

namespace sparse::app {

/// What rank 0 says to all others.
enum class Order : std::uint64_t { advance, measure, sample, output, save, end };

/// Says it, with a number that is not negative, if there are others. Collective: they call `hear`.
inline void tell(distributed::Team* team, Order order, double number = 0) {
  if (team == nullptr) return;
  std::vector<std::uint64_t> words{static_cast<std::uint64_t>(order), std::bit_cast<std::uint64_t>(number)};
  team->maximise(words);  // the words of the others are 0
}
inline std::pair<Order, double> hear(distributed::Team& team) {
  std::vector<std::uint64_t> words(2);
  team.maximise(words);
  return {static_cast<Order>(words[0]), std::bit_cast<double>(words[1])};
}

/// Steps a flow as rank 0 says, until it says that this is all.
/// @param take_part  takes part in what rank 0 does with the flow between steps; gets the order
template <class Flow, class TakePart>
void follow(distributed::Team& team, Flow& flow, TakePart const& take_part) {
  for (;;) {
    auto const [order, number] = hear(team);
    if (order == Order::end) return;
    if (order != Order::advance) {
      take_part(order);
      continue;
    }
    try {
      flow.advance(number);
    } catch (amr::NonFiniteState const&) {
      // All ranks have it, and their states are those before the step. Rank 0 may want them, and tells the reason.
    }
  }
}

}  // namespace sparse::app
