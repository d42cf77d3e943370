#pragma once
/// Small parts of the user interface.

#include <algorithm>
#include <cmath>
#include <string>

#include <imgui.h>
#include <sparse/io/pictures/image.hpp>

namespace sparse::live {

inline io::Colour colour_from(float const (&c)[3]) {
  auto const byte = [](float x) { return static_cast<std::uint8_t>(std::lround(std::clamp(x, 0.0f, 1.0f) * 255)); };
  return {byte(c[0]), byte(c[1]), byte(c[2])};
}

/// What a pointer over the last item says.
inline void tell_last_item(char const* text) {
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

}  // namespace sparse::live
