#include "set_container.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <hdf5.h>
#include <zlib.h>

#include "hdf5_values.hpp"
#include "io/files/hdf5_file.hpp"

namespace sparse::io {
namespace {

constexpr int version = 1;
constexpr std::size_t header_size = 512;  // the smallest offset, except 0, at which HDF5's tools look for a file
constexpr std::string_view magic = "sparse sets\n";
constexpr hsize_t most_components = 1 << 16;

struct NumberType {
  std::string_view name;
  std::size_t size;
  hid_t stored, native;
};
std::vector<NumberType> number_types() {  // HDF5's names are known only once it runs, so no constants
  // The names are comma expressions. nvcc compiles them wrongly in braces, but not as arguments.
  auto const type = [](std::string_view name, std::size_t size, hid_t stored, hid_t native) {
    return NumberType{name, size, stored, native};
  };
  return {type("float", 4, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT), type("double", 8, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE),
          type("int32", 4, H5T_STD_I32LE, H5T_NATIVE_INT32), type("int64", 8, H5T_STD_I64LE, H5T_NATIVE_INT64)};
}
NumberType number_type(std::string_view name) {
  for (auto const& type : number_types())
    if (type.name == name) return type;
  refuse(fmt::format("'{}' is no type of numbers", name));
}

/// The header up to the checksum, which covers these bytes and the payload.
std::string header_text(int dimension, std::size_t size) {
  return fmt::format("{}version {}\ndimension {}\nbytes {}\n", magic, version, dimension, size);
}
unsigned long checksum(std::string_view text, std::string_view payload) {
  auto const add = [](unsigned long crc, std::string_view bytes) {
    return crc32_z(crc, reinterpret_cast<unsigned char const*>(bytes.data()), bytes.size());
  };
  return add(add(0, text), payload);
}

/// Removes "NAME NUMBER\n" from the front of `text` and returns the number.
std::size_t entry(std::string_view& text, std::string_view name) {
  std::size_t value = 0;
  if (text.starts_with(name) && text.size() > name.size() && text[name.size()] == ' ') {
    auto const* const begin = text.data() + name.size() + 1;
    auto const [end, error] = std::from_chars(begin, text.data() + text.size(), value);
    if (error == std::errc() && end != text.data() + text.size() && *end == '\n') {
      text.remove_prefix(static_cast<std::size_t>(end + 1 - text.data()));
      return value;
    }
  }
  refuse(fmt::format("damaged: the header has no {}", name));
}

/// Checks everything that needs no HDF5, and returns the dimension in the header.
int checked_dimension(std::string_view bytes) {
  if (bytes.empty()) refuse("the file is empty");
  if (!bytes.starts_with(magic.substr(0, std::min(magic.size(), bytes.size())))) refuse("not a file of sparse sets");
  if (bytes.size() < header_size) refuse(fmt::format("truncated: {} bytes are not even a header", bytes.size()));
  auto text = bytes.substr(magic.size(), header_size - magic.size());
  std::size_t const found = entry(text, "version");
  if (found != version) refuse(fmt::format("it has version {} of the format, and {} is known here", found, version));
  std::size_t const dimension = entry(text, "dimension"), size = entry(text, "bytes");
  if (bytes.size() < size) refuse(fmt::format("truncated: {} of {} bytes are there", bytes.size(), size));
  if (bytes.size() > size) refuse(fmt::format("damaged: {} bytes instead of {}", bytes.size(), size));
  auto const payload = bytes.substr(header_size);
  if ((dimension != 2 && dimension != 3) ||
      bytes.substr(0, header_size) != set_file_header(static_cast<int>(dimension), payload))
    refuse("damaged: the checksum is wrong");
  return static_cast<int>(dimension);
}

/// Lets HDF5 work on the caller's bytes. Otherwise it would copy them three times.
H5FD_file_image_callbacks_t borrow(std::string& bytes) {
  H5FD_file_image_callbacks_t calls;
  calls.image_malloc = [](std::size_t, H5FD_file_image_op_t, void* image) { return image; };
  calls.image_memcpy = [](void* to, void const*, std::size_t, H5FD_file_image_op_t, void*) { return to; };
  calls.image_realloc = [](void*, std::size_t, H5FD_file_image_op_t, void*) -> void* { return nullptr; };
  calls.image_free = [](void*, H5FD_file_image_op_t, void*) -> herr_t { return 0; };
  calls.udata_copy = [](void* image) { return image; };
  calls.udata_free = [](void*) -> herr_t { return 0; };
  calls.udata = bytes.data() + header_size;
  return calls;
}

Note note_attribute(hid_t object, char const* name) {
  Hdf5Handle const attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose), type(H5Aget_type(attribute), H5Tclose);
  if (H5Tequal(type, H5T_STD_I64LE) > 0) return number_attribute<std::int64_t>(attribute, H5T_NATIVE_INT64);
  if (H5Tequal(type, H5T_IEEE_F64LE) > 0) return number_attribute<double>(attribute, H5T_NATIVE_DOUBLE);
  std::string const text = text_attribute(object, name);
  return text.substr(0, text.find('\0'));
}

/// Calls `body()`. Adds the kind and name of the object to the message of an error.
template <class Body>
auto naming(char const* kind, std::string const& name, Body&& body) -> decltype(body()) {
  QuietHdf5 const quiet;
  try {
    return body();
  } catch (std::runtime_error const& error) {
    refuse(fmt::format("{} '{}': {}", kind, name, error.what()));
  }
}

}  // namespace

std::size_t number_size(std::string_view type) {
  for (auto const& known : number_types())
    if (known.name == type) return known.size;
  return 0;
}

std::string set_file_header(int dimension, std::string_view payload) {
  std::string header = header_text(dimension, header_size + payload.size());
  header += fmt::format("crc32 {:08x}\n", checksum(header, payload));
  header.resize(header_size, '\n');
  return header;
}

struct SetContainerReader::File {
  std::string bytes;
  int dimension;
  hid_t id = -1;

  explicit File(std::string contents) : bytes(std::move(contents)), dimension(checked_dimension(bytes)) {
    QuietHdf5 const quiet;
    Hdf5Handle const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    check_hdf5(H5Pset_fapl_core(access, std::size_t{1} << 16, false));
    check_hdf5(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
    auto calls = borrow(bytes);
    check_hdf5(H5Pset_file_image_callbacks(access, &calls));
    check_hdf5(H5Pset_file_image(access, bytes.data() + header_size, bytes.size() - header_size));
    id = Hdf5Handle(H5Fopen("sparse", H5F_ACC_RDONLY, access), H5Fclose).release();
  }
  ~File() {
    QuietHdf5 const quiet;
    if (id >= 0) H5Fclose(id);
  }
};

SetContainerReader::SetContainerReader(std::string bytes) : file_(std::make_unique<File>(std::move(bytes))) {}
SetContainerReader::~SetContainerReader() = default;

int SetContainerReader::dimension() const { return file_->dimension; }
std::vector<std::string> SetContainerReader::set_names() const { return names_in(file_->id, "sets"); }
std::vector<std::string> SetContainerReader::field_names() const { return names_in(file_->id, "fields"); }

Notes SetContainerReader::notes() const {
  QuietHdf5 const quiet;
  if (H5Lexists(file_->id, "notes", H5P_DEFAULT) <= 0) return {};
  Hdf5Handle const group(H5Gopen2(file_->id, "notes", H5P_DEFAULT), H5Gclose);
  std::vector<std::string> names;
  check_hdf5(H5Aiterate2(
      group, H5_INDEX_NAME, H5_ITER_INC, nullptr,
      [](hid_t, char const* name, H5A_info_t const*, void* data) -> herr_t {
        static_cast<std::vector<std::string>*>(data)->emplace_back(name);
        return 0;
      },
      &names));
  Notes notes;
  for (auto const& name : names)
    naming("note", name, [&] { notes.emplace(name, note_attribute(group, name.c_str())); });
  return notes;
}

CodedSet SetContainerReader::set(std::string const& name) const {
  return naming("set", name, [&] {
    Hdf5Handle const group(H5Gopen2(file_->id, ("sets/" + name).c_str(), H5P_DEFAULT), H5Gclose);
    return CodedSet{read_numbers<std::int64_t>(group, "row_steps"),
                    read_numbers<std::int64_t>(group, "interval_counts"), read_numbers<std::int32_t>(group, "begins"),
                    read_numbers<std::int32_t>(group, "lengths")};
  });
}

FieldHeader SetContainerReader::field(std::string const& name) const {
  return naming("field", name, [&] {
    Hdf5Handle const data(H5Dopen2(file_->id, ("fields/" + name).c_str(), H5P_DEFAULT), H5Dclose);
    auto const type = number_type(text_attribute(data, "type"));
    auto const shape = shape_of(data, type.stored, 2);
    if (shape[0] < 1 || shape[0] > most_components) refuse(fmt::format("it has {} components", shape[0]));
    return FieldHeader{text_attribute(data, "domain"), std::string(type.name), static_cast<int>(shape[0]),
                       static_cast<std::int64_t>(shape[1])};
  });
}

std::string SetContainerReader::values(std::string const& name) const {
  auto const header = field(name);
  return naming("field", name, [&] {
    Hdf5Handle const data(H5Dopen2(file_->id, ("fields/" + name).c_str(), H5P_DEFAULT), H5Dclose);
    auto const type = number_type(header.type);
    std::string values(static_cast<std::size_t>(header.component_count) * static_cast<std::size_t>(header.cell_count) *
                           type.size,
                       '\0');
    if (!values.empty()) check_hdf5(H5Dread(data, type.native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    return values;
  });
}

struct SetContainerWriter::File {
  hid_t id = -1;

  File() {
    QuietHdf5 const quiet;
    Hdf5Handle const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), creation = untimed(H5P_FILE_CREATE);
    check_hdf5(H5Pset_fapl_core(access, std::size_t{1} << 20, false));
    check_hdf5(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
    check_hdf5(
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18));  // groups without kilobytes of space to grow
    id = Hdf5Handle(H5Fcreate("sparse", H5F_ACC_TRUNC, creation, access), H5Fclose).release();
    new_group(id, "sets");
    new_group(id, "fields");
  }
  ~File() {
    QuietHdf5 const quiet;
    if (id >= 0) H5Fclose(id);
  }
};

SetContainerWriter::SetContainerWriter(int dimension, int compression)
    : file_(std::make_unique<File>()), dimension_(dimension), compression_(compression) {}
SetContainerWriter::~SetContainerWriter() = default;

void SetContainerWriter::add_set(std::string const& name, CodedSet const& set) {
  naming("set", name, [&] {
    auto const group = new_group(file_->id, ("sets/" + name).c_str());
    write_numbers(group, "row_steps", set.row_steps, compression_);
    write_numbers(group, "interval_counts", set.interval_counts, compression_);
    write_numbers(group, "begins", set.begins, compression_);
    write_numbers(group, "lengths", set.lengths, compression_);
  });
}

void SetContainerWriter::add_field(std::string const& name, FieldHeader const& header, std::string_view values) {
  naming("field", name, [&] {
    auto const type = number_type(header.type);
    std::vector<hsize_t> const shape = {static_cast<hsize_t>(header.component_count),
                                        static_cast<hsize_t>(header.cell_count)};
    auto const data =
        new_dataset(file_->id, "fields/" + name, type.stored, type.native, shape, values.data(), compression_);
    add_text_attribute(data, "domain", header.domain);
    add_text_attribute(data, "type", header.type);
  });
}

void SetContainerWriter::add_note(std::string const& name, Note const& note) {
  naming("note", name, [&] {
    bool const is_first = H5Lexists(file_->id, "notes", H5P_DEFAULT) <= 0;
    Hdf5Handle const group =
        is_first ? new_group(file_->id, "notes") : Hdf5Handle(H5Gopen2(file_->id, "notes", H5P_DEFAULT), H5Gclose);
    if (auto const* const integer = std::get_if<std::int64_t>(&note))
      add_attribute(group, name.c_str(), H5T_STD_I64LE, H5T_NATIVE_INT64, integer);
    else if (auto const* const number = std::get_if<double>(&note))
      add_attribute(group, name.c_str(), H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, number);
    else
      add_text_attribute(group, name.c_str(), std::get<std::string>(note));
  });
}

std::string SetContainerWriter::finish() {
  QuietHdf5 const quiet;
  check_hdf5(H5Fflush(file_->id, H5F_SCOPE_LOCAL));
  ssize_t const size = H5Fget_file_image(file_->id, nullptr, 0);  // the bytes in use; copies nothing
  if (size <= 0) hdf5_failure();
  // The bytes are taken from the memory itself, because H5Fget_file_image spoils the checksum of the first block of
  // files in this format.
  void* handle = nullptr;
  check_hdf5(H5Fget_vfd_handle(file_->id, H5P_DEFAULT, &handle));
  std::string bytes(header_size, '\0');
  bytes.append(*static_cast<char const* const*>(handle), static_cast<std::size_t>(size));
  auto const header = set_file_header(dimension_, std::string_view(bytes).substr(header_size));
  std::copy(header.begin(), header.end(), bytes.begin());
  return bytes;
}

}  // namespace sparse::io
