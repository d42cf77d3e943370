#include "menu.hpp"

#include <stdexcept>

#include <sparse/app/cases/case_program.hpp>

namespace sparse::live {

std::vector<MenuEntry> const& menu() {
  std::filesystem::path const cases = SPARSE_CASES_DIR;
  static std::vector<MenuEntry> const entries = {
      {"cavity", "Cavity under a lid", cases / "cavity.toml"},
      {"obstacles", "Obstacles", cases / "obstacles.toml"},
      {"wind_tunnel", "Wind tunnel", cases / "wind_tunnel.toml"},
      {"smoke_plume", "Smoke plume", cases / "smoke_plume.toml"},
      {"street", "Vortex street", cases / "street.toml"},
      {"natural_convection", "Natural convection", cases / "natural_convection.toml"},
      {"mach2", "Cylinder at Mach 2", cases / "mach2.toml"},
  };
  return entries;
}

app::CaseFile load_case(std::string const& name, std::filesystem::path const& folder) {
  std::filesystem::path path = folder / name;
  for (MenuEntry const& entry : menu())
    if (entry.name == name) path = entry.path;
  if (!std::filesystem::is_regular_file(path)) throw std::runtime_error("there is no case '" + name + "'");
  auto file = app::with_options(app::read_case(path));
  int const dim = std::visit([](auto const& c) { return c.dim; }, file.content);
  if (dim != 2) throw std::runtime_error(path.string() + ": the case has three dimensions; live shows flows in two");
  return file;
}

}  // namespace sparse::live
