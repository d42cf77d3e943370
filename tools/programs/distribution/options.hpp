#pragma once
/// The options of `distribution`, and its two kinds of flows.

#include <filesystem>
#include <optional>
#include <vector>

#include <sparse/distributed/traffic.hpp>

struct Options {
  std::filesystem::path checkpoint, picture;
  std::vector<int> ranks;
  int refinements = 0;
  bool subcycles = true, is_json = false;
  sparse::distributed::PartitionOptions partition;
  std::optional<double> updates;      // millions/s
  double latency = 2, bandwidth = 5;  // microseconds, GB/s
  int threads = 0;

  /// @param usual  updates, if none are given
  sparse::distributed::Machine machine(double usual) const {
    return {updates.value_or(usual) * 1e6, latency * 1e-6, bandwidth * 1e9};
  }
};

/// Prints what a compressible flow on levels would cost.
/// @throws std::runtime_error  with the path, if the checkpoint says too little
template <int Dim>
void report_levels(Options const& o);
/// Prints what the pressure of an incompressible flow would cost.
/// @throws std::runtime_error  as above
template <int Dim>
void report_pressure(Options const& o);
