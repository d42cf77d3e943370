// The module sparsecells._server: pictures of a simulation in a browser. It is apart from _core, because it needs
// libturbojpeg, and because nobody should wait for that at the import.

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include <sparse/app/server/page.hpp>
#include <sparse/app/server/picture_server.hpp>

namespace nb = nanobind;

namespace {

/// (height, width, 3), top row first.
using Pixels = nb::ndarray<std::uint8_t const, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>;

/// A server of pictures whose commands wait until Python takes them. Threads of the server never need the GIL.
class Window {
public:
  Window(int port, sparse::app::PageParts const& parts, std::vector<std::string> views)
      : views_(std::move(views)), server_(std::in_place, port, sparse::app::html_of(parts),
                                          [this](std::string const& command) { accept(command); }) {}

  std::string url() const { return server_->url(); }

  void show(Pixels const& pixels, std::string state) {
    sparse::app::ServedPicture picture{
        static_cast<int>(pixels.shape(1)), static_cast<int>(pixels.shape(0)), {}, std::move(state)};
    std::uint8_t const* const from = pixels.data();
    std::size_t const width = pixels.shape(1), height = pixels.shape(0);
    nb::gil_scoped_release const release;
    picture.pixels.resize(width * height);
    auto* to = reinterpret_cast<std::uint8_t*>(picture.pixels.data());
    for (std::size_t row = height; row-- > 0;)
      for (std::size_t i = 0; i < width; ++i, to += 4) {
        std::memcpy(to, from + 3 * (row * width + i), 3);
        to[3] = 255;
      }
    server_->show(std::move(picture));
  }

  /// The commands that have come; waits for one.
  std::vector<std::string> commands(double seconds) {
    nb::gil_scoped_release const release;
    std::unique_lock lock(mutex_);
    has_command_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return !commands_.empty(); });
    return std::exchange(commands_, {});
  }

  void close() {
    nb::gil_scoped_release const release;
    server_.reset();
  }

private:
  /// In a thread of the server.
  void accept(std::string const& text) {
    auto const command = nlohmann::json::parse(text, nullptr, false);
    if (!command.is_object()) throw std::invalid_argument("command: this is no object of JSON");
    auto const has = [&](std::size_t count, char const* key) {
      return command.size() == count && command.contains(key);
    };
    auto const what = command.value("do", nlohmann::json());
    bool const is_fine = ((what == "step" || what == "stop") && command.size() == 1) ||
                         (what == "pause" && has(2, "on") && command["on"].is_boolean()) ||
                         (what == "set" && has(2, "view") && command["view"].is_string());
    if (!is_fine)
      throw std::invalid_argument(
          R"(command: there are {"do": "pause", "on": true}, {"do": "step"}, {"do": "stop"} and )"
          R"({"do": "set", "view": "a name"})");
    if (what == "set") expect_view(command["view"].get<std::string>());
    {
      std::lock_guard const lock(mutex_);
      commands_.push_back(text);
    }
    has_command_.notify_all();
  }

  void expect_view(std::string const& view) const {
    std::string all;
    for (std::string const& name : views_) {
      if (name == view) return;
      all += (all.empty() ? "" : ", ") + name;
    }
    throw std::invalid_argument("command: there is no view '" + view + "'; there are " + all);
  }

  std::vector<std::string> views_, commands_;
  std::mutex mutex_;
  std::condition_variable has_command_;
  std::optional<sparse::app::PictureServer> server_;  // the last member: its threads use all others
};

}  // namespace

NB_MODULE(_server, m) {
  nb::set_leak_warnings(false);  // a traceback may hold a window until the process ends
  m.doc() = "Pictures of a simulation in a browser, for live().";
  nb::class_<Window> window(m, "Window", "A server on 127.0.0.1. See sparsecells._live.");
  window.def(
      "__init__",
      [](Window* self, int port, std::string title, std::string body, std::string script,
         std::vector<std::string> views) {
        new (self) Window(port, {std::move(title), "", std::move(body), std::move(script)}, std::move(views));
      },
      nb::arg("port"), nb::arg("title"), nb::arg("body"), nb::arg("script"), nb::arg("views"));
  window.def_prop_ro("url", &Window::url);
  window.def("show", &Window::show, nb::arg("pixels"), nb::arg("state"));
  window.def("commands", &Window::commands, nb::arg("seconds"));
  window.def("close", &Window::close);
}
