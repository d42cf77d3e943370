/// What ranks tell each other arrives.

#include <sparse/distributed/set_bytes.hpp>
#include <support/reference.hpp>

#include "team_of_test.hpp"

using namespace reference;
using sparse::distributed::Bytes;

namespace {

/// What rank `from` sends to rank `to`.
Bytes message(unsigned seed, int from, int to) {
  auto engine = random_engine(seed * 64 + static_cast<unsigned>(8 * from + to));
  Bytes bytes(static_cast<std::size_t>(random_int(engine, 0, 2) == 0 ? 0 : random_int(engine, 1, 100000)));
  for (auto& byte : bytes) byte = static_cast<std::byte>(random_int(engine, 0, 255));
  return bytes;
}

}  // namespace

TEST(RanksTalk, ByTradingMessages) {
  auto& team = team_of_test();
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::vector<Bytes> messages;
    for (int to = 0; to < team.size(); ++to) messages.push_back(message(seed, team.rank(), to));
    auto const received = team.trade(messages);
    ASSERT_EQ(received.size(), messages.size());
    for (int from = 0; from < team.size(); ++from)
      ASSERT_EQ(received[static_cast<std::size_t>(from)], message(seed, from, team.rank())) << "seed " << seed;
  }
}

TEST(RanksTalk, ByExchangingInARing) {
  auto& team = team_of_test();
  if (team.size() == 1) return team.exchange({}, {});
  int const next = (team.rank() + 1) % team.size(), last = (team.rank() + team.size() - 1) % team.size();
  auto const before = team.sent();
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Bytes const out = message(seed, team.rank(), next), expected = message(seed, last, team.rank());
    Bytes in(expected.size());
    team.exchange({{last, in.data(), in.size()}}, {{next, out.data(), out.size()}});
    ASSERT_EQ(in, expected);
  }
  EXPECT_EQ(team.sent().messages, before.messages + 20);
}

TEST(RanksTalk, ByGreatestValues) {
  auto& team = team_of_test();
  auto const rank = static_cast<std::uint64_t>(team.rank()), size = static_cast<std::uint64_t>(team.size());
  std::vector<std::uint64_t> values{rank, size - rank, rank == size / 2 ? ~std::uint64_t{0} : 0};
  team.maximise(values);
  EXPECT_EQ(values, (std::vector<std::uint64_t>{size - 1, size, ~std::uint64_t{0}}));
  EXPECT_TRUE(team.all(true));
  EXPECT_FALSE(team.all(rank + 1 != size));
}

TEST(RanksTalk, BySets) {
  auto& team = team_of_test();
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::vector<Bytes> messages(static_cast<std::size_t>(team.size()));
    for (int to = 0; to < team.size(); ++to)
      for (unsigned i = 0; i < 3; ++i)
        sparse::distributed::append(messages[static_cast<std::size_t>(to)],
                                    random_set<3>(seed + i, static_cast<unsigned>(8 * team.rank() + to)));
    auto const received = team.trade(messages);
    for (int from = 0; from < team.size(); ++from) {
      std::size_t position = 0;
      for (unsigned i = 0; i < 3; ++i)
        ASSERT_EQ(sparse::distributed::take_set<3>(received[static_cast<std::size_t>(from)], position),
                  random_set<3>(seed + i, static_cast<unsigned>(8 * from + team.rank())));
      ASSERT_EQ(position, received[static_cast<std::size_t>(from)].size());
    }
  }
}
