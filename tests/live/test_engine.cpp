/// The engine of the live window: what commands change, and what stays the same.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <gtest/gtest.h>

#include <sparse/sets/algebra.hpp>

#include "small_live.hpp"

using namespace small_live;

namespace {

void expect_all_views(int level_count) {
  for (auto const& entry : menu()) {
    if (entry.name == "mach2" && level_count > 1) continue;  // a gas, which has levels anyway
    SCOPED_TRACE(entry.name);
    Engine engine(small(entry.name, entry.name == "smoke_plume" ? 16 * level_count : 64, level_count), options());
    auto snapshot = frames(engine, 3);
    EXPECT_TRUE(snapshot.message.empty()) << snapshot.message;
    EXPECT_GT(snapshot.time, 0);
    EXPECT_EQ(snapshot.case_name, entry.name);
    auto const views = snapshot.views;
    EXPECT_GE(views.size(), 6u);
    for (View const view : views) {
      Settings settings;
      settings.view = view;
      engine.apply(settings);
      snapshot = frames(engine, 2);
      EXPECT_EQ(snapshot.view, view);
      EXPECT_EQ(snapshot.pixels.size(),
                static_cast<std::size_t>(snapshot.width) * static_cast<std::size_t>(snapshot.height));
      for (auto const pixel : snapshot.pixels) ASSERT_EQ(pixel >> 24, 255u) << name_of(view);
      EXPECT_LE(snapshot.extrema[0], snapshot.extrema[1]) << name_of(view);
    }
    bool const has_levels = std::find(views.begin(), views.end(), View::levels) != views.end();
    EXPECT_EQ(has_levels, level_count > 1 || entry.name == "mach2");
  }
}

}  // namespace

/// A flow that needs no finer cells yet has one level, which is 0 everywhere.
TEST(LiveEngine, FluidAtRestHasOneLevel) {
  Engine engine(small("natural_convection", 32, 2), options());
  Settings settings;
  settings.view = View::levels;
  engine.apply(settings);
  engine.apply(Pause{true});
  auto const now = frames(engine, 1);
  EXPECT_EQ(now.cell_count, 16 * 16);
  EXPECT_EQ(now.extrema[0], 0);
  EXPECT_EQ(now.extrema[1], 0);
}

/// Every case of the menu runs and has something to see in every view.
TEST(LiveEngine, AllCasesShowAllViews) { expect_all_views(1); }
TEST(LiveEngine, AllCasesShowAllViewsOnLevels) { expect_all_views(2); }

/// What is drawn and erased with the same strokes leaves the set as it was, bit by bit, also where walls were
/// thickened.
TEST(LiveEngine, DrawingAndErasingRestoresTheSet) {
  for (auto const& [name, level_count] : {std::pair{"cavity", 1}, {"cavity", 3}, {"mach2", 1}}) {
    SCOPED_TRACE(name);
    Engine engine(small(name, 32, level_count), options());
    auto const start = frames(engine, 2);
    auto const bodies = engine.bodies();
    double const high = start.size[1];
    std::vector<Stroke> strokes = {disc({0.3 * high, 0.3 * high}, 0.12 * high),
                                   line({0.2 * high, 0.8 * high}, {0.6 * high, 0.7 * high}, 0.02 * high),
                                   {false, true, {0.8 * high, 0.1 * high}, {0.9 * high, 0.3 * high}, 0}};
    for (auto const& stroke : strokes) engine.apply(stroke);
    auto const drawn = frames(engine, 3);
    EXPECT_TRUE(drawn.message.empty()) << drawn.message;
    EXPECT_NE(drawn.body_hash, start.body_hash);
    EXPECT_LT(drawn.edit_count, 2) << "strokes of one frame are one edit";
    for (auto stroke : strokes) {
      stroke.erases = true;
      engine.apply(stroke);
    }
    auto const erased = frames(engine, 3);
    EXPECT_TRUE(erased.message.empty()) << erased.message;
    EXPECT_EQ(erased.body_hash, start.body_hash);
    for (std::size_t i = 0; i < bodies.size(); ++i) EXPECT_TRUE(engine.bodies()[i] == bodies[i]) << i;
    EXPECT_TRUE(engine.bodies().back().is_empty() || engine.bodies().size() == bodies.size());
    EXPECT_GT(erased.time, drawn.time);
  }
}

/// An emitter fills its cells; afterwards a closed flow keeps all ink, to rounding, and fading takes its share.
TEST(LiveEngine, InkIsKept) {
  for (int const level_count : {1, 2}) {
    Engine engine(small("cavity", 32, level_count), options());
    while (!frames(engine, 1).emitters.empty()) engine.apply(RemoveEmitter{0});
    AddEmitter add;
    add.at = {0.5, 0.7};
    add.radius = 0.1;
    add.colour = {255, 155, 0};
    engine.apply(add);
    auto now = frames(engine, 5);
    // On white, fields hold what colours lack of it. Their ratios are those of the colour.
    EXPECT_DOUBLE_EQ(now.ink[0], 0);
    EXPECT_LT(now.ink[2], 0);
    EXPECT_NEAR(now.ink[1] / now.ink[2], 100.0 / 255, 1e-9);
    EXPECT_LE(now.ink[2], -0.9 * 3.14 * 0.01);

    ChangeEmitter off;
    off.is_on = false;
    engine.apply(off);
    now = frames(engine, 1);
    auto const kept = now.ink;
    for (int i = 0; i < 20; ++i) {
      now = frames(engine, 1);
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(now.ink[c], kept[c], 1e-7 * std::abs(kept[2]));
    }
    Settings fade;
    fade.decay = 2;
    engine.apply(fade);
    double const start = now.time;
    now = frames(engine, 10);
    double const part = std::exp(-2 * (now.time - start));
    EXPECT_LT(part, 0.99);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(now.ink[c], part * kept[c], 1e-6 * std::abs(kept[2]));
  }
}

/// Ink that is carried once for several steps gets where it gets step by step, and emitters leave no gaps.
TEST(LiveEngine, InkDoesNotDependOnStepsPerFrame) {
  struct Line {
    std::uint64_t hash;
    std::vector<double> ink;
  };
  auto const after_80_steps = [](int steps) {
    Engine engine(small("street", 64), options());
    engine.apply(AddEmitter{{0.5, 0.8}, 0.12, {0, 0, 0}, {}});
    Settings settings;
    settings.steps = steps;
    settings.decay = 0.1;
    engine.apply(settings);
    for (int i = 0; i < 30; ++i) engine.apply(Pin{{0.75 + 0.05 * i, 0.8}});
    auto const now = frames(engine, 80 / steps);
    EXPECT_EQ(now.step_count, 80);
    Line line{now.state_hash, {}};
    for (auto const& probe : now.probes)
      for (auto const& [name, value] : probe.values)
        if (name == "blue") line.ink.push_back(value);
    EXPECT_EQ(line.ink.size(), 30u);
    return line;
  };
  auto const one = after_80_steps(1), four = after_80_steps(4), twenty = after_80_steps(20);
  EXPECT_EQ(twenty.hash, four.hash);
  EXPECT_LT(one.ink.front(), -0.9);
  for (std::size_t i = 0; i < one.ink.size(); ++i) EXPECT_NEAR(four.ink[i], one.ink[i], 0.02) << i;
}

TEST(LiveEngine, PausedFlowsStandStill) {
  for (auto const& [name, level_count] : {std::pair{"street", 1}, {"street", 2}, {"mach2", 1}}) {
    Engine engine(small(name, 64, level_count), options());
    frames(engine, 2);
    engine.apply(Pause{true});
    auto const before = frames(engine, 1);
    EXPECT_TRUE(before.is_paused);
    auto const after = frames(engine, 5);
    EXPECT_EQ(after.state_hash, before.state_hash);
    EXPECT_EQ(after.step_count, before.step_count);
    engine.apply(SingleStep{});
    auto const one = frames(engine, 3);
    EXPECT_EQ(one.step_count, before.step_count + 1);
    EXPECT_NE(one.state_hash, before.state_hash);
    engine.apply(Pause{false});
    EXPECT_GT(frames(engine, 1).step_count, one.step_count);
    engine.apply(Reset{});
    engine.apply(Pause{true});
    auto const fresh = frames(engine, 1);
    EXPECT_EQ(fresh.step_count, 0);
    EXPECT_EQ(fresh.time, 0);
  }
}

/// A larger Reynolds number means less friction: the flow of the lid reaches less deep, and time steps differ.
TEST(LiveEngine, NumbersChangeTheFlow) {
  for (int const level_count : {1, 2}) {
    auto const speed_at = [&](double re) {
      Engine cavity(small("cavity", 32, level_count), options());
      Settings settings;
      settings.re = re;
      settings.steps = 50;
      cavity.apply(settings);
      cavity.apply(Pin{{0.5, 0.8}});
      auto const now = frames(cavity, 4);
      EXPECT_EQ(now.re, re);
      return now.probes.at(0).values.at(0).second / now.time;
    };
    EXPECT_GT(speed_at(20), 2 * speed_at(5000));

    Engine street(small("street", 64, level_count), options());
    Settings faster;
    faster.speed = 2;
    frames(street, 5);
    street.apply(faster);
    street.apply(Pin{{0.1, 0.5}});
    auto const now = frames(street, 20);
    EXPECT_NEAR(now.probes.at(0).values.at(0).second, 2, 0.2);
  }
}

/// A jet drives fluid that was at rest.
TEST(LiveEngine, JetsDriveTheFlow) {
  for (int const level_count : {1, 2}) {
    Engine engine(small("natural_convection", 32, level_count), options());
    AddEmitter fan;
    fan.at = {0.5, 0.5};
    fan.radius = 0.1;
    fan.jet = Point{0.7, 0};
    engine.apply(fan);
    engine.apply(Pin{{0.5, 0.5}});
    auto const now = frames(engine, 3);
    EXPECT_GT(now.probes.at(0).values.at(0).second, 0.2);
    EXPECT_EQ(now.emitters.back().jet[0], 0.7);
  }
}

/// Requests that make no sense are refused in words, and change nothing.
TEST(LiveEngine, ImpossibleCommandsAreRefused) {
  for (int const level_count : {1, 2}) {
    Engine engine(small("street", 64, level_count), options());
    auto const before = frames(engine, 1);
    auto const refused = [&](Command const& command, std::string const& part) {
      try {
        engine.apply(command);
        ADD_FAILURE() << "accepted, where '" << part << "' was expected";
      } catch (std::exception const& error) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
      }
    };
    refused(RemoveEmitter{7}, "no emitter 7");
    refused(ChangeEmitter{7}, "no emitter 7");
    refused(Unpin{0}, "no probe 0");
    refused(Load{"/etc/passwd"}, "the menu has no case");
    Settings mach;
    mach.view = View::mach;
    refused(mach, "no view 'mach'");
    refused(disc({1e8, 0}, 1), "far outside");
    // A wall across the inflow is refused by the flow itself, with a message, and the flow goes on.
    engine.apply(Stroke{false, true, {-0.1, -0.1}, {0.2, 1.2}, 0});
    auto const after = frames(engine, 2);
    EXPECT_NE(after.message.find("refused"), std::string::npos) << after.message;
    EXPECT_EQ(after.body_hash, before.body_hash);
    EXPECT_GT(after.step_count, before.step_count);
  }
  Engine gas(small("mach2", 32), options());
  EXPECT_THROW(gas.apply(AddEmitter{}), std::runtime_error);
  Settings re;
  re.re = 100;
  EXPECT_THROW(gas.apply(re), std::runtime_error);
}

/// The saved case is read as the case that the engine has now: the same cells of each obstacle.
TEST(LiveEngine, SavedCasesHaveTheBodies) {
  auto o = options();
  std::filesystem::remove_all(o.output_folder);
  for (auto const& [name, level_count] :
       {std::pair{"obstacles", 1}, {"obstacles", 2}, {"wind_tunnel", 1}, {"wind_tunnel", 2}, {"mach2", 1}}) {
    SCOPED_TRACE(name);
    Engine engine(small(name, 64, level_count), o);
    auto const size = frames(engine, 1).size;
    engine.apply(disc({0.5 * size[0], 0.75 * size[1]}, 0.1 * size[1]));
    engine.apply(disc({0.28 * size[0], 0.5 * size[1]}, 0.05 * size[1], true));
    auto const now = frames(engine, 1);
    EXPECT_TRUE(now.message.empty()) << now.message;
    auto const path = engine.save();
    auto const read = load_case(path.filename().string(), path.parent_path());
    auto const bodies = bodies_of_case(read);
    std::size_t count = 0;
    for (auto const& body : engine.bodies()) {
      if (body.is_empty()) continue;
      ASSERT_LT(count, bodies.size());
      EXPECT_TRUE((body - bodies[count]).is_empty()) << count;  // thin ones may be thicker
      ++count;
    }
    EXPECT_EQ(count, bodies.size());
    Engine again(read, o);
    EXPECT_TRUE(frames(again, 2).message.empty());
  }
  std::filesystem::remove_all(o.output_folder);
}

TEST(LiveEngine, PicturesAndFilmsAreFiles) {
  auto o = options();
  std::filesystem::remove_all(o.output_folder);
  Engine engine(small("street", 64), o);
  engine.apply(Film{true});
  engine.apply(SavePicture{});
  frames(engine, 3);
  engine.apply(Film{false});
  auto const picture = sparse::io::read_png(o.output_folder / "street_001.png");
  EXPECT_EQ(picture.width, 64);
  EXPECT_EQ(picture.height, 16);
  EXPECT_GT(std::filesystem::file_size(o.output_folder / "street_001.webp"), 100u);
  std::filesystem::remove_all(o.output_folder);
}
