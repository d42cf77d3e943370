#include <sparse/app/incompressible/checkpoint.hpp>

#include <stdexcept>
#include <utility>

#include <sparse/amr/measure/checkpoint.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/io/sets/set_file.hpp>

namespace sparse::app {
namespace {

using namespace sparse::incompressible;

std::string const of_method = "method_", of_kept = "kept_", of_number = "number ";

/// Reads one file; all that is wrong with it is told with its path.
template <int Dim>
class Reader {
public:
  Reader(std::filesystem::path path, StaggeredGrid<Dim> const& grid)
      : path_(std::move(path)), grid_(grid), file_(path_, grid.context()) {}

  [[noreturn]] void refuse(std::string const& reason) const {
    throw std::runtime_error(path_.string() + ": " + reason);
  }
  io::Notes const& notes() const { return file_.contents().notes; }
  io::SetFileContents const& contents() const { return file_.contents(); }

  template <class Value>
  Value note(std::string const& name) const {
    auto const found = notes().find(name);
    if (found == notes().end() || !std::holds_alternative<Value>(found->second))
      refuse("it is no checkpoint of an incompressible flow: there is no " + name + " in it");
    return std::get<Value>(found->second);
  }
  std::vector<double> row(std::string const& entry) { return to_host(file_.template field<double>(entry)); }

  /// A field with values on the grid's storage or fluid.
  Field<double, Dim> on(bool is_stored, int component_count, std::string const& entry, std::string const& name) {
    auto const found = file_.template field<double>(entry);
    if (found.component_count() != component_count ||
        !(found.domain() == (is_stored ? grid_.whole_storage() : grid_.whole_fluid())))
      refuse("the " + name + " in it belongs to another grid");
    auto const& domain = is_stored ? grid_.storage() : grid_.fluid();
    Field<double, Dim> field(name, domain, component_count);
    CopyPlan<Dim> const part(domain, domain, found.domain());  // over ranks, of the rank's window
    copy<double, Dim>(field.view(), part, found.view(), component_count);
    return field;
  }
  /// The same of a set that is one of the two.
  Field<double, Dim> on_either(std::string const& entry, std::string const& name) {
    auto const found = file_.template field<double>(entry);
    return on(found.domain() == grid_.whole_storage(), found.component_count(), entry, name);
  }

private:
  std::filesystem::path path_;
  StaggeredGrid<Dim> const& grid_;
  io::SetReader<Dim> file_;
};

}  // namespace

template <int Dim>
void write_flow_checkpoint(std::filesystem::path const& path, State<double, Dim> const& state,
                           MethodMemory<double, Dim> const& memory, Keeper::Numbers const& kept,
                           std::map<std::string, double> const& numbers, std::string const& fingerprint) {
  io::SetWriter<Dim> file;
  file.add("storage", state.velocity.domain()).add("fluid", state.pressure.domain());
  file.add("velocity", state.velocity).add("pressure", state.pressure);
  for (std::size_t i = 0; i < state.carried.size(); ++i) {
    file.add("carried_" + std::to_string(i), state.carried[i]);
    file.note("carried_" + std::to_string(i), state.carried[i].name());
  }
  for (auto const& [name, field] : memory.fields) file.add(of_method + name, field);
  for (auto const& [name, number] : memory.numbers) file.note(of_method + name, number);
  for (auto const& [name, values] : kept)
    if (!values.empty()) file.add(of_kept + name, sparse::amr::row_of<Dim>(name, values));
  for (auto const& [name, number] : numbers) file.note(of_number + name, number);
  file.note("fingerprint", fingerprint);
  file.note("flow_time", state.time);
  file.note("step_count", std::int64_t{state.step_count});
  file.note("carried_count", static_cast<std::int64_t>(state.carried.size()));
  file.save(path);
}

template <int Dim>
SavedFlow<Dim> read_flow_checkpoint(std::filesystem::path const& path, StaggeredGrid<Dim> const& grid,
                                    std::string const& fingerprint) {
  Reader<Dim> file(path, grid);
  std::string const difference =
      sparse::amr::difference_of(file.template note<std::string>("fingerprint"), fingerprint);
  if (!difference.empty()) file.refuse("it belongs to another set-up:" + difference);
  auto const time = file.template note<double>("flow_time");
  auto const step_count = file.template note<std::int64_t>("step_count");
  auto const carried_count = file.template note<std::int64_t>("carried_count");

  SavedFlow<Dim> saved{State<double, Dim>(grid), {}};
  saved.state.time = time;
  saved.state.step_count = step_count;
  saved.state.velocity = file.on(true, Dim, "velocity", "velocity");
  saved.state.pressure = file.on(false, 1, "pressure", "pressure");
  for (std::int64_t i = 0; i < carried_count; ++i) {
    std::string const entry = "carried_" + std::to_string(i);
    saved.state.carried.push_back(file.on(true, 1, entry, file.template note<std::string>(entry)));
  }
  for (auto const& entry : file.contents().entries) {
    if (!entry.is_field) continue;
    if (entry.name.starts_with(of_method)) {
      std::string const name = entry.name.substr(of_method.size());
      saved.memory.fields.emplace(name, file.on_either(entry.name, name));
    } else if (entry.name.starts_with(of_kept)) {
      saved.kept.emplace(entry.name.substr(of_kept.size()), file.row(entry.name));
    }
  }
  for (auto const& [name, value] : file.notes()) {
    if (name.starts_with(of_method))
      saved.memory.numbers.emplace(name.substr(of_method.size()), file.template note<double>(name));
    else if (name.starts_with(of_number))
      saved.numbers.emplace(name.substr(of_number.size()), file.template note<double>(name));
  }
  return saved;
}

#define SPARSE_DEFINE(Dim)                                                                                             \
  template void write_flow_checkpoint(std::filesystem::path const&, State<double, Dim> const&,                         \
                                      MethodMemory<double, Dim> const&, Keeper::Numbers const&,                        \
                                      std::map<std::string, double> const&, std::string const&);                       \
  template SavedFlow<Dim> read_flow_checkpoint(std::filesystem::path const&, StaggeredGrid<Dim> const&,                \
                                               std::string const&);
SPARSE_DEFINE(2)
SPARSE_DEFINE(3)

}  // namespace sparse::app
