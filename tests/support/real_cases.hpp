#pragma once
/// Types of values and dimensions, for tests typed over both.

#include <cstddef>

#include <gtest/gtest.h>

namespace reference {

/// Precision and dimension are parameters that know nothing of each other, so three of the four cases find what is
/// wrong. With sanitizers the fourth is tried, too.
#if defined(SPARSE_VALIDATE)
template <template <class, int> class Case>
using RealCasesOf = testing::Types<Case<double, 2>, Case<double, 3>, Case<float, 2>, Case<float, 3>>;
inline constexpr std::size_t real_case_count = 4;
#else
template <template <class, int> class Case>
using RealCasesOf = testing::Types<Case<double, 2>, Case<double, 3>, Case<float, 2>>;
inline constexpr std::size_t real_case_count = 3;
#endif

}  // namespace reference
