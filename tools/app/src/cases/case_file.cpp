#include <sparse/app/cases/case_file.hpp>

#include "read_case.hpp"

namespace sparse::app {

CaseFile read_case(std::filesystem::path const& path) {
  TomlTable file = read_toml(path);
  CaseFile result{path, {}, {}, file.lines_without({"description", "output", "profile", "reference", "run", "wall"})};
  auto const begin = [&](Case& c) {
    c.folder = path.parent_path();
    c.name = path.stem().string();
    c.description = file.text("description").value_or("");
  };
  if (file.has("gas")) {
    GasCase c;
    begin(c);
    read_gas_case(file, c);
    result.content = std::move(c);
  } else {
    FlowCase c;
    begin(c);
    read_flow_case(file, c);
    result.content = std::move(c);
  }
  if (auto table = file.table("run"))
    for (auto const& entry : table->entries()) result.options.push_back({entry.key, entry.value, entry.line});
  file.expect_no_more();
  return result;
}

}  // namespace sparse::app
