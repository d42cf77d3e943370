#include "hdf5_memory.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>

#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>  // HDF5 1.14
#endif

#include "hdf5_file.hpp"

namespace sparse::io {
namespace {

// A driver of HDF5. Its functions are called from C, so they throw nothing.

struct OpenFile {
  H5FD_t of_hdf5;  // comes first
  Hdf5Memory* memory;
  haddr_t end;  // of what HDF5 has allotted
};
OpenFile& file_of(H5FD_t* file) { return *reinterpret_cast<OpenFile*>(file); }
OpenFile const& file_of(H5FD_t const* file) { return *reinterpret_cast<OpenFile const*>(file); }

H5FD_t* open_file(char const*, unsigned, hid_t access, haddr_t) {
  auto* const memory = static_cast<Hdf5Memory* const*>(H5Pget_driver_info(access));
  auto* const file = memory == nullptr ? nullptr : new (std::nothrow) OpenFile{{}, *memory, 0};
  return file == nullptr ? nullptr : &file->of_hdf5;
}
herr_t close_file(H5FD_t* file) {
  file_of(file).memory->resize(file_of(file).end);
  delete &file_of(file);
  return 0;
}
herr_t query(H5FD_t const*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA;
  return 0;
}
haddr_t allotted_end(H5FD_t const* file, H5FD_mem_t) { return file_of(file).end; }
herr_t set_allotted_end(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  file_of(file).end = end;
  return 0;
}
haddr_t end_of_file(H5FD_t const* file, H5FD_mem_t) { return file_of(file).memory->size(); }
herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* bytes) {
  file_of(file).memory->read(at, size, static_cast<std::byte*>(bytes));
  return 0;
}
herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void const* bytes) {
  try {
    file_of(file).memory->write(at, size, static_cast<std::byte const*>(bytes));
    return 0;
  } catch (std::exception const&) {
    return -1;  // no memory
  }
}

H5FD_class_t driver() {
  H5FD_class_t made = {};
#ifdef H5FD_CLASS_VERSION
  made.version = H5FD_CLASS_VERSION;
  made.value = static_cast<H5FD_class_value_t>(600);  // any but those of HDF5's own
#endif
  made.name = "sparse memory";
  made.maxaddr = HADDR_MAX;
  made.fc_degree = H5F_CLOSE_STRONG;
  made.fapl_size = sizeof(Hdf5Memory*);
  made.open = open_file;
  made.close = close_file;
  made.query = query;
  made.get_eoa = allotted_end;
  made.set_eoa = set_allotted_end;
  made.get_eof = end_of_file;
  made.read = read;
  made.write = write;
  H5FD_mem_t const map[] = H5FD_FLMAP_SINGLE;
  std::copy(std::begin(map), std::end(map), made.fl_map);
  return made;
}

}  // namespace

void Hdf5Memory::use_for(hid_t file_access) {
  static H5FD_class_t const properties = driver();
  static hid_t const number = H5FDregister(&properties);
  if (number < 0) hdf5_failure();
  Hdf5Memory* const self = this;
  check_hdf5(H5Pset_driver(file_access, number, &self));
}

void Hdf5Memory::read(std::uint64_t at, std::size_t size, std::byte* bytes) const {
  while (size > 0) {
    std::uint64_t const begin = at % sizeof(Page);
    auto const count = std::min<std::size_t>(size, sizeof(Page) - begin);
    if (auto const page = pages_.find(at / sizeof(Page)); page != pages_.end())
      std::memcpy(bytes, page->second.data() + begin, count);
    else
      std::memset(bytes, 0, count);
    at += count;
    bytes += count;
    size -= count;
  }
}

void Hdf5Memory::write(std::uint64_t at, std::size_t size, std::byte const* bytes) {
  size_ = std::max<std::uint64_t>(size_, at + size);
  while (size > 0) {
    std::uint64_t const begin = at % sizeof(Page);
    auto const count = std::min<std::size_t>(size, sizeof(Page) - begin);
    std::memcpy(pages_[at / sizeof(Page)].data() + begin, bytes, count);
    at += count;
    bytes += count;
    size -= count;
  }
}

}  // namespace sparse::io
