#pragma once
/// Files: paths, and errors with the file's name.

#include <filesystem>
#include <stdexcept>

#include "runtime.hpp"

namespace sparse::python {

/// @throws TypeError  for anything but a str or an os.PathLike
std::filesystem::path path_of(nb::handle path);

/// An error of a file. Python sees OSError.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// `body()` within a `KernelScope`; runtime errors become `FileError`.
template <class Body>
auto with_files(Body const& body) {
  KernelScope const scope;
  try {
    return body();
  } catch (std::invalid_argument const&) {
    throw;
  } catch (std::runtime_error const& error) {
    throw FileError(error.what());
  }
}

}  // namespace sparse::python
