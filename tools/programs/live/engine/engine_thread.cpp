#include "engine_thread.hpp"

#include <chrono>
#include <stdexcept>
#include <utility>

#include <sparse/base/runtime.hpp>

#include "menu.hpp"

namespace sparse::live {
namespace {

constexpr auto shortest_frame = std::chrono::milliseconds(8);  // no screen shows more
constexpr auto longest_wait = std::chrono::milliseconds(200);

/// Whether these are values of sliders only.
bool has_numbers_alone(Settings const& s) {
  return !s.view && !s.map && !s.range && !s.follows && !s.outlines && (s.re || s.speed || s.decay || s.steps);
}

bool has_place_alone(ChangeEmitter const& c) { return c.to && !c.radius && !c.colour && !c.is_on && !c.jet; }

/// Makes one command of two that wait, where the last value counts: of positions of the pointer, of places that an
/// emitter is dragged to, of sliders. So nothing is late, however slow frames are.
bool joins(Command& earlier, Command const& later) {
  if (std::holds_alternative<Hover>(earlier) && std::holds_alternative<Hover>(later)) {
    earlier = later;
    return true;
  }
  auto* const place = std::get_if<ChangeEmitter>(&earlier);
  auto const* const next_place = std::get_if<ChangeEmitter>(&later);
  if (place != nullptr && next_place != nullptr && has_place_alone(*place) && has_place_alone(*next_place) &&
      place->number == next_place->number) {
    earlier = later;
    return true;
  }
  auto* const numbers = std::get_if<Settings>(&earlier);
  auto const* const next = std::get_if<Settings>(&later);
  if (numbers == nullptr || next == nullptr || !has_numbers_alone(*numbers) || !has_numbers_alone(*next)) return false;
  if (next->re) numbers->re = next->re;
  if (next->speed) numbers->speed = next->speed;
  if (next->decay) numbers->decay = next->decay;
  if (next->steps) numbers->steps = next->steps;
  return true;
}

}  // namespace

EngineThread::EngineThread(std::string const& case_name, EngineOptions const& options, int threads,
                           std::function<void()> on_news)
    : on_news_(std::move(on_news)), thread_([this, case_name, options, threads] { run(case_name, options, threads); }) {
  std::unique_lock lock(mutex_);
  begun_.wait(lock, [this] { return has_begun_; });
  if (error_.empty()) return;
  lock.unlock();
  thread_.join();
  throw std::runtime_error(error_);
}

EngineThread::~EngineThread() {
  {
    std::lock_guard const lock(mutex_);
    stops_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void EngineThread::send(Command const& command) {
  {
    std::lock_guard const lock(mutex_);
    if (commands_.empty() || !joins(commands_.back(), command)) commands_.push_back(command);
  }
  wake_.notify_all();
}

std::vector<Command> EngineThread::take() {
  std::lock_guard const lock(mutex_);
  return std::exchange(commands_, {});
}

void EngineThread::run(std::string const& case_name, EngineOptions const& options, int threads) {
  auto const begin_with = [this](std::string const& error) {
    {
      std::lock_guard const lock(mutex_);
      has_begun_ = true;
      error_ = error;
    }
    begun_.notify_all();
  };
  try {
    Runtime const runtime(threads);
    Engine engine(load_case(case_name), options);
    engine.frame(snapshots_.writable());
    snapshots_.publish();
    begin_with("");
    for (;;) {
      auto const begin = std::chrono::steady_clock::now();
      for (Command const& command : take()) try {
          engine.apply(command);
        } catch (std::exception const& error) {
          engine.say(error.what());
        }
      bool const has_news = engine.has_news();
      if (has_news) try {
          engine.frame(snapshots_.writable());
          snapshots_.publish();
          if (on_news_) on_news_();
        } catch (std::exception const& error) {  // such as a full disk
          engine.say(error.what());
        }
      std::unique_lock lock(mutex_);
      if (!has_news) wake_.wait_for(lock, longest_wait, [this] { return stops_ || !commands_.empty(); });
      if (has_news) wake_.wait_until(lock, begin + shortest_frame, [this] { return stops_; });
      if (stops_) return;
    }
  } catch (std::exception const& error) {
    begin_with(error.what());
  }
}

}  // namespace sparse::live
