// Set algebra on the sets of geometry_cases.hpp and on ten times as many rows. Counted bytes: the arrays of operands
// and result.

#include <sparse/sets/morphology.hpp>
#include <sparse/sets/pending_set.hpp>
#include <sparse/sets/scaling.hpp>

#include "../geometry_cases.hpp"
#include "measure.hpp"

namespace {

using namespace geometry_cases;

double bytes_of(std::initializer_list<Set> sets) {
  double sum = 0;
  for (auto const& set : sets) sum += static_cast<double>(set.byte_count());
  return sum;
}

template <class Work>
void add_operation(std::string const& name, std::initializer_list<Set> operands, Work const& work) {
  double const bytes = bytes_of(operands);
  measure::add(name, [=](benchmark::State& state) {
    double const with_result = bytes + bytes_of({work()});
    measure::run(state, with_result, work);
  });
}

/// Eight unions of the same two sets that are waited for together; the time of one.
void add_pending(std::string const& name, Set const& a, Set const& b) {
  SetCapacity const room{a.row_count() + b.row_count(), a.interval_count() + b.interval_count()};
  auto const unions = [=] {
    std::vector<PendingSet<2>> results;
    for (int i = 0; i < 8; ++i)
      results.push_back(fuse_within<2>(
          room, [](bool x, bool y) { return x || y; }, a, b));
    for (auto const& result : results) result.get();
  };
  measure::add(name, [=](benchmark::State& state) { measure::run(state, 8 * bytes_of({a, b, a | b}), unions); });
}

}  // namespace

void measure::add_sets() {
  for (int const domains : {1, 10}) {
    std::string const times = domains == 1 ? "" : "10x_";
    Set const a = unite(sets_of(random_disks(domains))) & whole_domain(domains), b = checkerboard_of_holes(domains);
    Set const c = random_intervals(1, domains), d = random_intervals(2, domains);
    add_operation(times + "A|B", {a, b}, [=] { return a | b; });
    add_operation(times + "A-B", {a, b}, [=] { return a - b; });
    add_operation(times + "C|D", {c, d}, [=] { return c | d; });
    add_operation(times + "C&D", {c, d}, [=] { return c & d; });
    add_operation(times + "C^D", {c, d}, [=] { return c ^ d; });
    add_operation(times + "coarsen_C", {c}, [=] { return coarsen(c); });
    add_operation(times + "refine_C", {c}, [=] { return refine(c); });
    add_operation(times + "dilate_C_by_2", {c}, [=] { return expand(c, 2); });
    add_operation(times + "dilate_C_by_16", {c}, [=] { return expand(c, 16); });
    add_pending(times + "8_pending_C|D", c, d);
  }
}
