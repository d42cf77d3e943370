#pragma once
/// Numbers, texts and groups in HDF5 files.

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <hdf5.h>

#include "io/files/hdf5_file.hpp"

namespace sparse::io {

/// @throws std::runtime_error  always, with this message
[[noreturn]] void refuse(std::string const& reason);

/// The storage type of a number: the same on every machine.
template <class T>
hid_t stored_type() {
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_STD_I32LE;
  return H5T_STD_I64LE;
}
template <class T>
hid_t native_type() {
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
  return H5T_NATIVE_INT64;
}

std::string text_attribute(hid_t object, char const* name);
void add_attribute(hid_t object, char const* name, hid_t stored, hid_t native, void const* value);
void add_text_attribute(hid_t object, char const* name, std::string const& text);

template <class T>
T number_attribute(hid_t attribute, hid_t native) {
  if (H5Sget_simple_extent_npoints(Hdf5Handle(H5Aget_space(attribute), H5Sclose)) != 1)
    refuse("there is not one number in it");
  T value{};
  check_hdf5(H5Aread(attribute, native, &value));
  return value;
}

/// The shape of a data set, after a check that its stored bytes can hold as many numbers.
std::vector<hsize_t> shape_of(hid_t data, hid_t stored, int rank);
/// @param compression  of deflate, 0 to 9; small data sets lie uncompressed beside their headers
Hdf5Handle new_dataset(hid_t parent, std::string const& name, hid_t stored, hid_t native,
                       std::vector<hsize_t> const& shape, void const* values, int compression);

template <class T>
std::vector<T> read_numbers(hid_t group, char const* name) {
  Hdf5Handle const data(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose);
  std::vector<T> values(shape_of(data, stored_type<T>(), 1)[0]);
  if (!values.empty()) check_hdf5(H5Dread(data, native_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  return values;
}

template <class T>
void write_numbers(hid_t parent, char const* name, std::vector<T> const& values, int compression) {
  new_dataset(parent, name, stored_type<T>(), native_type<T>(), {values.size()}, values.data(), compression);
}

Hdf5Handle new_group(hid_t parent, char const* name);
std::vector<std::string> names_in(hid_t file, char const* group_name);

}  // namespace sparse::io
