/// The C interface: its flow is that of the class, mistakes become texts, nothing is thrown.

#include <cmath>
#include <string>
#include <vector>

#include <sparse_c/navier_stokes.h>
#include <support/collocated.hpp>

namespace {

struct Delete {
  void operator()(sparse_navier_stokes* flow) const { sparse_navier_stokes_delete(flow); }
};
using FlowPointer = std::unique_ptr<sparse_navier_stokes, Delete>;

FlowPointer cavity_in_c(int n) {
  FlowPointer flow(sparse_navier_stokes_new(n, n, 1, 1));
  for (int x = 0; x < n; ++x) {
    EXPECT_EQ(sparse_navier_stokes_set_u_boundary(flow.get(), x, n - 1, 1), 0);
    EXPECT_EQ(sparse_navier_stokes_set_p_boundary(flow.get(), x, n - 1, 0), 0);
  }
  return flow;
}

using Get = int (*)(sparse_navier_stokes const*, double*);
std::vector<double> values_of(FlowPointer const& flow, Get get) {
  int nx = 0, ny = 0;
  EXPECT_EQ(sparse_navier_stokes_size(flow.get(), &nx, &ny), 0);
  std::vector<double> values(static_cast<std::size_t>(nx * ny));
  EXPECT_EQ(get(flow.get(), values.data()), 0);
  return values;
}

testing::AssertionResult has_failed(int status, std::string const& part) {
  std::string const text = sparse_c_error();
  if (status != -1) return testing::AssertionFailure() << "it has succeeded";
  if (text.find(part) == std::string::npos) return testing::AssertionFailure() << text;
  return testing::AssertionSuccess();
}

}  // namespace

TEST(CNavierStokes, IsTheFlowOfTheClass) {
  auto const flow = cavity_in_c(17);
  auto* const f = flow.get();
  EXPECT_EQ(sparse_navier_stokes_set_density(f, 1.5), 0);
  EXPECT_EQ(sparse_navier_stokes_set_viscosity(f, 0.2), 0);
  EXPECT_EQ(sparse_navier_stokes_set_time_step(f, 0.002), 0);
  EXPECT_EQ(sparse_navier_stokes_set_step_count(f, 30), 0);
  EXPECT_EQ(sparse_navier_stokes_set_sweep_count(f, 20), 0);
  EXPECT_EQ(sparse_navier_stokes_set_stability_factor(f, 0.45), 0);
  ASSERT_EQ(sparse_navier_stokes_solve(f), 0) << sparse_c_error();
  // A second solve goes on, with other parameters and values.
  EXPECT_EQ(sparse_navier_stokes_set_time_step(f, 0.001), 0);
  EXPECT_EQ(sparse_navier_stokes_set_v_boundary(f, 0, 5, 0.5), 0);
  ASSERT_EQ(sparse_navier_stokes_solve(f), 0) << sparse_c_error();

  reference::CollocatedOptions options{
      .density = 1.5, .viscosity = 0.2, .time_step = 0.002, .sweep_count = 20, .stability_factor = 0.45};
  auto wanted = reference::cavity<double>(17, options);
  wanted.advance(30);
  options.time_step = 0.001;
  wanted.set_options(options);
  wanted.fix_v(sparse::box<2>({0, 5}, {1, 6}), 0.5);
  wanted.advance(30);
  EXPECT_NEAR(wanted.time(), 0.09, 1e-15);
  EXPECT_EQ(values_of(flow, sparse_navier_stokes_get_u), to_host(wanted.u()));
  EXPECT_EQ(values_of(flow, sparse_navier_stokes_get_v), to_host(wanted.v()));
  EXPECT_EQ(values_of(flow, sparse_navier_stokes_get_p), to_host(wanted.p()));
}

TEST(CNavierStokes, MistakesAreTold) {
  EXPECT_EQ(sparse_navier_stokes_new(2, 9, 1, 1), nullptr);
  EXPECT_TRUE(has_failed(-1, "at least 3 nodes"));
  EXPECT_EQ(sparse_navier_stokes_new(9, 9, 0, 1), nullptr);
  EXPECT_TRUE(has_failed(-1, "the width must be positive"));

  auto const flow = cavity_in_c(80);
  auto* const f = flow.get();
  EXPECT_TRUE(
      has_failed(sparse_navier_stokes_solve(f), "the time step 0.001 is more than the longest stable one, 0.0004"));
  EXPECT_TRUE(has_failed(sparse_navier_stokes_set_density(f, -1), "the density must be positive, but is -1"));
  EXPECT_TRUE(has_failed(sparse_navier_stokes_set_viscosity(f, std::nan("")), "the viscosity must be positive"));
  EXPECT_TRUE(has_failed(sparse_navier_stokes_set_time_step(f, 0), "the time step must be positive"));
  EXPECT_TRUE(has_failed(sparse_navier_stokes_set_stability_factor(f, 0), "the stability factor must be positive"));
  EXPECT_TRUE(has_failed(sparse_navier_stokes_set_step_count(f, 0), "the number of steps"));
  EXPECT_TRUE(has_failed(sparse_navier_stokes_set_sweep_count(f, -3), "the number of sweeps"));
  EXPECT_TRUE(has_failed(sparse_navier_stokes_set_u_boundary(f, 80, 3, 1), "there is no node (80, 3) among 80 * 80"));
  EXPECT_TRUE(has_failed(sparse_navier_stokes_set_v_boundary(f, 3, -1, 1), "there is no node (3, -1)"));
  EXPECT_TRUE(has_failed(sparse_navier_stokes_set_p_boundary(f, 3, 3, INFINITY), "not finite"));
  EXPECT_TRUE(has_failed(sparse_navier_stokes_get_u(f, nullptr), "NULL"));
  EXPECT_TRUE(has_failed(sparse_navier_stokes_size(f, nullptr, nullptr), "NULL"));
  EXPECT_TRUE(has_failed(sparse_navier_stokes_solve(nullptr), "the flow is NULL"));
  sparse_navier_stokes_delete(nullptr);

  // A factor for which diffusion is not stable: the state stays that of the last good step.
  EXPECT_EQ(sparse_navier_stokes_set_stability_factor(f, 2), 0);
  EXPECT_EQ(std::string(sparse_c_error()), "");
  EXPECT_TRUE(has_failed(sparse_navier_stokes_solve(f), "in step 19, after 18 good ones"));
  auto wanted = reference::cavity<double>(80, {.allow_unstable = true});
  wanted.advance(18);
  EXPECT_EQ(values_of(flow, sparse_navier_stokes_get_u), to_host(wanted.u()));
}
