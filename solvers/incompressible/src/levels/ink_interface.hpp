#pragma once
/// What inks flow through interfaces between levels.

#include "level_grid.hpp"
#include "step/ink_stage.hpp"

namespace sparse::incompressible::detail {

/// A face and the cells beside and behind it, as positions in storage. Cells behind are -1 where they are missing.
struct InkFace {
  Index face, below, above, far_below, far_above;
};

/// A coarse leaf beside finer ones. By arm: the face there and the fine ones in it; the face is -1 elsewhere.
template <int Dim>
struct InkLeaf {
  Index leaf;
  InkFace coarse[2 * Dim], fine[2 * Dim][face_parts<Dim>];
};

/// Coarse leaves beside finer ones. What flows through faces between them is what the finer ones say, so that nothing
/// is lost.
template <int Dim>
class InkInterface {
public:
  InkInterface() = default;
  /// Cost: dozens of searches per leaf.
  InkInterface(StaggeredGrid<Dim> const& coarse, LevelCells<Dim> const& cells, StaggeredGrid<Dim> const& fine);

  /// Replaces what a stage let flow through interfaces.
  /// @param coarse, fine  of the stage, on either level; with the values that it started from
  /// @param conductance   diffusivity over the spacing of the coarse level, by axis
  /// @param to            what the stage has made on the coarse level
  template <class T>
  void correct(InkStage<T, Dim> const& coarse, T const* coarse_values, InkStage<T, Dim> const& fine,
               T const* fine_values, Vec<T, Dim> const& conductance, T* to) const;

private:
  Context context_;
  Buffer<InkLeaf<Dim>> leaves_;
};

}  // namespace sparse::incompressible::detail
