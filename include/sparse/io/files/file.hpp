#pragma once
/// Files that are either whole or not there.

#include <filesystem>
#include <functional>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include <sparse/io/files/file_parts.hpp>

namespace sparse::io {

/// Calls `write` with a temporary name in the folder of `path` and renames the result to `path`.
///
/// A reader of `path` sees the old contents or the new ones, even if the process is killed in between. If `write`
/// throws, the temporary file is removed and the exception passes through. The folder must exist.
/// @throws std::runtime_error  with the path and the reason if the file cannot be renamed or was not written at all
void write_atomically(std::filesystem::path const& path,
                      std::function<void(std::filesystem::path const& temporary)> const& write);

/// Writes `text` as the whole contents of `path`, atomically.
/// @throws std::runtime_error  with the path and the reason (no such folder, no rights, no space, ...)
void write_text(std::filesystem::path const& path, std::string_view text);

/// Writes a file of which all parts are there, atomically.
/// @throws std::runtime_error  as `write_text`
void write_parts(std::filesystem::path const& path, FileParts const& file);

/// Makes a file of `size` bytes with room for all of them, for parts to come.
/// @throws std::runtime_error  as `write_text`
void reserve_file(std::filesystem::path const& path, std::uint64_t size);
/// Writes some parts of a file that is there.
/// @throws std::runtime_error  as `write_text`
void write_into(std::filesystem::path const& path, FileParts const& file);

/// Writes `value` to `path`, indented, in the order of its keys, atomically. Also takes a plain `nlohmann::json`.
/// Infinities and NaN become null. Bytes that are not UTF-8 are replaced.
/// @throws std::runtime_error  as `write_text`
void write_json(std::filesystem::path const& path, nlohmann::ordered_json const& value);

}  // namespace sparse::io
