#include <sparse/distributed/team.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

#include <sparse/base/error.hpp>

namespace sparse::distributed {
namespace {

class Alone : public Team {
public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void maximise(std::vector<std::uint64_t>&) override {}
  void add(std::vector<std::int64_t>&) override {}
  void add(std::vector<double>&) override {}
  std::vector<Bytes> trade(std::vector<Bytes> const& messages) override {
    expects(messages.size() == 1, "trade: there must be a message for each rank");
    return messages;
  }

private:
  void pass(std::vector<Incoming> const& incoming, std::vector<Outgoing> const& outgoing) override {
    expects(incoming.empty() && outgoing.empty(), "exchange: there is no other rank");
  }
  std::unique_ptr<Arrivals> begin(std::vector<Incoming> const& incoming, std::vector<Outgoing> const& outgoing,
                                  std::shared_ptr<void const>) override {
    struct Nothing : Arrivals {
      void wait() override {}
    };
    pass(incoming, outgoing);
    return std::make_unique<Nothing>();
  }
  void gather(std::vector<std::size_t> const&, std::byte*) override {}
};

}  // namespace

void Team::exchange(std::vector<Incoming> const& incoming, std::vector<Outgoing> const& outgoing) {
  count(outgoing);
  pass(incoming, outgoing);
}

std::unique_ptr<Arrivals> Team::post(std::vector<Incoming> const& incoming, std::vector<Outgoing> const& outgoing,
                                     std::shared_ptr<void const> kept) {
  count(outgoing);
  return begin(incoming, outgoing, std::move(kept));
}

void Team::count(std::vector<Outgoing> const& outgoing) {
  for (auto const& message : outgoing) {
    ++sent_.messages;
    sent_.bytes += static_cast<Index>(message.size);
  }
}

void Team::gather_all(std::vector<std::size_t> const& sizes, std::byte* all) {
  constexpr std::size_t most = std::size_t{1} << 30;
  auto const ranks = static_cast<std::size_t>(size());
  expects(sizes.size() == ranks, "gather_all: there must be a size for each rank");
  expects(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}) <= most, "gather_all: more than 2^30 bytes");
  ++sent_.messages;
  sent_.bytes += static_cast<Index>(sizes[static_cast<std::size_t>(rank())] * (ranks - 1));
  gather(sizes, all);
}

bool Team::all(bool holds) {
  std::vector<std::uint64_t> values{holds ? std::uint64_t{0} : std::uint64_t{1}};
  maximise(values);
  return values[0] == 0;
}

void maximise(Team& team, std::vector<double>& values) {
  // Bits in the order of the numbers: those of negative ones are turned round.
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  std::vector<std::uint64_t> words;
  for (double const value : values) {
    auto const bits = std::bit_cast<std::uint64_t>(value);
    words.push_back((bits & sign) != 0 ? ~bits : bits | sign);
  }
  team.maximise(words);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = std::bit_cast<double>((words[i] & sign) != 0 ? words[i] & ~sign : ~words[i]);
}

void share(Team& team, std::vector<double>& values) {
  std::vector<std::int64_t> words;  // how many know a value, and its bits
  for (double const value : values) {
    bool const is_known = !std::isnan(value);
    words.push_back(is_known ? 1 : 0);
    words.push_back(is_known ? std::bit_cast<std::int64_t>(value) : 0);
  }
  team.add(words);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = words[2 * i] > 0 ? std::bit_cast<double>(words[2 * i + 1]) : std::numeric_limits<double>::quiet_NaN();
}

void together(Team* team, std::function<void()> const& action) {
  if (team == nullptr) return action();
  std::string reason;
  bool is_done = true;
  try {
    action();
  } catch (std::exception const& error) {
    reason = error.what();
    is_done = false;
  }
  if (team->all(is_done)) return;
  Bytes text{std::byte{is_done ? std::uint8_t{0} : std::uint8_t{1}}};
  for (char const c : reason) text.push_back(static_cast<std::byte>(c));
  for (Bytes const& other : team->trade(std::vector<Bytes>(static_cast<std::size_t>(team->size()), text))) {
    if (other.at(0) == std::byte{0}) continue;
    reason.clear();
    for (std::size_t i = 1; i < other.size(); ++i) reason.push_back(static_cast<char>(other[i]));
    throw std::runtime_error(reason);
  }
}

std::unique_ptr<Team> alone() { return std::make_unique<Alone>(); }

}  // namespace sparse::distributed
