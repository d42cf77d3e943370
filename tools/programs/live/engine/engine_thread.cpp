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
    // Of several positions of the pointer, and of the places that an emitter is dragged to, the last one counts.
    bool const is_newer =
        !commands_.empty() &&
        ((std::holds_alternative<Hover>(command) && std::holds_alternative<Hover>(commands_.back())) ||
         (std::holds_alternative<ChangeEmitter>(command) && std::holds_alternative<ChangeEmitter>(commands_.back()) &&
          std::get<ChangeEmitter>(command).to && std::get<ChangeEmitter>(commands_.back()).to &&
          std::get<ChangeEmitter>(command).number == std::get<ChangeEmitter>(commands_.back()).number));
    if (is_newer)
      commands_.back() = command;
    else
      commands_.push_back(command);
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
