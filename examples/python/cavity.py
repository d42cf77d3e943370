"""The lid-driven cavity at Reynolds 1000, until it is steady."""

import sparsecells as sc


def simulate(n: int = 128, reynolds: float = 1000, steady: float = 1e-4, progress: bool = False) -> sc.Incompressible:
    """The steady flow in a square of side 1 whose lid moves with velocity 1."""
    flow = sc.Incompressible(
        sc.box((0, 0), (n, n)), spacing=1 / n, viscosity=1 / reynolds, method="smac",
        walls={"top": sc.no_slip((1, 0)), "others": "no_slip"},
    )  # fmt: skip
    flow.run(steady=steady, progress=progress)
    return flow


if __name__ == "__main__":
    flow = simulate(progress=True)
    psi = flow.stream_function()
    print(f"the eddy turns around {psi.min_at} with the stream function {psi.min:.5f}")
    flow.plot("streaks").save("cavity.png")
