#include <sparse/amr/measure/checkpoint.hpp>

#include <algorithm>
#include <memory>
#include <sstream>
#include <stdexcept>

#include <sparse/fields/gather.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/io/sets/set_file.hpp>
#include <sparse/shapes/shapes.hpp>

#include "checkpoint_pieces.hpp"

namespace sparse::amr {

template <int Dim>
Field<double, Dim> row_of(std::string const& name, std::vector<double> const& numbers) {
  expects(!numbers.empty(), "row_of: there must be a number");
  auto end = Vec<Coord, Dim>::filled(1);
  end[0] = static_cast<Coord>(numbers.size());
  Field<double, Dim> row(name, box<Dim>({}, end));
  std::vector<Vec<Coord, Dim>> cells(numbers.size());
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i][0] = static_cast<Coord>(i);
  scatter(row, cells, numbers);
  return row;
}

std::string difference_of(std::string const& found, std::string const& wanted) {
  auto const lines_of = [](std::string const& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  };
  auto const in_file = lines_of(found), here = lines_of(wanted);
  std::string difference;
  auto const tell = [&](char const* where, auto const& lines, auto const& others) {
    for (auto const& line : lines)
      if (std::find(others.begin(), others.end(), line) == others.end()) difference += "\n  " + (where + line);
  };
  tell("in the file: ", in_file, here);
  tell("wanted: ", here, in_file);
  return difference.empty() && found != wanted ? "\n  the same lines in another order" : difference;
}

template <class T, int Dim>
void write_checkpoint(std::filesystem::path const& path, SavedState<T, Dim> const& saved,
                      std::string const& fingerprint, int compression, distributed::Team* team) {
  expects(!saved.states.empty() && saved.states.size() == saved.cells.size(),
          "write_checkpoint: there must be one state for each level");
  for (std::size_t l = 0; l < saved.cells.size(); ++l) {
    expects(team != nullptr || saved.states[l].domain() == saved.cells[l],
            "write_checkpoint: a state must be on the cells of its level");
    expects(saved.states[l].component_count() == saved.states[0].component_count(),
            "write_checkpoint: all levels must have as many components");
  }
  bool const is_first = team == nullptr || team->rank() == 0;
  auto const before = is_first ? pieces_of(path) : PieceFiles();
  auto const pieces = team == nullptr ? PieceFiles() : next_pieces(path, before, *team);
  CheckpointStamp const stamp{fingerprint, saved.time, saved.step_count};
  auto const bounds = team == nullptr ? std::vector<double>() : bounds_of_pieces(saved, *team);
  if (team != nullptr) {
    try {
      distributed::together(team, [&] { write_piece(pieces.path(team->rank()), saved, stamp, compression); });
    } catch (...) {
      std::error_code ignored;
      std::filesystem::remove(pieces.path(team->rank()), ignored);
      throw;
    }
  }
  distributed::together(team, [&] {
    if (!is_first) return;
    io::SetWriter<Dim> file;
    for (std::size_t l = 0; l < saved.cells.size(); ++l) {
      file.add("cells_" + std::to_string(l), saved.cells[l]);
      if (team == nullptr) file.add("state_" + std::to_string(l), saved.states[l]);
    }
    if (team != nullptr) {
      file.note("pieces", pieces.name).note("piece_count", std::int64_t{pieces.count});
      file.add(row_of<Dim>("bounds of pieces", bounds));
    }
    file.note("fingerprint", fingerprint);
    file.note("level_count", static_cast<std::int64_t>(saved.cells.size()));
    file.note("component_count", std::int64_t{saved.states[0].component_count()});
    file.note("bytes_per_number", static_cast<std::int64_t>(sizeof(T)));
    file.note("time", saved.time);
    file.note("step_count", std::int64_t{saved.step_count});
    file.note("repeated_step_count", std::int64_t{saved.repeated_step_count});
    file.note("update_count", std::int64_t{saved.update_count});
    file.note("rate", static_cast<double>(saved.rate));
    for (auto const& [name, number] : saved.numbers) file.note("number " + name, number);
    for (auto const& [name, numbers] : saved.lists)
      if (!numbers.empty()) file.add(row_of<Dim>("list " + name, numbers));
    file.save(path, compression);
    remove_others(path, pieces);
  });
}

template <class T, int Dim>
SavedState<T, Dim> open_checkpoint(std::filesystem::path const& path, std::string const& fingerprint,
                                   Context const& context, distributed::Team* team) {
  auto const file = std::make_shared<io::SetReader<Dim>>(path, context);
  io::Notes const& notes = file->contents().notes;
  auto const refuse = [path](std::string const& reason) { throw std::runtime_error(path.string() + ": " + reason); };
  auto const note = [&]<class Value>(std::string const& name, Value value) {
    auto const found = notes.find(name);
    if (found == notes.end() || !std::holds_alternative<Value>(found->second))
      refuse("it is no checkpoint: there is no " + name + " in it");
    else
      value = std::get<Value>(found->second);
    return value;
  };
  std::string const difference = difference_of(note("fingerprint", std::string()), fingerprint);
  if (!difference.empty()) refuse("it belongs to another set-up:" + difference);

  SavedState<T, Dim> saved;
  saved.time = note("time", double());
  saved.step_count = note("step_count", std::int64_t());
  auto const count_of = [&](std::string const& name) {  // missing in files of early versions
    return notes.contains(name) ? note(name, std::int64_t()) : 0;
  };
  saved.repeated_step_count = count_of("repeated_step_count");
  saved.update_count = count_of("update_count");
  saved.rate = static_cast<T>(note("rate", double()));
  for (std::int64_t l = 0, count = note("level_count", std::int64_t()); l < count; ++l)
    saved.cells.push_back(file->set("cells_" + std::to_string(l)));
  if (saved.cells.empty()) refuse("it is no checkpoint: it has no level");
  std::string const prefix = "number ";
  for (auto const& [name, value] : notes)
    if (name.starts_with(prefix)) saved.numbers.emplace(name.substr(prefix.size()), note(name, double()));
  std::string const of_list = "list ";
  for (auto const& entry : file->contents().entries)
    if (entry.is_field && entry.name.starts_with(of_list))
      saved.lists.emplace(entry.name.substr(of_list.size()), to_host(file->template field<double>(entry.name)));

  if (count_of("piece_count") > 0) {
    PieceFiles const pieces{path.parent_path(), note("pieces", std::string()),
                            static_cast<int>(count_of("piece_count"))};
    auto const bounds = to_host(file->template field<double>("bounds of pieces"));
    if (std::ssize(bounds) != Index{pieces.count} * std::ssize(saved.cells) * 2 * Dim)
      refuse("it does not say where its pieces are");
    CheckpointStamp const stamp{fingerprint, saved.time, saved.step_count};
    auto const component_count = static_cast<int>(note("component_count", std::int64_t()));
    saved.read = [=](std::vector<IntervalSet<Dim>> const& wanted) {
      std::vector<Field<T, Dim>> states;
      distributed::together(
          team, [&] { states = read_pieces<T, Dim>(pieces, bounds, stamp, component_count, wanted, context); });
      return states;
    };
    return saved;
  }
  saved.read = [=, cells = saved.cells](std::vector<IntervalSet<Dim>> const& wanted) {
    std::vector<Field<T, Dim>> states;
    for (std::size_t l = 0; l < wanted.size(); ++l) {
      auto state = file->template field<T>("state_" + std::to_string(l));
      if (!(state.domain() == cells[l])) refuse("the state of a level is not on its cells");
      if (l > 0 && state.component_count() != states[0].component_count()) refuse("levels differ in their components");
      states.push_back(wanted[l] == cells[l] ? std::move(state) : remap(state, wanted[l]));
    }
    return states;
  };
  return saved;
}

template <class T, int Dim>
SavedState<T, Dim> read_checkpoint(std::filesystem::path const& path, std::string const& fingerprint,
                                   Context const& context) {
  auto saved = open_checkpoint<T, Dim>(path, fingerprint, context);
  saved.states = saved.read(saved.cells);
  saved.read = nullptr;
  return saved;
}

#define SPARSE_INSTANTIATE(T, Dim)                                                                                     \
  template void write_checkpoint(std::filesystem::path const&, SavedState<T, Dim> const&, std::string const&, int,     \
                                 distributed::Team*);                                                                  \
  template SavedState<T, Dim> open_checkpoint(std::filesystem::path const&, std::string const&, Context const&,        \
                                              distributed::Team*);                                                     \
  template SavedState<T, Dim> read_checkpoint(std::filesystem::path const&, std::string const&, Context const&);
SPARSE_INSTANTIATE(float, 2)
SPARSE_INSTANTIATE(float, 3)
SPARSE_INSTANTIATE(double, 2)
SPARSE_INSTANTIATE(double, 3)
template Field<double, 2> row_of(std::string const&, std::vector<double> const&);
template Field<double, 3> row_of(std::string const&, std::vector<double> const&);

}  // namespace sparse::amr
