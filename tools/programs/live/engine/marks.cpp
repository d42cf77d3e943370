#include "marks.hpp"

#include <algorithm>
#include <cmath>

namespace sparse::live {
namespace {

constexpr std::uint32_t black = 0xff000000u, white = 0xffffffffu;

std::size_t place_of(Snapshot const& s, int i, int j) {
  return static_cast<std::size_t>(j) * static_cast<std::size_t>(s.width) + static_cast<std::size_t>(i);
}

}  // namespace

void draw_marks(Snapshot& s) {
  auto const set = [&](double x, double y, std::uint32_t colour) {
    double const i = std::floor(x / s.size[0] * s.width), j = std::floor(y / s.size[1] * s.height);
    if (i >= 0 && i < s.width && j >= 0 && j < s.height)
      s.pixels[place_of(s, static_cast<int>(i), static_cast<int>(j))] = colour;
  };
  double const pixel = s.size[0] / s.width;
  for (auto const& line : s.streamlines)
    for (Point const& x : line) {
      set(x[0], x[1], white);
      set(x[0], x[1] - pixel, black);
    }
  for (EmitterInfo const& emitter : s.emitters) {
    double const radius = emitter.radius + 1.5 * pixel;
    int const count = std::clamp(static_cast<int>(8 * radius / pixel), 16, 4096);
    for (int i = 0; i < count; ++i) {
      double const angle = 6.283185307179586 * i / count;
      if (emitter.is_on || i / 4 % 2 == 0)
        set(emitter.at[0] + radius * std::cos(angle), emitter.at[1] + radius * std::sin(angle), black);
    }
  }
  for (Reading const& probe : s.probes)
    for (int i = -4; i <= 4; ++i) {
      set(probe.at[0] + i * pixel, probe.at[1], i % 2 == 0 ? black : white);
      set(probe.at[0], probe.at[1] + i * pixel, i % 2 == 0 ? black : white);
    }
}

io::Image image_of(Snapshot const& s) {
  io::Image image(s.width, s.height, {0, 0, 0});
  for (int y = 0; y < s.height; ++y)
    for (int x = 0; x < s.width; ++x) {
      auto const c = s.pixels[place_of(s, x, y)];
      image.at(x, s.height - 1 - y) = {static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(c >> 8),
                                       static_cast<std::uint8_t>(c >> 16)};
    }
  return image;
}

}  // namespace sparse::live
