#pragma once
/// The cases that can be chosen while the program runs.

#include <filesystem>
#include <string>
#include <vector>

#include <sparse/app/cases/case_file.hpp>

namespace sparse::live {

struct MenuEntry {
  std::string name, title;
  std::filesystem::path path;
};

/// The six cases of Scheidegger, Comba and da Cunha (2005), section 6.2, and a cylinder at Mach 2.
std::vector<MenuEntry> const& menu();

/// A case of the menu by its name, or of a file, with its options.
/// @param folder  where relative names of files begin
/// @throws std::runtime_error  with the reason; also for cases in three dimensions
app::CaseFile load_case(std::string const& name, std::filesystem::path const& folder = {});

}  // namespace sparse::live
