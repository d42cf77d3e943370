#pragma once
/// Sets and fields in one compact file, for exchange between programs and for restarts.
///
/// An HDF5 file behind a header of 512 bytes. HDF5's tools skip such a header: `h5ls`, `h5dump` and h5py open the file.
/// The header is text. It names the format, its version, the dimension, the size of the file and the CRC-32 of the
/// rest. So a file that is cut short, damaged or of another kind is refused before HDF5 reads it.
///
///     /sets/NAME/row_steps        [rows] key of the row minus key of the row before (a key is y, or z * 2^32 + y)
///     /sets/NAME/interval_counts  [rows]
///     /sets/NAME/begins           [intervals] begin minus end of the interval before; for the first of a row, minus
///                                 the first begin of the row before
///     /sets/NAME/lengths          [intervals]
///     /fields/NAME                [components][cells], in the cell order of the set that its attribute `domain` names
///     /notes                      its attributes: numbers and texts
///
/// Differences are small numbers, which compress to about two bytes per interval. Only one thread at a time may call
/// these functions: HDF5 is not thread safe.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <sparse/fields/field.hpp>
#include <sparse/io/files/note.hpp>

namespace sparse::io {

/// One entry of a set file.
struct SetFileEntry {
  /// Its name in the file, and whether it is a field.
  std::string name;
  bool is_field = false;
  std::string domain = {};  ///< fields: the name of their set
  std::string type = {};    ///< fields: "float", "double", "int32" or "int64"
  int component_count = 0;  ///< fields
};
/// What a file has.
struct SetFileContents {
  /// 2 or 3.
  int dimension = 0;
  std::vector<SetFileEntry> entries;  ///< sets, then fields, each by name
  /// Words that the writer added.
  Notes notes = {};
};

/// Lists the contents of a file without reading all of it.
/// @throws std::runtime_error  with the path and the reason: unreadable, another format, a later version, truncated,
///                             damaged
SetFileContents read_set_file_contents(std::filesystem::path const& path);

namespace detail {
/// The name of a type of values in files; nullptr if files cannot hold it.
template <class T>
inline constexpr char const* stored_name = std::is_same_v<T, float>          ? "float"
                                           : std::is_same_v<T, double>       ? "double"
                                           : std::is_same_v<T, std::int32_t> ? "int32"
                                           : std::is_same_v<T, std::int64_t> ? "int64"
                                                                             : nullptr;
}  // namespace detail

/// Collects sets and fields on the host and writes them as one file.
///
///     io::SetWriter<2>().add("fluid", fluid).add(pressure).save("state.h5");
template <int Dim>
class SetWriter {
public:
  /// Adds a set. Fields on this set (or a copy of it) refer to it.
  /// @throws std::invalid_argument  if the name is taken by a set, empty, ".", or holds a slash or zero byte
  SetWriter& add(std::string const& name, IntervalSet<Dim> const& set);

  /// Adds a field under its own name. Also adds its set, as "domain", "domain_2", ..., unless the set is there already.
  /// @throws std::invalid_argument  as above, for names of fields
  template <class T>
  SetWriter& add(Field<T, Dim> const& field) {
    return add(field.name(), field);
  }
  /// Adds a field under another name. Cost: its values are copied to the host now.
  /// @throws std::invalid_argument  as above, for names of fields
  template <class T>
  SetWriter& add(std::string const& name, Field<T, Dim> const& field) {
    static_assert(detail::stored_name<T>, "files hold float, double, std::int32_t and std::int64_t");
    StoredField stored{detail::stored_name<T>, domain_name(field.domain()), field.component_count(), {}};
    for (int c = 0; c < field.component_count(); ++c) {
      std::vector<T> const component = to_host(field, c);
      stored.bytes.append(reinterpret_cast<char const*>(component.data()), component.size() * sizeof(T));
    }
    add_stored(name, std::move(stored));
    return *this;
  }

  /// Adds a number or a text. Numbers keep every bit.
  /// @throws std::invalid_argument  as above, for names of notes; if a text holds a zero byte or is too long
  SetWriter& note(std::string const& name, Note const& note);

  /// Writes the file.
  /// @param compression  0 (none, quickest) to 9 (smallest)
  /// @throws std::invalid_argument  if compression is something else
  /// @throws std::runtime_error     with the path and the reason; the file is complete or not there
  void save(std::filesystem::path const& path, int compression = 1) const;

private:
  struct StoredField {
    std::string type, domain;
    int component_count;
    std::string bytes;
  };
  std::string domain_name(IntervalSet<Dim> const& set);
  void add_stored(std::string const& name, StoredField field);

  std::map<std::string, IntervalSet<Dim>> sets_;
  std::map<std::string, StoredField> fields_;
  Notes notes_;
};

/// Reads a file of `SetWriter`. Everything comes back bit for bit, including NaN payloads.
///
/// The whole file is read and its checksum compared first. Each set and field is then checked on the host, so that all
/// results keep the invariants.
template <int Dim>
class SetReader {
public:
  /// @throws std::runtime_error  as `read_set_file_contents`, and if the file has another dimension
  explicit SetReader(std::filesystem::path const& path, Context const& context = Context());
  ~SetReader();
  SetReader(SetReader const&) = delete;
  SetReader& operator=(SetReader const&) = delete;

  /// What the file has, without reading sets and fields.
  SetFileContents const& contents() const { return contents_; }

  /// The set `name`, or the only one in the file if the name is empty. Later calls return the same set (identity).
  /// @throws std::runtime_error  with the path and the reason: no such set (with the names of those in the file), or
  ///                             broken
  IntervalSet<Dim> set(std::string const& name = {});

  /// The field `name`; the only one if the name is empty. Fields on one set of the file share it.
  /// Cost: a copy to the device.
  /// @throws std::runtime_error  as `set`, and if its values are of another type than T
  template <class T>
  Field<T, Dim> field(std::string const& name = {});

private:
  struct File;
  std::string chosen(std::string const& name, bool is_field) const;

  std::filesystem::path path_;
  Context context_;
  std::unique_ptr<File> file_;
  SetFileContents contents_;
  std::map<std::string, IntervalSet<Dim>> sets_;
};

/// A file with one set, named "set".
/// @throws std::runtime_error  with the path and the reason; the file is complete or not there
template <int Dim>
void write_hdf5(std::filesystem::path const& path, IntervalSet<Dim> const& set) {
  SetWriter<Dim>().add("set", set).save(path);
}
/// A file with one field and its set, named "domain".
/// @throws std::runtime_error  as above
template <class T, int Dim>
void write_hdf5(std::filesystem::path const& path, Field<T, Dim> const& field) {
  SetWriter<Dim>().add(field).save(path);
}

/// One set of a file: the one of that name, or the only one.
/// @throws std::runtime_error  as `SetReader`
template <int Dim>
IntervalSet<Dim> read_set(std::filesystem::path const& path, std::string const& name = {},
                          Context const& context = Context()) {
  return SetReader<Dim>(path, context).set(name);
}
/// One field of a file, with its set.
/// @throws std::runtime_error  as `SetReader`
template <class T, int Dim>
Field<T, Dim> read_field(std::filesystem::path const& path, std::string const& name = {},
                         Context const& context = Context()) {
  return SetReader<Dim>(path, context).template field<T>(name);
}

}  // namespace sparse::io
