#include <chrono>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include <sparse/base/runtime.hpp>

#include <sparse/app/run/folder.hpp>

#ifdef SPARSE_MPI
#include <sparse/distributed/mpi_world.hpp>
#endif

namespace sparse::app {
namespace {

int run_in_folder(std::string const& name, CLI::App const& app, RunOptions const& options,
                  std::function<void(RunFolder&)> const& body, distributed::Team* team) {
  sparse::Runtime const runtime(team != nullptr && options.threads == 0 ? 1 : options.threads);
  StopSignal const stop;
  RunFolder folder(name, app, options, stop, team);
  try {
    body(folder);
    if (folder.is_mine() && folder.exit_status() == 0) folder.end_complete();
  } catch (std::exception const& error) {
    if (folder.is_mine()) folder.end_failed(error.what());
    throw;
  }
  return folder.exit_status();
}

int fail(std::string const& name, std::exception const& error) {
  fmt::print(stderr, "{}: {}\n", name, error.what());
  return 1;
}

/// Whether mpirun, of Open MPI or MPICH, has started several ranks.
bool has_ranks() {
  for (char const* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (char const* const size = std::getenv(name)) return std::atoi(size) > 1;
  return false;
}

#ifdef SPARSE_MPI
int run_on_ranks(std::string const& name, CLI::App const& app, RunOptions const& options,
                 std::function<void(RunFolder&)> const& body) {
  int no_arguments = 0;
  char** none = nullptr;
  distributed::MpiWorld world(no_arguments, none);
  try {
    if (!options.can_share) throw std::runtime_error("several ranks cannot share this run");
    return run_in_folder(name, app, options, body, &world.team());
  } catch (std::exception const& error) {
    // What all ranks find, rank 0 tells, and ends the others before they do.
    if (world.team().rank() > 0) std::this_thread::sleep_for(std::chrono::seconds(2));
    world.abort(fail(name, error));
  }
}
#endif

}  // namespace

int run_program(std::string const& name, CLI::App const& app, RunOptions const& options,
                std::function<void(RunFolder&)> const& body) {
#ifdef SPARSE_MPI
  if (has_ranks()) return run_on_ranks(name, app, options, body);
#else
  // Each would run the whole, and write it to the same folder.
  if (has_ranks()) return fail(name, std::runtime_error("several ranks need a build with -DSPARSE_MPI=ON"));
#endif
  try {
    return run_in_folder(name, app, options, body, nullptr);
  } catch (std::exception const& error) {
    return fail(name, error);
  }
}

}  // namespace sparse::app
