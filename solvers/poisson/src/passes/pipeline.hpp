#pragma once
/// Several passes over a level at once: while a group of planes is in the cache, all passes work on it.

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <sparse/base/context.hpp>

namespace sparse::poisson::detail {

/// A sequence of groups of cells. Each touches only the one before and after it.
struct Chain {
  Index group_count = 0;   ///< 0 where nothing is known of what touches what
  bool is_cyclic = false;  ///< the last group touches the first one
  Index cell_count = 0;
};

/// Passes over a level, one after the other. Each computes something from a cell and its neighbours.
class Pipeline {
public:
  /// Adds a pass. `stage(g)` does group g, on the host; `stage.on_all(context)` does all cells, on a device. A stage of
  /// cells without groups has only `on_all`.
  template <class Stage>
  void add(Stage const& stage) {
    stages_.push_back(std::make_unique<Holder<Stage>>(stage));
  }

  /// Calls each stage for each group. When stage s comes to a group, the stages before it are done with this group and
  /// its neighbours, and those after it have not touched them. A stage may depend on what earlier ones did to a cell
  /// and its neighbours, but not on what it does itself. Then results do not depend on the number of threads.
  ///
  /// On a device, where caches are small, and without groups, stages follow one another.
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
    virtual void on_all(Context const& context) const = 0;
  };

private:
  template <class Stage>
  struct Holder : AnyStage {
    Stage stage;
    explicit Holder(Stage const& s) : stage(s) {}
    static constexpr bool has_groups = std::is_invocable_v<Stage const&, Index>;
    void on_group([[maybe_unused]] Index g) const override {
      if constexpr (has_groups) stage(g);
    }
    void on_all([[maybe_unused]] Context const& context) const override {
      if constexpr (!has_groups || !is_host_backend) stage.on_all(context);  // on the host, groups are all there is
    }
  };
  std::vector<std::unique_ptr<AnyStage>> stages_;
};

}  // namespace sparse::poisson::detail
