#include <sparse/io/language/expression.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "suggestion.hpp"

namespace sparse::io {
namespace {

using Node = ExpressionNode;
using Kind = ExpressionNode::Kind;

constexpr std::size_t greatest_size = std::size_t{1} << 20;
constexpr int greatest_depth = 200;
constexpr std::size_t shown_width = 100;  // greatest number of characters shown of a long line

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
/// Whether a byte begins a character. In UTF-8, a character may have several bytes.
bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

/// Replaces characters that would move the cursor of a terminal.
std::string printable(std::string_view text) {
  std::string shown;
  for (char c : text) shown += c == '\t' ? ' ' : static_cast<unsigned char>(c) < 32 || c == 127 ? '?' : c;
  return shown;
}

std::string describe(std::string_view source, std::size_t begin, std::size_t end, std::string const& reason) {
  begin = std::min(begin, source.size());
  end = std::clamp(end, begin, source.size());
  auto const before = source.substr(0, begin);
  std::size_t const line_number = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  std::size_t const line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  auto const line = source.substr(line_begin, source.find('\n', line_begin) - line_begin);
  std::size_t const place = begin - line_begin;
  std::size_t const length = std::min(end, line_begin + line.size()) - std::min(begin, line_begin + line.size());

  // Shows a part of a long line. The part begins and ends between characters.
  std::size_t first = place > shown_width * 2 / 3 && line.size() > shown_width ? place - shown_width * 2 / 3 : 0;
  while (first > 0 && !begins_character(line[first])) --first;
  std::size_t last = std::min(line.size(), first + shown_width);
  while (last < line.size() && !begins_character(line[last])) ++last;
  std::string const dots_before = first > 0 ? "..." : "", dots_after = last < line.size() ? "..." : "";
  std::size_t const marked = character_count(line.substr(place, std::min(length, std::max(last, place) - place)));
  return fmt::format("line {}, column {}: {}\n    {}{}{}\n    {}^{}", line_number,
                     character_count(line.substr(0, place)) + 1, reason, dots_before,
                     printable(line.substr(first, last - first)), dots_after,
                     std::string(dots_before.size() + character_count(line.substr(first, place - first)), ' '),
                     std::string(marked > 1 ? marked - 1 : 0, '~'));
}

/// Recursive descent. The recursion is as deep as parentheses, signs and calls are nested.
class Parser {
public:
  explicit Parser(Expression& expression) : expression_(expression), source_(expression.source) {}

  void run() {
    if (source_.size() > greatest_size)
      failed(0, 0, fmt::format("the expression has {} bytes; {} are the most", source_.size(), greatest_size));
    for (;;) {
      skip_space();
      if (at_end()) {
        if (expression_.nodes.empty()) failed(at_, at_, "the expression is empty");
        failed(at_, at_, "expected an expression for the result after the last definition");
      }
      std::size_t const begin = at_;
      std::string const name = defined_name();
      std::size_t const value = binary(0);
      if (name.empty()) break;
      expect(';', "to end the definition of '" + name + "'");
      definitions_[name] = add({Kind::definition, begin, at_, 0, name, {{"", value}}});
    }
    skip_space();
    if (!at_end() && source_[at_] == ';') ++at_;
    skip_space();
    if (!at_end()) unexpected("an operator (| & - ^) or the end");
  }

private:
  [[noreturn]] void failed(std::size_t begin, std::size_t end, std::string const& reason) const {
    throw ExpressionError(source_, begin, end, reason);
  }
  [[noreturn]] void unexpected(std::string const& wanted) const {
    if (at_end()) failed(at_, at_, "expected " + wanted + ", but the text ends");
    std::size_t end = at_ + 1;
    if (is_letter(source_[at_]) || is_digit(source_[at_])) {
      while (end < source_.size() && (is_letter(source_[end]) || is_digit(source_[end]))) ++end;
    }
    while (end < source_.size() && !begins_character(source_[end])) ++end;
    failed(at_, end, fmt::format("expected {}, but found '{}'", wanted, printable(source_.substr(at_, end - at_))));
  }

  bool at_end() const { return at_ >= source_.size(); }
  bool next_is(char c) {
    skip_space();
    return !at_end() && source_[at_] == c;
  }
  bool take(char c) {
    bool const there = next_is(c);
    at_ += there;
    return there;
  }
  void expect(char c, std::string const& what_for) {
    if (!take(c)) unexpected(fmt::format("'{}' {}", c, what_for));
  }
  void skip_space() {
    while (!at_end() && (is_space(source_[at_]) || source_[at_] == '#')) {
      if (source_[at_] == '#')
        at_ = std::min(source_.find('\n', at_), source_.size());
      else
        ++at_;
    }
  }
  std::string_view word_at(std::size_t begin) const {
    std::size_t end = begin;
    if (end < source_.size() && is_letter(source_[end]))
      while (end < source_.size() && (is_letter(source_[end]) || is_digit(source_[end]))) ++end;
    return source_.substr(begin, end - begin);
  }
  /// Reads "NAME =" and returns the name. If the text is something else, reads nothing.
  std::string defined_name() {
    skip_space();
    std::size_t const begin = at_;
    std::string const name(word_at(at_));
    at_ += name.size();
    if (!name.empty() && take('=')) return name;
    at_ = begin;
    return {};
  }

  std::size_t add(Node node) {
    expression_.nodes.push_back(std::move(node));
    return expression_.nodes.size() - 1;
  }
  Node const& node(std::size_t index) const { return expression_.nodes[index]; }

  /// Operators by precedence, the loosest first.
  static constexpr std::string_view levels[] = {"|", "^", "&", "+-", "*/"};

  std::size_t binary(std::size_t level) {
    if (level == std::size(levels)) return unary();
    std::size_t left = binary(level + 1);
    for (skip_space(); !at_end() && levels[level].find(source_[at_]) != std::string_view::npos; skip_space()) {
      std::size_t const place = at_++;
      std::size_t const right = binary(level + 1);
      left = add({Kind::binary,
                  node(left).begin,
                  node(right).end,
                  0,
                  std::string(1, source_[place]),
                  {{"", left}, {"", right}},
                  place});
    }
    return left;
  }

  std::size_t unary() {
    skip_space();
    struct Deeper {
      int& depth;
      ~Deeper() { --depth; }
    } const deeper{++depth_};
    if (depth_ > greatest_depth) failed(at_, at_, fmt::format("this is nested more than {} deep", greatest_depth));
    std::size_t const begin = at_;
    if (take('-')) {
      std::size_t const value = unary();
      return add({Kind::negative, begin, node(value).end, 0, "-", {{"", value}}});
    }
    return primary();
  }

  std::size_t primary() {
    if (at_end()) unexpected(operand);
    char const c = source_[at_];
    if (is_digit(c) || c == '.') return number();
    if (c == '\'' || c == '"') return text(c);
    if (is_letter(c)) return name_or_call();
    if (c != '(') unexpected(operand);
    std::size_t const begin = at_++, inner = binary(0);
    expect(')', "to close the '(' of " + place_of(begin));
    // A node in parentheses includes them in its place.
    expression_.nodes[inner].begin = begin;
    expression_.nodes[inner].end = at_;
    return inner;
  }

  std::size_t number() {
    double value = 0;
    auto const* const last = source_.data() + source_.size();
    auto const [end, error] = std::from_chars(source_.data() + at_, last, value);
    std::size_t const begin = std::exchange(at_, static_cast<std::size_t>(end - source_.data()));
    if (error == std::errc::invalid_argument) {
      at_ = begin;
      unexpected("a number");
    }
    while (!at_end() && (is_letter(source_[at_]) || is_digit(source_[at_]) || source_[at_] == '.')) ++at_;
    if (source_.data() + at_ != end) failed(begin, at_, "this is not a number");
    if (error != std::errc() || !std::isfinite(value)) failed(begin, at_, "the number is too large or too small");
    return add({Kind::number, begin, at_, value});
  }

  std::size_t text(char quote) {
    std::size_t const begin = at_, end = source_.find(quote, at_ + 1);
    if (end == std::string_view::npos || source_.substr(begin, end - begin).find('\n') != std::string_view::npos)
      failed(begin, begin + 1, "the text that begins here has no closing quote on its line");
    at_ = end + 1;
    return add({Kind::text, begin, at_, 0, std::string(source_.substr(begin + 1, end - begin - 1))});
  }

  std::size_t name_or_call() {
    std::size_t const begin = at_;
    std::string const name(word_at(at_));
    at_ += name.size();
    std::size_t const end = at_;
    if (next_is('(')) return call(begin, name);
    at_ = end;
    if (auto const known = definitions_.find(name); known != definitions_.end())
      return add({Kind::name, begin, end, 0, name, {}, 0, known->second});
    if (name == "x" || name == "y" || name == "z")
      return add({Kind::axis, begin, end, static_cast<double>(name[0] - 'x')});
    std::vector<std::string> known, functions;
    for (auto const& entry : definitions_) known.push_back(entry.first);
    for (auto const& function : expression_functions()) functions.push_back(function.name);
    if (std::find(functions.begin(), functions.end(), name) != functions.end())
      failed(begin, end, fmt::format("expected '(' after the function '{}'", name));
    known.insert(known.end(), functions.begin(), functions.end());
    std::string const near = suggestion(name, known);
    failed(begin, end, fmt::format("nothing is called '{}'{}", name, near.empty() ? "; texts stand in quotes" : near));
  }

  std::size_t call(std::size_t begin, std::string const& name) {
    std::string const open = place_of(at_);
    expect('(', "");
    std::vector<Node::Argument> arguments;
    if (!take(')')) {
      do {
        skip_space();
        std::size_t const argument_begin = at_;
        std::string const argument_name = defined_name();
        if (argument_name.empty() && !arguments.empty() && !arguments.back().name.empty())
          failed(argument_begin, argument_begin + 1, "arguments by position come before those by name");
        std::size_t const value = binary(0);
        arguments.push_back({argument_name, value, argument_begin});
      } while (take(','));
      if (!take(')')) unexpected(fmt::format("',' or ')' to close the '(' of {}", open));
    }
    return add({Kind::call, begin, at_, 0, name, std::move(arguments)});
  }

  std::string place_of(std::size_t position) const {
    auto const before = source_.substr(0, position);
    std::size_t const line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    std::size_t const column = character_count(before.substr(before.rfind('\n') + 1)) + 1;
    return line == 1 ? fmt::format("column {}", column) : fmt::format("line {}, column {}", line, column);
  }

  static constexpr char const* operand = "a function, a number, a name or '('";

  Expression& expression_;
  std::string_view source_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::map<std::string, std::size_t> definitions_;
};

}  // namespace

ExpressionError::ExpressionError(std::string_view source, std::size_t begin, std::size_t end, std::string reason)
    : std::invalid_argument(describe(source, begin, end, reason)), reason_(std::move(reason)),
      begin_(std::min(begin, source.size())), end_(std::clamp(end, begin_, source.size())) {}

Expression parse_expression(std::string source) {
  Expression expression{std::move(source), {}};
  Parser(expression).run();
  return expression;
}

}  // namespace sparse::io
