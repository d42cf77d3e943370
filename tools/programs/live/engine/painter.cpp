#include "painter.hpp"

#include <algorithm>
#include <cmath>

#include "pixel_kernels.hpp"

namespace sparse::live {
namespace {

constexpr int table_size = 1024;
constexpr float longest_move = 4;  // of streaks [pixels per picture]
constexpr io::Colour no_fluid = {150, 150, 150};

KOKKOS_FORCEINLINE_FUNCTION std::uint32_t rgba(int red, int green, int blue) {
  return static_cast<std::uint32_t>(red) | static_cast<std::uint32_t>(green) << 8 |
         static_cast<std::uint32_t>(blue) << 16 | 0xff000000u;
}
std::uint32_t rgba(io::Colour const& c) { return rgba(c[0], c[1], c[2]); }

KOKKOS_FORCEINLINE_FUNCTION int byte_of(float x) { return x <= 0 ? 0 : x >= 255 ? 255 : static_cast<int>(x + 0.5f); }

/// Multiplies the parts of a colour.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t shaded(std::uint32_t colour, float part) {
  return rgba(byte_of(part * static_cast<float>(colour & 255)), byte_of(part * static_cast<float>(colour >> 8 & 255)),
              byte_of(part * static_cast<float>(colour >> 16 & 255)));
}

struct Table {
  std::uint32_t const* colours;
  std::uint32_t solid;
  float least, scale;
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t colour(float value) const {
    float const x = (value - least) * scale;
    if (!(x == x)) return solid;
    return colours[x <= 0 ? 0 : x >= table_size - 1 ? table_size - 1 : static_cast<int>(x)];
  }
};

struct PaintValues {
  Table table;
  float const* values;
  std::uint32_t* out;
  KOKKOS_FUNCTION void operator()(Index i) const { out[i] = table.colour(values[i]); }
};

struct PaintInk {
  Vec<float, 3> const* ink;
  float background[3];
  std::uint32_t solid;
  std::uint32_t* out;
  KOKKOS_FUNCTION void operator()(Index i) const {
    auto const& c = ink[i];
    out[i] = c[0] == c[0] ? rgba(byte_of(background[0] + 255 * c[0]), byte_of(background[1] + 255 * c[1]),
                                 byte_of(background[2] + 255 * c[2]))
                          : solid;
  }
};

struct PaintSpeed {
  Table table;
  Vec<float, 2> const* velocity;
  std::uint32_t* out;
  KOKKOS_FUNCTION void operator()(Index i) const {
    auto const& u = velocity[i];
    out[i] = table.colour(std::sqrt(u[0] * u[0] + u[1] * u[1]));
  }
};

/// Brightens and darkens by the grain.
struct ShadeByGrain {
  float const* grain;
  std::uint32_t solid;
  float contrast;
  std::uint32_t* out;
  KOKKOS_FUNCTION void operator()(Index i) const {
    if (out[i] == solid) return;
    float const part = 0.88f + contrast * (grain[i] - 0.5f);
    out[i] = shaded(out[i], part < 0.4f ? 0.4f : part > 1.4f ? 1.4f : part);
  }
};

struct PaintOutlines {
  std::uint8_t const* levels;
  int width;
  Index count;
  std::uint32_t* out;
  KOKKOS_FUNCTION void operator()(Index i) const {
    bool const is_last = i % width == width - 1, is_top = i + width >= count;
    if ((!is_last && levels[i] != levels[i + 1]) || (!is_top && levels[i] != levels[i + width]))
      out[i] = shaded(out[i], 0.35f);
  }
};

struct MoveOf {
  Vec<float, 2> const* velocity;
  float scale[2];
  Vec<float, 2>* moves;
  KOKKOS_FUNCTION void operator()(Index i) const {
    for (int axis = 0; axis < 2; ++axis) moves[i][axis] = scale[axis] * velocity[i][axis];
  }
};

struct SquareOfSpeed {
  Vec<float, 2> const* velocity;
  KOKKOS_FUNCTION void operator()(Index i, double& sum) const {
    double const u = velocity[i][0], v = velocity[i][1], square = u * u + v * v;
    if (square == square) sum += square;
  }
};
struct SquareOfValue {
  float const* values;
  KOKKOS_FUNCTION void operator()(Index i, double& sum) const {
    double const x = values[i];
    if (x == x) sum += x * x;
  }
};
struct LeastValue {
  float const* values;
  KOKKOS_FUNCTION void operator()(Index i, float& least) const { least = values[i] < least ? values[i] : least; }
};
struct GreatestValue {
  float const* values;
  KOKKOS_FUNCTION void operator()(Index i, float& most) const { most = values[i] > most ? values[i] : most; }
};

}  // namespace

void Look::take(View wanted) {
  view = wanted;
  map = view == View::vorticity     ? io::ColourMap::coolwarm
        : view == View::temperature ? io::ColourMap::inferno
        : view == View::schlieren   ? io::ColourMap::inferno
                                    : io::ColourMap::viridis;
}

Painter::Painter(io::Raster const& raster, Context const& context)
    : raster_(raster), context_(context),
      texture_(raster.width, raster.height, {.spot = 3, .longest_move = longest_move}, context),
      moves_(context, raster.pixel_count()), colours_(context, raster.pixel_count()) {}

/// The range follows what it should show: at once when the view is new, then by a tenth of the way per picture.
void Painter::follow(Look& look, PixelFields const& pixels) {
  Index const count = raster_.pixel_count();
  float const* const values = pixels.values.data();
  auto const least = parallel_reduce<Kokkos::Min, float>(context_, "sparse::live::least", count, LeastValue{values});
  auto const most = parallel_reduce<Kokkos::Max, float>(context_, "sparse::live::most", count, GreatestValue{values});
  extrema_ = {least, most};
  if (!(least <= most)) extrema_ = {0, 0};
  if (!look.follows) return;
  std::array<double, 2> wanted = extrema_;
  if (look.view == View::vorticity) {
    double const sum =
        parallel_reduce<Kokkos::Sum, double>(context_, "sparse::live::square", count, SquareOfValue{values});
    double const bound = 3 * std::sqrt(sum / static_cast<double>(count));
    wanted = {-bound, bound};
  } else if (look.view == View::schlieren) {  // shocks are few, and far steeper than all else
    wanted = {0, 0.35 * extrema_[1]};
  } else if (look.view == View::levels) {
    wanted[0] = 0;
  }
  if (!(wanted[1] - wanted[0] > 1e-12 * (1 + std::abs(wanted[0])))) wanted[1] = wanted[0] + 1;
  bool const is_known = followed_ == look.view;
  followed_ = look.view;
  for (std::size_t i = 0; i < 2; ++i)
    look.range[i] = is_known ? look.range[i] + 0.1 * (wanted[i] - look.range[i]) : wanted[i];
}

void Painter::move_grain(PixelFields const& pixels, bool moves) {
  Index const count = raster_.pixel_count();
  double const sum = parallel_reduce<Kokkos::Sum, double>(context_, "sparse::live::square", count,
                                                          SquareOfSpeed{pixels.velocity.data()});
  // Speeds vary widely, so those above 1.5 times the root mean square are drawn alike.
  double const fast = 1.5 * std::sqrt(sum / static_cast<double>(count));
  fast_ = fast_ > 0 ? fast_ + 0.1 * (fast - fast_) : fast;
  bool const is_new = texture_.frame_count() == 0;
  if (!moves && !is_new) return;
  auto const scale = static_cast<float>(fast_ > 0 ? longest_move / fast_ : 0);
  double const shape = raster_.step[0] / raster_.step[1];
  parallel_for(context_, "sparse::live::moves", count,
               MoveOf{pixels.velocity.data(), {scale, static_cast<float>(scale * shape)}, moves_.data()});
  texture_.advance(moves_, is_new ? 24 : 1);
}

std::vector<std::uint32_t> Painter::paint(Look& look, PixelFields const& pixels, bool moves) {
  if (map_ != look.map) {
    std::vector<std::uint32_t> table;
    for (int i = 0; i < table_size; ++i) table.push_back(rgba(io::colour_of(look.map, (i + 0.5) / table_size)));
    table_ = to_device(context_, table);
    map_ = look.map;
  }
  Index const count = raster_.pixel_count();
  std::uint32_t* const out = colours_.data();
  std::uint32_t const solid = rgba(no_fluid);
  bool const has_ink = look.view == View::ink || look.view == View::streaked_ink;
  bool const has_streaks = look.view == View::streaks || look.view == View::streaked_ink;
  auto const table_from = [&](double least, double most) {
    return Table{table_.data(), solid, static_cast<float>(least), static_cast<float>(table_size / (most - least))};
  };
  if (has_streaks) move_grain(pixels, moves);
  if (has_ink) {
    auto const& b = look.background;
    parallel_for(context_, "sparse::live::paint_ink", count,
                 PaintInk{pixels.ink.data(),
                          {static_cast<float>(b[0]), static_cast<float>(b[1]), static_cast<float>(b[2])},
                          solid,
                          out});
  } else if (has_streaks) {
    double const fast = fast_ > 0 ? fast_ : 1;
    parallel_for(context_, "sparse::live::paint_speed", count,
                 PaintSpeed{table_from(-0.18 * fast, fast), pixels.velocity.data(), out});
  } else {
    follow(look, pixels);
    parallel_for(context_, "sparse::live::paint_values", count,
                 PaintValues{table_from(look.range[0], look.range[1]), pixels.values.data(), out});
  }
  if (has_ink) extrema_ = {0, 0};
  if (has_streaks) {
    extrema_ = {0, fast_};
    parallel_for(context_, "sparse::live::shade", count,
                 ShadeByGrain{texture_.device_values().data(), solid, has_ink ? 1.2f : 2.0f, out});
  }
  if (look.outlines && pixels.levels.size() == count)
    parallel_for(context_, "sparse::live::outlines", count,
                 PaintOutlines{pixels.levels.data(), raster_.width, count, out});
  return to_host(context_, static_cast<std::uint32_t const*>(out), count);
}

}  // namespace sparse::live
