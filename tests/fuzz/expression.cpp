// Any text is parsed and checked, or refused with a message that points into it.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <sparse/io/language/expression.hpp>

using namespace sparse::io;

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

void expect_sound_tree(Expression const& expression) {
  auto const& nodes = expression.nodes;
  demand(!nodes.empty());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    demand(nodes[i].begin < nodes[i].end && nodes[i].end <= expression.source.size());
    for (auto const& argument : nodes[i].arguments) demand(argument.node < i);
    if (nodes[i].kind == ExpressionNode::Kind::name) demand(nodes[i].definition < i);
  }
}

void expect_sound_message(ExpressionError const& error, std::string const& text) {
  std::string const what = error.what();
  demand(error.begin() <= error.end() && error.end() <= text.size() && !error.reason().empty());
  demand(what.find("line ") == 0 && what.find('^') != std::string::npos);
  for (char c : what) demand(c == '\n' || (static_cast<unsigned char>(c) >= 32 && c != 127));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text(reinterpret_cast<char const*>(data), size);
  try {
    Expression const expression = parse_expression(text);
    expect_sound_tree(expression);
    demand(check_expression(expression).size() == expression.nodes.size());
  } catch (ExpressionError const& error) {
    expect_sound_message(error, text);
  }
  return 0;
}
