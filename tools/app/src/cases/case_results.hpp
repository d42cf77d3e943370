#pragma once
/// Reports the results of a case beside their reference values.

#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <sparse/app/cases/case.hpp>
#include <sparse/app/run/folder.hpp>

namespace sparse::app {

class CaseResults {
public:
  /// @param numbers  the numbers of the case, which select its references
  CaseResults(RunFolder& folder, Case const& c, std::map<std::string, double> const& numbers)
      : folder_(folder), references_(references_for(c, numbers)) {}

  void add(std::string const& name, double value) {
    auto const found = references_.extract(name);
    folder_.report(name, value, found.empty() ? std::nullopt : std::optional(found.mapped()));
  }
  /// Reports references without a result.
  void finish() const {
    if (!folder_.is_mine()) return;
    for (auto const& [name, value] : references_)
      fmt::print(stderr, "[reference.results]: there is no result '{}'\n", name);
  }

private:
  RunFolder& folder_;
  std::map<std::string, double> references_;
};

}  // namespace sparse::app
