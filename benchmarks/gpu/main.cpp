// What a device does with sparse: set algebra, fields, flow and pressure, each as a time and as part of what a copy in
// the same memory would move. The same on a host, smaller. See measure.hpp for the columns.

#include "measure.hpp"

void register_benchmarks() {
  benchmark::AddCustomContext("copy", std::to_string(1e-9 * measure::copy_bandwidth()) + " GB/s, read and written");
  measure::add_fields();
  measure::add_sets();
  measure::add_poisson();
  measure::add_euler();
}
