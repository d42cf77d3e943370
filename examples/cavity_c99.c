// The cavity in C99: the shared library with a C interface, node by node.
#include <stdio.h>
#include <stdlib.h>

#include <sparse_c/navier_stokes.h>

enum { n = 41 };

/* Ends the program with the reason if a call has failed. */
static void check(int status) {
  if (status == 0) return;
  fprintf(stderr, "cavity_c99: %s\n", sparse_c_error());
  exit(1);
}

int main(void) {
  static double u[n * n], v[n * n];

  /* The unit square; fluid of density 1 and viscosity 0.1 takes 1000 steps of 0.001. */
  sparse_navier_stokes* flow = sparse_navier_stokes_new(n, n, 1, 1);
  if (flow == NULL) check(-1);
  check(sparse_navier_stokes_set_density(flow, 1));
  check(sparse_navier_stokes_set_viscosity(flow, 0.1));
  check(sparse_navier_stokes_set_time_step(flow, 0.001));
  check(sparse_navier_stokes_set_step_count(flow, 1000));
  check(sparse_navier_stokes_set_sweep_count(flow, 50));

  /* Floor and walls are at rest. The lid moves to the right. */
  for (int x = 0; x < n; ++x) {
    check(sparse_navier_stokes_set_u_boundary(flow, x, 0, 0));
    check(sparse_navier_stokes_set_v_boundary(flow, x, 0, 0));
    check(sparse_navier_stokes_set_u_boundary(flow, x, n - 1, 1));
    check(sparse_navier_stokes_set_v_boundary(flow, x, n - 1, 0));
    check(sparse_navier_stokes_set_p_boundary(flow, x, n - 1, 0));
  }
  for (int y = 1; y < n - 1; ++y) {
    check(sparse_navier_stokes_set_u_boundary(flow, 0, y, 0));
    check(sparse_navier_stokes_set_v_boundary(flow, 0, y, 0));
    check(sparse_navier_stokes_set_u_boundary(flow, n - 1, y, 0));
    check(sparse_navier_stokes_set_v_boundary(flow, n - 1, y, 0));
  }
  check(sparse_navier_stokes_solve(flow));
  check(sparse_navier_stokes_get_u(flow, u));
  check(sparse_navier_stokes_get_v(flow, v));
  sparse_navier_stokes_delete(flow);

  /* Velocities on the centre lines: u along y, v along x. */
  double least_u = 0, least_v = 0, greatest_v = 0;
  for (int i = 0; i < n; ++i) {
    double const u_here = u[i * n + n / 2], v_here = v[n / 2 * n + i];
    if (u_here < least_u) least_u = u_here;
    if (v_here < least_v) least_v = v_here;
    if (v_here > greatest_v) greatest_v = v_here;
  }
  printf("least u: %.5f\nleast v: %.5f\ngreatest v: %.5f\n", least_u, least_v, greatest_v);
  return 0;
}
