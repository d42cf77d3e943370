#include "canvas.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <stdexcept>

#include <cairo/cairo.h>

namespace sparse::io {
namespace {

constexpr double capital_height = 0.73;  // of the font's size

/// Makes text look the same on every machine that has the font, whatever the screen settings are.
void choose_font(cairo_t* context) {
  cairo_select_font_face(context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  std::unique_ptr<cairo_font_options_t, decltype(&cairo_font_options_destroy)> const options(
      cairo_font_options_create(), cairo_font_options_destroy);
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_SLIGHT);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(context, options.get());
}

cairo_t* new_context(int width, int height) {
  cairo_surface_t* const surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  cairo_t* const context = cairo_create(surface);
  cairo_surface_destroy(surface);  // the context keeps it alive
  if (auto const status = cairo_status(context); status != CAIRO_STATUS_SUCCESS) {
    cairo_destroy(context);
    throw std::runtime_error(std::string("a picture cannot be drawn: ") + cairo_status_to_string(status));
  }
  choose_font(context);
  return context;
}

void use_colour(cairo_t* context, Colour colour) {
  cairo_set_source_rgb(context, colour[0] / 255.0, colour[1] / 255.0, colour[2] / 255.0);
}

double advance_of(cairo_t* context, std::string const& words) {
  cairo_text_extents_t extents;
  cairo_text_extents(context, words.c_str(), &extents);
  return extents.x_advance;
}

}  // namespace

Canvas::Canvas(int width, int height) : context_(new_context(width, height)) {
  use_colour(context_.get(), {255, 255, 255});
  cairo_paint(context_.get());
}

void Canvas::Destroy::operator()(_cairo* context) const { cairo_destroy(context); }

// A pixel of a surface is one integer, in the byte order of the machine.
void Canvas::paste(Image const& image, int left, int top) {
  cairo_surface_t* const surface = cairo_get_target(context_.get());
  cairo_surface_flush(surface);
  unsigned char* const bytes = cairo_image_surface_get_data(surface);
  std::ptrdiff_t const stride = cairo_image_surface_get_stride(surface);
  int const x_end = std::min(image.width, cairo_image_surface_get_width(surface) - left);
  int const y_end = std::min(image.height, cairo_image_surface_get_height(surface) - top);
  for (int y = std::max(0, -top); y < y_end; ++y) {
    Colour const* const colours = &image.at(0, y);
    unsigned char* const row = bytes + (top + y) * stride + 4 * left;
    for (int x = std::max(0, -left); x < x_end; ++x) {
      Colour const colour = colours[x];
      std::uint32_t const pixel = std::uint32_t{colour[0]} << 16 | std::uint32_t{colour[1]} << 8 | colour[2];
      std::memcpy(row + 4 * x, &pixel, sizeof pixel);
    }
  }
  cairo_surface_mark_dirty(surface);
}

Image Canvas::image() const {
  cairo_surface_t* const surface = cairo_get_target(context_.get());
  cairo_surface_flush(surface);
  unsigned char const* const bytes = cairo_image_surface_get_data(surface);
  std::ptrdiff_t const stride = cairo_image_surface_get_stride(surface);
  Image image(cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface), {});
  for (int y = 0; y < image.height; ++y) {
    Colour* const colours = &image.at(0, y);
    unsigned char const* const row = bytes + y * stride;
    for (int x = 0; x < image.width; ++x) {
      std::uint32_t pixel;
      std::memcpy(&pixel, row + 4 * x, sizeof pixel);
      colours[x] = {static_cast<std::uint8_t>(pixel >> 16), static_cast<std::uint8_t>(pixel >> 8),
                    static_cast<std::uint8_t>(pixel)};
    }
  }
  return image;
}

void Canvas::line(std::vector<Place> const& places, double width, Colour colour) {
  for (auto const& [x, y] : places) cairo_line_to(context_.get(), x, y);
  use_colour(context_.get(), colour);
  cairo_set_line_width(context_.get(), width);
  cairo_set_line_join(context_.get(), CAIRO_LINE_JOIN_ROUND);
  cairo_stroke(context_.get());
}

void Canvas::segment(Place from, Place to, double width, Colour colour) {
  cairo_set_line_cap(context_.get(), CAIRO_LINE_CAP_ROUND);
  line({from, to}, width, colour);
  cairo_set_line_cap(context_.get(), CAIRO_LINE_CAP_BUTT);
}

void Canvas::polygon(std::vector<Place> const& corners, Colour colour, double opacity) {
  for (auto const& [x, y] : corners) cairo_line_to(context_.get(), x, y);
  cairo_close_path(context_.get());
  cairo_set_source_rgba(context_.get(), colour[0] / 255.0, colour[1] / 255.0, colour[2] / 255.0, opacity);
  cairo_set_antialias(context_.get(), CAIRO_ANTIALIAS_NONE);
  cairo_fill(context_.get());
  cairo_set_antialias(context_.get(), CAIRO_ANTIALIAS_DEFAULT);
}

void Canvas::dot(Place centre, double radius, Colour colour) {
  cairo_new_path(context_.get());
  cairo_arc(context_.get(), centre[0], centre[1], radius, 0, 2 * std::numbers::pi);
  use_colour(context_.get(), colour);
  cairo_fill(context_.get());
}

void Canvas::text(Place place, std::string const& words, Anchor anchor, double size, Colour colour) {
  cairo_set_font_size(context_.get(), size);
  use_colour(context_.get(), colour);
  cairo_move_to(context_.get(), place[0] - anchor.along * advance_of(context_.get(), words),
                place[1] + (1 - anchor.down) * capital_height * size);
  cairo_show_text(context_.get(), words.c_str());
  cairo_new_path(context_.get());
}

void Canvas::upward_text(Place place, std::string const& words, double size, Colour colour) {
  cairo_save(context_.get());
  cairo_translate(context_.get(), place[0], place[1]);
  cairo_rotate(context_.get(), -std::numbers::pi / 2);
  text({0, 0}, words, {0.5, 0.5}, size, colour);
  cairo_restore(context_.get());
}

Canvas::Clip::Clip(Canvas& canvas, Place begin, Place end) : canvas_(canvas) {
  cairo_save(canvas_.context_.get());
  cairo_rectangle(canvas_.context_.get(), begin[0], begin[1], end[0] - begin[0], end[1] - begin[1]);
  cairo_clip(canvas_.context_.get());
}

Canvas::Clip::~Clip() { cairo_restore(canvas_.context_.get()); }

double text_width(std::string const& words, double size) {
  std::unique_ptr<cairo_t, decltype(&cairo_destroy)> const context(new_context(1, 1), cairo_destroy);
  cairo_set_font_size(context.get(), size);
  return advance_of(context.get(), words);
}

double fitting_size(std::string const& words, double size, double room) {
  return size * std::min(1.0, std::max(room, 1.0) / std::max(text_width(words, size), 1.0));
}

}  // namespace sparse::io
