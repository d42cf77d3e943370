#pragma once
/// The ranks that run a test, and their files.

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <unistd.h>

#include <sparse/distributed/team.hpp>
#include <support/reference.hpp>

sparse::distributed::Team& team_of_test();

/// Whether it is the turn of case `number` of a test. A third of the cases has its turn on 1 and 4 ranks, a third on 2
/// and 7, and a third on 3. At night all have.
inline bool is_turn(std::size_t number) {
  bool const is_night = reference::seed_count > 1000;
  int const size = team_of_test().size();
  return is_night || number % 3 == (size == 1 || size == 4 ? 0u : size == 3 ? 1u : 2u);
}

/// A number for each type of a typed test, so that types take turns, too.
template <class T, int Dim>
constexpr std::size_t turn_of = Dim - 2 + (sizeof(T) == 4 ? 2 : 0);

/// The same problem or options, for this process alone, with sums that do not depend on the number of ranks.
template <class Shared>
Shared with_exact_sums(Shared shared) {
  static auto const alone = sparse::distributed::alone();
  shared.team = alone.get();
  shared.has_exact_sums = true;
  return shared;
}

/// A new folder that all ranks see, and that is gone at the end. Collective.
class SharedFolder {
public:
  explicit SharedFolder(sparse::distributed::Team& team) : team_(team) {
    std::vector<std::uint64_t> number{team.rank() == 0 ? static_cast<std::uint64_t>(getpid()) : 0};
    team.maximise(number);
    path_ = std::filesystem::temp_directory_path() / ("sparse_ranks_" + std::to_string(number[0]));
    sparse::distributed::together(&team, [&] {
      if (team.rank() == 0) std::filesystem::create_directories(path_);
    });
  }
  SharedFolder(SharedFolder const&) = delete;
  SharedFolder& operator=(SharedFolder const&) = delete;
  ~SharedFolder() {
    team_.all(true);
    std::error_code ignored;
    if (team_.rank() == 0) std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(std::string const& name) const { return path_ / name; }

private:
  sparse::distributed::Team& team_;
  std::filesystem::path path_;
};
