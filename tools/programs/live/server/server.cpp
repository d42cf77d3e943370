#include "server.hpp"

#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/menu.hpp"

namespace sparse::live {
namespace {

nlohmann::json json_of(Reading const& reading) {
  nlohmann::json json = {{"at", {reading.at[0], reading.at[1]}}, {"cell", reading.cell}, {"level", reading.level}};
  json["values"] = nlohmann::json::array();
  for (auto const& [name, value] : reading.values) json["values"].push_back({name, value});
  return json;
}

std::string state_of(Snapshot const& s) {
  nlohmann::json json = {{"frame", s.frame},
                         {"time", s.time},
                         {"steps", s.step_count},
                         {"cells", s.cell_count},
                         {"state", fmt::format("{:016x}", s.state_hash)},
                         {"bodies", fmt::format("{:016x}", s.body_hash)},
                         {"case", s.case_name},
                         {"paused", s.is_paused},
                         {"filming", s.is_filming},
                         {"re", s.re},
                         {"speed", s.speed},
                         {"decay", s.decay},
                         {"steps_per_frame", s.steps},
                         {"view", name_of(s.view)},
                         {"range", s.range},
                         {"follows", s.follows},
                         {"outlines", s.outlines},
                         {"size", s.size},
                         {"pixels", {s.width, s.height}},
                         {"message", s.message},
                         {"milliseconds", 1e3 * s.engine_seconds}};
  for (View const view : s.views) json["views"].push_back(name_of(view));
  for (auto const& entry : menu()) json["cases"].push_back({entry.name, entry.title});
  json["emitters"] = json["probes"] = nlohmann::json::array();
  for (auto const& e : s.emitters)
    json["emitters"].push_back({{"at", {e.at[0], e.at[1]}},
                                {"radius", e.radius},
                                {"colour", fmt::format("#{:02x}{:02x}{:02x}", e.colour[0], e.colour[1], e.colour[2])},
                                {"on", e.is_on},
                                {"can_move", e.can_move}});
  for (auto const& probe : s.probes) json["probes"].push_back(json_of(probe));
  if (s.hover) json["hover"] = json_of(*s.hover);
  return json.dump();
}

}  // namespace

Server::Server(EngineThread& engine, int port, double report_interval)
    : engine_(engine), reporter_(report_interval),
      pictures_(port, page(), [&engine](std::string const& text) { engine.send(command_from_json(text)); }),
      feeder_([this] { feed(); }) {}

Server::~Server() {
  stops_ = true;
  feeder_.join();
}

/// Hands over each new picture of the engine.
void Server::feed() {
  while (!stops_) {
    bool is_new = false;
    Snapshot const& snapshot = engine_.newest(&is_new);
    reporter_.add(snapshot);
    if (is_new)
      pictures_.show({snapshot.width, snapshot.height, snapshot.pixels, state_of(snapshot)});
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace sparse::live
