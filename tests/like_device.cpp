/// Keeps the host from the memory of sets, plans and fields, as a device's memory does. The arena's pages are locked
/// outside of kernels and copies, so a host loop that reads them dies. For tests of a library that was compiled to run
/// as on a device (SPARSE_LIKE_DEVICE), if the environment has SPARSE_LOCK_MEMORY.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>

#include <sys/mman.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <sparse/base/buffer.hpp>

namespace {

/// Where the whole pages of each slab begin and end.
std::map<std::uintptr_t, std::uintptr_t> slabs;
int users = 0;  // kernels and copies under way

void protect(std::uintptr_t begin, std::uintptr_t end, int protection) {
  if (::mprotect(reinterpret_cast<void*>(begin), end - begin, protection) != 0) std::abort();
}
void open_all() {
  if (users++ == 0)
    for (auto const& [begin, end] : slabs) protect(begin, end, PROT_READ | PROT_WRITE);
}
void lock_all() {
  if (--users == 0)
    for (auto const& [begin, end] : slabs) protect(begin, end, PROT_NONE);
}

void begin_kernel(char const*, std::uint32_t, std::uint64_t*) { open_all(); }
void end_kernel(std::uint64_t) { lock_all(); }
void begin_copy(Kokkos::Profiling::SpaceHandle, char const*, void const*, Kokkos::Profiling::SpaceHandle, char const*,
                void const*, std::uint64_t) {
  open_all();
}
void end_copy() { lock_all(); }

std::uintptr_t first_page(void const* address) {
  auto const page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  return (reinterpret_cast<std::uintptr_t>(address) + page - 1) / page * page;
}
void note_slab(Kokkos::Profiling::SpaceHandle, char const* label, void const* data, std::uint64_t bytes) {
  if (std::strcmp(label, "sparse::arena") != 0) return;
  auto const page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  std::uintptr_t const begin = first_page(data), end = (reinterpret_cast<std::uintptr_t>(data) + bytes) / page * page;
  if (begin >= end) return;
  slabs.emplace(begin, end);
  if (users == 0) protect(begin, end, PROT_NONE);
}
void forget_slab(Kokkos::Profiling::SpaceHandle, char const* label, void const* data, std::uint64_t) {
  auto const slab = slabs.find(first_page(data));
  if (std::strcmp(label, "sparse::arena") != 0 || slab == slabs.end()) return;
  protect(slab->first, slab->second, PROT_READ | PROT_WRITE);
  slabs.erase(slab);
}

bool is_wanted() { return std::getenv("SPARSE_LOCK_MEMORY") != nullptr; }

/// Locks memory while tests run.
class Lock : public testing::Environment {
public:
  void SetUp() override {
    if (!is_wanted()) return;
    namespace tools = Kokkos::Tools::Experimental;
    tools::set_begin_parallel_for_callback(begin_kernel);
    tools::set_begin_parallel_reduce_callback(begin_kernel);
    tools::set_begin_parallel_scan_callback(begin_kernel);
    tools::set_end_parallel_for_callback(end_kernel);
    tools::set_end_parallel_reduce_callback(end_kernel);
    tools::set_end_parallel_scan_callback(end_kernel);
    tools::set_begin_deep_copy_callback(begin_copy);
    tools::set_end_deep_copy_callback(end_copy);
    tools::set_allocate_data_callback(note_slab);
    tools::set_deallocate_data_callback(forget_slab);
  }
  void TearDown() override {
    if (is_wanted()) open_all();  // for good
  }
};
[[maybe_unused]] testing::Environment* const lock = testing::AddGlobalTestEnvironment(new Lock);

}  // namespace

TEST(LikeDevice, TheHostHasNoMemoryOfSetsThatIsLocked) {
  sparse::Context const context;
  auto const values = sparse::to_device(context, std::vector<int>(1 << 16, 5));
  EXPECT_EQ(sparse::to_host(context, static_cast<int const*>(values.data()), values.size()).back(), 5);
  int const volatile* const inside = values.data() + (1 << 15);
  if (is_wanted()) {
    EXPECT_DEATH((void)*inside, "");
  } else {
    EXPECT_EQ(*inside, 5);
  }
}
