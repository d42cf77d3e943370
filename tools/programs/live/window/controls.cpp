#include "controls.hpp"

#include <algorithm>
#include <cmath>

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include "widgets.hpp"

namespace sparse::live {
void Controls::draw(Snapshot const& s, ImTextureID texture, ImVec2 size, float scale, double pictures_per_second) {
  float const panel = 300 * scale;
  auto const flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({size.x - panel, size.y});
  ImGui::Begin("flow", nullptr, flags | ImGuiWindowFlags_NoScrollWithMouse);
  float const below = s.probes.empty() ? 96 * scale : std::min(0.4f * size.y, 260 * scale);
  draw_picture(s, texture, {ImGui::GetContentRegionAvail().x, size.y - below});
  draw_status(s, pictures_per_second);
  if (auto const number = plots_.draw(s, ImGui::GetContentRegionAvail().x)) engine_.send(Unpin{*number});
  ImGui::End();
  ImGui::SetNextWindowPos({size.x - panel, 0});
  ImGui::SetNextWindowSize({panel, size.y});
  ImGui::Begin("panel", nullptr, flags & ~ImGuiWindowFlags_NoScrollbar);
  draw_panel(s);
  ImGui::End();
  if (shows_help_) draw_help(scale);
}

void Controls::draw_picture(Snapshot const& s, ImTextureID texture, ImVec2 room) {
  float const shape = static_cast<float>(s.size[1] / s.size[0]);
  ImVec2 size = {room.x, room.x * shape};
  if (size.y > room.y) size = {room.y / shape, room.y};
  ImVec2 const corner = ImGui::GetCursorScreenPos();
  ImGui::Image(texture, size, {0, 1}, {1, 0});  // row 0 of the picture is its bottom
  ImGui::SetCursorScreenPos(corner);
  ImGui::InvisibleButton("picture", size, ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  is_over_ = ImGui::IsItemHovered();
  handle_mouse(s, corner, size);
  draw_preview(s, corner, size);
}

void Controls::handle_mouse(Snapshot const& s, ImVec2 corner, ImVec2 size) {
  auto const mouse = ImGui::GetIO().MousePos;
  Point const before = pointer_;
  pointer_ = {(mouse.x - corner.x) / size.x * s.size[0], (1 - (mouse.y - corner.y) / size.y) * s.size[1]};
  bool const has_moved = !(pointer_ == before);
  if (is_over_ && drag_ == Drag::none) {
    for (int const button : {0, 1}) {
      if (!ImGui::IsMouseClicked(button)) continue;
      int const number = button == 0 ? emitter_at(s, pointer_) : -1;
      from_ = pointer_;
      if (number >= 0 && s.emitters[static_cast<std::size_t>(number)].can_move) {
        drag_ = Drag::emitter;
        dragged_ = static_cast<std::size_t>(number);
      } else {
        drag_ = button == 0 ? Drag::draw : Drag::erase;
        if (tool_ == Tool::brush) send_stroke(s, drag_ == Drag::erase, pointer_, pointer_);
      }
    }
    if (has_moved) engine_.send(Hover{pointer_});
  } else if (drag_ == Drag::emitter) {
    ChangeEmitter change;
    change.number = dragged_;
    change.to = pointer_;
    if (has_moved) engine_.send(change);
  } else if (drag_ != Drag::none && tool_ == Tool::brush && has_moved) {
    send_stroke(s, drag_ == Drag::erase, from_, pointer_);
    from_ = pointer_;
  } else if (!is_over_ && s.hover) {
    engine_.send(Hover{});
  }
  bool const is_down = ImGui::IsMouseDown(0) || ImGui::IsMouseDown(1);
  if (drag_ == Drag::none || is_down) return;
  if ((drag_ == Drag::draw || drag_ == Drag::erase) && tool_ != Tool::brush)
    send_stroke(s, drag_ == Drag::erase, from_, pointer_);
  drag_ = Drag::none;
}

void Controls::send_stroke(Snapshot const& s, bool erases, Point const& from, Point const& to) {
  Stroke stroke{erases, tool_ == Tool::box, from, to, 0};
  if (stroke.is_box && (from[0] == to[0] || from[1] == to[1])) return;
  stroke.radius = radius(s);
  engine_.send(stroke);
}

/// Shows where a stroke would be.
void Controls::draw_preview(Snapshot const& s, ImVec2 corner, ImVec2 size) const {
  auto const place = [&](Point const& x) {
    return ImVec2{corner.x + static_cast<float>(x[0] / s.size[0]) * size.x,
                  corner.y + (1 - static_cast<float>(x[1] / s.size[1])) * size.y};
  };
  auto* const list = ImGui::GetWindowDrawList();
  float const pixels = static_cast<float>(radius(s) / s.size[0]) * size.x;
  ImU32 const line = drag_ == Drag::erase ? IM_COL32(230, 159, 0, 255) : IM_COL32(0, 0, 0, 255);
  list->PushClipRect(corner, {corner.x + size.x, corner.y + size.y}, true);
  if (drag_ != Drag::none && drag_ != Drag::emitter && tool_ == Tool::box)
    list->AddRect(place(from_), place(pointer_), line, 0, 0, 2);
  else if (drag_ != Drag::none && drag_ != Drag::emitter && tool_ == Tool::line)
    list->AddLine(place(from_), place(pointer_), (line & 0x00ffffffu) | 0x90000000u, std::max(2 * pixels, 2.0f));
  if (is_over_ && tool_ != Tool::box) {
    list->AddCircle(place(pointer_), std::max(pixels, 2.0f), IM_COL32(255, 255, 255, 255), 0, 3);
    list->AddCircle(place(pointer_), std::max(pixels, 2.0f), line, 0, 1);
  }
  for (std::size_t i = 0; i < s.probes.size(); ++i) {
    auto const at = place(s.probes[i].at);
    auto const text = fmt::format("{}", i);
    list->AddText({at.x + 6, at.y - 16}, IM_COL32(0, 0, 0, 255), text.c_str());
    list->AddText({at.x + 5, at.y - 17}, IM_COL32(255, 255, 255, 255), text.c_str());
  }
  list->PopClipRect();
}

int Controls::emitter_at(Snapshot const& s, Point const& at) const {
  for (std::size_t i = s.emitters.size(); i-- > 0;) {
    auto const& e = s.emitters[i];
    double const reach = std::max(1.3 * e.radius, 0.02 * s.size[1]);
    if (std::hypot(e.at[0] - at[0], e.at[1] - at[1]) < reach) return static_cast<int>(i);
  }
  return -1;
}

void Controls::draw_status(Snapshot const& s, double pictures_per_second) const {
  ImGui::Text("t = %.4g   step %lld   %lld cells   %.3g new pictures/s   %.3g ms each   %s from %.3g to %.3g", s.time,
              static_cast<long long>(s.step_count), static_cast<long long>(s.cell_count), pictures_per_second,
              1e3 * s.engine_seconds, name_of(s.view).c_str(), s.range[0], s.range[1]);
  std::string text = "no fluid here";
  if (s.hover && !s.hover->values.empty()) {
    text = fmt::format("({:.4g}, {:.4g})  cell {}, {}  level {} ", s.hover->at[0], s.hover->at[1], s.hover->cell[0],
                       s.hover->cell[1], s.hover->level);
    for (auto const& [name, value] : s.hover->values) text += fmt::format("  {} {:.3g}", name, value);
  }
  ImGui::TextUnformatted(s.hover ? text.c_str() : "");
  ImGui::TextColored({0.94f, 0.89f, 0.26f, 1}, "%s", s.message.c_str());
}

void Controls::character(unsigned code) {
  if (code == '?') shows_help_ = !shows_help_;
  if (code == '[') width_ = std::max(0.5f, width_ / 1.25f);
  if (code == ']') width_ = std::min(20.0f, width_ * 1.25f);
}

void Controls::key(Snapshot const& s, int key, bool has_control) {
  if (has_control) {
    if (key == GLFW_KEY_S) engine_.send(Save{});
    return;
  }
  Settings settings;
  auto const number = static_cast<std::size_t>(key - GLFW_KEY_1);
  if (key >= GLFW_KEY_1 && key <= GLFW_KEY_9 && number < s.views.size()) {
    settings.view = s.views[number];
    engine_.send(settings);
  }
  switch (key) {
  case GLFW_KEY_SPACE:
    return engine_.send(Pause{!s.is_paused});
  case GLFW_KEY_PERIOD:
    return engine_.send(SingleStep{});
  case GLFW_KEY_R:
    return engine_.send(Reset{});
  case GLFW_KEY_C:
    return engine_.send(ClearStreamlines{});
  case GLFW_KEY_H:
    settings.follows = !s.follows;
    return engine_.send(settings);
  case GLFW_KEY_F9:
    return engine_.send(SavePicture{});
  case GLFW_KEY_F10:
    return engine_.send(Film{!s.is_filming});
  case GLFW_KEY_F11:
    wants_screenshot_ = true;
    return;
  case GLFW_KEY_B:
    tool_ = Tool::brush;
    return;
  case GLFW_KEY_L:
    tool_ = Tool::line;
    return;
  case GLFW_KEY_O:
    tool_ = Tool::box;
    return;
  default:
    break;
  }
  if (!is_over_) return;
  if (key == GLFW_KEY_E) {
    AddEmitter add{pointer_, radius(s), colour_from(colour_), {}};
    if (jet_[0] != 0 || jet_[1] != 0) add.jet = Point{jet_[0], jet_[1]};
    engine_.send(add);
  }
  if (key == GLFW_KEY_X && emitter_at(s, pointer_) >= 0)
    engine_.send(RemoveEmitter{static_cast<std::size_t>(emitter_at(s, pointer_))});
  if (key == GLFW_KEY_P) engine_.send(Pin{pointer_});
  if (key == GLFW_KEY_S) engine_.send(AddStreamline{pointer_});
}

}  // namespace sparse::live
