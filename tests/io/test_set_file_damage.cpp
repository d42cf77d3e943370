/// Set files that are cut short, changed or made up.

#include <functional>

#include <gtest/gtest.h>
#include <hdf5.h>

#include <sparse/fields/algebra.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/set_files.hpp>

namespace {

using namespace io_test;
using namespace sparse;

TYPED_TEST_SUITE(SetFiles, reference::Dimensions);

TYPED_TEST(SetFiles, CutShortOrWithAWrongByteAreRefused) {
  constexpr int Dim = TypeParam::value;
  io::write_hdf5(this->path(), ball<Dim>(Vec<double, Dim>::filled(3), 5));
  auto const whole = contents(this->path());
  for (std::size_t length = 0; length < whole.size(); length += length < 520 ? 1 : 61)
    this->expect_refused_bytes(whole.substr(0, length), "");
  this->expect_refused_bytes("", "the file is empty");
  this->expect_refused_bytes(whole.substr(0, 100), "truncated: 100 bytes");
  this->expect_refused_bytes(whole.substr(0, whole.size() - 1), "truncated: ");
  this->expect_refused_bytes(whole + "x", "damaged");
  for (std::size_t i = 0; i < whole.size(); i += i < 520 ? 1 : 37) {
    auto broken = whole;
    broken[i] = static_cast<char>(broken[i] ^ (1 << i % 8));
    this->expect_refused_bytes(broken, "");
  }
  this->expect_refused_bytes(whole.substr(512), "not a file of sparse sets");
  this->expect_refused_bytes(std::string(2000, 'x'), "not a file of sparse sets");
  auto later = whole;
  later[later.find("version 1") + 8] = '7';
  this->expect_refused_bytes(later, "version 7 of the format");
}

/// The header that belongs before `payload`: a checksum of its own making, so that only the contents are wrong.
std::string sealed(int dimension, std::string const& payload) {
  std::string header = "sparse sets\nversion 1\ndimension " + std::to_string(dimension) + "\nbytes " +
                       std::to_string(payload.size() + 512) + "\n";
  std::uint32_t crc = ~0u;
  for (char byte : header + payload) {
    crc ^= static_cast<unsigned char>(byte);
    for (int k = 0; k < 8; ++k) crc = crc & 1 ? 0xedb88320u ^ (crc >> 1) : crc >> 1;
  }
  char text[32];
  std::snprintf(text, sizeof text, "crc32 %08x\n", ~crc);
  header += text;
  header.resize(512, '\n');
  return header + payload;
}

/// A file after `change(file)`, an operation on its HDF5 part, with the right checksum.
std::string changed(Folder const& folder, int dimension, std::string const& whole,
                    std::function<void(hid_t)> const& change) {
  auto const inner = folder / "inner.h5";
  io::write_text(inner, whole.substr(512));
  hid_t const file = H5Fopen(inner.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  EXPECT_GE(file, 0);
  change(file);
  H5Fclose(file);
  return sealed(dimension, contents(inner));
}

/// Puts other numbers, or numbers of another type or shape, in place of a data set.
template <class T>
void replace(hid_t file, char const* name, hid_t type, hid_t native, std::vector<hsize_t> const& shape,
             std::vector<T> const& values) {
  ASSERT_GE(H5Ldelete(file, name, H5P_DEFAULT), 0);
  hid_t const space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  hid_t const data = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GE(H5Dwrite(data, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Dclose(data);
  H5Sclose(space);
}
void replace(hid_t file, char const* name, std::vector<std::int64_t> const& values) {
  replace(file, name, H5T_STD_I64LE, H5T_NATIVE_INT64, {values.size()}, values);
}
void replace(hid_t file, char const* name, std::vector<std::int32_t> const& values) {
  replace(file, name, H5T_STD_I32LE, H5T_NATIVE_INT32, {values.size()}, values);
}
using Rows = std::vector<std::int64_t>;
using Ends = std::vector<std::int32_t>;

TYPED_TEST(SetFiles, WithBrokenSetsAreRefusedThoughTheirChecksumIsRight) {
  constexpr int Dim = TypeParam::value;
  // Rows 4 and 6 of two intervals each, [1, 3) and [5, 6).
  HostSet<Dim> const rows{{4, 6}, {0, 2, 4}, {{1, 3}, {5, 6}, {1, 3}, {5, 6}}, {0, 2, 3, 5}};
  io::write_hdf5(this->path(), from_host<Dim>(rows));
  auto const whole = contents(this->path());
  EXPECT_EQ(sealed(Dim, whole.substr(512)), whole);

  auto const expect = [&](std::string const& reason, std::function<void(hid_t)> const& change) {
    SCOPED_TRACE(reason);
    this->expect_refused_bytes(changed(this->folder, Dim, whole, change), reason);
  };
  auto const steps = [](Rows const& values) { return [=](hid_t f) { replace(f, "/sets/set/row_steps", values); }; };
  auto const counts = [](Rows const& v) { return [=](hid_t f) { replace(f, "/sets/set/interval_counts", v); }; };
  auto const begins = [](Ends const& values) { return [=](hid_t f) { replace(f, "/sets/set/begins", values); }; };
  auto const lengths = [](Ends const& values) { return [=](hid_t f) { replace(f, "/sets/set/lengths", values); }; };

  // The change itself is no reason to refuse.
  io::write_text(this->path(), changed(this->folder, Dim, whole, steps({4, 3})));
  EXPECT_EQ(io::read_set<Dim>(this->path()).to_host().row_keys, (Rows{4, 7}));

  expect("set 'set': row 1: the keys do not increase", steps({4, 0}));
  expect("the keys do not increase", steps({4, -1}));
  expect("row 0: the key is out of range", steps({std::numeric_limits<std::int64_t>::min(), 1}));
  expect("row 1: the key is out of range", steps({1, std::numeric_limits<std::int64_t>::max()}));
  expect("the key is out of range", steps({std::int64_t{1} << 30, 1}));
  expect("the key is out of range", steps({4, std::int64_t{1} << (Dim == 2 ? 32 : 62)}));
  expect("arrays have different lengths", steps({4}));
  expect("the number of intervals is wrong", counts({0, 4}));
  expect("the number of intervals is wrong", counts({-1, 5}));
  expect("row 1: the number of intervals is wrong", counts({2, 3}));
  expect("the number of intervals is wrong", counts({std::numeric_limits<std::int64_t>::max(), 3}));
  expect("in no row", counts({2, 1}));
  expect("arrays have different lengths", counts({4}));
  expect("row 0: intervals overlap or touch", begins({1, 0, 0, 2}));
  expect("row 1: intervals overlap or touch", begins({1, 2, 0, -7}));
  expect("an interval is out of range", begins({1, coord_limit, 0, 2}));
  expect("an interval is out of range", begins({-coord_limit, 2, 0, 2}));
  expect("an interval is out of range", begins({std::numeric_limits<std::int32_t>::max(), 2, 0, 2}));
  expect("arrays have different lengths", begins({1, 2, 0}));
  expect("an interval is empty", lengths({2, 0, 2, 1}));
  expect("row 1: an interval is empty", lengths({2, 1, 2, -1}));
  expect("an interval is out of range", lengths({2, std::numeric_limits<std::int32_t>::max(), 2, 1}));

  // Other types, other shapes, data sets that are missing, and one that declares more than all memory.
  expect("another type", [](hid_t f) {
    replace(f, "/sets/set/lengths", H5T_IEEE_F32LE, H5T_NATIVE_INT32, {4}, Ends{2, 1, 2, 1});
  });
  expect("another type", [](hid_t f) {
    replace(f, "/sets/set/lengths", H5T_STD_I32LE, H5T_NATIVE_INT32, {2, 2}, Ends{2, 1, 2, 1});
  });
  expect("set 'set': ", [](hid_t f) { H5Ldelete(f, "/sets/set/begins", H5P_DEFAULT); });
  expect("", [](hid_t f) { H5Ldelete(f, "/sets", H5P_DEFAULT); });
  expect("", [](hid_t f) { H5Ldelete(f, "/fields", H5P_DEFAULT); });
  expect("more numbers than the file can hold", [](hid_t f) {
    H5Ldelete(f, "/sets/set/lengths", H5P_DEFAULT);
    hsize_t const size = hsize_t{1} << 50, chunk = 1 << 16;
    hid_t const space = H5Screate_simple(1, &size, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 1, &chunk);
    hid_t const data = H5Dcreate2(f, "/sets/set/lengths", H5T_STD_I32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Dclose(data);
    H5Pclose(creation);
    H5Sclose(space);
  });
}

TYPED_TEST(SetFiles, WithBrokenFieldsAreRefusedThoughTheirChecksumIsRight) {
  constexpr int Dim = TypeParam::value;
  io::write_hdf5(this->path(), field_of_bits<float>("p", box<Dim>({}, Vec<Coord, Dim>::filled(2)), 2, 1));
  auto const whole = contents(this->path());
  auto const expect = [&](std::string const& reason, std::function<void(hid_t)> const& change) {
    io::write_text(this->path(), changed(this->folder, Dim, whole, change));
    expect_refused(this->path(), reason, [&] { io::read_field<float, Dim>(this->path()); });
  };
  auto const attribute = [](hid_t file, char const* name, char const* value) {
    hid_t const type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, std::strlen(value));
    H5Adelete_by_name(file, "/fields/p", name, H5P_DEFAULT);
    hid_t const made = H5Acreate_by_name(file, "/fields/p", name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(H5Awrite(made, type, value), 0);
    H5Aclose(made);
    H5Sclose(space);
    H5Tclose(type);
  };
  expect("there is no set 'nowhere'", [&](hid_t f) { attribute(f, "domain", "nowhere"); });
  expect("type or shape", [&](hid_t f) { attribute(f, "type", "double"); });
  expect("'quad' is no type of numbers", [&](hid_t f) { attribute(f, "type", "quad"); });
  expect("field 'p': ", [&](hid_t f) { H5Adelete_by_name(f, "/fields/p", "type", H5P_DEFAULT); });
  expect("set 'domain': ", [&](hid_t f) { H5Ldelete(f, "/sets/domain/lengths", H5P_DEFAULT); });
  expect("values for", [&](hid_t f) {
    hid_t const data = H5Dopen2(f, "/sets/domain/lengths", H5P_DEFAULT);
    Ends const longer(Dim == 2 ? 2 : 4, 3);
    H5Dwrite(data, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, longer.data());
    H5Dclose(data);
  });
}

TEST(SetFileErrors, AreNotPrintedByHdf5AndItsOwnAreWhenWeAreDone) {
  Folder const folder;
  io::write_hdf5(folder / "a.h5", ball<2>({3, 3}, 5));
  H5E_auto2_t print = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &print, &data);
  EXPECT_NE(print, nullptr);
  testing::internal::CaptureStderr();
  auto const broken =
      changed(folder, 2, contents(folder / "a.h5"), [](hid_t f) { H5Ldelete(f, "/sets/set/begins", H5P_DEFAULT); });
  io::write_text(folder / "a.h5", broken);
  EXPECT_THROW(io::read_set<2>(folder / "a.h5"), std::runtime_error);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  H5E_auto2_t after = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &after, &data);
  EXPECT_EQ(after, print);
}

}  // namespace
