#pragma once
/// HDF5 files for writing, with exceptions for errors.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <hdf5.h>

#include <sparse/io/files/file_parts.hpp>

#include "hdf5_memory.hpp"

namespace sparse::io {

/// Throws `std::runtime_error` with what HDF5's error stack says.
[[noreturn]] void hdf5_failure();

/// Throws if an HDF5 call has failed.
void check_hdf5(herr_t result);

/// Keeps HDF5 from printing while this object lives.
class QuietHdf5 {
public:
  QuietHdf5() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  QuietHdf5(QuietHdf5 const&) = delete;
  QuietHdf5& operator=(QuietHdf5 const&) = delete;

private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// An HDF5 identifier that is closed with its scope.
class Hdf5Handle {
public:
  /// Takes the result of an HDF5 call. Throws if it is negative.
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {
    if (id < 0) hdf5_failure();
  }
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&&) = delete;

  operator hid_t() const { return id_; }
  hid_t release() { return std::exchange(id_, -1); }

private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Properties of new groups (`H5P_GROUP_CREATE`) or data sets (`H5P_DATASET_CREATE`) that carry no times: equal
/// contents give equal bytes.
Hdf5Handle untimed(hid_t property_class);

/// A new HDF5 file in memory. HDF5 prints nothing while it exists; every problem is a `std::runtime_error`.
///
/// It is in memory because HDF5 1.10 cannot close a file after a failed write, and crashes at the program's end. To
/// HDF5 it is a file of the kernel, so that room without values takes no memory.
class Hdf5File {
public:
  Hdf5File();
  ~Hdf5File();
  Hdf5File(Hdf5File const&) = delete;
  Hdf5File& operator=(Hdf5File const&) = delete;

  /// A new group in the file or in another group.
  Hdf5Handle group(hid_t parent, std::string const& name) const;
  hid_t root() const { return file_; }

  void attribute(hid_t object, std::string const& name, std::string const& text) const;
  template <class T>
  void attribute(hid_t object, std::string const& name, std::vector<T> const& values) const;

  /// A data set of numbers, contiguous, or in shuffled and gzipped chunks.
  template <class T>
  void write(hid_t parent, std::string const& name, std::vector<hsize_t> const& shape, T const* values,
             bool compress = false) const;

  /// Room for a data set whose numbers are written later, contiguous. Equal calls on equal files give equal places.
  /// @return  where in the file its first byte goes
  template <class T>
  std::uint64_t reserve(hid_t parent, std::string const& name, std::vector<hsize_t> const& shape);

  /// Ends the file. All groups must be closed, as below.
  /// @return  all of it but what is reserved
  FileParts finish();
  /// Ends the file and writes it to `path`, atomically. Nothing may be reserved.
  void save(std::filesystem::path const& path);

private:
  void close();
  struct Room {
    std::uint64_t begin, end;
  };

  QuietHdf5 quiet_;
  std::unique_ptr<Hdf5Memory> memory_ = std::make_unique<Hdf5Memory>();
  hid_t file_ = -1;
  std::vector<Room> reserved_;
};

}  // namespace sparse::io
