// What a device does with sparse: set algebra, fields, flow and pressure. Each is a time, and a part of what a copy in
// the same memory would move. A host does the same, smaller. See measure.hpp for the columns.

#include "measure.hpp"

void register_benchmarks() {
  benchmark::AddCustomContext("copy", std::to_string(1e-9 * measure::copy_bandwidth()) + " GB/s, read and written");
  measure::add_fields();
  measure::add_sets();
  measure::add_poisson();
  measure::add_euler();
}
