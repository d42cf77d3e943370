#include "xml.hpp"

namespace sparse::io {

std::string xml_escaped(std::string const& text) {
  std::string escaped;
  for (char c : text) switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += c;
    }
  return escaped;
}

}  // namespace sparse::io
