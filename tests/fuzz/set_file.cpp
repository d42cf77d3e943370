// Any bytes are a set file with canonical sets, or refused. Almost all are refused for their checksum, which keeps
// broken bytes from HDF5. What the sets behind it may hold is tested by set_codec.cpp and tests/io/test_set_file.cpp.

#include <stdexcept>
#include <string>

#include <hdf5.h>

#include "io/sets/set_container.hpp"
#include "plain_set.hpp"

namespace {

// HDF5 1.10 does not find its way out of a program after files that it could not open.
[[maybe_unused]] herr_t const stays_open = H5dont_atexit();

void read_all(std::string bytes) {
  try {
    sparse::io::SetContainerReader const file(std::move(bytes));
    for (auto const& name : file.field_names()) {
      try {
        auto const header = file.field(name);
        auto const values = file.values(name);
        if (values.size() != static_cast<std::size_t>(header.component_count) *
                                 static_cast<std::size_t>(header.cell_count) * sparse::io::number_size(header.type))
          std::abort();
      } catch (std::runtime_error const&) {
      }
    }
    try {
      file.notes();
    } catch (std::runtime_error const&) {
    }
    for (auto const& name : file.set_names()) {
      try {
        expect_canonical(file.dimension(), sparse::io::decode<PlainSet>(file.dimension(), file.set(name)));
      } catch (std::runtime_error const&) {
      }
    }
  } catch (std::runtime_error const&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  read_all(std::string(reinterpret_cast<char const*>(data), size));
  return 0;
}
