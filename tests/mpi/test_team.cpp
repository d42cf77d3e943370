/// What ranks tell each other arrives.

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include <sparse/distributed/exact_sum.hpp>
#include <sparse/distributed/set_bytes.hpp>
#include <support/reference.hpp>
#include <support/refused.hpp>

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

/// A number several times, rounded once.
double exact_multiple_of(double number, int times) {
  return static_cast<double>(static_cast<long double>(number) * times);
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

TEST(RanksTalk, WhileSeveralExchangesAreUnderWay) {
  auto& team = team_of_test();
  if (team.size() == 1) return team.post({}, {}, nullptr)->wait();
  int const next = (team.rank() + 1) % team.size(), last = (team.rank() + team.size() - 1) % team.size();
  std::vector<std::weak_ptr<Bytes>> sent;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    constexpr unsigned count = 3;
    Bytes in[count];
    std::unique_ptr<sparse::distributed::Arrivals> arrivals[count];
    auto const before = team.sent();
    for (unsigned i = 0; i < count; ++i) {
      auto const out = std::make_shared<Bytes>(message(count * seed + i, team.rank(), next));
      in[i].resize(message(count * seed + i, last, team.rank()).size());
      arrivals[i] = team.post({{last, in[i].data(), in[i].size()}}, {{next, out->data(), out->size()}}, out);
      sent.push_back(out);
    }
    EXPECT_EQ(team.sent().messages, before.messages + count);
    // The order of waiting is free, and a rank may talk in between.
    for (unsigned i = 0; i < count; ++i) {
      unsigned const which = seed % 2 == 0 ? i : count - 1 - i;
      arrivals[which]->wait();
      ASSERT_EQ(in[which], message(count * seed + which, last, team.rank())) << "seed " << seed;
      EXPECT_TRUE(team.all(true));
    }
  }
  // What has been sent is given back: at the latest by the next exchange after others have taken all of it.
  EXPECT_TRUE(team.all(true));
  team.post({}, {}, nullptr)->wait();
  for (std::size_t i = 0; i + 3 < sent.size(); ++i) EXPECT_TRUE(sent[i].expired()) << "message " << i;
}

TEST(RanksTalk, ByGatheringAll) {
  auto& team = team_of_test();
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::vector<std::size_t> sizes;
    Bytes expected, all;
    for (int rank = 0; rank < team.size(); ++rank) {
      auto const of_rank = message(seed, rank, 0);
      sizes.push_back(of_rank.size());
      expected.insert(expected.end(), of_rank.begin(), of_rank.end());
      all.insert(all.end(), of_rank.size(), std::byte{0});
      if (rank == team.rank()) std::copy(of_rank.begin(), of_rank.end(), all.end() - std::ssize(of_rank));
    }
    auto const before = team.sent();
    team.gather_all(sizes, all.data());
    ASSERT_EQ(all, expected) << "seed " << seed;
    EXPECT_EQ(team.sent().messages, before.messages + 1);
    auto const own = static_cast<Index>(sizes[static_cast<std::size_t>(team.rank())]);
    EXPECT_EQ(team.sent().bytes, before.bytes + own * (team.size() - 1));
  }
  EXPECT_TRUE(is_refused([&] { team.gather_all({}, nullptr); }, "a size for each rank"));
  std::vector<std::size_t> const long_ones(static_cast<std::size_t>(team.size()), (std::size_t{1} << 30) + 1);
  EXPECT_TRUE(is_refused([&] { team.gather_all(long_ones, nullptr); }, "2^30"));
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

TEST(RanksTalk, ByGreatestNumbers) {
  auto& team = team_of_test();
  double const rank = team.rank(), last = team.size() - 1, infinity = std::numeric_limits<double>::infinity();
  std::vector<double> values{rank, -rank - 1, rank == 0 ? -0.0 : -1e-300, rank == last ? infinity : -infinity,
                             -infinity};
  sparse::distributed::maximise(team, values);
  EXPECT_EQ(values, (std::vector<double>{last, -1, -0.0, infinity, -infinity}));
}

TEST(RanksTalk, ByWhatOneKnows) {
  auto& team = team_of_test();
  double const unknown = std::nan("");
  bool const is_last = team.rank() == team.size() - 1;
  std::vector<double> values{is_last ? -1.5 : unknown, unknown, team.rank() == 0 ? 0.0 : unknown};
  sparse::distributed::share(team, values);
  EXPECT_EQ(values[0], -1.5);
  EXPECT_TRUE(std::isnan(values[1]));
  EXPECT_EQ(values[2], 0);
}

TEST(RanksTalk, ByFailingTogether) {
  auto& team = team_of_test();
  int done = 0;
  sparse::distributed::together(&team, [&] { ++done; });
  EXPECT_EQ(done, 1);
  for (int first = 0; first < team.size(); ++first) {  // all from this one on
    try {
      sparse::distributed::together(&team, [&] {
        if (team.rank() >= first) throw std::runtime_error("no space for rank " + std::to_string(team.rank()));
      });
      ADD_FAILURE() << "no error";
    } catch (std::runtime_error const& error) {
      EXPECT_EQ(error.what(), "no space for rank " + std::to_string(first));
    }
  }
}

TEST(RanksTalk, BySums) {
  auto& team = team_of_test();
  auto const rank = static_cast<std::int64_t>(team.rank()), size = static_cast<std::int64_t>(team.size());
  std::vector<std::int64_t> values{rank, -1, std::int64_t{1} << 40};
  team.add(values);
  EXPECT_EQ(values, (std::vector<std::int64_t>{size * (size - 1) / 2, -size, size << 40}));
  std::vector<double> numbers{0.1 * (1 + team.rank()), 1.5};
  team.add(numbers);
  double const count = team.size();
  EXPECT_NEAR(numbers[0], 0.05 * count * (count + 1), 1e-14 * count * count);
  EXPECT_EQ(numbers[1], 1.5 * count);
  auto greatest = numbers, least = numbers;  // the same bits on all
  for (double& number : least) number = -number;
  maximise(team, greatest);
  maximise(team, least);
  for (std::size_t k = 0; k < numbers.size(); ++k) EXPECT_EQ(greatest[k], -least[k]);
}

// The terms of all ranks cancel but for small ones, which a sum in double would lose.
TEST(RanksTalk, ByExactSums) {
  auto& team = team_of_test();
  std::vector<sparse::distributed::ExactSum> sums(3), all(1);
  for (int k = 0; k < 1000; ++k) {
    sums[0].add(team.rank() % 2 == 0 ? 1e300 : -1e300);
    sums[0].add(1e-300);
  }
  if (team.size() % 2 != 0 && team.rank() == 0) sums[0].add(std::vector<double>(1000, -1e300).data(), 1000);
  for (int other = 0; other < team.size(); ++other) {
    auto engine = random_engine(static_cast<unsigned>(other));
    for (int k = 0; k < 1000; ++k) {
      double const term = std::ldexp(static_cast<double>(engine()) - 2147483648.0, random_int(engine, -300, 300));
      all[0].add(term);
      if (other == team.rank()) sums[1].add(term);
    }
  }
  if (team.rank() == 0) sums[2].add(std::numeric_limits<double>::infinity());
  auto const totals = sparse::distributed::exact_totals(team, sums);
  EXPECT_EQ(totals[0], exact_multiple_of(1e-300, 1000 * team.size()));
  EXPECT_EQ(totals[1], all[0].value());
  EXPECT_EQ(totals[2], std::numeric_limits<double>::infinity());
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
