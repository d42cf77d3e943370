#include <sparse_c/navier_stokes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <sparse/base/runtime.hpp>
#include <sparse/fields/gather.hpp>
#include <sparse/incompressible/method/collocated.hpp>
#include <sparse/sets/host_set.hpp>
#include <sparse/shapes/shapes.hpp>

using namespace sparse;
using incompressible::Collocated;
using incompressible::CollocatedOptions;

namespace {

thread_local char error_text[1024] = "";

/// Runs `body`. What it throws becomes the text of the error.
template <class Body>
int guarded(Body const& body) noexcept {
  error_text[0] = '\0';
  try {
    body();
    return 0;
  } catch (std::exception const& error) {
    std::snprintf(error_text, sizeof error_text, "%s", error.what());
  } catch (...) {
    std::snprintf(error_text, sizeof error_text, "an error of an unknown kind");
  }
  return -1;
}

std::unique_ptr<Runtime>& own_runtime() {
  static std::unique_ptr<Runtime> runtime;
  return runtime;
}

/// Starts Kokkos unless it runs. It ends with the process, before the static objects of Kokkos itself do.
void start_kokkos() {
  static std::mutex mutex;
  static bool has_ended = false;
  std::lock_guard const lock(mutex);
  if (Kokkos::is_initialized()) return;
  expects(!has_ended, "no flow can be made while the process ends");
  own_runtime() = std::make_unique<Runtime>();
  std::atexit([] {
    has_ended = true;
    own_runtime().reset();
  });
}

/// What is given for one component, at each node; not a number where nothing is.
struct Given {
  std::vector<double> values;
  bool has_changed = false;
};

void expect_positive(double value, char const* name) {
  if (!(std::isfinite(value) && value > 0))
    fail(std::string(name) + " must be positive, but is " + std::to_string(value));
}

}  // namespace

struct sparse_navier_stokes {
  int nx, ny;
  CollocatedOptions options = {};
  int step_count = 1000;
  std::array<Given, 3> given = {};
  Collocated<double> flow;

  sparse_navier_stokes(int x_count, int y_count, Vec<double, 2> const& spacing)
      : nx(x_count), ny(y_count), flow(box<2>({0, 0}, {x_count, y_count}), spacing) {
    for (Given& component : given)
      component.values.assign(static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny), std::nan(""));
  }

  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(x);
  }
  /// The given values of a component as a field on their nodes.
  Field<double, 2> field_of(Given const& component) const {
    HostSet<2> rows;
    std::vector<Vec<Coord, 2>> nodes;
    std::vector<double> values;
    rows.row_ptr.push_back(0);
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        if (std::isnan(component.values[at(x, y)])) continue;
        rows.intervals.push_back({x, x + 1});
        nodes.push_back({x, y});
        values.push_back(component.values[at(x, y)]);
      }
      rows.row_keys.push_back(row_key(Vec<Coord, 2>{0, y}));
      rows.row_ptr.push_back(static_cast<Index>(rows.intervals.size()));
    }
    Field<double, 2> field("given", from_host(rows));
    scatter(field, nodes, values);
    return field;
  }
};

namespace {

template <class Flow>
Flow& known(Flow* flow) {
  expects(flow != nullptr, "the flow is NULL");
  return *flow;
}

int set_positive(sparse_navier_stokes* flow, double CollocatedOptions::*member, double value, char const* name) {
  return guarded([&] {
    expect_positive(value, name);
    known(flow).options.*member = value;
  });
}

int set_boundary(sparse_navier_stokes* flow, std::size_t component, int x, int y, double value) {
  return guarded([&] {
    auto& f = known(flow);
    if (x < 0 || x >= f.nx || y < 0 || y >= f.ny)
      fail("there is no node (" + std::to_string(x) + ", " + std::to_string(y) + ") among " + std::to_string(f.nx) +
           " * " + std::to_string(f.ny));
    expects(std::isfinite(value), "a given value is not finite");
    f.given[component].values[f.at(x, y)] = value;
    f.given[component].has_changed = true;
  });
}

int get(sparse_navier_stokes const* flow, Field<double, 2> (Collocated<double>::*member)() const, double* values) {
  return guarded([&] {
    expects(values != nullptr, "the array of values is NULL");
    auto const on_host = to_host((known(flow).flow.*member)());
    std::copy(on_host.begin(), on_host.end(), values);
  });
}

}  // namespace

char const* sparse_c_error(void) { return error_text; }

sparse_navier_stokes* sparse_navier_stokes_new(int nx, int ny, double width, double height) {
  sparse_navier_stokes* flow = nullptr;
  guarded([&] {
    expects(nx >= 3 && ny >= 3 && nx < coord_limit && ny < coord_limit,
            "a flow needs at least 3 nodes along each side, and less than 2^30");
    expect_positive(width, "the width");
    expect_positive(height, "the height");
    start_kokkos();
    flow = new sparse_navier_stokes(nx, ny, {width / (nx - 1), height / (ny - 1)});
  });
  return flow;
}

void sparse_navier_stokes_delete(sparse_navier_stokes* flow) {
  if (!Kokkos::is_initialized()) return;  // its memory has gone with Kokkos
  guarded([&] { delete flow; });
}

int sparse_navier_stokes_size(sparse_navier_stokes const* flow, int* nx, int* ny) {
  return guarded([&] {
    auto const& f = known(flow);
    expects(nx != nullptr && ny != nullptr, "the place for a size is NULL");
    *nx = f.nx;
    *ny = f.ny;
  });
}

int sparse_navier_stokes_set_density(sparse_navier_stokes* flow, double density) {
  return set_positive(flow, &CollocatedOptions::density, density, "the density");
}
int sparse_navier_stokes_set_viscosity(sparse_navier_stokes* flow, double viscosity) {
  return set_positive(flow, &CollocatedOptions::viscosity, viscosity, "the viscosity");
}
int sparse_navier_stokes_set_time_step(sparse_navier_stokes* flow, double time_step) {
  return set_positive(flow, &CollocatedOptions::time_step, time_step, "the time step");
}
int sparse_navier_stokes_set_stability_factor(sparse_navier_stokes* flow, double factor) {
  return set_positive(flow, &CollocatedOptions::stability_factor, factor, "the stability factor");
}
int sparse_navier_stokes_set_step_count(sparse_navier_stokes* flow, int step_count) {
  return guarded([&] {
    expects(step_count > 0, "the number of steps must be positive");
    known(flow).step_count = step_count;
  });
}
int sparse_navier_stokes_set_sweep_count(sparse_navier_stokes* flow, int sweep_count) {
  return guarded([&] {
    expects(sweep_count > 0, "the number of sweeps must be positive");
    known(flow).options.sweep_count = sweep_count;
  });
}

int sparse_navier_stokes_set_u_boundary(sparse_navier_stokes* flow, int x, int y, double value) {
  return set_boundary(flow, 0, x, y, value);
}
int sparse_navier_stokes_set_v_boundary(sparse_navier_stokes* flow, int x, int y, double value) {
  return set_boundary(flow, 1, x, y, value);
}
int sparse_navier_stokes_set_p_boundary(sparse_navier_stokes* flow, int x, int y, double value) {
  return set_boundary(flow, 2, x, y, value);
}

int sparse_navier_stokes_solve(sparse_navier_stokes* flow) {
  return guarded([&] {
    auto& f = known(flow);
    f.flow.set_options(f.options);
    using Fix = void (Collocated<double>::*)(Field<double, 2> const&);
    Fix const fixes[] = {&Collocated<double>::fix_u, &Collocated<double>::fix_v, &Collocated<double>::fix_p};
    for (std::size_t component = 0; component < 3; ++component) {
      Given& given = f.given[component];
      if (!given.has_changed) continue;
      (f.flow.*fixes[component])(f.field_of(given));
      given.has_changed = false;
    }
    f.flow.advance(f.step_count);
  });
}

int sparse_navier_stokes_get_u(sparse_navier_stokes const* flow, double* values) {
  return get(flow, &Collocated<double>::u, values);
}
int sparse_navier_stokes_get_v(sparse_navier_stokes const* flow, double* values) {
  return get(flow, &Collocated<double>::v, values);
}
int sparse_navier_stokes_get_p(sparse_navier_stokes const* flow, double* values) {
  return get(flow, &Collocated<double>::p, values);
}
