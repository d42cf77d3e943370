#pragma once
/// The bytes of a set file. It does not use Kokkos, so that fuzzers can build it alone; see
/// sparse/io/sets/set_file.hpp.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sparse/io/files/note.hpp>

#include "set_codec.hpp"

namespace sparse::io {

/// The header of a field, before its values are read.
struct FieldHeader {
  std::string domain, type;  ///< type: "float", "double", "int32" or "int64"
  int component_count;
  std::int64_t cell_count;
};

/// Reads a set file from memory. All errors are `std::runtime_error` with the reason alone.
class SetContainerReader {
public:
  /// Checks the header, the size and the checksum, then opens the HDF5 part.
  explicit SetContainerReader(std::string bytes);
  ~SetContainerReader();
  SetContainerReader(SetContainerReader const&) = delete;
  SetContainerReader& operator=(SetContainerReader const&) = delete;

  int dimension() const;
  /// In alphabetical order.
  std::vector<std::string> set_names() const;
  std::vector<std::string> field_names() const;
  Notes notes() const;

  CodedSet set(std::string const& name) const;
  FieldHeader field(std::string const& name) const;
  /// The values of all components, one component after the other, in this machine's byte order.
  std::string values(std::string const& name) const;

private:
  struct File;
  std::unique_ptr<File> file_;
};

/// Makes the bytes of a set file; equal contents give equal bytes.
class SetContainerWriter {
public:
  explicit SetContainerWriter(int dimension, int compression);
  ~SetContainerWriter();
  SetContainerWriter(SetContainerWriter const&) = delete;
  SetContainerWriter& operator=(SetContainerWriter const&) = delete;

  void add_set(std::string const& name, CodedSet const& set);
  void add_field(std::string const& name, FieldHeader const& header, std::string_view values);
  void add_note(std::string const& name, Note const& note);
  std::string finish();

private:
  struct File;
  std::unique_ptr<File> file_;
  int dimension_, compression_;
};

/// The header of a file of this dimension whose HDF5 part is `payload`: 512 bytes.
std::string set_file_header(int dimension, std::string_view payload);

/// Bytes per number of that type, 0 for an unknown type.
std::size_t number_size(std::string_view type);

}  // namespace sparse::io
