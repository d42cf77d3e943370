// Poisson and Helmholtz problems.

#include <optional>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/subview.hpp>
#include <sparse/poisson/solver.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/faces.hpp>
#include <sparse/shapes/shapes.hpp>

#include "field.hpp"

namespace sparse::python {
namespace {

using poisson::Method;
using poisson::Report;
using poisson::StopRule;

Method method_of(std::string const& name) {
  switch (choice(name,
                 {"multigrid-cg", "flexible-cg", "multigrid", "full-multigrid", "cg", "chebyshev", "sor",
                  "gauss-seidel", "jacobi"},
                 "Poisson: method")) {
  case 0:
    return poisson::MultigridCg{};
  case 1:
    return poisson::FlexibleCg{};
  case 2:
    return poisson::Multigrid{};
  case 3:
    return poisson::FullMultigrid{};
  case 4:
    return poisson::ConjugateGradients{};
  case 5:
    return poisson::Chebyshev{};
  case 6:
    return poisson::Sor{};
  case 7:
    return poisson::GaussSeidel{};
  default:
    return poisson::Jacobi{};
  }
}

/// Faces where p is given, and the value there.
struct Given {
  std::string side;
  double value;
};

/// What the constructor was told.
struct Wanted {
  std::vector<double> spacing;
  std::vector<Given> given;
  std::vector<bool> is_periodic;
  double coefficient, zeroth_order;
  Method method;
};

/// The faces of the set normal to `axis` at this side of its bounding box.
template <int Dim>
IntervalSet<Dim> faces_at(IntervalSet<Dim> const& set, BoxSide const& at) {
  Box<Dim> plane = set.bounds();
  for (int axis = 0; axis < Dim; ++axis) ++plane.end[axis];
  Coord const position = at.side == FaceSide::lower ? plane.begin[at.axis] : plane.end[at.axis] - 1;
  plane.begin[at.axis] = position;
  plane.end[at.axis] = position + 1;
  return boundary_faces(set, at.axis, at.side) & box(plane.begin, plane.end);
}

/// A problem in one type and dimension, with a solver for the last rule when to stop.
template <class T, int Dim>
class PoissonOf {
public:
  PoissonOf(IntervalSet<Dim> const& cells, Wanted const& wanted) : method_(wanted.method) {
    problem_.cells = cells;
    problem_.grid.spacing = to_vec<double, Dim>(wanted.spacing);
    problem_.coefficient = wanted.coefficient;
    problem_.zeroth_order = wanted.zeroth_order;
    Box<Dim> const bounds = cells.bounds();
    for (int axis = 0; axis < Dim; ++axis)
      if (wanted.is_periodic[static_cast<std::size_t>(axis)])
        problem_.period[axis] = bounds.end[axis] - bounds.begin[axis];
    add_given(wanted.given);
    solver(StopRule{});  // so that what makes no sense is refused here
  }

  IntervalSet<Dim> const& cells() const { return problem_.cells; }
  Report solve(Field<T, Dim> const& b, Field<T, Dim>& x, StopRule const& stop) {
    auto& solver = this->solver(stop);
    return boundary_ ? solver.solve(b, *boundary_, x) : solver.solve(b, x);
  }
  Field<T, Dim> apply(Field<T, Dim> const& x) {
    Field<T, Dim> result("applied", problem_.cells);
    solver(stop_).matrix().apply(result, x);
    return result;
  }

private:
  void add_given(std::vector<Given> const& given) {
    std::array<IntervalSet<Dim>, Dim> named;
    std::vector<std::pair<int, std::pair<IntervalSet<Dim>, double>>> parts;
    auto const add = [&](int axis, IntervalSet<Dim> const& faces, double value) {
      problem_.dirichlet[static_cast<std::size_t>(axis)] |= faces;
      parts.push_back({axis, {faces, value}});
    };
    for (auto const& [side, value] : given) {
      if (side == "others") continue;
      BoxSide const at = box_side(side, Dim, "Poisson: each key of dirichlet, besides \"others\",");
      if (problem_.period[at.axis] > 0) throw std::invalid_argument("Poisson: a periodic axis has no " + side);
      auto const faces = faces_at(problem_.cells, at);
      named[static_cast<std::size_t>(at.axis)] |= faces;
      add(at.axis, faces, value);
    }
    for (auto const& [side, value] : given) {
      if (side != "others") continue;
      for (int axis = 0; axis < Dim; ++axis) {
        IntervalSet<Dim> faces = boundary_faces(problem_.cells, axis, FaceSide::lower) |
                                 boundary_faces(problem_.cells, axis, FaceSide::upper);
        if (problem_.period[axis] > 0)  // what lies at the ends of the period is no boundary
          faces = faces - faces_at(problem_.cells, {axis, FaceSide::lower}) -
                  faces_at(problem_.cells, {axis, FaceSide::upper});
        add(axis, faces - named[static_cast<std::size_t>(axis)], value);
      }
    }
    bool is_zero = true;
    for (auto const& part : parts) is_zero = is_zero && part.second.second == 0;
    if (is_zero) return;
    poisson::Operator<T, Dim> const matrix(problem_);
    boundary_.emplace("boundary", problem_.cells, 1, T(0));
    for (int axis = 0; axis < Dim; ++axis) {
      auto const& faces = problem_.dirichlet[static_cast<std::size_t>(axis)];
      if (faces.is_empty()) continue;
      Field<double, Dim> values("values", faces, 1, 0.0);
      for (auto const& part : parts)
        if (part.first == axis) fill(view(values, part.second.first), part.second.second);
      matrix.add_boundary_values(*boundary_, axis, values);
    }
  }
  poisson::Solver<T, Dim>& solver(StopRule const& stop) {
    bool const is_same = solver_ && stop.tolerance == stop_.tolerance && stop.iteration_limit == stop_.iteration_limit;
    if (!is_same) {
      solver_.reset();
      solver_.emplace(problem_, method_, stop);
      stop_ = stop;
    }
    return *solver_;
  }

  poisson::Problem<Dim> problem_;
  Method method_;
  StopRule stop_;
  std::optional<poisson::Solver<T, Dim>> solver_;
  std::optional<Field<T, Dim>> boundary_;
};

struct AnyPoisson {
  std::variant<PoissonOf<double, 2>, PoissonOf<double, 3>, PoissonOf<float, 2>, PoissonOf<float, 3>> any;
  Alive alive = {};
};

Wanted wanted_of(int dim, nb::handle spacing, nb::handle dirichlet, nb::handle periodic, nb::handle coefficient,
                 nb::handle zeroth_order, std::string const& method) {
  auto const n = static_cast<std::size_t>(dim);
  Wanted wanted{{},
                {},
                std::vector<bool>(n),
                number(coefficient, "Poisson: coefficient"),
                number(zeroth_order, "Poisson: zeroth_order"),
                method_of(method)};
  wanted.spacing = PySequence_Check(spacing.ptr()) && !PyUnicode_Check(spacing.ptr())
                       ? point(spacing, dim, "Poisson: spacing")
                       : std::vector<double>(n, number(spacing, "Poisson: spacing"));
  if (!dirichlet.is_none()) {
    if (!PyDict_Check(dirichlet.ptr()))
      throw nb::type_error("Poisson: dirichlet must be a dict of sides and values, such as {\"right\": 0.0}");
    for (auto const& [side, value] : nb::borrow<nb::dict>(dirichlet))
      wanted.given.push_back({text_of(side), number(value, "Poisson: each value of dirichlet")});
  }
  if (PyUnicode_Check(periodic.ptr()))
    throw nb::type_error("Poisson: periodic must be a list of axes, such as [\"x\"]");
  for (nb::handle const axis : nb::iter(periodic))
    wanted.is_periodic[static_cast<std::size_t>(axis_of(axis, dim, "Poisson: periodic"))] = true;
  return wanted;
}

void make(AnyPoisson* self, nb::handle domain, nb::handle spacing, nb::handle dirichlet, nb::handle periodic,
          nb::handle coefficient, nb::handle zeroth_order, std::string const& method, nb::handle dtype) {
  Set const& set = set_of(domain, "Poisson: domain");
  Wanted const wanted = wanted_of(set.dim(), spacing, dirichlet, periodic, coefficient, zeroth_order, method);
  by_dtype(dtype, "Poisson: dtype", [&]<class T>(T) {
    if constexpr (!std::is_floating_point_v<T>)
      throw std::invalid_argument("Poisson: dtype must be \"float64\" or \"float32\"");
    else
      set.visit([&]<int Dim>(IntervalSet<Dim> const& cells) {
        new (self) AnyPoisson{with_kernels([&] { return PoissonOf<T, Dim>(cells, wanted); })};
      });
  });
}

/// A field of the problem as it is given, or a copy of an array of its length in `copy`.
template <class T, int Dim>
Field<T, Dim> const& field_of(nb::handle given, IntervalSet<Dim> const& cells, char const* what,
                              std::optional<Field<T, Dim>>& copy) {
  AnyField const* any = nullptr;
  if (nb::try_cast(given, any) && any != nullptr)
    if (auto const* const field = std::get_if<Field<T, Dim>>(&any->any);
        field != nullptr && field->component_count() == 1) {
      bool const is_on_cells =
          field->domain().identity() == cells.identity() || with_kernels([&] { return field->domain() == cells; });
      if (!is_on_cells)
        throw std::invalid_argument(std::string(what) + " is a field on another set; make it on the problem's domain");
      return *field;
    }
  with_kernels([&] { copy.emplace(what, cells); });
  copy_into(*copy, given, what);
  return *copy;
}

nb::tuple solve(AnyPoisson& self, nb::handle b, nb::handle tolerance, nb::handle iteration_limit, nb::handle guess) {
  StopRule stop;
  stop.tolerance = number(tolerance, "solve: tolerance");
  stop.iteration_limit = static_cast<int>(std::min(whole_number(iteration_limit, "solve: iteration_limit"), 1LL << 30));
  stop.expect_valid("solve");
  return std::visit(
      [&]<class T, int Dim>(PoissonOf<T, Dim>& problem) {
        std::optional<Field<T, Dim>> given, start;
        Field<T, Dim> const& right = field_of(b, problem.cells(), "solve: b", given);
        Field<T, Dim> const* const from =
            guess.is_none() ? nullptr : &field_of(guess, problem.cells(), "solve: guess", start);
        Report report;
        AnyField x = with_kernels([&] {
          Field<T, Dim> solution("solution", problem.cells(), 1, T(0));
          if (from != nullptr) assign(solution, *from);
          report = problem.solve(right, solution, stop);
          return AnyField(std::move(solution));
        });
        nb::object const solution = nb::cast(std::move(x)), told = nb::cast(report);
        if (!report.has_converged()) {
          char numbers[160];
          std::snprintf(numbers, sizeof numbers,
                        " after %d iterations with a residual of %.3g, and the tolerance is %.3g", report.iterations,
                        report.true_residual, stop.tolerance);
          std::string const message = std::string("solve: ") + name_of(report.reason) + numbers +
                                      "; raise iteration_limit or tolerance, or look at the report";
          nb::object const type = nb::module_::import_("sparsecells._errors").attr("NotConverged");
          PyErr_SetObject(type.ptr(), type(message, told, solution).ptr());
          throw nb::python_error();
        }
        return nb::make_tuple(solution, told);
      },
      self.any);
}

AnyField apply(AnyPoisson& self, nb::handle x) {
  return std::visit(
      [&]<class T, int Dim>(PoissonOf<T, Dim>& problem) {
        std::optional<Field<T, Dim>> copy;
        Field<T, Dim> const& values = field_of(x, problem.cells(), "apply: x", copy);
        return with_kernels([&] { return AnyField(problem.apply(values)); });
      },
      self.any);
}

nb::object residuals(Report const& report) {
  double* out = nullptr;
  nb::object const array = new_array<double>({report.residuals.size()}, out);
  std::copy(report.residuals.begin(), report.residuals.end(), out);
  return array;
}

}  // namespace

void bind_poisson(nb::module_& m) {
  nb::class_<Report> report(m, "Report", "What a solver did.");
  report.def_prop_ro(
      "iterations", [](Report const& r) { return r.iterations; }, "The number of iterations.");
  report.def_prop_ro(
      "converged", [](Report const& r) { return r.has_converged(); }, "Whether the tolerance was met.");
  report.def_prop_ro(
      "reason", [](Report const& r) { return std::string(name_of(r.reason)); },
      "Why it stopped: \"converged\", \"reached the iteration limit\", \"stagnated\" or \"not finite\".");
  report.def_prop_ro("residuals", residuals, nb::sig("def residuals(self) -> numpy.typing.NDArray[numpy.float64]"),
                     "(iterations + 1,) |b - A x| / |b| of the guess and after each iteration.");
  report.def_prop_ro(
      "true_residual", [](Report const& r) { return r.true_residual; }, "|b - A x| / |b| computed anew at the end.");
  report.def_prop_ro(
      "right_side", [](Report const& r) { return r.right_side; },
      "|b|, with what values on the boundary add to b. Residuals are relative to it.");
  report.def_prop_ro(
      "incompatibility", [](Report const& r) { return r.incompatibility; },
      "The mean that was taken from b where no value is given on the boundary, over its root mean square. If it\n"
      "is more than rounding, b does not fit to the problem.");
  report.def(
      "__repr__",
      [](Report const& r) {
        char text[120];
        std::snprintf(text, sizeof text, "Report(%s, %d iterations, residual %.3g)", name_of(r.reason), r.iterations,
                      r.true_residual);
        return std::string(text);
      },
      "One line: reason, iterations, residual.");

  nb::class_<AnyPoisson> c(
      m, "Poisson",
      "Solves zeroth_order p - div(coefficient grad p) = b on the cells of any set, by second-order differences.\n\n"
      "Nothing flows through the boundary, unless p is given there. Where it is given nowhere, p is known up to\n"
      "a constant, and its mean becomes 0.");
  c.def("__init__", make, nb::arg("domain"), nb::arg("spacing") = 1.0, nb::arg("dirichlet") = nb::none(),
        nb::arg("periodic") = nb::make_tuple(), nb::arg("coefficient") = 1.0, nb::arg("zeroth_order") = 0.0,
        nb::arg("method") = "multigrid-cg", nb::arg("dtype") = "f8",
        nb::sig("def __init__(self, domain: Set, spacing: float | collections.abc.Sequence[float] = 1.0, dirichlet: "
                "dict[str, float] | None "
                "= None, periodic: collections.abc.Iterable[int | str] = (), coefficient: float = 1.0, zeroth_order: "
                "float = 0.0, method: "
                "str = 'multigrid-cg', dtype: numpy.typing.DTypeLike = 'f8') -> None"),
        "Prepares a solver.\n\n"
        "spacing: cell width, one for all axes or one each [length]. dirichlet: values of p on sides of the set's "
        "bounds,\n"
        "\"left\", \"right\", \"bottom\", \"top\", \"back\", \"front\"; \"others\" are all other boundary faces, those "
        "of holes\n"
        "among them. periodic: axes along which the bounds repeat. method: \"multigrid-cg\", \"flexible-cg\", "
        "\"multigrid\",\n"
        "\"full-multigrid\", \"cg\", \"chebyshev\", \"sor\", \"gauss-seidel\" or \"jacobi\". dtype: float64 or "
        "float32.\n\n"
        "Raises ValueError if the set is empty or a number makes no sense.");
  c.def(
      "solve", solve, nb::arg("b"), nb::arg("tolerance") = 1e-6, nb::arg("iteration_limit") = 200,
      nb::arg("guess") = nb::none(),
      nb::sig("def solve(self, b: numpy.typing.ArrayLike, tolerance: float = 1e-6, iteration_limit: int = 200, guess: "
              "numpy.typing.ArrayLike | None = None) -> tuple[Field, Report]"),
      "Solves for a right-hand side: `x, report = p.solve(b)`.\n\n"
      "b, guess: (n,) values in the set's order, or a `Field` on it, which is not copied. tolerance: of |b - A x| / "
      "|b|.\n"
      "The solver is made anew when tolerance or limit change.\n\n"
      "Raises NotConverged, with the report and what was found, if the tolerance is not met; ValueError for NaN in b.");
  c.def("apply", apply, nb::arg("x"), nb::sig("def apply(self, x: numpy.typing.ArrayLike) -> Field"),
        "A x for (n,) values or a field: zeroth_order x - div(coefficient grad x), with x = 0 where it is given on the "
        "boundary.");
  c.def_prop_ro(
      "domain",
      [](AnyPoisson const& self) { return std::visit([](auto const& p) { return Set(p.cells()); }, self.any); },
      "The set of the problem.");
}

}  // namespace sparse::python
