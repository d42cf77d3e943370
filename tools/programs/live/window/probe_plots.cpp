#include "probe_plots.hpp"

#include <algorithm>
#include <cfloat>

#include <fmt/format.h>

#include "widgets.hpp"

namespace sparse::live {
namespace {

constexpr std::size_t longest_curve = 400;  // values of a probe

}  // namespace

void ProbePlots::remember(Snapshot const& s) {
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

std::optional<std::size_t> ProbePlots::draw(Snapshot const& s, float width) {
  if (s.probes.empty()) return {};
  std::optional<std::size_t> removed;
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
    if (ImGui::SmallButton("x")) removed = i;
    ImGui::PopID();
  }
  return removed;
}

}  // namespace sparse::live
