#include <sparse/solvers/incompressible/flow_texture.hpp>

#include <cmath>
#include <random>

#include <sparse/error.hpp>
#include <sparse/parallel.hpp>

namespace sparse::incompressible {
namespace {

struct Noise {
  int const* phases;  // [size * size] number of the image in which a texel gets white
  int size, count;
  float scale;  // texels per pixel

  KOKKOS_FORCEINLINE_FUNCTION float texel(int x, int y, int image) const {
    int const since = (image + count - phases[y * size + x]) % count;
    return since < count / 2 ? 1.0f : 0.0f;
  }
  KOKKOS_FORCEINLINE_FUNCTION float operator()(int x, int y, int image) const {
    float const tx = (static_cast<float>(x) + 0.5f) * scale, ty = (static_cast<float>(y) + 0.5f) * scale;
    int const x0 = static_cast<int>(tx), y0 = static_cast<int>(ty);
    float const sx = tx - static_cast<float>(x0), sy = ty - static_cast<float>(y0);
    int const left = x0 % size, right = (x0 + 1) % size, low = y0 % size, high = (y0 + 1) % size;
    float const below = (1 - sx) * texel(left, low, image) + sx * texel(right, low, image);
    float const above = (1 - sx) * texel(left, high, image) + sx * texel(right, high, image);
    return (1 - sy) * below + sy * above;
  }
};

/// The bilinear value of a picture at a point, with what is at the edge beyond it.
struct Picture {
  float const* values;
  int width, height;

  KOKKOS_FORCEINLINE_FUNCTION float at(float x, float y) const {
    x = x < 0 ? 0 : x > static_cast<float>(width - 1) ? static_cast<float>(width - 1) : x;
    y = y < 0 ? 0 : y > static_cast<float>(height - 1) ? static_cast<float>(height - 1) : y;
    int const left = static_cast<int>(x), low = static_cast<int>(y);
    int const right = left + 1 < width ? left + 1 : left, high = low + 1 < height ? low + 1 : low;
    float const sx = x - static_cast<float>(left), sy = y - static_cast<float>(low);
    float const below = (1 - sx) * value(left, low) + sx * value(right, low);
    float const above = (1 - sx) * value(left, high) + sx * value(right, high);
    return (1 - sy) * below + sy * above;
  }
  KOKKOS_FORCEINLINE_FUNCTION float value(int x, int y) const { return values[Index{y} * width + x]; }
};

void advance_frame(Context const& context, Noise const& noise, int image, Picture const& now,
                   Vec<float, 2> const* moves, float share, float longest, float* next) {
  parallel_for(
      context, "sparse::incompressible::flow_texture", Index{now.width} * now.height, KOKKOS_LAMBDA(Index i) {
        int const x = static_cast<int>(i % now.width), y = static_cast<int>(i / now.width);
        float const spot = noise(x, y, image);
        Vec<float, 2> const move = moves[i];
        float const square = move[0] * move[0] + move[1] * move[1];
        if (!(square < 1e30f)) {  // nor a NaN
          next[i] = spot;
          return;
        }
        float const part = square > longest * longest ? longest / std::sqrt(square) : 1.0f;
        float const before = now.at(static_cast<float>(x) - part * move[0], static_cast<float>(y) - part * move[1]);
        next[i] = (1 - share) * before + share * spot;
      });
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
}

void FlowTexture::advance(std::vector<Vec<float, 2>> const& moves, int frame_count) {
  expects(static_cast<Index>(moves.size()) == now_.size(), "a flow texture needs a move for each pixel");
  auto const on_device = to_device(context_, moves);
  Noise const noise{device_phases_.data(), options_.noise_size, options_.noise_count,
                    static_cast<float>(1 / options_.spot)};
  for (int k = 0; k < frame_count; ++k, ++frame_) {
    advance_frame(context_, noise, static_cast<int>(frame_ % options_.noise_count),
                  Picture{now_.data(), width_, height_}, on_device.data(), static_cast<float>(options_.share),
                  static_cast<float>(options_.longest_move), next_.data());
    std::swap(now_, next_);
  }
  context_.fence();
}

std::vector<float> FlowTexture::values() const {
  return to_host(context_, static_cast<float const*>(now_.data()), now_.size());
}

float FlowTexture::noise(int x, int y, Index frame) const {
  return Noise{phases_.data(), options_.noise_size, options_.noise_count,
               static_cast<float>(1 / options_.spot)}(x, y, static_cast<int>(frame % options_.noise_count));
}

}  // namespace sparse::incompressible
