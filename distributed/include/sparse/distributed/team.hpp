#pragma once
/// The ranks of a computation, and how they reach each other. Nothing here depends on MPI.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <sparse/base/config.hpp>

namespace sparse::distributed {

/// Bytes that go to another rank, or room for those that come from it.
struct Outgoing {
  /// The rank they go to, and the bytes, which must live until they are sent.
  int to;
  void const* data;
  std::size_t size;
};
/// Room for bytes from another rank.
struct Incoming {
  /// The rank they come from, and the room for them [bytes].
  int from;
  void* data;
  std::size_t size;
};

/// Messages to this rank that are under way.
class Arrivals {
public:
  virtual ~Arrivals() = default;
  /// Waits until they are in their rooms.
  virtual void wait() = 0;

protected:
  Arrivals() = default;
  Arrivals(Arrivals const&) = delete;
  Arrivals& operator=(Arrivals const&) = delete;
};

/// A message.
using Bytes = std::vector<std::byte>;

/// What the ranks have sent so far.
struct SentCount {
  /// Over all ranks that they went to.
  Index messages = 0, bytes = 0;
};

/// The ranks 0, 1, ..., size - 1 of a computation, seen from one of them.
///
/// All members but `rank`, `size` and `sent` are collective: every rank calls them, in the same order. A rank that
/// cannot go on must end all of them, or the others wait forever.
class Team {
public:
  virtual ~Team() = default;

  /// The number of this rank, and how many there are.
  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// The greatest value of all ranks, for each of the values.
  virtual void maximise(std::vector<std::uint64_t>& values) = 0;
  /// The sum over all ranks, for each of the values; not checked for overflow.
  virtual void add(std::vector<std::int64_t>& values) = 0;
  /// The same for numbers with rounding. All ranks get the same bits, but another number of ranks others.
  virtual void add(std::vector<double>& values) = 0;
  /// Sends `messages[r]` to rank r. Cost: each rank tells each other one a length, then sends what is not empty.
  /// @return  [rank] what they sent here
  /// @throws std::invalid_argument  unless there is a message for each rank
  virtual std::vector<Bytes> trade(std::vector<Bytes> const& messages) = 0;
  /// Receives from some ranks and sends to some, and waits until all of it is done. What one rank sends to another must
  /// be as long as the room there. There is at most one message from and one to each rank. The memory must be that of
  /// the host.
  /// @throws std::invalid_argument  for a message in a team of one
  void exchange(std::vector<Incoming> const& incoming, std::vector<Outgoing> const& outgoing);
  /// The same, but goes on at once. Several exchanges may be under way, if all ranks post them in the same order. A
  /// rank waits for what arrives, and not until others take what it sends, unless that is a long message.
  /// @param kept  what the memory of `outgoing` belongs to; it is given back when all has been sent
  /// @return  what arrives; if it is destroyed before it is waited for, the room is left alone from then on
  std::unique_ptr<Arrivals> post(std::vector<Incoming> const& incoming, std::vector<Outgoing> const& outgoing,
                                 std::shared_ptr<void const> kept);
  /// Gives all ranks the bytes of each, those of rank 0 first. Takes about log2(size) messages one after the other.
  /// @param sizes  [rank] how many bytes each rank has; the same on all ranks
  /// @param all    room for all of them in the host's memory; those of this rank are there
  /// @throws std::invalid_argument  unless there is a size for each rank, and their sum is at most 2^30
  void gather_all(std::vector<std::size_t> const& sizes, std::byte* all);

  /// Whether all ranks say so.
  bool all(bool holds);
  /// What `exchange` and `post` have sent from this rank, and `gather_all`: one message each time, and its bytes once
  /// for each other rank.
  SentCount const& sent() const { return sent_; }

protected:
  Team() = default;
  Team(Team const&) = delete;
  Team& operator=(Team const&) = delete;

private:
  virtual void pass(std::vector<Incoming> const& incoming, std::vector<Outgoing> const& outgoing) = 0;
  virtual std::unique_ptr<Arrivals> begin(std::vector<Incoming> const& incoming, std::vector<Outgoing> const& outgoing,
                                          std::shared_ptr<void const> kept) = 0;
  virtual void gather(std::vector<std::size_t> const& sizes, std::byte* all) = 0;
  void count(std::vector<Outgoing> const& outgoing);
  SentCount sent_;
};

/// Makes each value the greatest of all ranks. Collective, as below.
/// @param values  as many on each rank; not NaN
void maximise(Team& team, std::vector<double>& values);
/// Tells all ranks what one of them knows. A value is NaN on the ranks that do not know it.
/// @param values  as many on each rank; at most one of them knows a value; not checked
void share(Team& team, std::vector<double>& values);

/// Does what may fail on some ranks, such as writing a file, and fails on all if one does. Collective.
/// @param team  nullptr: only the action
/// @throws what the action throws, without a team; else std::runtime_error with the text of the first rank that failed
void together(Team* team, std::function<void()> const& action);

/// A team of one rank.
std::unique_ptr<Team> alone();

}  // namespace sparse::distributed
