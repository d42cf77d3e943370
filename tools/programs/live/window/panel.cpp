/// The panel beside the picture, and the help.

#include <algorithm>
#include <cmath>

#include "controls.hpp"
#include "engine/menu.hpp"
#include "widgets.hpp"

namespace sparse::live {

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
  bool const has_levels = std::find(s.views.begin(), s.views.end(), View::levels) != s.views.end();
  if (has_levels && ImGui::Checkbox("outlines of levels", &outlines)) settings.outlines = outlines;
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

}  // namespace sparse::live
