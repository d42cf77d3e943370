#pragma once
/// Writes intervals that may overlap or touch as disjoint ones.

#include <sparse/base/interval.hpp>

namespace sparse::detail {

/// Takes non-empty intervals in increasing order of `begin`. Always writes, but advances only past intervals that are
/// complete: a branch could not be predicted.
class JoinWriter {
public:
  KOKKOS_FORCEINLINE_FUNCTION explicit JoinWriter(Interval* out) : out_(out) {}

  KOKKOS_FORCEINLINE_FUNCTION void operator()(Interval next) {
    bool const is_apart = next.begin > open_.end;
    *out_ = open_;
    out_ += static_cast<int>(is_apart) & has_any_;
    has_any_ = 1;
    open_.begin = is_apart ? next.begin : open_.begin;
    open_.end = next.end > open_.end ? next.end : open_.end;
  }
  KOKKOS_FORCEINLINE_FUNCTION Interval* finish() {
    if (has_any_ != 0) *out_++ = open_;
    return out_;
  }

private:
  Interval* out_;
  Interval open_{-coord_limit - 1, -coord_limit - 1};
  int has_any_ = 0;
};

}  // namespace sparse::detail
