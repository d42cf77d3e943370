#include <sparse/distributed/mpi_world.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <exception>
#include <stdexcept>
#include <utility>

#include <sparse/base/error.hpp>

namespace sparse::distributed {
namespace {

constexpr int tag = 1;
constexpr std::size_t longest_message = std::size_t{1} << 30;  // MPI counts bytes in an int

// A rank does not wait until others take messages of up to so many bytes. Longer ones may need its help.
constexpr std::size_t longest_left = std::size_t{1} << 16;

/// Requests of one exchange.
class Requests {
public:
  void receive(std::vector<Incoming> const& incoming, MPI_Comm ranks) {
    for (auto const& message : incoming)
      for (std::size_t begin = 0; begin < message.size; begin += longest_message)
        MPI_Irecv(static_cast<std::byte*>(message.data) + begin, length_from(begin, message.size), MPI_BYTE,
                  message.from, tag, ranks, add());
  }
  void send(Outgoing const& message, MPI_Comm ranks) {
    for (std::size_t begin = 0; begin < message.size; begin += longest_message)
      MPI_Isend(static_cast<std::byte const*>(message.data) + begin, length_from(begin, message.size), MPI_BYTE,
                message.to, tag, ranks, add());
  }
  void wait() {
    MPI_Waitall(static_cast<int>(all_.size()), all_.data(), MPI_STATUSES_IGNORE);
    all_.clear();
  }
  bool are_done() {
    int are_done = 0;
    MPI_Testall(static_cast<int>(all_.size()), all_.data(), &are_done, MPI_STATUSES_IGNORE);
    return are_done != 0;
  }
  void cancel() {
    for (auto& request : all_) MPI_Cancel(&request);
    wait();
  }

private:
  static int length_from(std::size_t begin, std::size_t size) {
    return static_cast<int>(std::min(longest_message, size - begin));
  }
  MPI_Request* add() { return &all_.emplace_back(MPI_REQUEST_NULL); }
  std::vector<MPI_Request> all_;
};

class World : public Team {
public:
  World() {
    // Messages of the library do not meet those of others.
    MPI_Comm_dup(MPI_COMM_WORLD, &all_);
    MPI_Comm_rank(all_, &rank_);
    MPI_Comm_size(all_, &size_);
  }
  ~World() override {
    for (auto const& sent : sent_) {
      sent->long_ones.wait();
      sent->others.wait();
    }
    MPI_Comm_free(&all_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  /// As signed numbers of the same order: MPICH 4.0.2 compares MPI_UINT64_T as if it were signed.
  void maximise(std::vector<std::uint64_t>& values) override {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    for (auto& value : values) value ^= sign;
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_MAX, all_);
    for (auto& value : values) value ^= sign;
  }

  void add(std::vector<std::int64_t>& values) override {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_SUM, all_);
  }

  /// Not MPI_Allreduce, which may leave other bits on other ranks.
  void add(std::vector<double>& values) override {
    int const count = static_cast<int>(values.size());
    MPI_Reduce(rank_ == 0 ? MPI_IN_PLACE : values.data(), values.data(), count, MPI_DOUBLE, MPI_SUM, 0, all_);
    MPI_Bcast(values.data(), count, MPI_DOUBLE, 0, all_);
  }

  std::vector<Bytes> trade(std::vector<Bytes> const& messages) override {
    auto const ranks = static_cast<std::size_t>(size_);
    expects(messages.size() == ranks, "trade: there must be a message for each rank");
    std::vector<std::uint64_t> sizes(ranks), sizes_here(ranks);
    for (std::size_t r = 0; r < ranks; ++r) sizes[r] = messages[r].size();
    MPI_Alltoall(sizes.data(), 1, MPI_UINT64_T, sizes_here.data(), 1, MPI_UINT64_T, all_);
    std::vector<Bytes> received(ranks);
    std::vector<Incoming> incoming;
    std::vector<Outgoing> outgoing;
    for (std::size_t r = 0; r < ranks; ++r) {
      received[r].resize(sizes_here[r]);
      if (static_cast<int>(r) == rank_) {
        received[r] = messages[r];
        continue;
      }
      if (sizes_here[r] > 0) incoming.push_back({static_cast<int>(r), received[r].data(), received[r].size()});
      if (sizes[r] > 0) outgoing.push_back({static_cast<int>(r), messages[r].data(), messages[r].size()});
    }
    pass(incoming, outgoing);
    return received;
  }

private:
  void pass(std::vector<Incoming> const& incoming, std::vector<Outgoing> const& outgoing) override {
    Requests requests;
    requests.receive(incoming, all_);
    for (auto const& message : outgoing) requests.send(message, all_);
    requests.wait();
  }

  std::unique_ptr<Arrivals> begin(std::vector<Incoming> const& incoming, std::vector<Outgoing> const& outgoing,
                                  std::shared_ptr<void const> kept) override {
    auto arriving = std::make_unique<Arriving>();
    arriving->received.receive(incoming, all_);
    for (auto const& message : outgoing)
      (message.size > longest_left ? arriving->sent->long_ones : arriving->sent->others).send(message, all_);
    arriving->sent->kept = std::move(kept);
    while (!sent_.empty() && sent_.front()->is_done()) sent_.pop_front();
    sent_.push_back(arriving->sent);
    return arriving;
  }

  void gather(std::vector<std::size_t> const& sizes, std::byte* all) override {
    std::vector<int> counts, places;
    for (std::size_t const size : sizes) {
      places.push_back(counts.empty() ? 0 : places.back() + counts.back());
      counts.push_back(static_cast<int>(size));
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts.data(), places.data(), MPI_BYTE, all_);
  }

  struct Sent {
    Requests long_ones, others;
    std::shared_ptr<void const> kept;
    bool is_done() { return long_ones.are_done() && others.are_done(); }
  };
  struct Arriving : Arrivals {
    Requests received;
    std::shared_ptr<Sent> sent = std::make_shared<Sent>();
    ~Arriving() override { received.cancel(); }
    void wait() override {
      received.wait();
      sent->long_ones.wait();
    }
  };

  MPI_Comm all_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  std::deque<std::shared_ptr<Sent>> sent_;
};

}  // namespace

MpiWorld::MpiWorld(int& argc, char**& argv) {
  int has_begun = 0;
  MPI_Initialized(&has_begun);
  if (has_begun != 0) throw std::runtime_error("MPI: it can begin only once in a program");
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);  // errors end all ranks: the default of MPI
  team_ = std::make_unique<World>();
}

MpiWorld::~MpiWorld() {
  if (std::uncaught_exceptions() > 0) MPI_Abort(MPI_COMM_WORLD, 1);
  team_.reset();
  MPI_Finalize();
}

void MpiWorld::abort(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::abort();
}

}  // namespace sparse::distributed
