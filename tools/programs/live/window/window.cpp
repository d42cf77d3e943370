#include "window.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>

#include "controls.hpp"
#include "engine/report.hpp"

namespace sparse::live {
namespace {

constexpr double longest_sleep = 0.25;  // s
constexpr int settling = 3;             // pictures that the controls take to settle after an event

std::string glfw_reason() {
  char const* reason = nullptr;
  glfwGetError(&reason);
  return reason == nullptr ? "no reason is known" : reason;
}

/// GLFW and a window with OpenGL 3.3.
class Screen {
public:
  Screen(int width, int height) {
    if (glfwInit() == GLFW_FALSE) throw NoDisplay(glfw_reason());
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    window_ = glfwCreateWindow(width, height, "sparse live", nullptr, nullptr);
    if (window_ == nullptr) {
      std::string const reason = glfw_reason();
      glfwTerminate();
      throw NoDisplay(reason);
    }
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
  }
  ~Screen() {
    glfwDestroyWindow(window_);
    glfwTerminate();
  }
  Screen(Screen const&) = delete;
  Screen& operator=(Screen const&) = delete;

  GLFWwindow* get() const { return window_; }
  float scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return std::clamp(x, 1.0f, 4.0f);
  }

private:
  GLFWwindow* window_ = nullptr;
};

/// Dear ImGui with dark colours and letters as large as the screen wants them.
class Interface {
public:
  explicit Interface(Screen const& screen) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    auto& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    ImFontConfig font;
    font.SizePixels = std::round(15 * screen.scale());
    io.Fonts->AddFontDefault(&font);
    ImGui::StyleColorsDark();
    ImGui::GetStyle().ScaleAllSizes(screen.scale());
    ImGui_ImplGlfw_InitForOpenGL(screen.get(), true);
    ImGui_ImplOpenGL3_Init("#version 330");
  }
  ~Interface() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
  Interface(Interface const&) = delete;
  Interface& operator=(Interface const&) = delete;
};

/// The picture of a snapshot.
class Texture {
public:
  Texture() {
    glGenTextures(1, &name_);
    glBindTexture(GL_TEXTURE_2D, name_);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  }
  ~Texture() { glDeleteTextures(1, &name_); }
  Texture(Texture const&) = delete;
  Texture& operator=(Texture const&) = delete;

  void take(Snapshot const& s) {
    glBindTexture(GL_TEXTURE_2D, name_);
    if (s.width != width_ || s.height != height_)
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, s.width, s.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, s.pixels.data());
    else
      glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, s.width, s.height, GL_RGBA, GL_UNSIGNED_BYTE, s.pixels.data());
    width_ = s.width;
    height_ = s.height;
  }
  ImTextureID id() const { return reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(name_)); }

private:
  GLuint name_ = 0;
  int width_ = 0, height_ = 0;
};

/// Reads the picture that is about to be shown. After the swap it would be undefined.
io::Image back_buffer(int width, int height) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(3) * static_cast<std::size_t>(width) *
                                  static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadBuffer(GL_BACK);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, bytes.data());
  io::Image image(width, height, {0, 0, 0});
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      auto const at = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
      image.at(x, height - 1 - y) = {bytes[at], bytes[at + 1], bytes[at + 2]};
    }
  return image;
}

/// What the callbacks of GLFW reach.
struct Reached {
  Controls* controls;
  EngineThread* engine;
};
Reached& reached(GLFWwindow* window) { return *static_cast<Reached*>(glfwGetWindowUserPointer(window)); }

void on_key(GLFWwindow* window, int key, int, int action, int modifiers) {
  if (action != GLFW_PRESS || ImGui::GetIO().WantTextInput) return;
  auto const& [controls, engine] = reached(window);
  controls->key(engine->current(), key, (modifiers & GLFW_MOD_CONTROL) != 0);
}
void on_character(GLFWwindow* window, unsigned code) {
  if (!ImGui::GetIO().WantTextInput) reached(window).controls->character(code);
}

/// New pictures per second, over the last half second.
class Rate {
public:
  void count(double now) {
    ++pictures_;
    if (now - since_ < 0.5) return;
    rate_ = pictures_ / (now - since_);
    since_ = now;
    pictures_ = 0;
  }
  double rate() const { return rate_; }

private:
  double since_ = 0, rate_ = 0;
  int pictures_ = 0;
};

std::filesystem::path fresh_path(std::filesystem::path const& folder) {
  std::filesystem::create_directories(folder);
  for (int i = 1;; ++i) {
    auto path = folder / fmt::format("window_{:03}.png", i);
    if (!std::filesystem::exists(path)) return path;
  }
}

}  // namespace

void run_window(WindowOptions const& options) {
  Screen const screen(options.width, options.height);
  EngineThread engine(options.case_name, options.engine, options.threads, [] { glfwPostEmptyEvent(); });
  Controls controls(engine);
  Reached of_callbacks{&controls, &engine};
  glfwSetWindowUserPointer(screen.get(), &of_callbacks);
  glfwSetKeyCallback(screen.get(), on_key);  // Dear ImGui calls these, too
  glfwSetCharCallback(screen.get(), on_character);
  Interface const interface(screen);
  Texture texture;
  Rate rate;
  Reporter reporter(options.report_interval);
  texture.take(engine.newest());
  for (int unsettled = settling; glfwWindowShouldClose(screen.get()) == GLFW_FALSE;) {
    double const begin = glfwGetTime();
    if (unsettled > 0)
      glfwPollEvents();
    else
      glfwWaitEventsTimeout(longest_sleep);
    bool const is_event = unsettled == 0 && glfwGetTime() - begin < 0.9 * longest_sleep;
    bool is_new = false;
    Snapshot const& snapshot = engine.newest(&is_new);
    reporter.add(snapshot);
    if (is_new) {
      texture.take(snapshot);
      controls.remember(snapshot);
      rate.count(glfwGetTime());
    } else if (unsettled > 0) {
      --unsettled;
    } else if (is_event) {
      unsettled = settling;
    } else {
      continue;  // nothing happened
    }
    int width = 0, height = 0, pixels_wide = 0, pixels_high = 0;
    glfwGetWindowSize(screen.get(), &width, &height);
    glfwGetFramebufferSize(screen.get(), &pixels_wide, &pixels_high);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    controls.draw(snapshot, texture.id(), {static_cast<float>(width), static_cast<float>(height)}, screen.scale(),
                  rate.rate());
    ImGui::Render();
    glViewport(0, 0, pixels_wide, pixels_high);
    glClearColor(0.1f, 0.1f, 0.12f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (controls.takes_screenshot())
      io::write_png(fresh_path(options.engine.output_folder), back_buffer(pixels_wide, pixels_high));
    glfwSwapBuffers(screen.get());
  }
}

}  // namespace sparse::live
