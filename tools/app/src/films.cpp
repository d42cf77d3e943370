#include <sparse/app/flow_run.hpp>

namespace sparse::app {

void Films::add(std::string const& name, sparse::io::Image const& image) {
  auto found = films_.find(name);
  if (found == films_.end())
    found = films_.emplace(name, sparse::io::VideoWriter(folder_.path(name + ".webp"), frame_rate_)).first;
  found->second.add(image);
}

void Films::finish() {
  for (auto& [name, film] : films_) film.finish();
  films_.clear();
}

}  // namespace sparse::app
