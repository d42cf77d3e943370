#include <sparse/io/sets/set_file.hpp>

#include <cstring>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include <sparse/io/files/file.hpp>

#include "io/files/failure.hpp"
#include "io/files/file_contents.hpp"
#include "set_container.hpp"

namespace sparse::io {
namespace {

SetFileContents contents_of(SetContainerReader const& file) {
  SetFileContents contents{file.dimension(), {}, file.notes()};
  for (auto const& name : file.set_names()) contents.entries.push_back({name});
  for (auto const& name : file.field_names()) {
    auto const header = file.field(name);
    contents.entries.push_back({name, true, header.domain, header.type, header.component_count});
  }
  return contents;
}

/// Calls `function()`. Adds the path to the reason that it throws.
template <class Function>
auto with_path(std::filesystem::path const& path, Function&& function) -> decltype(function()) {
  try {
    return function();
  } catch (std::runtime_error const& error) {
    file_failure(path, error.what());
  }
}

void expect_name(std::string const& name) {
  if (name.empty() || name == "." || name.find('/') != std::string::npos || name.find('\0') != std::string::npos)
    fail(fmt::format("'{}' cannot be a name in a file: names are not empty, not '.', and have no slash", name));
}

}  // namespace

SetFileContents read_set_file_contents(std::filesystem::path const& path) {
  return with_path(path, [&] { return contents_of(SetContainerReader(contents_of_file(path))); });
}

// ---- writing

template <int Dim>
SetWriter<Dim>& SetWriter<Dim>::add(std::string const& name, IntervalSet<Dim> const& set) {
  expect_name(name);
  if (!sets_.emplace(name, set).second) fail(fmt::format("there is a set '{}' already", name));
  return *this;
}

template <int Dim>
std::string SetWriter<Dim>::domain_name(IntervalSet<Dim> const& set) {
  for (auto const& [name, known] : sets_)
    if (known.identity() == set.identity()) return name;
  std::string name = "domain";
  for (int number = 2; sets_.contains(name); ++number) name = fmt::format("domain_{}", number);
  sets_.emplace(name, set);
  return name;
}

template <int Dim>
void SetWriter<Dim>::add_stored(std::string const& name, StoredField field) {
  expect_name(name);
  if (!fields_.emplace(name, std::move(field)).second) fail(fmt::format("there is a field '{}' already", name));
}

template <int Dim>
SetWriter<Dim>& SetWriter<Dim>::note(std::string const& name, Note const& note) {
  expect_name(name);
  if (auto const* const text = std::get_if<std::string>(&note))
    expects(text->find('\0') == std::string::npos && text->size() <= 60000,
            "a text in a file has no zero byte and at most 60000 bytes");
  if (!notes_.emplace(name, note).second) fail(fmt::format("there is a note '{}' already", name));
  return *this;
}

template <int Dim>
void SetWriter<Dim>::save(std::filesystem::path const& path, int compression) const {
  expects(compression >= 0 && compression <= 9, "the compression must be 0 to 9");
  std::string bytes = with_path(path, [&] {
    SetContainerWriter file(Dim, compression);
    for (auto const& [name, set] : sets_) file.add_set(name, encode(set.to_host()));
    for (auto const& [name, field] : fields_) {
      Index const cells = sets_.at(field.domain).cell_count();  // a variable of its own, for nvcc
      FieldHeader const header{field.domain, field.type, field.component_count, cells};
      file.add_field(name, header, field.bytes);
    }
    for (auto const& [name, note] : notes_) file.add_note(name, note);
    return file.finish();
  });
  write_text(path, bytes);
}

// ---- reading

template <int Dim>
struct SetReader<Dim>::File {
  SetContainerReader container;
};

template <int Dim>
SetReader<Dim>::SetReader(std::filesystem::path const& path, Context const& context) : path_(path), context_(context) {
  with_path(path_, [&] {
    file_.reset(new File{SetContainerReader(contents_of_file(path_))});
    contents_ = contents_of(file_->container);
    if (contents_.dimension != Dim)
      throw std::runtime_error(fmt::format("its sets have {} dimensions, not {}", contents_.dimension, Dim));
  });
}
template <int Dim>
SetReader<Dim>::~SetReader() = default;

template <int Dim>
std::string SetReader<Dim>::chosen(std::string const& name, bool is_field) const {
  std::string known;
  int count = 0;
  for (auto const& entry : contents_.entries)
    if (entry.is_field == is_field) {
      if (entry.name == name) return name;
      known += (count++ == 0 ? "" : ", ") + entry.name;
    }
  char const* const kind = is_field ? "field" : "set";
  if (name.empty() && count == 1) return known;
  if (count == 0) throw std::runtime_error(fmt::format("there is no {} in it", kind));
  if (name.empty()) throw std::runtime_error(fmt::format("it has several {}s, so one must be named: {}", kind, known));
  throw std::runtime_error(fmt::format("there is no {} '{}' in it, but: {}", kind, name, known));
}

template <int Dim>
IntervalSet<Dim> SetReader<Dim>::set(std::string const& wanted) {
  return with_path(path_, [&] {
    std::string const name = chosen(wanted, false);
    auto const known = sets_.find(name);
    if (known != sets_.end()) return known->second;
    CodedSet const code = file_->container.set(name);
    try {
      auto const set = from_host<Dim>(decode<HostSet<Dim>>(Dim, code), context_);  // already canonical: unchanged
      sets_.emplace(name, set);
      return set;
    } catch (std::exception const& error) {
      throw std::runtime_error(fmt::format("set '{}': {}", name, error.what()));
    }
  });
}

template <int Dim>
template <class T>
Field<T, Dim> SetReader<Dim>::field(std::string const& wanted) {
  return with_path(path_, [&] {
    std::string const name = chosen(wanted, true);
    auto const header = file_->container.field(name);
    char const* const type = detail::stored_name<T>;
    if (header.type != type)
      throw std::runtime_error(fmt::format("field '{}' holds {} values, not {}", name, header.type, type));
    Field<T, Dim> field(name, set(header.domain), header.component_count);
    if (field.cell_count() != header.cell_count)
      throw std::runtime_error(
          fmt::format("field '{}' has {} values for {} cells", name, header.cell_count, field.cell_count()));
    std::string const bytes = file_->container.values(name);
    auto const count = static_cast<std::size_t>(field.cell_count());
    std::vector<T> component(count);
    for (int c = 0; c < header.component_count && count > 0; ++c) {
      std::memcpy(component.data(), bytes.data() + static_cast<std::size_t>(c) * count * sizeof(T), count * sizeof(T));
      copy_to_device(context_, field.component(c), component.data(), field.cell_count());
      context_.fence();  // `component` is reused
    }
    return field;
  });
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template class SetWriter<Dim>;                                                                                       \
  template class SetReader<Dim>;                                                                                       \
  template Field<float, Dim> SetReader<Dim>::field<float>(std::string const&);                                         \
  template Field<double, Dim> SetReader<Dim>::field<double>(std::string const&);                                       \
  template Field<std::int32_t, Dim> SetReader<Dim>::field<std::int32_t>(std::string const&);                           \
  template Field<std::int64_t, Dim> SetReader<Dim>::field<std::int64_t>(std::string const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::io
