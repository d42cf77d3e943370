#include <sparse/distributed/set_halo.hpp>

#include <sparse/base/error.hpp>
#include <sparse/distributed/set_bytes.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::distributed {

template <int Dim>
SetHalo<Dim>::SetHalo(Team& team, Partition<Dim> const& partition, std::vector<IntervalSet<Dim>> const& wanted) {
  expects(partition.rank_count() == team.size(), "set halo: the partition is one for another number of ranks");
  auto const ranks = static_cast<std::size_t>(team.size());
  std::vector<Bytes> questions(ranks);
  for (std::size_t l = 0; l < wanted.size(); ++l) {
    auto const parts = partition.split(static_cast<int>(l), wanted[l]);
    for (std::size_t r = 0; r < ranks; ++r) {
      if (parts[r].is_empty() || static_cast<int>(r) == team.rank()) continue;
      append_number(questions[r], l);
      append(questions[r], parts[r]);
    }
  }
  told_.resize(wanted.size());
  auto const asked = team.trade(questions);
  for (std::size_t r = 0; r < ranks; ++r)
    for (std::size_t position = 0; position < asked[r].size();) {
      auto const level = static_cast<std::size_t>(take_number(asked[r], position));
      told_[level].push_back({static_cast<int>(r), take_set<Dim>(asked[r], position)});
    }
}

template <int Dim>
std::vector<IntervalSet<Dim>> SetHalo<Dim>::fill(Team& team, int first,
                                                 std::vector<IntervalSet<Dim>> const& own) const {
  std::vector<Bytes> messages(static_cast<std::size_t>(team.size()));
  for (std::size_t i = 0; i < own.size(); ++i)
    for (auto const& [rank, cells] : told_[static_cast<std::size_t>(first) + i])
      if (IntervalSet<Dim> const part = own[i] & cells; !part.is_empty()) {
        append_number(messages[static_cast<std::size_t>(rank)], i);
        append(messages[static_cast<std::size_t>(rank)], part);
      }
  auto const answers = team.trade(messages);
  std::vector<std::vector<IntervalSet<Dim>>> known(own.size());
  for (std::size_t r = 0; r < answers.size(); ++r)
    for (std::size_t position = 0; static_cast<int>(r) != team.rank() && position < answers[r].size();) {
      std::size_t const i = take_number(answers[r], position);
      known[i].push_back(take_set<Dim>(answers[r], position, own[i].context()));
    }
  std::vector<IntervalSet<Dim>> result;
  for (std::size_t i = 0; i < own.size(); ++i) result.push_back(known[i].empty() ? own[i] : own[i] | unite(known[i]));
  return result;
}

template class SetHalo<2>;
template class SetHalo<3>;

}  // namespace sparse::distributed
