#pragma once
/// What a picture of a flow can show.

#include <string>
#include <utility>
#include <vector>

namespace sparse::live {

enum class View {
  speed,
  vorticity,
  pressure,
  temperature,
  ink,
  streaks,       ///< noise that the flow stretches, over the colour of the speed
  streaked_ink,  ///< the same over ink
  density,
  mach,
  schlieren,  ///< the size of the gradient of the density
  levels,
};

inline std::vector<std::pair<std::string, View>> const view_names = {
    {"speed", View::speed},
    {"vorticity", View::vorticity},
    {"pressure", View::pressure},
    {"temperature", View::temperature},
    {"ink", View::ink},
    {"streaks", View::streaks},
    {"streaked_ink", View::streaked_ink},
    {"density", View::density},
    {"mach", View::mach},
    {"schlieren", View::schlieren},
    {"levels", View::levels},
};

inline std::string const& name_of(View view) { return view_names[static_cast<std::size_t>(view)].first; }

}  // namespace sparse::live
