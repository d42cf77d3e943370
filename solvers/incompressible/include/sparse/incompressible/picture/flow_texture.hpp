#pragma once
/// Makes a flow visible by noise that it carries along (image-based flow visualisation).

#include <vector>

#include <sparse/base/buffer.hpp>
#include <sparse/base/vec.hpp>

namespace sparse::incompressible {

namespace detail {

/// The pixels from which a pixel takes its value. They stay the same while the moves do.
struct TextureSource {
  Index first;  ///< the lower left one of four pixels in the previous frame
  float x, y;   ///< weights of the pixels to the right and above
  float noise;  ///< weight of the noise
};

}  // namespace detail

/// How the grain of a picture moves and fades.
struct FlowTextureOptions {
  double share = 0.12;      ///< of new noise in each frame, in (0, 1]: streaks are about 1 / share moves long
  int noise_size = 64;      ///< texels along the side of a noise image; the image is periodic
  int noise_count = 32;     ///< number of noise images; they are used in turn
  double spot = 4;          ///< pixels of a texel
  double longest_move = 4;  ///< pixels per frame; longer moves are shortened
  /// Of the grain.
  unsigned seed = 1;
};

/// A picture whose grain is stretched along a flow. In each frame, I(x) <- (1 - share) I(x - move) + share N(x, frame).
/// The noise N has one texel per spot. A texel is white in half of the noise images, starting from a random one, and
/// black in the others. Between texels the noise is bilinear.
/// Source: van Wijk, Image based flow visualization, ACM Trans. Graph. 21 (2002).
class FlowTexture {
public:
  /// @param width, height  of the picture [pixels]
  /// @throws std::invalid_argument  if a size is not positive, or an option is out of its range
  FlowTexture(int width, int height, FlowTextureOptions const& options = {}, Context const& context = Context());

  /// Makes the next frames.
  /// @param moves  distance that the flow moves per frame [pixels], [height * width], x fastest. NaN where there is no
  ///               flow: noise is shown there. Beyond its edge, the picture continues with its edge pixels.
  /// @throws std::invalid_argument  unless there is one move per pixel
  /// Cost: about 4 ns per pixel and frame.
  void advance(std::vector<Vec<float, 2>> const& moves, int frame_count = 1);
  /// The same for moves in device memory.
  /// @throws std::invalid_argument  unless there is one move per pixel
  void advance(Buffer<Vec<float, 2>> const& moves, int frame_count = 1);

  /// The values of the picture, [height * width] from 0 to 1, in the order of `moves`, on the host. Their mean is 1/2.
  /// Before the first frame all values are 1/2.
  std::vector<float> values() const;
  /// The same in device memory. The next frame is in another buffer.
  Buffer<float> const& device_values() const { return now_; }
  /// Continues from the frames of another object with the same options.
  /// @throws std::invalid_argument  if there are not as many values as pixels
  void restore(std::vector<float> const& values, Index frame_count);
  /// N at a pixel, for the frame with this number.
  float noise(int x, int y, Index frame) const;
  /// Frames so far.
  Index frame_count() const { return frame_; }

private:
  int width_, height_;
  FlowTextureOptions options_;
  Context context_;
  std::vector<int> phases_;
  Buffer<int> device_phases_;
  Buffer<float> now_, next_;
  Buffer<detail::TextureSource> sources_;
  Index frame_ = 0;
};

}  // namespace sparse::incompressible
