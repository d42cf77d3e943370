// Set algebra on the sets of geometry_cases.hpp, against the same work by other means in the same run.
//
// Peers run first, on one thread whatever --threads says. `merge`, `roaring`, `bits`, `icl` are how many times as long
// they take. `memory` is the most that the arena held during the operation, over what input and output need. Times are
// the best of all iterations. The results' intervals or cells are compared with those of the peers.

#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <string>

#include <benchmark/benchmark.h>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/components.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/shapes/shapes.hpp>

#include "geometry_cases.hpp"
#include "geometry_peers.hpp"

namespace {

using namespace sparse;
using peers::Op;
using namespace geometry_cases;

/// The union of the disks' rows, as one would write it without a library.
Index union_by_hand(std::vector<Disk> const& disks) {
  std::vector<std::vector<Interval>> rows(size + 1000);
  for (auto const& disk : disks)
    for (auto y = static_cast<Coord>(std::floor(disk.y - disk.radius)); y <= disk.y + disk.radius; ++y) {
      double const dy = y + 0.5 - disk.y;
      if (dy * dy > disk.radius * disk.radius) continue;
      double const half = std::sqrt(disk.radius * disk.radius - dy * dy);
      auto const begin = static_cast<Coord>(std::ceil(disk.x - half - 0.5));
      auto const end = static_cast<Coord>(std::floor(disk.x + half - 0.5)) + 1;
      if (begin < end) rows[static_cast<std::size_t>(y + 500)].push_back({begin, end});
    }
  std::vector<Interval> intervals;
  std::vector<Index> row_ptr{0};
  for (auto& row : rows) {
    std::sort(row.begin(), row.end(), [](Interval a, Interval b) { return a.begin < b.begin; });
    auto const first = intervals.size();
    for (Interval const interval : row) {
      if (intervals.size() > first && interval.begin <= intervals.back().end)
        intervals.back().end = std::max(intervals.back().end, interval.end);
      else
        intervals.push_back(interval);
    }
    row_ptr.push_back(static_cast<Index>(intervals.size()));
  }
  return static_cast<Index>(intervals.size());
}

// ---- measuring

std::map<std::string, double> best;  // seconds, by the name of what was measured

double seconds_of(std::function<void()> const& work) {
  auto const start = std::chrono::steady_clock::now();
  work();
  Kokkos::fence();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The best time of at least `runs`, and of those that fit into a third of a second, remembered under `name`.
double time_peer(std::string const& name, std::function<void()> const& work, int runs = 5) {
  double& time = best.try_emplace(name, 1e30).first->second;
  double total = 0;
  for (int i = 0; i < runs || total < 0.3; ++i) {
    double const seconds = seconds_of(work);
    time = std::min(time, seconds);
    total += seconds;
  }
  return time;
}

void expect_equal(std::string const& what, Index a, Index b) {
  if (a == b) return;
  std::cerr << what << ": " << a << " here, " << b << " there\n";
  std::exit(1);
}

/// Registers a benchmark. `work` returns a set made from `inputs`; `peers`: what its time is compared with, as counter
/// name and name of a measured time.
template <class Work, int Dim>
void add(std::string const& name, std::vector<IntervalSet<Dim>> const& inputs, Work const& work,
         std::vector<std::pair<std::string, std::string>> const& peers) {
  auto const measure = [=](benchmark::State& state) {
    work();  // warm: the arena has all it needs
    double time = 1e30;
    for (auto _ : state) {
      double const seconds = seconds_of([&] { work(); });
      state.SetIterationTime(seconds);
      time = std::min(time, seconds);
    }
    best[name] = time;
    state.counters["best_ms"] = 1e3 * time;
    for (auto const& [label, peer] : peers)
      if (best.contains(peer)) state.counters[label] = best[peer] / time;

    auto const& arena = *Context().arena();
    Context().arena()->forget_peak();
    auto const before = static_cast<double>(arena.bytes_in_use());
    double input = 0;
    for (auto const& set : inputs) input += static_cast<double>(set.byte_count());
    double const output = static_cast<double>(work().byte_count());
    state.counters["memory"] = (input + static_cast<double>(arena.peak_bytes()) - before) / (input + output);
  };
  benchmark::RegisterBenchmark(name.c_str(), measure)->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(0.3);
}

/// A million intervals and more, in all the forms they are combined in.
struct Forms {
  Set set;
  peers::Rows rows;
  peers::Roaring roaring;
  peers::IclRows icl;
  peers::Bits bits;
  explicit Forms(Set const& s)
      : set(s), rows(peers::dense_rows(s.to_host(), size)), roaring(peers::roaring_of(s.to_host(), size)),
        icl(peers::icl_of(s.to_host(), size)), bits(peers::bits_of(s.to_host(), size, size)) {}
};

Set combine(Set const& a, Set const& b, Op op) {
  switch (op) {
  case Op::either:
    return a | b;
  case Op::both:
    return a & b;
  case Op::first_only:
    return a - b;
  default:
    return a ^ b;
  }
}

void add_algebra(Forms const& a, Forms const& b, std::string const& pair) {
  peers::Rows out{a.rows.row_ptr, std::vector<Interval>(a.rows.intervals.size() + b.rows.intervals.size() + size)};
  peers::Bits bits = a.bits;
  for (auto const& [sign, op] :
       {std::pair{"|", Op::either}, {"&", Op::both}, {"-", Op::first_only}, {"^", Op::exactly_one}}) {
    std::string const name = pair.substr(0, 1) + sign + pair.substr(1);
    Set const result = combine(a.set, b.set, op);
    expect_equal(name + ", intervals", result.interval_count(), peers::merge(a.rows, b.rows, op, out));
    time_peer("merge " + name, [&] { peers::merge(a.rows, b.rows, op, out); });
    auto const bitmap = peers::combine(a.roaring, b.roaring, op);
    expect_equal(name + ", cells", result.cell_count(),
                 static_cast<Index>(roaring_bitmap_get_cardinality(bitmap.get())));
    time_peer("roaring " + name, [&] { peers::combine(a.roaring, b.roaring, op); });
    time_peer("bits " + name, [&] { peers::combine(a.bits, b.bits, op, bits); });
    expect_equal(name + ", bits", result.cell_count(), peers::count(bits));
    time_peer(
        "icl " + name, [&] { peers::combine(a.icl, b.icl, op); }, 1);
    add(name, std::vector{a.set, b.set}, [x = a.set, y = b.set, op = op] { return combine(x, y, op); },
        {{"merge", "merge " + name}, {"roaring", "roaring " + name}, {"bits", "bits " + name}, {"icl", "icl " + name}});
  }
}

/// Copies a set's arrays.
double time_copy(std::string const& name, Set const& set) {
  auto const host = set.to_host();
  auto keys = host.row_keys;
  auto row_ptr = host.row_ptr;
  auto intervals = host.intervals;
  return time_peer(name, [&] {
    std::memcpy(keys.data(), host.row_keys.data(), keys.size() * sizeof(RowKey));
    std::memcpy(row_ptr.data(), host.row_ptr.data(), row_ptr.size() * sizeof(Index));
    std::memcpy(intervals.data(), host.intervals.data(), intervals.size() * sizeof(Interval));
  });
}

void add_unary(Forms const& form, std::string const& name, std::string const& union_name) {
  peers::Bits grown = form.bits, scratch = form.bits;
  for (int const radius : {2, 16}) {
    std::string const by = "_by_" + std::to_string(radius);
    time_peer("bits dilate " + name + by, [&] { peers::dilate(form.bits, radius, grown, scratch); });
    Set const domain = whole_domain();
    expect_equal("dilate " + name + by, (expand(form.set, radius) & domain).cell_count(), peers::count(grown));
    add("dilate_" + name + by, std::vector{form.set}, [set = form.set, radius] { return expand(set, radius); },
        {{"union", union_name}, {"bits", "bits dilate " + name + by}});
    add("erode_" + name + by, std::vector{form.set}, [set = form.set, radius] { return shrink(set, radius); },
        {{"union", union_name}});
  }
  time_copy("copy " + name, form.set);
  add("coarsen_" + name, std::vector{form.set}, [set = form.set] { return coarsen(set); },
      {{"copy", "copy " + name}, {"union", union_name}});
  time_copy("copy fine " + name, refine(form.set));
  add("refine_" + name, std::vector{form.set}, [set = form.set] { return refine(set); },
      {{"copy", "copy fine " + name}, {"union", union_name}});
}

void add_three_dimensions() {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> place(0, 512), radius(10, 60);
  IntervalSet<3> const domain = box(Vec<Coord, 3>{0, 0, 0}, Vec<Coord, 3>{512, 512, 512});
  std::vector<IntervalSet<3>> balls;
  for (int i = 0; i < 200; ++i) {
    Vec<double, 3> center;
    for (int axis = 0; axis < 3; ++axis) center[axis] = place(engine);
    balls.push_back(ball(center, radius(engine)) & domain);
  }
  IntervalSet<3> const solid = unite(balls), fluid = domain - solid, other = shift(solid, {5, 7, 11});
  add("3d_unite_200_balls", balls, [=] { return unite(balls); }, {});
  add("3d_box-balls", std::vector{domain, solid}, [=] { return domain - solid; }, {});
  add("3d_balls|balls", std::vector{solid, other}, [=] { return solid | other; }, {});
  add("3d_dilate_by_2", std::vector{solid}, [=] { return expand(solid, 2); }, {{"union", "3d_balls|balls"}});
  add("3d_coarsen", std::vector{fluid}, [=] { return coarsen(fluid); }, {});
  add("3d_refine", std::vector{fluid}, [=] { return refine(fluid); }, {});
}

}  // namespace

void register_benchmarks() {
  auto const disks = random_disks();
  Set const domain = whole_domain(), union_of_disks = unite(sets_of(disks));
  expect_equal("A, intervals", union_of_disks.interval_count(), union_by_hand(disks));
  time_peer(
      "hand A", [&] { union_by_hand(disks); }, 3);
  add("build_A", std::vector<Set>{}, [=] { return unite(sets_of(disks)); }, {{"hand", "hand A"}});

  Forms const a(union_of_disks & domain), b(checkerboard_of_holes()), c(random_intervals(1)), d(random_intervals(2));
  for (auto const& [name, form] : {std::pair{"A", &a}, {"B", &b}, {"C", &c}, {"D", &d}})
    benchmark::AddCustomContext(name, std::to_string(form->set.interval_count()) + " intervals, " +
                                          std::to_string(form->set.cell_count()) + " cells");
  add_algebra(a, b, "AB");
  add_algebra(c, d, "CD");
  add_unary(c, "C", "C|D");
  Set const x = a.set, y = c.set, z = d.set;
  add("eager_(C&D)-A", std::vector{x, y, z}, [=] { return (y & z) - x; }, {});
  add("fused_(C&D)-A", std::vector{x, y, z},
      [=] { return fuse([](bool u, bool v, bool w) { return u && v && !w; }, y, z, x); }, {{"eager", "eager_(C&D)-A"}});
  add("components_A", std::vector{x}, [=] { return connected_components(x).set(); }, {});
  add("components_C", std::vector{y}, [=] { return connected_components(y).set(); }, {});
  add_three_dimensions();
}
