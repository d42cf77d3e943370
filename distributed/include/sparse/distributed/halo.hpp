#pragma once
/// Messages that fill cells of a field from the ranks that own them.

#include <memory>
#include <vector>

#include <sparse/distributed/partition.hpp>
#include <sparse/distributed/team.hpp>
#include <sparse/fields/field.hpp>
#include <sparse/plans/transfer.hpp>

namespace sparse::distributed {

/// Cells that need the values of others: cell c that of cell c + offset. The offset is a period for cells beyond a
/// periodic side, and 0 for all others.
template <int Dim>
struct Wanted {
  /// Which cells, and how far away the cells are that have their values.
  IntervalSet<Dim> cells;
  Vec<Coord, Dim> offset = {};
  /// The owner of cell c + offset + holder has the value. Not 0 for faces that the cell below them brings along.
  Vec<Coord, Dim> holder = {};
};

/// A plan of messages. Whoever wants cells tells their owners which; from then on each owner sends just these values.
/// There is one message from each owner to each rank that wants something of it, whatever the number of components.
/// Cells that the rank owns itself are copied. A message has the size of its cells' values, component by component.
///
/// The plan belongs to the sets it was made of. It is made once per set, and used for all fields on them.
template <int Dim>
class Halo {
public:
  /// What makes a halo: the arguments of its constructor, and where it goes.
  struct Request {
    Halo* halo;
    int level;
    IntervalSet<Dim> owned, stored;
    std::vector<Wanted<Dim>> wanted;
  };

  Halo() = default;
  /// Collective. Cost: a search per unit of the wanted cells, and one message with sets to each owner.
  /// @param level   of the partition
  /// @param owned   the set on which this rank has its values; contains its part of what any rank wants
  /// @param stored  the set on which wanted values arrive; may be the same
  /// @param wanted  cells of `stored`
  /// @throws std::invalid_argument  on all ranks, if an owner does not have a wanted cell, a wanted cell is not
  ///                                stored, or the partition is one for another number of ranks
  Halo(Team& team, Partition<Dim> const& partition, int level, IntervalSet<Dim> const& owned,
       IntervalSet<Dim> const& stored, std::vector<Wanted<Dim>> const& wanted);
  /// Makes several halos with one message to each owner, so that ranks wait for each other once. Collective.
  /// @param requests  as many on each rank, and in the same order
  /// @throws std::invalid_argument  as the constructor, if one of them is wrong
  static void make(Team& team, Partition<Dim> const& partition, std::vector<Request> const& requests);

  /// Gives the wanted cells of `target`, on `stored`, the values of `source`, on the `owned` of their owners.
  /// Collective; waits until all messages have arrived. Cost: two copies of the values that are sent, through memory
  /// from the arena; on devices also through the host.
  /// @param target, source  may be the same field if both sets are; a wanted cell must then not be sent
  /// @param component_count  of both views, the same on all ranks; not checked
  /// Compiled for float, double, and integers of 32 and 64 bits.
  template <class T>
  void fill(Team& team, FieldView<T> target, FieldView<T const> source, int component_count) const;

  /// A halo, and the fields it is used for: cells of `target` get values of `source`, as in `fill`.
  template <class T>
  struct Filling {
    Halo const* halo;
    FieldView<T> target;
    FieldView<T const> source;
  };
  /// What is under way between `begin` and `finish`.
  template <class T>
  struct Begun {
    std::vector<Filling<T>> fillings;
    int component_count = 0;
    Buffer<T> room;            ///< for all messages to this rank
    std::vector<T> host_room;  ///< the same, where the host cannot reach the memory of fields
    std::unique_ptr<Arrivals> arrivals;
  };
  /// The halves of `fill`, for several halos with one message to each rank. The first packs the values that others
  /// want, and sends them; wanted cells have theirs after the second. Meanwhile a source may change where this rank
  /// sends nothing and wants nothing of itself. More may begin meanwhile, if all ranks begin them in the same order.
  /// @param fillings  as many on each rank, and in the same order; the halos must outlive what is under way
  template <class T>
  static Begun<T> begin(Team& team, std::vector<Filling<T>> const& fillings, int component_count);
  template <class T>
  static void finish(Begun<T>& begun);

  /// The cells of `owned` whose values this rank sends. Cost: unions of as many sets as there are messages.
  IntervalSet<Dim> sent_cells() const;
  /// Messages that this rank sends in one `fill`, and the cells in them.
  Index message_count() const { return static_cast<Index>(sends_.size()); }
  Index sent_cell_count() const;
  Index received_cell_count() const;

private:
  struct Part {
    IntervalSet<Dim> cells;  // with the coordinates of the owner
    CopyPlan<Dim> copy;      // between a message and a field
    Index cell_count() const { return cells.cell_count(); }
  };
  struct Message {
    int rank;
    std::vector<Part> parts;
    Index cell_count() const;
  };
  static Index cells_in(std::vector<Message> const& messages);
  template <class T, class Take>
  static void for_each_message(std::vector<Filling<T>> const& fillings, std::vector<Message> Halo::*list,
                               Take const& take);

  Context context_;
  std::vector<Message> sends_, receives_;  // by rank
  std::vector<CopyPlan<Dim>> own_;
};

}  // namespace sparse::distributed
