#ifndef SPARSE_C_NAVIER_STOKES_H
#define SPARSE_C_NAVIER_STOKES_H
/**
 * Incompressible flow in a rectangle of nodes, for C and for languages that call C: the class `Collocated` of
 * <sparse/incompressible/method/collocated.hpp>, in double precision.
 *
 * The first flow starts Kokkos, unless the program has. Kokkos then ends with the process. Use flows from one thread at
 * a time. Functions that return an int return 0, or -1 if they have failed. The reason is then in `sparse_c_error`. No
 * function throws.
 */

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SPARSE_C_PUBLIC __attribute__((visibility("default")))
#else
#define SPARSE_C_PUBLIC
#endif

/** A flow: its parameters, given values, and state. */
typedef struct sparse_navier_stokes sparse_navier_stokes;

/** Why the last call of this thread has failed; empty if it has not. Valid until the next call. */
SPARSE_C_PUBLIC char const* sparse_c_error(void);

/**
 * A flow at rest on nx * ny nodes, at least 3 along each side, that span a rectangle. Node (x, y) lies at
 * (x * width / (nx - 1), y * height / (ny - 1)). Fails with NULL.
 */
SPARSE_C_PUBLIC sparse_navier_stokes* sparse_navier_stokes_new(int nx, int ny, double width, double height);
/** NULL is allowed. */
SPARSE_C_PUBLIC void sparse_navier_stokes_delete(sparse_navier_stokes* flow);
/** The numbers of nodes along x and y. */
SPARSE_C_PUBLIC int sparse_navier_stokes_size(sparse_navier_stokes const* flow, int* nx, int* ny);

/* Parameters, all > 0. They count from the next solve on. */

/** 1 unless it is set. */
SPARSE_C_PUBLIC int sparse_navier_stokes_set_density(sparse_navier_stokes* flow, double density);
/** Kinematic viscosity; 0.1 unless it is set. */
SPARSE_C_PUBLIC int sparse_navier_stokes_set_viscosity(sparse_navier_stokes* flow, double viscosity);
/** Steps of a solve; 1000 unless they are set. */
SPARSE_C_PUBLIC int sparse_navier_stokes_set_step_count(sparse_navier_stokes* flow, int step_count);
/** Sweeps of Jacobi's method for the pressure in each step; 50 unless they are set. */
SPARSE_C_PUBLIC int sparse_navier_stokes_set_sweep_count(sparse_navier_stokes* flow, int sweep_count);
/** 0.001 unless it is set. */
SPARSE_C_PUBLIC int sparse_navier_stokes_set_time_step(sparse_navier_stokes* flow, double time_step);
/**
 * The part of 1 / (viscosity (1 / dx^2 + 1 / dy^2)) that a time step may be; 0.5 unless it is set. Diffusion is stable
 * up to 0.5.
 */
SPARSE_C_PUBLIC int sparse_navier_stokes_set_stability_factor(sparse_navier_stokes* flow, double factor);

/* Given values at a node, on the boundary or inside. Other nodes of the boundary have velocity 0, and a pressure whose
   normal derivative is 0. Velocities hold from the end of the first step on. */

/// Give a node of the boundary a velocity along x or y, or a pressure. Returns 0, or -1 for a node that is not there or
/// a value that is not finite.
SPARSE_C_PUBLIC int sparse_navier_stokes_set_u_boundary(sparse_navier_stokes* flow, int x, int y, double value);
SPARSE_C_PUBLIC int sparse_navier_stokes_set_v_boundary(sparse_navier_stokes* flow, int x, int y, double value);
SPARSE_C_PUBLIC int sparse_navier_stokes_set_p_boundary(sparse_navier_stokes* flow, int x, int y, double value);

/**
 * Takes the steps, from the state as it is. Fails if a step is longer than the limit; the state is then as it was. Also
 * fails if a value is no longer finite; the state is then that before this step.
 */
SPARSE_C_PUBLIC int sparse_navier_stokes_solve(sparse_navier_stokes* flow);

/** Copies the values of all nodes to an array of nx * ny numbers. That of node (x, y) is values[y * nx + x]. */
SPARSE_C_PUBLIC int sparse_navier_stokes_get_u(sparse_navier_stokes const* flow, double* values);
SPARSE_C_PUBLIC int sparse_navier_stokes_get_v(sparse_navier_stokes const* flow, double* values);
SPARSE_C_PUBLIC int sparse_navier_stokes_get_p(sparse_navier_stokes const* flow, double* values);

#ifdef __cplusplus
}
#endif
#endif
