#pragma once
/// Several passes over a level in one: while a group of planes is in the cache, all that can be done to it is done.

#include <memory>
#include <utility>
#include <vector>

#include <sparse/base/context.hpp>

namespace sparse::poisson::detail {

/// Groups of cells in a row of which each touches the last and the next one only.
struct Chain {
  Index group_count = 0;
  bool is_cyclic = false;  ///< the last one touches the first one
  Index cell_count = 0;
};

/// Passes over a level, one after the other: each computes something of a cell and its neighbours.
class Pipeline {
public:
  /// Adds a pass. `stage(g)` does group g, on the host; `stage.on_device(context)` does all cells, on a device.
  template <class Stage>
  void add(Stage const& stage) {
    stages_.push_back(std::make_unique<Holder<Stage>>(stage));
  }

  /// Calls each stage for each group such that stage s follows stages 0 to s - 1 on the same group and its neighbours,
  /// and precedes stage s + 1 there. So where a stage depends on what earlier ones did to a cell and its neighbours,
  /// and on nothing that it does itself, results do not depend on the number of threads.
  ///
  /// On a device, where caches are small, stages follow one another.
  /// Source: time skewing, Wonnacott, Using time skewing to eliminate idle time due to memory bandwidth and network
  /// limitations, IPDPS 2000.
  void run(Context const& context, Chain const& chain) const;
  /// Adds the passes of another pipeline.
  void append(Pipeline&& other) {
    for (auto& stage : other.stages_) stages_.push_back(std::move(stage));
    other.stages_.clear();
  }

  struct AnyStage {
    virtual ~AnyStage() = default;
    virtual void on_group(Index g) const = 0;
    virtual void on_device(Context const& context) const = 0;
  };

private:
  template <class Stage>
  struct Holder : AnyStage {
    Stage stage;
    explicit Holder(Stage const& s) : stage(s) {}
    void on_group(Index g) const override { stage(g); }
    void on_device(Context const& context) const override { stage.on_device(context); }
  };
  std::vector<std::unique_ptr<AnyStage>> stages_;
};

}  // namespace sparse::poisson::detail
