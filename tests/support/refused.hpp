#pragma once
/// Calls that must not be accepted.

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace reference {

/// Fails unless `call()` throws `std::invalid_argument` with `part` in its message.
template <class Call>
testing::AssertionResult is_refused(Call const& call, std::string const& part) {
  try {
    call();
  } catch (std::invalid_argument const& error) {
    if (std::string(error.what()).find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "'" << error.what() << "' does not say '" << part << "'";
  }
  return testing::AssertionFailure() << "accepted, where '" << part << "' was expected";
}

}  // namespace reference
