// Saving what was changed as a case for the program `flow`.

#include <algorithm>

#include <fmt/format.h>

#include <sparse/app/cases/case_writer.hpp>
#include <sparse/io/files/file.hpp>
#include <sparse/io/sets/set_file.hpp>

#include "engine.hpp"

namespace sparse::live {
namespace {

/// Whether a shape needs no other file.
bool stands_alone(app::CaseShape const& shape) {
  using Kind = app::CaseShape::Kind;
  return shape.kind != Kind::bitmap && shape.kind != Kind::stl && shape.kind != Kind::cells;
}

/// Drops options that `flow` refuses for such a case.
void drop_options(app::CaseFile& file, bool are_staircase) {
  auto const* const flow = std::get_if<app::FlowCase>(&file.content);
  std::erase_if(file.options, [&](app::CaseOption const& option) {
    if (option.name == "surfaces") return are_staircase;
    if (option.name == "re" || option.name == "ra" || option.name == "mach") return true;  // the case says them
    return flow != nullptr && option.name.starts_with("ink");
  });
}

}  // namespace

std::filesystem::path Engine::save() const {
  auto file = current();
  auto const bodies = padded();
  auto const path = fresh_path(".toml");
  auto sets = path;
  sets.replace_extension(".h5");
  io::SetWriter<2> writer;
  int count = 0;
  bool has_any = false;
  auto const take = [&](auto& c) {
    auto obstacles = std::exchange(c.obstacles, {});
    for (std::size_t i = 0; i < obstacles.size(); ++i) {
      if (bodies[i].is_empty()) continue;
      has_any = true;
      auto obstacle = obstacles[i];
      bool const is_whole = bodies[i] == original_[i] && stands_alone(obstacle.shape);
      if (!is_whole) {
        std::string const name = fmt::format("obstacle_{}", ++count);
        writer.add(name, bodies[i]);
        obstacle.shape = {
            app::CaseShape::Kind::cells, {}, fmt::format("file('{}', '{}')", sets.filename().string(), name)};
      }
      c.obstacles.push_back(obstacle);
    }
  };
  std::visit(take, file.content);
  if (auto* const flow = std::get_if<app::FlowCase>(&file.content)) {
    flow->pads_thin = false;  // the cells are thick already
    if (flow->inks.empty())
      std::erase_if(flow->pictures, [](std::string const& name) { return name == "ink" || name == "streaked_ink"; });
    for (auto& ink : flow->inks)
      if (!stands_alone(ink.shape)) {
        std::string const name = fmt::format("ink_{}", ++count);
        writer.add(name, source_of(body_box_, {ink}, {}).cells);
        ink.shape = {app::CaseShape::Kind::cells, {}, fmt::format("file('{}', '{}')", sets.filename().string(), name)};
      }
  }
  drop_options(file, flow_case() != nullptr || !has_any);
  if (count > 0) writer.save(sets);
  io::write_text(path, app::text_of(file));
  return path;
}

}  // namespace sparse::live
