#include "hdf5_values.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace sparse::io {
namespace {

constexpr std::size_t most_compact = 2048;        // greatest size of a compact data set [bytes]
constexpr std::size_t greatest_expansion = 1100;  // deflate turns one byte into at most 1032

}  // namespace

void refuse(std::string const& reason) { throw std::runtime_error(reason); }

std::string text_attribute(hid_t object, char const* name) {
  Hdf5Handle const attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose), type(H5Aget_type(attribute), H5Tclose);
  std::size_t const size = H5Tget_size(type);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0 || size > 1 << 16 ||
      H5Sget_simple_extent_npoints(Hdf5Handle(H5Aget_space(attribute), H5Sclose)) != 1)
    refuse(fmt::format("the attribute {} is no text", name));
  std::string text(size, '\0');
  check_hdf5(H5Aread(attribute, type, text.data()));
  return text;
}

void add_attribute(hid_t object, char const* name, hid_t stored, hid_t native, void const* value) {
  Hdf5Handle const space(H5Screate(H5S_SCALAR), H5Sclose);
  Hdf5Handle const attribute(H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check_hdf5(H5Awrite(attribute, native, value));
}
void add_text_attribute(hid_t object, char const* name, std::string const& text) {
  Hdf5Handle const type(H5Tcopy(H5T_C_S1), H5Tclose);
  check_hdf5(H5Tset_size(type, std::max<std::size_t>(text.size(), 1)));  // a type has at least one byte
  check_hdf5(H5Tset_strpad(type, H5T_STR_NULLPAD));
  add_attribute(object, name, type, type, text.c_str());
}

std::vector<hsize_t> shape_of(hid_t data, hid_t stored, int rank) {
  Hdf5Handle const type(H5Dget_type(data), H5Tclose), space(H5Dget_space(data), H5Sclose);
  if (H5Tequal(type, stored) <= 0 || H5Sis_simple(space) <= 0 || H5Sget_simple_extent_ndims(space) != rank)
    refuse("its numbers are of another type or shape");
  std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
  if (H5Sget_simple_extent_dims(space, shape.data(), nullptr) != rank) hdf5_failure();
  hsize_t most = H5Dget_storage_size(data) * greatest_expansion / H5Tget_size(type);
  bool const has_values = std::find(shape.begin(), shape.end(), 0) == shape.end();
  for (hsize_t length : shape) {
    if (has_values && length > most) refuse("it declares more numbers than the file can hold");
    most /= std::max<hsize_t>(length, 1);
  }
  return shape;
}

std::vector<std::string> names_in(hid_t file, char const* group_name) {
  QuietHdf5 const quiet;
  Hdf5Handle const group(H5Gopen2(file, group_name, H5P_DEFAULT), H5Gclose);
  H5G_info_t info;
  check_hdf5(H5Gget_info(group, &info));
  std::vector<std::string> names;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    auto const length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT);
    if (length < 0) hdf5_failure();
    std::string name(static_cast<std::size_t>(length) + 1, '\0');
    if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size(), H5P_DEFAULT) < 0)
      hdf5_failure();
    name.pop_back();
    names.push_back(std::move(name));
  }
  return names;
}

Hdf5Handle new_dataset(hid_t parent, std::string const& name, hid_t stored, hid_t native,
                       std::vector<hsize_t> const& shape, void const* values, int compression) {
  Hdf5Handle const space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
  auto const creation = untimed(H5P_DATASET_CREATE);
  check_hdf5(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER));
  bool const has_values = std::find(shape.begin(), shape.end(), 0) == shape.end();
  std::size_t bytes = H5Tget_size(stored);
  for (hsize_t length : shape) bytes *= length;
  if (bytes <= most_compact) {
    check_hdf5(H5Pset_layout(creation, H5D_COMPACT));  // chunks would take two kilobytes more than their contents
  } else if (compression > 0) {
    std::vector<hsize_t> chunk(shape.size(), 1);
    chunk.back() = std::min<hsize_t>(shape.back(), 1 << 16);
    check_hdf5(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()));
    check_hdf5(H5Pset_shuffle(creation));
    check_hdf5(H5Pset_deflate(creation, static_cast<unsigned>(compression)));
  }
  Hdf5Handle data(H5Dcreate2(parent, name.c_str(), stored, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
  if (has_values) check_hdf5(H5Dwrite(data, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  return data;
}

Hdf5Handle new_group(hid_t parent, char const* name) {
  auto const creation = untimed(H5P_GROUP_CREATE);
  check_hdf5(H5Pset_attr_phase_change(creation, 65535, 0));  // keeps attributes together, without space to grow
  return {H5Gcreate2(parent, name, H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose};
}

}  // namespace sparse::io
