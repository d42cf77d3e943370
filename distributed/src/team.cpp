#include <sparse/distributed/team.hpp>

#include <sparse/base/error.hpp>

namespace sparse::distributed {
namespace {

class Alone : public Team {
public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void maximise(std::vector<std::uint64_t>&) override {}
  void add(std::vector<std::int64_t>&) override {}
  std::vector<Bytes> trade(std::vector<Bytes> const& messages) override {
    expects(messages.size() == 1, "trade: there must be a message for each rank");
    return messages;
  }

private:
  void pass(std::vector<Incoming> const& incoming, std::vector<Outgoing> const& outgoing) override {
    expects(incoming.empty() && outgoing.empty(), "exchange: there is no other rank");
  }
};

}  // namespace

void Team::exchange(std::vector<Incoming> const& incoming, std::vector<Outgoing> const& outgoing) {
  for (auto const& message : outgoing) {
    ++sent_.messages;
    sent_.bytes += static_cast<Index>(message.size);
  }
  pass(incoming, outgoing);
}

bool Team::all(bool holds) {
  std::vector<std::uint64_t> values{holds ? std::uint64_t{0} : std::uint64_t{1}};
  maximise(values);
  return values[0] == 0;
}

std::unique_ptr<Team> alone() { return std::make_unique<Alone>(); }

}  // namespace sparse::distributed
