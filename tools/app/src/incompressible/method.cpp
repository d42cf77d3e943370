#include <sparse/app/incompressible/method.hpp>

#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace sparse::app {
namespace {

sparse::poisson::SolverOptions pressure_options(FlowOptions const& o) {
  int const usual_limit = sparse::poisson::has_multigrid(o.solver) ? 100 : 1000000;
  int const limit = o.iteration_limit > 0 ? o.iteration_limit : usual_limit;
  sparse::poisson::SolverOptions options{o.solver, {o.tolerance, limit}};
  // The few iterations of SMAC, which starts from the last pressure, are cheaper with one sweep.
  auto* const pcg = std::get_if<sparse::poisson::MultigridCg>(&options.method);
  if (pcg != nullptr && o.method == FlowMethod::smac) pcg->preconditioner.sweeps = 1;
  // From step to step, about as many sweeps are needed.
  if (auto* const jacobi = std::get_if<sparse::poisson::Jacobi>(&options.method))
    jacobi->guess = std::make_shared<sparse::poisson::SweepGuess>();
  return options;
}

template <int Dim>
sparse::incompressible::SmacOptions<Dim> smac_options(FlowOptions const& o, FlowPhysics<Dim> const& physics) {
  sparse::incompressible::SmacOptions<Dim> options;
  options.viscosity = physics.viscosity;
  options.integrator = o.integrator;
  options.upstream = o.upstream;
  if (o.gamma != "auto") options.donor_cell = std::stod(o.gamma);
  options.acceleration = physics.acceleration;
  options.ink = o.ink;
  options.transported = physics.transported;
  options.buoyancy = physics.buoyancy;
  options.pressure = pressure_options(o);
  return options;
}

template <int Dim>
sparse::incompressible::FlowMapOptions<Dim> flow_map_options(FlowOptions const& o, FlowPhysics<Dim> const& physics) {
  sparse::incompressible::FlowMapOptions<Dim> options;
  options.cycle = o.cycle;
  options.interpolation = o.interpolation;
  options.error_compensation = o.has_compensation;
  options.limiter = o.limiter;
  options.ink = o.ink;
  options.viscosity = physics.viscosity;
  options.buoyancy = physics.buoyancy;
  options.transported = physics.transported;
  options.pressure = pressure_options(o);
  return options;
}

template <class Method, int Dim>
class MethodOf final : public AnyMethod<Dim> {
public:
  using State = sparse::incompressible::State<double, Dim>;

  template <class Options>
  MethodOf(sparse::incompressible::StaggeredGrid<Dim> const& grid, Options const& options) : method_(grid, options) {
    if (auto const* const jacobi = std::get_if<sparse::poisson::Jacobi>(&options.pressure.method))
      sweeps_ = jacobi->guess;
  }

  double longest_step(State const& state, double size) const override { return method_.longest_step(state, size); }
  sparse::poisson::Report advance(State& state, double time_step) override { return method_.advance(state, time_step); }
  sparse::poisson::Report project(State& state) override { return method_.project(state); }
  sparse::incompressible::MethodMemory<double, Dim> memory() const override {
    auto memory = method_.memory();
    if (sweeps_) memory.numbers[name_of_sweeps] = sweeps_->sweeps;
    return memory;
  }
  void restore(sparse::incompressible::MethodMemory<double, Dim> const& memory) override {
    method_.restore(memory);
    if (!sweeps_) return;
    auto const found = memory.numbers.find(name_of_sweeps);
    if (found == memory.numbers.end()) throw std::runtime_error("the checkpoint has no number of pressure sweeps");
    sweeps_->sweeps = static_cast<int>(found->second);
  }
  double greatest_change([[maybe_unused]] State const& state) const override {
    if constexpr (requires { method_.greatest_change(state); })
      return method_.greatest_change(state);
    else
      return std::numeric_limits<double>::infinity();
  }
  sparse::incompressible::StaggeredGrid<Dim> const& grid() const override { return method_.grid(); }
  sparse::incompressible::StepSeconds const& seconds() const override { return method_.seconds(); }

private:
  static constexpr char name_of_sweeps[] = "pressure_sweeps";
  Method method_;
  std::shared_ptr<sparse::poisson::SweepGuess> sweeps_;  // of Jacobi's method
};

}  // namespace

template <int Dim>
std::unique_ptr<AnyMethod<Dim>> make_method(FlowOptions const& o,
                                            sparse::incompressible::StaggeredGrid<Dim> const& grid,
                                            FlowPhysics<Dim> const& physics) {
  using namespace sparse::incompressible;
  if (o.method == FlowMethod::smac)
    return std::make_unique<MethodOf<Smac<double, Dim>, Dim>>(grid, smac_options(o, physics));
  bool const is_map = o.method == FlowMethod::leapfrog_flow_map;
  if (!(physics.acceleration == sparse::Vec<double, Dim>{}))
    throw std::runtime_error(fmt::format("--method {} knows no gravity; smac does. Buoyancy alone is given by ra",
                                         is_map ? "lfm" : "projection"));
  if (is_map) return std::make_unique<MethodOf<LeapfrogFlowMap<double, Dim>, Dim>>(grid, flow_map_options(o, physics));
  return std::make_unique<MethodOf<SemiLagrangian<double, Dim>, Dim>>(
      grid, StepOptions<Dim>{o.advection, physics.viscosity, physics.buoyancy, physics.transported, pressure_options(o),
                             o.ink});
}

template std::unique_ptr<AnyMethod<2>> make_method(FlowOptions const&, sparse::incompressible::StaggeredGrid<2> const&,
                                                   FlowPhysics<2> const&);
template std::unique_ptr<AnyMethod<3>> make_method(FlowOptions const&, sparse::incompressible::StaggeredGrid<3> const&,
                                                   FlowPhysics<3> const&);

}  // namespace sparse::app
