#pragma once
/// Commands from a file: the same picture by picture, whenever and wherever it runs.

#include <filesystem>

namespace sparse::live {

/// Runs a script and prints a line of JSON for each reported frame, and what was measured; docs/live.md describes it.
/// @param output_folder  of pictures, films and saved cases
/// @throws std::runtime_error  "FILE:LINE: reason" for what is wrong in the script, also for commands that are refused
void run_script(std::filesystem::path const& path, std::filesystem::path const& output_folder);

}  // namespace sparse::live
