#include <cstring>
#include <functional>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>
#include <hdf5.h>

#include <sparse/field.hpp>
#include <sparse/field_algebra.hpp>
#include <sparse/io/file.hpp>
#include <sparse/io/set_file.hpp>
#include <sparse/set_algebra.hpp>
#include <sparse/shapes.hpp>

#include "support/io_levels.hpp"

namespace {

using namespace io_test;
using namespace sparse;

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
Field<T, Dim> field_of_bits(std::string const& name, IntervalSet<Dim> const& set, int components, unsigned seed) {
  auto engine = reference::random_engine(seed);
  Field<T, Dim> field(name, set, components);
  auto const count = static_cast<std::size_t>(field.cell_count());
  for (int c = 0; c < components && count > 0; ++c) {
    std::vector<T> values(count);
    for (T& value : values) {
      std::uint64_t const bits = (std::uint64_t{engine()} << 32 | engine()) >> (engine() % 3 * 20);
      std::memcpy(&value, &bits, sizeof value);
      if (engine() % 5 == 0)
        value = std::numeric_limits<T>::has_quiet_NaN ? std::numeric_limits<T>::quiet_NaN() : T(-1);
    }
    Kokkos::deep_copy(sparse::detail::Unmanaged<T, MemorySpace>(field.component(c), count),
                      sparse::detail::Unmanaged<T const, Kokkos::HostSpace>(values.data(), count));
  }
  return field;
}

template <class T, int Dim>
void expect_same_bits(Field<T, Dim> const& a, Field<T, Dim> const& b) {
  ASSERT_EQ(a.name(), b.name());
  ASSERT_TRUE(a.domain() == b.domain());
  ASSERT_EQ(a.component_count(), b.component_count());
  for (int c = 0; c < a.component_count(); ++c) {
    auto const u = to_host(a, c), v = to_host(b, c);
    ASSERT_EQ(u.size(), v.size());
    EXPECT_TRUE(u.empty() || std::memcmp(u.data(), v.data(), u.size() * sizeof(T)) == 0) << a.name() << ", " << c;
  }
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
TYPED_TEST_SUITE(SetFiles, reference::Dimensions);

TYPED_TEST(SetFiles, GiveBackEveryBit) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= reference::seed_count; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto const cells = reference::random_cells<Dim>(seed), more = reference::random_cells<Dim>(seed, 1);
    auto const a = reference::set_of(cells), b = reference::set_of(more);
    auto const f = field_of_bits<float>("f", a, 1, seed);
    auto const d = field_of_bits<double>("d", b, 3, seed);
    auto const i = field_of_bits<std::int32_t>("i", a, 2, seed);
    auto const l = field_of_bits<std::int64_t>("l", b, 1, seed);
    io::SetWriter<Dim>()
        .add("first set", a)
        .add(f)
        .add(d)
        .add(i)
        .add(l)
        .save(this->path(), static_cast<int>(seed % 10));

    io::SetReader<Dim> reader(this->path());
    EXPECT_TRUE(reference::matches(reader.set("first set"), cells));
    EXPECT_TRUE(reference::matches(reader.set(a.identity() == b.identity() ? "first set" : "domain"), more));
    expect_same_bits(reader.template field<float>("f"), f);
    expect_same_bits(reader.template field<double>("d"), d);
    expect_same_bits(reader.template field<std::int32_t>("i"), i);
    expect_same_bits(reader.template field<std::int64_t>("l"), l);
    EXPECT_EQ(reader.template field<float>("f").domain().identity(), reader.set("first set").identity());
    EXPECT_EQ(reader.template field<double>("d").domain().identity(),
              reader.template field<std::int64_t>("l").domain().identity());
  }
}

TYPED_TEST(SetFiles, OfOneThingNeedNoName) {
  constexpr int Dim = TypeParam::value;
  auto const set = ball<Dim>(Vec<double, Dim>::filled(3), 5);
  io::write_hdf5(this->path(), set);
  EXPECT_TRUE(io::read_set<Dim>(this->path()) == set);
  auto const field = field_of_bits<double>("pressure", set, 2, 7);
  io::write_hdf5(this->path(), field);
  expect_same_bits(io::read_field<double, Dim>(this->path()), field);
  EXPECT_TRUE(io::read_set<Dim>(this->path(), "domain") == set);
}

TYPED_TEST(SetFiles, HoldEmptySetsAndFieldsOnThem) {
  constexpr int Dim = TypeParam::value;
  io::SetWriter<Dim>().save(this->path());
  EXPECT_TRUE(io::read_set_file_contents(this->path()).entries.empty());
  Field<float, Dim> const nothing("nothing", IntervalSet<Dim>(), 2);
  for (int compression : {0, 1}) {
    io::SetWriter<Dim>().add("none", IntervalSet<Dim>()).add(nothing).save(this->path(), compression);
    EXPECT_TRUE(io::read_set<Dim>(this->path()).is_empty());
    EXPECT_EQ((io::read_field<float, Dim>(this->path()).component_count()), 2);
  }
}

TYPED_TEST(SetFiles, ListTheirContents) {
  constexpr int Dim = TypeParam::value;
  auto const set = ball<Dim>(Vec<double, Dim>::filled(3), 5);
  Field<std::int32_t, Dim> labels("labels", set, 3);
  fill(labels, 1);
  io::SetWriter<Dim>().add("fluid", set).add("all", set | shift(set, 0, 9)).add(labels).save(this->path());
  auto const contents = io::read_set_file_contents(this->path());
  EXPECT_EQ(contents.dimension, Dim);
  ASSERT_EQ(contents.entries.size(), 3u);
  EXPECT_EQ(contents.entries[0].name, "all");
  EXPECT_EQ(contents.entries[1].name, "fluid");
  EXPECT_FALSE(contents.entries[1].is_field);
  auto const& entry = contents.entries[2];
  EXPECT_TRUE(entry.is_field);
  EXPECT_EQ(entry.name + ", " + entry.domain + ", " + entry.type, "labels, fluid, int32");
  EXPECT_EQ(entry.component_count, 3);
}

TYPED_TEST(SetFiles, HoldNotes) {
  constexpr int Dim = TypeParam::value;
  auto const bits = [](double number) {
    std::int64_t image;
    std::memcpy(&image, &number, sizeof image);
    return image;
  };
  io::Notes notes{{"text", "two\nlines"}, {"empty", ""},     {"count", std::int64_t{-1} << 62}, {"zero", -0.0},
                  {"tenth", 0.1},         {"least", 5e-324}, {"long", std::string(60000, 'x')}};
  for (int i = 0; i < 20; ++i) notes.emplace("note " + std::to_string(i), 1.0 / (i + 3));
  io::SetWriter<Dim> writer;
  for (auto const& [name, note] : notes) writer.note(name, note);
  writer.save(this->path());
  auto const read = io::read_set_file_contents(this->path()).notes;
  EXPECT_EQ(read, notes);
  EXPECT_EQ(bits(std::get<double>(read.at("zero"))), bits(-0.0));
  auto const bytes = contents(this->path());
  writer.save(this->path());
  EXPECT_EQ(contents(this->path()), bytes);

  EXPECT_THROW(writer.note("text", 1.0), std::invalid_argument);
  EXPECT_THROW(writer.note("a/b", 1.0), std::invalid_argument);
  EXPECT_THROW(writer.note("zero byte", std::string("x\0y", 3)), std::invalid_argument);
  EXPECT_THROW(writer.note("too long", std::string(60001, 'x')), std::invalid_argument);
}

TYPED_TEST(SetFiles, AreCompactAndTheSameEveryTime) {
  constexpr int Dim = TypeParam::value;
  auto const set = ball<Dim>(Vec<double, Dim>::filled(0.3), Dim == 2 ? 20000 : 150) -
                   ball<Dim>(Vec<double, Dim>::filled(9.3), Dim == 2 ? 15000 : 100);
  io::write_hdf5(this->path(), set);
  auto const bytes = contents(this->path());
  EXPECT_LT(bytes.size(), 3u * static_cast<std::size_t>(set.interval_count()) + 8192);
  io::write_hdf5(this->path(), from_host<Dim>(set.to_host()));
  EXPECT_EQ(contents(this->path()), bytes);
}

TYPED_TEST(SetFiles, WithWrongNamesOrTypesAreExplained) {
  constexpr int Dim = TypeParam::value;
  auto const set = ball<Dim>(Vec<double, Dim>::filled(3), 5);
  Field<float, Dim> const a("a", set), b("b", set);
  io::SetWriter<Dim> writer;
  writer.add("one", set).add("two", set).add(a);
  EXPECT_THROW(writer.add("one", set), std::invalid_argument);
  EXPECT_THROW(writer.add(a), std::invalid_argument);
  for (std::string const& name : {std::string(), std::string("."), std::string("x/y"), std::string("x\0y", 3)}) {
    EXPECT_THROW(writer.add(name, set), std::invalid_argument);
    EXPECT_THROW(writer.add(Field<float, Dim>(name, set)), std::invalid_argument);
  }
  EXPECT_THROW(writer.save(this->path(), 10), std::invalid_argument);
  EXPECT_THROW(writer.save(this->path(), -1), std::invalid_argument);
  writer.add(b).save(this->path());

  auto const path = this->path();
  expect_refused(path, "several sets, so one must be named: one, two", [&] { io::read_set<Dim>(path); });
  expect_refused(path, "no set 'three' in it, but: one, two", [&] { io::read_set<Dim>(path, "three"); });
  expect_refused(path, "several fields", [&] { io::read_field<float, Dim>(path); });
  expect_refused(path, "field 'a' holds float values, not double", [&] { io::read_field<double, Dim>(path, "a"); });
  expect_refused(path, "dimensions, not", [&] { io::read_set<5 - Dim>(path, "one"); });
  io::write_hdf5(path, set);
  expect_refused(path, "there is no field in it", [&] { io::read_field<float, Dim>(path); });
  auto const missing = this->folder / "missing.h5";
  expect_refused(missing, "No such file", [&] { io::read_set<Dim>(missing); });
  expect_refused(missing, "No such file", [&] { io::read_set_file_contents(missing); });
  auto const parent = this->path().parent_path();
  expect_refused(parent, "Is a directory", [&] { io::read_set<Dim>(parent); });
}

// ---- damage

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

TYPED_TEST(SetFiles, AreOrdinaryHdf5FilesBehindTheirHeader) {
  constexpr int Dim = TypeParam::value;
  io::write_hdf5(this->path(), box<Dim>({}, Vec<Coord, Dim>::filled(3)));
  hid_t const file = H5Fopen(this->path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  hid_t const data = H5Dopen2(file, "/sets/set/lengths", H5P_DEFAULT);
  ASSERT_GE(data, 0);
  Ends values(Dim == 2 ? 3 : 9, 0);
  EXPECT_GE(H5Dread(data, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  EXPECT_EQ(values, Ends(values.size(), 3));
  H5Dclose(data);
  H5Fclose(file);
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
