#include <sparse/distributed/mpi_world.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include <sparse/base/error.hpp>

namespace sparse::distributed {
namespace {

constexpr int tag = 1;
constexpr std::size_t longest_message = std::size_t{1} << 30;  // MPI counts bytes in an int

class World : public Team {
public:
  World() {
    // Messages of the library do not meet those of others.
    MPI_Comm_dup(MPI_COMM_WORLD, &all_);
    MPI_Comm_rank(all_, &rank_);
    MPI_Comm_size(all_, &size_);
  }
  ~World() override { MPI_Comm_free(&all_); }

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
    requests_.clear();
    for (auto const& message : incoming)
      for (std::size_t begin = 0; begin < message.size; begin += longest_message)
        MPI_Irecv(static_cast<std::byte*>(message.data) + begin, length_from(begin, message.size), MPI_BYTE,
                  message.from, tag, all_, add_request());
    for (auto const& message : outgoing)
      for (std::size_t begin = 0; begin < message.size; begin += longest_message)
        MPI_Isend(static_cast<std::byte const*>(message.data) + begin, length_from(begin, message.size), MPI_BYTE,
                  message.to, tag, all_, add_request());
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }
  void gather(std::vector<std::size_t> const& sizes, std::byte* all) override {
    std::vector<int> counts, places;
    for (std::size_t const size : sizes) {
      places.push_back(counts.empty() ? 0 : places.back() + counts.back());
      counts.push_back(static_cast<int>(size));
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts.data(), places.data(), MPI_BYTE, all_);
  }
  static int length_from(std::size_t begin, std::size_t size) {
    return static_cast<int>(std::min(longest_message, size - begin));
  }
  MPI_Request* add_request() { return &requests_.emplace_back(MPI_REQUEST_NULL); }

  MPI_Comm all_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  std::vector<MPI_Request> requests_;
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
