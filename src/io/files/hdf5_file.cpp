#include "hdf5_file.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include <sparse/io/files/file.hpp>

namespace sparse::io {
namespace {

template <class T>
hid_t type_of() {
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<T, int>) return H5T_NATIVE_INT;
  if constexpr (std::is_same_v<T, unsigned char>) return H5T_NATIVE_UCHAR;
}

Hdf5Handle dataspace(std::vector<hsize_t> const& shape) {
  return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose};
}

}  // namespace

void hdf5_failure() {
  std::string reason;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, H5E_error2_t const* error, void* data) -> herr_t {
        auto& text = *static_cast<std::string*>(data);
        if (text.empty() && error->desc) text = error->desc;
        return 0;
      },
      &reason);
  throw std::runtime_error(reason.empty() ? "HDF5 gave no reason" : reason);
}

void check_hdf5(herr_t result) {
  if (result < 0) hdf5_failure();
}

Hdf5Handle untimed(hid_t property_class) {
  Hdf5Handle properties(H5Pcreate(property_class), H5Pclose);
  check_hdf5(H5Pset_obj_track_times(properties, false));
  return properties;
}

Hdf5File::Hdf5File() {
  Hdf5Handle const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), creation = untimed(H5P_FILE_CREATE);
  memory_->use_for(access);
  check_hdf5(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
  file_ = Hdf5Handle(H5Fcreate("sparse", H5F_ACC_TRUNC, creation, access), H5Fclose).release();
}

Hdf5File::~Hdf5File() {
  try {
    if (file_ >= 0) close();
  } catch (std::runtime_error const&) {
    // Whoever did not want the contents does not miss them.
  }
}

void Hdf5File::close() {
  if (H5Fclose(std::exchange(file_, -1)) >= 0) return;
  static_cast<void>(memory_.release());  // HDF5 tries again at the program's end
  hdf5_failure();
}

FileParts Hdf5File::finish() {
  close();
  FileParts file;
  file.file_size = memory_->size();
  std::sort(reserved_.begin(), reserved_.end(), [](Room const& a, Room const& b) { return a.begin < b.begin; });
  reserved_.push_back({file.file_size, file.file_size});
  std::uint64_t begin = 0;
  for (Room const& room : reserved_) {
    auto const size = static_cast<std::size_t>(room.begin - begin);
    if (size > 0) {
      auto& block = file.blocks.emplace_back(size);
      memory_->read(begin, size, block.data());
      file.parts.push_back({begin, block.data(), size});
    }
    begin = room.end;
  }
  return file;
}

void Hdf5File::save(std::filesystem::path const& path) { write_parts(path, finish()); }

Hdf5Handle Hdf5File::group(hid_t parent, std::string const& name) const {
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, untimed(H5P_GROUP_CREATE), H5P_DEFAULT), H5Gclose};
}

void Hdf5File::attribute(hid_t object, std::string const& name, std::string const& text) const {
  Hdf5Handle const type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  check_hdf5(H5Tset_size(type, text.size()));
  check_hdf5(H5Tset_strpad(type, H5T_STR_NULLPAD));
  Hdf5Handle const written(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check_hdf5(H5Awrite(written, type, text.data()));
}

template <class T>
void Hdf5File::attribute(hid_t object, std::string const& name, std::vector<T> const& values) const {
  auto const space = dataspace({values.size()});
  Hdf5Handle const written(H5Acreate2(object, name.c_str(), type_of<T>(), space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check_hdf5(H5Awrite(written, type_of<T>(), values.data()));
}

template <class T>
void Hdf5File::write(hid_t parent, std::string const& name, std::vector<hsize_t> const& shape, T const* values,
                     bool compress) const {
  auto const space = dataspace(shape);
  auto const creation = untimed(H5P_DATASET_CREATE);
  check_hdf5(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER));
  if (compress) {
    auto chunk = shape;
    chunk[0] = std::min<hsize_t>(shape[0], 1 << 16);
    check_hdf5(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()));
    check_hdf5(H5Pset_shuffle(creation));
    check_hdf5(H5Pset_deflate(creation, 1));
  }
  Hdf5Handle const written(H5Dcreate2(parent, name.c_str(), type_of<T>(), space, H5P_DEFAULT, creation, H5P_DEFAULT),
                           H5Dclose);
  check_hdf5(H5Dwrite(written, type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
}

template <class T>
std::uint64_t Hdf5File::reserve(hid_t parent, std::string const& name, std::vector<hsize_t> const& shape) {
  auto const creation = untimed(H5P_DATASET_CREATE);
  check_hdf5(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER));
  check_hdf5(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY));
  Hdf5Handle const set(
      H5Dcreate2(parent, name.c_str(), type_of<T>(), dataspace(shape), H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
  haddr_t const begin = H5Dget_offset(set);
  if (begin == HADDR_UNDEF) hdf5_failure();
  reserved_.push_back({begin, begin + H5Dget_storage_size(set)});
  return begin;
}

template void Hdf5File::attribute(hid_t, std::string const&, std::vector<int> const&) const;
template void Hdf5File::attribute(hid_t, std::string const&, std::vector<double> const&) const;
template void Hdf5File::write(hid_t, std::string const&, std::vector<hsize_t> const&, float const*, bool) const;
template void Hdf5File::write(hid_t, std::string const&, std::vector<hsize_t> const&, double const*, bool) const;
template void Hdf5File::write(hid_t, std::string const&, std::vector<hsize_t> const&, int const*, bool) const;
template void Hdf5File::write(hid_t, std::string const&, std::vector<hsize_t> const&, unsigned char const*, bool) const;
#define SPARSE_INSTANTIATE(T)                                                                                          \
  template std::uint64_t Hdf5File::reserve<T>(hid_t, std::string const&, std::vector<hsize_t> const&);
SPARSE_INSTANTIATE(float)
SPARSE_INSTANTIATE(double)
SPARSE_INSTANTIATE(unsigned char)

}  // namespace sparse::io
