#pragma once
/// The file that makes many files a time series.

#include <filesystem>
#include <string>
#include <vector>

namespace sparse::io {

/// A list of files and their times that ParaView opens as one series.
///
/// `NAME.pvd` is a ParaView collection, for .vtu files. A name that ends in `.series` (`NAME.hdf.series`) is a JSON
/// list, for files of other kinds. The file is replaced as a whole after every step. So a run that stops early leaves a
/// complete list of its files.
class TimeSeries {
public:
  /// Writes nothing before the first `add`.
  /// @throws std::invalid_argument  if the name ends in neither .pvd nor .series
  explicit TimeSeries(std::filesystem::path path);

  /// Appends `file`, which shows time `time`, and writes the list. Several files may share a time in a collection.
  /// @param time  in any unit; ParaView shows the number
  /// @param file  relative to the working folder or absolute; stored relative to the folder of the series
  /// @throws std::runtime_error  with the path and the reason if the list cannot be written
  void add(double time, std::filesystem::path const& file);

  /// Of the series.
  std::filesystem::path const& path() const { return path_; }

private:
  struct Step {
    double time;
    std::string file;
  };
  std::string text() const;

  std::filesystem::path path_;
  std::vector<Step> steps_;
};

}  // namespace sparse::io
