// Operations of sets: what combines, grows, shrinks and coarsens two of them, in numbers and in one picture.
#include <iostream>
#include <string>
#include <vector>

#include <sparse/base/runtime.hpp>
#include <sparse/io/pictures/frame.hpp>
#include <sparse/io/pictures/image.hpp>
#include <sparse/sparse.hpp>

using namespace sparse;

constexpr int cells_across = 36, cells_up = 24, pixels = 8;  // of a panel; per cell

/// Fills the cells of a set, which are `width` pixels wide, all but a margin.
void paint(io::Image& image, IntervalSet<2> const& set, int width, int margin, io::Colour colour) {
  set.to_host().for_each_cell([&](Vec<Coord, 2> const& cell, Index) {
    for (int y = margin; y < width - margin; ++y)
      for (int x = margin; x < width - margin; ++x)
        image.at(width * cell[0] + x, image.height - 1 - (width * cell[1] + y)) = colour;
  });
}

int main() {
  Runtime const runtime;
  auto const a = box({4, 5}, {21, 19});
  auto const b = ball({22, 12}, 8);

  struct Operation {
    std::string name;
    IntervalSet<2> result;
    int scale = 1;  // width of its cells
  };
  std::vector<Operation> const operations = {
      {"a and b", {}},
      {"a | b", a | b},
      {"a & b", a & b},
      {"a - b", a - b},
      {"a ^ b", a ^ b},
      {"expand(a & b, 3)", expand(a & b, 3)},
      {"expand(a & b, {6, 1})", expand(a & b, {6, 1})},
      {"shrink(a | b, 3)", shrink(a | b, 3)},
      {"coarsen(a ^ b)", coarsen(a ^ b), 2},
  };

  int const columns = 3;
  io::Image picture;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    auto const& [name, result, scale] = operations[i];
    if (!result.is_empty()) std::cout << name << ": " << result.cell_count() << " cells\n";

    io::Image panel(cells_across * pixels, cells_up * pixels, {245, 245, 245});
    paint(panel, a, pixels, 0, {166, 206, 227});
    paint(panel, b, pixels, 0, {253, 205, 143});
    paint(panel, a & b, pixels, 0, {204, 196, 175});
    paint(panel, result, scale * pixels, 1, {70, 60, 90});
    auto const framed = io::framed(panel, {.title = name});

    if (i == 0) picture = io::Image(columns * framed.width, 3 * framed.height, {255, 255, 255});
    int const left = static_cast<int>(i) % columns * framed.width, top = static_cast<int>(i) / columns * framed.height;
    for (int y = 0; y < framed.height; ++y)
      for (int x = 0; x < framed.width; ++x) picture.at(left + x, top + y) = framed.at(x, y);
  }
  io::write_png("operations.png", picture);
}
