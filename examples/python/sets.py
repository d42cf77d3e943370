"""Sets, fields and pressure: the first steps."""

import numpy as np

import sparsecells as sc


def simulate(steps: int = 100) -> tuple[sc.Field, sc.Set]:
    """Heat spreads around a ball; the region that is warm is a set again."""
    obstacle = sc.ball((20, 12), 6)
    fluid = sc.box((0, 0), (64, 24)) - obstacle  # geometry is algebra
    skin = obstacle.expand(2) & fluid  # the two layers of cells around the ball
    heat = sc.Field(fluid, name="heat")  # a value per cell, nothing elsewhere
    heat.values[fluid.find(skin.cells())] = 1  # the field's own memory
    diffusion = sc.Poisson(fluid)
    for _ in range(steps):
        heat.values[:] -= 0.2 * diffusion.apply(heat).values
    warm = fluid[heat.values > 0.1]  # a field becomes geometry
    return heat, warm


if __name__ == "__main__":
    heat, warm = simulate()
    print(f"total heat {heat.values.sum():.0f}; warmer than 0.1:\n{warm}")
    pressure, report = sc.Poisson(heat.domain, dirichlet={"right": 0.0}).solve(np.asarray(heat))
    print(report)
