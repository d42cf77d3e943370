#pragma once
/// Values that are made when they are first needed.

#include <mutex>
#include <optional>

namespace sparse::incompressible::detail {

/// A value that its first user makes. Several threads may ask for it.
template <class T>
class Lazy {
public:
  /// The value; `make()` returns it the first time. If that throws, the next user tries again.
  template <class Make>
  T const& get(Make const& make) const {
    std::call_once(is_made_, [&] { value_.emplace(make()); });
    return *value_;
  }

private:
  mutable std::once_flag is_made_;
  mutable std::optional<T> value_;
};

}  // namespace sparse::incompressible::detail
