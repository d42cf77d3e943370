#include <sparse/incompressible/picture/flow_texture.hpp>

#include <cmath>
#include <random>

#include <sparse/base/error.hpp>
#include <sparse/base/parallel.hpp>

namespace sparse::incompressible {
namespace {

/// The texels on both sides of a coordinate.
struct Between {
  int before, after;
  float share;  // weight of the texel after it
};

struct Noise {
  int const* phases;  // [size * size] the number of the image in which a texel turns white
  int size, count;
  float scale;  // texels per pixel

  KOKKOS_FORCEINLINE_FUNCTION float texel(int i, int image) const {
    return (image + count - phases[i]) % count < count / 2 ? 1.0f : 0.0f;
  }
  KOKKOS_FORCEINLINE_FUNCTION Between between(int pixel) const {
    float const t = (static_cast<float>(pixel) + 0.5f) * scale;
    int const first = static_cast<int>(t);
    return {first % size, (first + 1) % size, t - static_cast<float>(first)};
  }
};

KOKKOS_FORCEINLINE_FUNCTION float mixed(float a, float b, float share) { return a + share * (b - a); }

/// The noise image of one frame.
struct NoiseImage {
  float const* texels;
  int size;
  KOKKOS_FORCEINLINE_FUNCTION float at(Between const& x, Between const& y) const {
    float const *const low = texels + y.before * size, *const high = texels + y.after * size;
    return mixed(mixed(low[x.before], low[x.after], x.share), mixed(high[x.before], high[x.after], x.share), y.share);
  }
};

using detail::TextureSource;

/// Finds the pixels from which a pixel takes its value. Beyond its edge, the picture continues with its edge pixels.
struct FindSource {
  Vec<float, 2> const* moves;
  int width, height;
  float share, longest;
  TextureSource* sources;

  KOKKOS_FUNCTION static float clamped(float x, int count) {
    float const last = static_cast<float>(count - 1);
    return x < 0 ? 0 : x > last ? last : x;
  }
  /// The pixel before x; at the upper edge the last but one, so that a pixel follows.
  KOKKOS_FUNCTION static int pixel_before(float x, int count) {
    int const i = static_cast<int>(x);
    return i + 1 < count || i == 0 ? i : i - 1;
  }
  KOKKOS_FUNCTION void operator()(Index i) const {
    Vec<float, 2> const move = moves[i];
    float const square = move[0] * move[0] + move[1] * move[1];
    if (!(square < 1e30f)) {  // also for NaN
      sources[i] = {0, 0, 0, 1};
      return;
    }
    float const part = square > longest * longest ? longest / std::sqrt(square) : 1.0f;
    float const x = clamped(static_cast<float>(i % width) - part * move[0], width);
    float const y = clamped(static_cast<float>(i / width) - part * move[1], height);
    int const left = pixel_before(x, width), low = pixel_before(y, height);
    sources[i] = {Index{low} * width + left, x - static_cast<float>(left), y - static_cast<float>(low), share};
  }
};

/// Makes a row of a frame on the host, a pixel on a device.
struct AdvanceFrame {
  TextureSource const* sources;
  Between const *columns, *rows;
  NoiseImage noise;
  float const* now;
  float* next;
  int width, height;

  static constexpr bool has_rows = is_host_backend;
  Index task_count() const { return has_rows ? height : Index{width} * height; }

  KOKKOS_FUNCTION void operator()(Index task) const {
    Index const begin = has_rows ? task * width : task, end = has_rows ? begin + width : begin + 1;
    Between const row = rows[begin / width];
    Between const* const column = columns + begin % width;
    // A picture of one row or one column has no neighbours to mix with.
    int const right = width > 1 ? 1 : 0, above = height > 1 ? width : 0;
    SPARSE_INDEPENDENT_ITERATIONS
    for (Index i = begin; i < end; ++i) {
      TextureSource const source = sources[i];
      float const* const from = now + source.first;
      float const before =
          mixed(mixed(from[0], from[right], source.x), mixed(from[above], from[above + right], source.x), source.y);
      next[i] = mixed(before, noise.at(column[i - begin], row), source.noise);
    }
  }
};

std::vector<Between> places_of(Noise const& noise, int count) {
  std::vector<Between> places;
  for (int i = 0; i < count; ++i) places.push_back(noise.between(i));
  return places;
}

void draw_texels(Context const& context, Noise const& noise, int image, float* texels) {
  parallel_for(
      context, "sparse::incompressible::texture_noise", noise.size * noise.size,
      KOKKOS_LAMBDA(Index i) { texels[i] = noise.texel(static_cast<int>(i), image); });
}

}  // namespace

FlowTexture::FlowTexture(int width, int height, FlowTextureOptions const& options, Context const& context)
    : width_(width), height_(height), options_(options), context_(context) {
  expects(width >= 1 && height >= 1 && width <= 65536 && height <= 65536,
          "a flow texture has 1 to 65536 pixels per side");
  expects(options.share > 0 && options.share <= 1, "a flow texture's share of noise must be in (0, 1]");
  expects(options.noise_size >= 2 && options.noise_size <= 4096 && options.noise_count >= 2,
          "a flow texture needs two noise images of 2 to 4096 texels per side at least");
  expects(options.spot > 0 && options.longest_move > 0, "a flow texture's spots and moves must not be empty");
  std::mt19937 engine(options.seed);
  for (int i = 0; i < options.noise_size * options.noise_size; ++i)
    phases_.push_back(static_cast<int>(engine() % static_cast<unsigned>(options.noise_count)));
  device_phases_ = to_device(context_, phases_);
  now_ =
      to_device(context_, std::vector<float>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0.5f));
  next_ = Buffer<float>(context_, now_.size());
  sources_ = Buffer<detail::TextureSource>(context_, now_.size());
}

void FlowTexture::advance(std::vector<Vec<float, 2>> const& moves, int frame_count) {
  advance(to_device(context_, moves), frame_count);
}

void FlowTexture::advance(Buffer<Vec<float, 2>> const& moves, int frame_count) {
  expects(moves.size() == now_.size(), "a flow texture needs a move for each pixel");
  parallel_for(context_, "sparse::incompressible::texture_sources", now_.size(),
               FindSource{moves.data(), width_, height_, static_cast<float>(options_.share),
                          static_cast<float>(options_.longest_move), sources_.data()});
  auto const scale = static_cast<float>(1 / options_.spot);
  int const size = options_.noise_size;
  Noise const of_phases{phases_.data(), size, options_.noise_count, scale};
  auto const columns = to_device(context_, places_of(of_phases, width_));
  auto const rows = to_device(context_, places_of(of_phases, height_));
  Noise const noise{device_phases_.data(), size, options_.noise_count, scale};
  Buffer<float> const texels(context_, Index{size} * size);
  for (int k = 0; k < frame_count; ++k, ++frame_) {
    draw_texels(context_, noise, static_cast<int>(frame_ % options_.noise_count), texels.data());
    AdvanceFrame const advance_frame{sources_.data(), columns.data(), rows.data(), {texels.data(), size},
                                     now_.data(),     next_.data(),   width_,      height_};
    parallel_for(context_, "sparse::incompressible::flow_texture", advance_frame.task_count(), advance_frame);
    std::swap(now_, next_);
  }
  context_.fence();
}

std::vector<float> FlowTexture::values() const {
  return to_host(context_, static_cast<float const*>(now_.data()), now_.size());
}

void FlowTexture::restore(std::vector<float> const& values, Index frame_count) {
  expects(static_cast<Index>(values.size()) == now_.size(), "a flow texture needs a value for each pixel");
  now_ = to_device(context_, values);
  frame_ = frame_count;
}

float FlowTexture::noise(int x, int y, Index frame) const {
  Noise const noise{phases_.data(), options_.noise_size, options_.noise_count, static_cast<float>(1 / options_.spot)};
  Between const column = noise.between(x), row = noise.between(y);
  auto const texel = [&](int i, int j) {
    return noise.texel(j * noise.size + i, static_cast<int>(frame % noise.count));
  };
  return mixed(mixed(texel(column.before, row.before), texel(column.after, row.before), column.share),
               mixed(texel(column.before, row.after), texel(column.after, row.after), column.share), row.share);
}

}  // namespace sparse::incompressible
