"""Mach-2 flow around a cylinder on four levels that follow the bow shock: what the program mach2_cylinder computes."""

import sparsecells as sc


def simulate(cells: tuple[int, int] = (96, 128), radius: float = 8.0, until: float = 400.0, progress: bool = False) -> sc.Compressible:
    """The flow at a time. Lengths in cells of level 0; the density and the speed of sound of the inflow are 1."""
    gas = sc.Euler(gamma=1.4)
    free = gas.state(density=1, velocity=(2, 0), pressure=1 / 1.4)
    body = sc.Ball((0.3 * cells[0], 0.5 * cells[1]), radius=radius)
    tunnel = sc.Domain(cells, levels=4, bodies=[body], sides={"left": "inflow", "others": "open"})
    sim = sc.Compressible(
        tunnel, gas, initial=free, inflow=free, flux="hllc", scheme="hancock",
        refine=[sc.relative_gradient("density", 0.05)], regrid_stride=4,
    )  # fmt: skip
    for step in sim.run(until=until, progress=progress):
        pass
    return sim


if __name__ == "__main__":
    sim = simulate(progress=True)
    print(sim, "drag", sim.force(0).drag / (0.5 * 2**2 * 16))
    sim.plot("mach").save("mach2.png")
    sim.save("end.h5")
