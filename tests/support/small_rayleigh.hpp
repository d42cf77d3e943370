#pragma once
/// Heat through a square with a warm and a cold wall, for small Rayleigh numbers.

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace reference {

using DenseRows = std::vector<std::vector<double>>;

/// Solves a x = b by elimination.
inline std::vector<double> solve_dense(DenseRows a, std::vector<double> b) {
  std::size_t const n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[pivot], a[k]);
    std::swap(b[pivot], b[k]);
    for (std::size_t i = k + 1; i < n; ++i) {
      double const factor = a[i][k] / a[k][k];
      if (factor == 0) continue;
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

/// The mean Nusselt number is 1 + c Ra^2 + ..., with the c that this returns, of second order in 1 / n.
///
/// The temperature of conduction, 1 - x, drives a flow whose stream function is Ra psi, where lap lap psi = 1 and psi =
/// 0 and its slope = 0 on the walls. This flow changes the temperature by Ra theta with lap theta = -u. There is as
/// much heat as |grad T|^2, so c is the integral of |grad theta|^2. All by finite differences on n x n cells, psi on
/// nodes.
inline double small_rayleigh_coefficient(int n) {
  double const h = 1.0 / n;
  int const inner = n - 1;
  auto const fourth = [&](int i, int j) {
    int const apart = std::abs(i - j);
    double const weight = apart == 0 ? (i == 0 || i == inner - 1 ? 7 : 6) : apart == 1 ? -4 : apart == 2 ? 1 : 0;
    return weight / (h * h * h * h);
  };
  auto const second = [&](int i, int j) {
    int const apart = std::abs(i - j);
    return (apart == 0 ? -2.0 : apart == 1 ? 1.0 : 0.0) / (h * h);
  };
  auto const node = [&](int i, int j) { return static_cast<std::size_t>(i * inner + j); };
  auto const node_count = static_cast<std::size_t>(inner * inner);
  DenseRows plate(node_count, std::vector<double>(node_count));
  for (int i = 0; i < inner; ++i)
    for (int j = 0; j < inner; ++j)
      for (int k = 0; k < inner; ++k)
        for (int l = 0; l < inner; ++l)
          plate[node(i, j)][node(k, l)] =
              (j == l ? fourth(i, k) : 0) + (i == k ? fourth(j, l) : 0) + 2 * second(i, k) * second(j, l);
  auto const solution = solve_dense(plate, std::vector<double>(node_count, 1));
  auto const psi = [&](int i, int j) { return i > 0 && j > 0 && i < n && j < n ? solution[node(i - 1, j - 1)] : 0.0; };

  auto const cell = [&](int i, int j) { return static_cast<std::size_t>(i * n + j); };
  auto const cell_count = static_cast<std::size_t>(n * n);
  std::vector<double> u(cell_count);
  DenseRows laplacian(cell_count, std::vector<double>(cell_count));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      u[cell(i, j)] = 0.5 * (psi(i, j + 1) - psi(i, j) + psi(i + 1, j + 1) - psi(i + 1, j)) / h;
      for (auto const& [k, l] : {std::pair{i - 1, j}, {i + 1, j}, {i, j - 1}, {i, j + 1}}) {
        if (l < 0 || l >= n) continue;  // no heat goes through
        bool const is_wall = k < 0 || k >= n;
        if (!is_wall) laplacian[cell(i, j)][cell(k, l)] += 1 / (h * h);
        laplacian[cell(i, j)][cell(i, j)] -= (is_wall ? 2 : 1) / (h * h);
      }
    }
  auto const theta = solve_dense(laplacian, u);  // but for its sign
  double sum = 0;
  for (std::size_t k = 0; k < cell_count; ++k) sum -= theta[k] * u[k] * h * h;
  return sum;
}

}  // namespace reference
