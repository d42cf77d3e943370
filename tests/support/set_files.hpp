#pragma once
/// A folder with one set file, and what must be said of files that are refused.

#include <cstring>
#include <limits>
#include <stdexcept>

#include <sparse/fields/field.hpp>
#include <sparse/io/files/file.hpp>
#include <sparse/io/sets/set_file.hpp>
#include <support/io_levels.hpp>

namespace io_test {

/// Runs `body` and expects an error that begins with `path` and contains `reason`.
template <class Body>
void expect_refused(std::filesystem::path const& path, std::string const& reason, Body&& body) {
  try {
    body();
    ADD_FAILURE() << "accepted, expected: " << reason;
  } catch (std::runtime_error const& error) {
    std::string const what = error.what();
    EXPECT_EQ(what.find(path.string() + ": "), 0u) << what;
    EXPECT_NE(what.find(reason), std::string::npos) << what;
  }
}

/// A field of any bits, NaNs with payloads and negative zeros among them.
template <class T, int Dim>
sparse::Field<T, Dim> field_of_bits(std::string const& name, sparse::IntervalSet<Dim> const& set, int components,
                                    unsigned seed) {
  auto engine = reference::random_engine(seed);
  sparse::Field<T, Dim> field(name, set, components);
  auto const count = static_cast<std::size_t>(field.cell_count());
  for (int c = 0; c < components && count > 0; ++c) {
    std::vector<T> values(count);
    for (T& value : values) {
      std::uint64_t const bits = (std::uint64_t{engine()} << 32 | engine()) >> (engine() % 3 * 20);
      std::memcpy(&value, &bits, sizeof value);
      if (engine() % 5 == 0)
        value = std::numeric_limits<T>::has_quiet_NaN ? std::numeric_limits<T>::quiet_NaN() : T(-1);
    }
    sparse::copy_to_device(field.context(), field.component(c), values.data(), field.cell_count());
    field.context().fence();
  }
  return field;
}

template <class Dimension>
class SetFiles : public testing::Test {
protected:
  std::filesystem::path path() const { return folder / "a.h5"; }
  void expect_refused_bytes(std::string const& bytes, std::string const& reason) {
    constexpr int Dim = Dimension::value;
    io::write_text(path(), bytes);
    expect_refused(path(), reason, [&] { io::read_set<Dim>(path(), "set"); });
    expect_refused(path(), reason, [&] {
      io::SetReader<Dim> reader(path()), again(path());
      reader.set("set");
    });
  }
  Folder folder;
};

}  // namespace io_test
