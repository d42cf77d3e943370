#pragma once
/// Which cells the criteria want to be refined.

#include <sparse/amr/domain/domain.hpp>
#include <sparse/incompressible/levels/criteria.hpp>

#include "level.hpp"

namespace sparse::incompressible::detail {

/// @throws std::invalid_argument  if a criterion does not make sense
template <int Dim>
void expect_valid(std::vector<Criterion<Dim>> const& criteria);

/// [level], but for the finest one of the domain.
template <int Dim>
struct Tags {
  std::vector<IntervalSet<Dim>> refined;  ///< the cells to refine
  std::vector<IntervalSet<Dim>> kept;     ///< that stay refined: too weak to refine more around them
};

/// Rings must be filled.
template <class T, int Dim>
Tags<Dim> tagged_cells(amr::Domain<Dim> const& domain, std::vector<Criterion<Dim>> const& criteria,
                       Levels<T, Dim> const& levels, double time);

}  // namespace sparse::incompressible::detail
