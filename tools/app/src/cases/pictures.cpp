#include <sparse/app/cases/pictures.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <sparse/io/pictures/frame.hpp>

namespace io = sparse::io;

namespace sparse::app {
namespace {

using sparse::Vec;

constexpr double longest_move = 4;  // longest move of streaks per frame [pixels]
constexpr io::Colour no_fluid = {150, 150, 150};

Vec<float, 3> mixable(io::Colour const& colour) {
  return {static_cast<float>(colour[0]), static_cast<float>(colour[1]), static_cast<float>(colour[2])};
}

}  // namespace

template <int Dim>
FlowPictures<Dim>::FlowPictures(FlowCase const& c, std::vector<io::Colour> const& colours, FlowSamples<Dim> samples)
    : samples_(std::move(samples)), colours_(colours), background_(c.background), size_{c.size[0], c.size[1]} {
  double const longest = std::max(c.size[0], c.size[1]);
  auto const pixels_of = [&](double length) {
    return std::max(1, static_cast<int>(std::lround(length / longest * c.flow.run.picture_size)));
  };
  width_ = pixels_of(c.size[0]);
  height_ = pixels_of(c.size[1]);
  std::vector<Vec<double, Dim>> points;
  for (int y = 0; y < height_; ++y)
    for (int x = 0; x < width_; ++x) {
      Vec<double, Dim> point;
      point[0] = (x + 0.5) / width_ * c.size[0];
      point[1] = (y + 0.5) / height_ * c.size[1];
      if constexpr (Dim == 3) point[2] = 0.5 * c.size[2];
      points.push_back(point);
    }
  auto const is_fluid = samples_.is_fluid(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_fluid[i]) continue;
    points_.push_back(points[i]);
    pixels_.push_back(i);
  }
}

template <int Dim>
typename FlowPictures<Dim>::Colours FlowPictures<Dim>::ink_colours() const {
  Colours colours(points_.size(), Vec<float, 3>{});
  std::vector<float> sums(points_.size(), 0);
  for (std::size_t k = 0; k < colours_.size(); ++k) {
    auto const values = samples_.ink(k, points_);
    auto const colour = mixable(colours_[k]);
    for (std::size_t i = 0; i < values.size(); ++i) {
      float const value = std::fmax(0.0f, static_cast<float>(values[i]));
      sums[i] += value;
      colours[i] += value * colour;
    }
  }
  auto const background = mixable(background_);
  for (std::size_t i = 0; i < colours.size(); ++i) {
    if (sums[i] > 1)
      colours[i] *= 1 / sums[i];
    else
      colours[i] += (1 - sums[i]) * background;
  }
  return colours;
}

template <int Dim>
io::Image FlowPictures<Dim>::painted(Colours const& colours, std::string const& title) const {
  io::Image image(width_, height_, no_fluid);
  for (std::size_t i = 0; i < colours.size(); ++i) {
    auto const x = static_cast<int>(pixels_[i] % static_cast<std::size_t>(width_));
    auto const y = static_cast<int>(pixels_[i] / static_cast<std::size_t>(width_));
    io::Colour& pixel = image.at(x, height_ - 1 - y);
    for (int c = 0; c < 3; ++c)
      pixel[static_cast<std::size_t>(c)] =
          static_cast<std::uint8_t>(std::lround(std::clamp(colours[i][c], 0.0f, 255.0f)));
  }
  return io::framed(image, {title, io::Axes{{0, 0}, {size_[0], size_[1]}}, {}});
}

template <int Dim>
bool FlowPictures<Dim>::draws(std::string const& name) {
  return name == "ink" || name == "streaks" || name == "streaked_ink";
}
template <int Dim>
io::Image FlowPictures<Dim>::draw(std::string const& name, double time) {
  return name == "ink" ? ink(time) : streaks(time, name == "streaks" ? Under::speed : Under::ink);
}
template <int Dim>
io::Image FlowPictures<Dim>::ink(double time) const {
  return painted(ink_colours(), fmt::format("ink, t = {:.4g}", time));
}

template <int Dim>
sparse::incompressible::FlowTexture FlowPictures<Dim>::new_texture() const {
  return {width_, height_, sparse::incompressible::FlowTextureOptions{.longest_move = longest_move}};
}

template <int Dim>
void FlowPictures<Dim>::keep(Keeper& keeper) {
  std::vector<double> grain;
  double frames = 0;
  if (texture_) {
    auto const values = texture_->values();
    grain.assign(values.begin(), values.end());
    frames = static_cast<double>(texture_->frame_count());
  }
  keeper("streaks", grain);
  keeper("streak_frames", frames);
  keeper("streak_time", texture_time_);
  // A picture of another size begins with new grain.
  if (!keeper.gives_back() || grain.size() != static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_))
    return;
  texture_ = new_texture();
  texture_->restore(std::vector<float>(grain.begin(), grain.end()), static_cast<sparse::Index>(frames));
}

template <int Dim>
void FlowPictures<Dim>::move_grain(double time, std::vector<Vec<double, Dim>> const& velocity, double fast) {
  if (!texture_) texture_ = new_texture();
  if (texture_->frame_count() > 0 && texture_time_ == time) return;  // another picture has moved it
  std::vector<Vec<float, 2>> moves(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_),
                                   Vec<float, 2>::filled(std::numeric_limits<float>::quiet_NaN()));
  double const scale = fast > 0 ? longest_move / fast : 0;
  for (std::size_t i = 0; i < velocity.size(); ++i)
    moves[pixels_[i]] = {static_cast<float>(scale * velocity[i][0]), static_cast<float>(scale * velocity[i][1])};
  // Draws as many frames as the flow needs for its way since the last picture. After `all_frames` nothing of the old
  // grain is left.
  double const all_frames = 64, pixels = width_ / size_[0];
  double const way = fast * (time - texture_time_) * pixels / longest_move;
  bool const goes_on = texture_->frame_count() > 0;
  texture_->advance(moves, static_cast<int>(std::lround(goes_on ? std::clamp(way, 1.0, all_frames) : all_frames)));
  texture_time_ = time;
}

template <int Dim>
io::Image FlowPictures<Dim>::streaks(double time, Under under) {
  auto const velocity = samples_.velocity(points_);
  double square_of_speed = 0;
  for (auto const& u : velocity) square_of_speed += u[0] * u[0] + u[1] * u[1];
  // Speeds vary widely, so those above 1.5 times the root mean square are drawn alike.
  double const fast = 1.5 * std::sqrt(square_of_speed / static_cast<double>(std::max<std::size_t>(velocity.size(), 1)));
  move_grain(time, velocity, fast);
  auto const values = texture_->values();

  Colours colours;
  if (under == Under::ink) {
    colours = ink_colours();
  } else {
    for (auto const& u : velocity)
      colours.push_back(mixable(
          io::colour_of(io::ColourMap::viridis, fast > 0 ? 0.15 + 0.85 * std::hypot(u[0], u[1]) / fast : 0.15)));
  }
  // The mean of many noise images has little contrast. So three standard deviations are stretched to black and white.
  double square = 0;
  for (auto const i : pixels_) square += std::pow(static_cast<double>(values[i]) - 0.5, 2);
  double const deviation = std::sqrt(square / static_cast<double>(std::max<std::size_t>(pixels_.size(), 1)));
  for (std::size_t i = 0; i < colours.size(); ++i) {
    double const grain = deviation > 0 ? (static_cast<double>(values[pixels_[i]]) - 0.5) / (3 * deviation) : 0;
    auto const part = static_cast<float>(std::clamp(0.85 + 0.75 * grain, 0.2, 1.5));
    colours[i] *= part;
  }
  return painted(colours, fmt::format("{}, t = {:.4g}", under == Under::ink ? "ink and streaks" : "streaks", time));
}

template class FlowPictures<2>;
template class FlowPictures<3>;

}  // namespace sparse::app
