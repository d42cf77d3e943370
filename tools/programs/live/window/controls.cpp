#include "controls.hpp"

#include <algorithm>
#include <cmath>

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include "engine/menu.hpp"

namespace sparse::live {
namespace {

constexpr std::size_t longest_curve = 400;  // values of a probe

io::Colour colour_from(float const (&c)[3]) {
  auto const byte = [](float x) { return static_cast<std::uint8_t>(std::lround(std::clamp(x, 0.0f, 1.0f) * 255)); };
  return {byte(c[0]), byte(c[1]), byte(c[2])};
}

void tell_last_item(char const* text) {
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text);
}

/// A choice of one of several names. @return  the number of the chosen one, or -1
template <class Names>
int choice(char const* label, std::string const& now, Names const& names) {
  int chosen = -1, number = 0;
  if (!ImGui::BeginCombo(label, now.c_str())) return -1;
  for (auto const& name : names) {
    if (ImGui::Selectable(std::string(name).c_str(), name == now)) chosen = number;
    ++number;
  }
  ImGui::EndCombo();
  return chosen;
}

}  // namespace

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
  draw_probes(s, ImGui::GetContentRegionAvail().x);
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

void Controls::remember(Snapshot const& s) {
  bool const is_other = case_ != s.case_name || s.time < last_time_ || curves_.size() > s.probes.size();
  if (is_other) curves_.clear();
  case_ = s.case_name;
  bool const has_advanced = s.time != last_time_;
  last_time_ = s.time;
  curves_.resize(s.probes.size());
  if (!has_advanced) return;
  for (std::size_t i = 0; i < s.probes.size(); ++i)
    for (auto const& [name, value] : s.probes[i].values) {
      auto& curve = curves_[i][name];
      curve.push_back(static_cast<float>(value));
      if (curve.size() > longest_curve) curve.pop_front();
    }
}

void Controls::draw_probes(Snapshot const& s, float width) {
  if (s.probes.empty()) return;
  std::vector<std::string> names;
  for (auto const& [name, value] : s.probes[0].values) names.push_back(name);
  if (!names.empty() && std::find(names.begin(), names.end(), plotted_) == names.end()) plotted_ = names[0];
  ImGui::SetNextItemWidth(0.15f * width);
  if (int const chosen = choice("at probes", plotted_, names); chosen >= 0)
    plotted_ = names[static_cast<std::size_t>(chosen)];
  float const height = 2.6f * ImGui::GetTextLineHeight();
  for (std::size_t i = 0; i < s.probes.size() && i < curves_.size(); ++i) {
    auto const& curve = curves_[i][plotted_];
    std::vector<float> const values(curve.begin(), curve.end());
    std::string const now = values.empty() ? "no fluid" : fmt::format("{}: {:.4g}", i, values.back());
    ImGui::PushID(static_cast<int>(i));
    ImGui::PlotLines("##curve", values.data(), static_cast<int>(values.size()), 0, now.c_str(), FLT_MAX, FLT_MAX,
                     {0.9f * width, height});
    ImGui::SameLine();
    if (ImGui::SmallButton("x")) engine_.send(Unpin{i});
    ImGui::PopID();
  }
}

bool Controls::slider(char const* name, double now, float& held, float least, float most, char const* format,
                      int flags) {
  if (!held_.contains(name)) held = static_cast<float>(now);
  bool const has_moved = ImGui::SliderFloat(name, &held, least, most, format, flags);
  if (ImGui::IsItemActive())
    held_.insert(name);
  else
    held_.erase(name);
  return has_moved;
}

void Controls::draw_panel(Snapshot const& s) {
  ImGui::PushItemWidth(0.58f * ImGui::GetContentRegionAvail().x);
  std::vector<std::string> titles;
  std::string now = s.case_name;
  for (auto const& entry : menu()) {
    titles.push_back(entry.title);
    if (entry.name == s.case_name) now = entry.title;
  }
  if (int const chosen = choice("case", now, titles); chosen >= 0)
    engine_.send(Load{menu()[static_cast<std::size_t>(chosen)].name});
  if (ImGui::Button(s.is_paused ? "Go on" : "Pause")) engine_.send(Pause{!s.is_paused});
  tell_last_item("space");
  ImGui::SameLine();
  if (ImGui::Button("Step")) engine_.send(SingleStep{});
  tell_last_item("one step: .");
  ImGui::SameLine();
  if (ImGui::Button("Reset")) engine_.send(Reset{});
  tell_last_item("to the start, with the obstacles of now: R");
  ImGui::SameLine();
  if (ImGui::Button("Help")) shows_help_ = !shows_help_;
  tell_last_item("?");
  ImGui::Separator();
  draw_flow_controls(s);
  ImGui::Separator();
  ImGui::TextUnformatted("Draw: left drag. Erase: right drag.");
  for (auto const& [tool, name] : {std::pair{Tool::brush, "brush"}, {Tool::line, "line"}, {Tool::box, "box"}}) {
    if (ImGui::RadioButton(name, tool_ == tool)) tool_ = tool;
    ImGui::SameLine();
  }
  ImGui::NewLine();
  ImGui::SliderFloat("width", &width_, 0.5f, 20, "%.1f %%");
  tell_last_item("of the brush and of lines, of the flow's shorter side");
  ImGui::Separator();
  draw_emitters(s);
  ImGui::Separator();
  draw_view_controls(s);
  ImGui::Separator();
  if (ImGui::Button("Picture")) engine_.send(SavePicture{});
  tell_last_item("F9; of the whole window: F11");
  ImGui::SameLine();
  if (ImGui::Button(s.is_filming ? "End film" : "Film")) engine_.send(Film{!s.is_filming});
  tell_last_item("F10");
  ImGui::SameLine();
  if (ImGui::Button("Save case")) engine_.send(Save{});
  tell_last_item("Ctrl-S: the program flow repeats it");
  ImGui::PopItemWidth();
}

void Controls::draw_flow_controls(Snapshot const& s) {
  Settings settings;
  if (s.re > 0) {
    bool const is_rayleigh = std::any_of(s.views.begin(), s.views.end(), [](View v) { return v == View::temperature; });
    float const most = is_rayleigh ? 1e7f : 1e5f;
    if (slider(is_rayleigh ? "Re or Ra" : "Reynolds", s.re, re_, 1, most, "%.4g", ImGuiSliderFlags_Logarithmic))
      settings.re = re_;
  }
  if (slider("inflow", s.speed, speed_, 0.1f, 3, "%.2f")) settings.speed = speed_;
  tell_last_item("velocities of inflows and moving walls, over those of the case");
  if (slider("steps", s.steps, steps_, 1, 20, "%.0f")) settings.steps = static_cast<int>(std::lround(steps_));
  tell_last_item("per picture");
  if (settings.re || settings.speed || settings.steps) engine_.send(settings);
}

void Controls::draw_view_controls(Snapshot const& s) {
  Settings settings;
  std::vector<std::string> names;
  for (View const view : s.views) names.push_back(name_of(view));
  if (int const chosen = choice("view", name_of(s.view), names); chosen >= 0)
    settings.view = s.views[static_cast<std::size_t>(chosen)];
  std::vector<std::string> const maps = {"viridis", "inferno", "coolwarm"};
  if (int const chosen = choice("colours", maps[static_cast<std::size_t>(s.map)], maps); chosen >= 0)
    settings.map = static_cast<io::ColourMap>(chosen);
  bool follows = s.follows, outlines = s.outlines;
  if (ImGui::Checkbox("colours follow the flow", &follows)) settings.follows = follows;
  tell_last_item("else their range is held: H");
  if (!held_.contains("range"))
    for (std::size_t i = 0; i < 2; ++i) range_[i] = static_cast<float>(s.range[i]);
  float const span = std::max(std::abs(range_[1] - range_[0]), 1e-6f);
  bool const changed = ImGui::DragFloat2("range", range_, 0.005f * span, 0, 0, "%.3g");
  if (ImGui::IsItemActive())
    held_.insert("range");
  else
    held_.erase("range");
  if (changed && range_[0] < range_[1]) settings.range = std::array<double, 2>{range_[0], range_[1]};
  if (s.re == 0 && ImGui::Checkbox("outlines of levels", &outlines)) settings.outlines = outlines;
  if (settings.view || settings.map || settings.follows || settings.range || settings.outlines) engine_.send(settings);
}

void Controls::draw_emitters(Snapshot const& s) {
  if (s.re == 0) {
    ImGui::TextUnformatted("A gas carries no ink.");
    return;
  }
  ImGui::ColorEdit3("ink", colour_, ImGuiColorEditFlags_NoInputs);
  tell_last_item("of new emitters: E places one at the pointer");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(0.4f * ImGui::GetContentRegionAvail().x);
  ImGui::DragFloat2("jet", jet_, 0.02f, -10, 10, "%.2f");
  tell_last_item("velocity with which new emitters drive the fluid");
  Settings settings;
  if (slider("ink fades", s.decay, decay_, 0, 3, "%.2f")) settings.decay = decay_;
  tell_last_item("share per time");
  if (settings.decay) engine_.send(settings);
  for (std::size_t i = 0; i < s.emitters.size(); ++i) {
    auto const& e = s.emitters[i];
    ImGui::PushID(static_cast<int>(i));
    bool is_on = e.is_on;
    float colour[3] = {static_cast<float>(e.colour[0]) / 255, static_cast<float>(e.colour[1]) / 255,
                       static_cast<float>(e.colour[2]) / 255};
    float jet[2] = {static_cast<float>(e.jet[0]), static_cast<float>(e.jet[1])};
    ChangeEmitter change;
    change.number = i;
    if (ImGui::Checkbox("##on", &is_on)) change.is_on = is_on;
    ImGui::SameLine();
    if (ImGui::ColorEdit3("##colour", colour, ImGuiColorEditFlags_NoInputs)) change.colour = colour_from(colour);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(0.5f * ImGui::GetContentRegionAvail().x);
    if (ImGui::DragFloat2("##jet", jet, 0.02f, -10, 10, "%.2f")) change.jet = Point{jet[0], jet[1]};
    tell_last_item("velocity of its jet");
    ImGui::SameLine();
    if (ImGui::SmallButton("x"))
      engine_.send(RemoveEmitter{i});
    else if (change.is_on || change.colour || change.jet)
      engine_.send(change);
    ImGui::PopID();
  }
}

void Controls::draw_help(float scale) {
  ImGui::SetNextWindowSize({520 * scale, 0});
  ImGui::SetNextWindowPos({60 * scale, 60 * scale}, ImGuiCond_Appearing);
  if (ImGui::Begin("Help", &shows_help_, ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoResize)) {
    for (auto const& [keys, meaning] : std::initializer_list<std::pair<char const*, char const*>>{
             {"left drag", "draw obstacles with brush, line or box; drag an emitter"},
             {"right drag", "erase obstacles"},
             {"E, X", "place an emitter of ink at the pointer; remove the one there"},
             {"P", "pin a probe at the pointer: its values are plotted below"},
             {"S, C", "streamline through the pointer; clear all streamlines"},
             {"B, L, O", "brush, line, box"},
             {"[ and ]", "thinner, wider"},
             {"space, .", "pause; a single step"},
             {"R", "reset: from the start, with the obstacles of now"},
             {"1 to 9", "views"},
             {"H", "hold the range of the colours, or let it follow"},
             {"F9, F10", "picture; film begins and ends"},
             {"F11", "picture of the whole window"},
             {"Ctrl-S", "save geometry and case: the program flow repeats them"},
             {"?", "this help"}}) {
      ImGui::TextColored({0.34f, 0.71f, 0.91f, 1}, "%s", keys);
      ImGui::SameLine(110 * scale);
      ImGui::TextWrapped("%s", meaning);
    }
  }
  ImGui::End();
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
