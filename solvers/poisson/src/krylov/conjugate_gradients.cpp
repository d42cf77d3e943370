/// Conjugate gradients, plain or preconditioned by the diagonal.

#include "any_solver.hpp"

namespace sparse::poisson::detail {
namespace {

/// Source: Shewchuk, An introduction to the conjugate gradient method without the agonizing pain (1994), B2 and B3.
template <class T, int Dim, bool is_scaled>
class ConjugateGradients : public SteppingSolver<T, Dim> {
public:
  ConjugateGradients(Problem<Dim> const& problem, SolverOptions const& options)
      : SteppingSolver<T, Dim>(problem, options.stop), p_(this->cell_values()) {}

protected:
  void start() override { is_first_ = true; }
  double step(T const*, T* x, T* r) override {
    auto const& level = this->level();
    if (is_first_) {
      GroupSums sums(level.chain());
      Pipeline pipeline;
      pipeline.add(sum_stage(level, sums, ResidualSums<T, is_scaled>{r}));
      this->run(pipeline);
      rz_ = sums.total(0);
    }
    GroupSums curvature(level.chain()), sums(level.chain());
    Pipeline direct, advance;
    direct.add(cell_stage(level, Direction<T, is_scaled>{r, p_.data(), static_cast<T>(beta_), is_first_}));
    direct.add(sum_stage(level, curvature, Curvature<T>{p_.data()}));
    this->run(direct);
    double const pq = curvature.total(0), alpha = pq == 0 ? 0 : rz_ / pq;
    advance.add(cell_stage(level, Advance<T>{p_.data(), x, r, static_cast<T>(alpha)}));
    advance.add(sum_stage(level, sums, ResidualSums<T, is_scaled>{r}));
    this->run(advance);
    beta_ = sums.total(0) / rz_;
    rz_ = sums.total(0);
    is_first_ = false;
    return std::sqrt(sums.total(1));
  }

private:
  Buffer<T> p_;
  double rz_ = 0, beta_ = 0;
  bool is_first_ = true;
};

}  // namespace

template <class T, int Dim>
SolverPtr<T, Dim> make_conjugate_gradients(Problem<Dim> const& problem, SolverOptions const& options) {
  if (options.method == Method::cg) return std::make_unique<ConjugateGradients<T, Dim, false>>(problem, options);
  return std::make_unique<ConjugateGradients<T, Dim, true>>(problem, options);
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template SolverPtr<T, Dim> make_conjugate_gradients<T, Dim>(Problem<Dim> const&, SolverOptions const&);
SPARSE_FOR_ALL_CASES(SPARSE_DEFINE)
#undef SPARSE_DEFINE

}  // namespace sparse::poisson::detail
