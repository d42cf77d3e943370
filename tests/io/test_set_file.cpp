#include <chrono>
#include <cstring>
#include <limits>
#include <thread>

#include <gtest/gtest.h>
#include <hdf5.h>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/field.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>

#include "support/set_files.hpp"

namespace {

using namespace io_test;
using namespace sparse;

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
  EXPECT_TRUE(contents(this->path()) == bytes);

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
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5 can note the second
  io::write_hdf5(this->path(), from_host<Dim>(set.to_host()));
  EXPECT_TRUE(contents(this->path()) == bytes);  // without printing them
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

TYPED_TEST(SetFiles, AreOrdinaryHdf5FilesBehindTheirHeader) {
  constexpr int Dim = TypeParam::value;
  io::write_hdf5(this->path(), box<Dim>({}, Vec<Coord, Dim>::filled(3)));
  hid_t const file = H5Fopen(this->path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  hid_t const data = H5Dopen2(file, "/sets/set/lengths", H5P_DEFAULT);
  ASSERT_GE(data, 0);
  std::vector<std::int32_t> values(Dim == 2 ? 3 : 9, 0), expected(values.size(), 3);
  EXPECT_GE(H5Dread(data, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  EXPECT_EQ(values, expected);
  H5Dclose(data);
  H5Fclose(file);
}

}  // namespace
