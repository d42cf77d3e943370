/// The engine of the live window under commands in any order.

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <support/reference.hpp>

#include "small_live.hpp"

using namespace small_live;

namespace {

Command random_command(std::mt19937& engine, Snapshot const& s) {
  auto const number = [&](double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(engine);
  };
  auto const point = [&] { return Point{number(-0.2, 1.2) * s.size[0], number(-0.2, 1.2) * s.size[1]}; };
  auto const count = [&](std::size_t most) { return static_cast<std::size_t>(engine() % (most + 1)); };
  Settings settings;
  switch (engine() % 20) {
  case 0:
  case 1:
  case 2:
    return Stroke{engine() % 2 == 0, engine() % 3 == 0, point(), point(), number(0, 0.15) * s.size[1]};
  case 3:
    return disc(point(), number(0, 0.3) * s.size[1], engine() % 2 == 0);
  case 4: {
    AddEmitter add{point(), number(0, 0.1) * s.size[1], {10, 200, 30}, {}};
    if (engine() % 3 == 0) add.jet = Point{number(-1, 1), number(-1, 1)};
    return add;
  }
  case 5: {
    ChangeEmitter change{count(s.emitters.size())};
    if (engine() % 2 == 0) change.to = point();
    if (engine() % 3 == 0) change.is_on = engine() % 2 == 0;
    if (engine() % 3 == 0) change.radius = number(0.001, 0.1) * s.size[1];
    return change;
  }
  case 6:
    return RemoveEmitter{count(s.emitters.size())};
  case 7:
    return Pin{point()};
  case 8:
    return Unpin{count(s.probes.size())};
  case 9:
    return AddStreamline{point()};
  case 10:
    return ClearStreamlines{};
  case 11:
    return Hover{point()};
  case 12:
    settings.re = std::pow(10, number(1, 4));
    return settings;
  case 13:
    settings.speed = number(0.2, 2);
    return settings;
  case 14:
    settings.view = view_names[count(view_names.size() - 1)].second;
    return settings;
  case 15:
    settings.steps = 1 + static_cast<int>(count(3));
    settings.decay = number(0, 3);
    settings.outlines = engine() % 2 == 0;
    settings.follows = engine() % 2 == 0;
    return settings;
  case 16:
    return Pause{engine() % 4 == 0};
  case 17:
    return SingleStep{};
  case 18:
    if (engine() % 8 == 0) return Reset{};
    return Hover{};
  default:
    settings.range = std::array<double, 2>{number(-2, 0), number(0.1, 2)};
    return settings;
  }
}

}  // namespace

/// Whatever is asked, in any order: the engine goes on, and refuses in words what it cannot do.
TEST(LiveEngineRandom, RandomCommandsNeverBreakIt) {
  int const count = reference::seed_count > 1000 ? 50000 : 500;
  struct Start {
    std::string name;
    int nx, level_count;
  };
  std::vector<Start> const starts = {
      {"cavity", 24, 1}, {"street", 64, 1}, {"mach2", 24, 1}, {"natural_convection", 24, 1}, {"street", 64, 2}};
  std::mt19937 engine(20050901);
  int refused = 0, done = 0;
  for (auto const& [name, nx, level_count] : starts) {
    Engine live(small(name, nx, level_count), options());
    auto snapshot = frames(live, 1);
    for (int k = 0; k < count / static_cast<int>(starts.size()); ++k) {
      try {
        live.apply(random_command(engine, snapshot));
        ++done;
      } catch (std::exception const& error) {
        ++refused;
        EXPECT_GT(std::string(error.what()).size(), 10u);
      }
      live.frame(snapshot);
      EXPECT_TRUE(std::isfinite(snapshot.time));
    }
    live.apply(Reset{});
    live.apply(Pause{false});
    EXPECT_GT(frames(live, 2).step_count, 0) << name;
  }
  EXPECT_GT(done, 2 * refused);
}
