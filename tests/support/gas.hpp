#pragma once
/// Random states of a gas, and how tests compare states.

#include <cmath>

#include <sparse/compressible/laws/euler.hpp>

#include "real_cases.hpp"
#include "reference.hpp"

namespace gas {

using reference::seed_count;
using sparse::Vec;

template <class T, int Dim>
using Euler = sparse::compressible::Euler<T, Dim>;
template <class T, int Dim>
using State = typename Euler<T, Dim>::State;

/// For typed tests: a scalar type and a dimension.
template <class T, int D>
struct Case {
  using Scalar = T;
  static constexpr int Dim = D;
};
using Cases = reference::RealCasesOf<Case>;

/// Errors of a few hundred operations.
template <class T>
constexpr double rounding = 1024 * std::numeric_limits<T>::epsilon();

/// Primitive states.
template <class T, int Dim>
struct RandomStates {
  std::mt19937 engine;
  explicit RandomStates(unsigned seed) : engine(reference::random_engine(seed)) {}

  T number(double least, double greatest) {
    return static_cast<T>(std::uniform_real_distribution<double>(least, greatest)(engine));
  }
  /// Between 10^-decades and 10^decades.
  T positive(double decades) { return static_cast<T>(std::pow(10.0, double(number(-decades, decades)))); }
  Vec<T, Dim> velocity(double greatest = 2) {
    Vec<T, Dim> v;
    for (int axis = 0; axis < Dim; ++axis) v[axis] = number(-greatest, greatest);
    return v;
  }
  /// Pressure is not so small beside the kinetic energy that rounding would eat it.
  State<T, Dim> operator()() { return state(positive(0.5), velocity(), positive(0.5)); }
  /// Pressures and densities that differ by up to 10^10, and up to ten times faster than sound.
  State<T, Dim> extreme() {
    T const rho = positive(5), p = positive(5);
    return state(rho, velocity(10 * std::sqrt(1.4 * double(p / rho))), p);
  }
  static State<T, Dim> state(T rho, Vec<T, Dim> const& v, T p) {
    State<T, Dim> w;
    w[0] = rho;
    for (int axis = 0; axis < Dim; ++axis) w[1 + axis] = v[axis];
    w[Dim + 1] = p;
    return w;
  }
};

/// Largest difference over the components, relative to the largest of them.
template <class T, int N>
double distance(Vec<T, N> const& a, Vec<T, N> const& b) {
  double difference = 0, size = 0;
  for (int i = 0; i < N; ++i) {
    if (!(std::abs(a[i]) + std::abs(b[i]) < std::numeric_limits<T>::infinity()))
      return std::numeric_limits<double>::infinity();
    difference = std::max<double>(difference, std::abs(a[i] - b[i]));
    size = std::max<double>({size, double(std::abs(a[i])), double(std::abs(b[i]))});
  }
  return size == 0 ? 0 : difference / size;
}

/// A state or flux with x named y, y named z, ...
template <int Dim, class T, int N>
Vec<T, N> turned(Vec<T, N> const& w) {
  Vec<T, N> result = w;
  for (int axis = 0; axis < Dim; ++axis) result[1 + (axis + 1) % Dim] = w[1 + axis];
  return result;
}

/// Primitive variables behind a shock, and its speed, positive towards +axis. The shock runs along `axis` into
/// the state `ahead`, towards +axis (direction 1) or -axis (-1), and has `ratio` > 1 times the pressure behind it.
/// Source: Rankine (1870), Hugoniot (1889); Liepmann and Roshko (1957), section 2.13.
template <int Dim>
std::pair<State<double, Dim>, double> behind_shock(State<double, Dim> const& ahead, int axis, int direction,
                                                   double ratio, double gamma) {
  State<double, Dim> behind = ahead;
  double const g = gamma, mach = std::sqrt((ratio - 1) * (g + 1) / (2 * g) + 1);
  double const speed = direction * mach * std::sqrt(g * ahead[Dim + 1] / ahead[0]);
  behind[Dim + 1] *= ratio;
  behind[0] *= (g + 1) * mach * mach / ((g - 1) * mach * mach + 2);
  behind[1 + axis] += speed * (1 - ahead[0] / behind[0]);
  return {behind, ahead[1 + axis] + speed};
}

}  // namespace gas
