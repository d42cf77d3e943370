#pragma once
/// Pages for a `PictureServer`.

#include <string>

namespace sparse::app {

/// What one page has and others have not.
///
/// The body has elements with these ids: `picture`, an img that shows the stream; `view`, a select; the buttons `pause`
/// and `step`; and `says`, for text. The script has `ended`, the text for when the server is gone, and `told()`, which
/// is called for each new state and returns text. It may add to `keys`, functions by the names of keys. It may use
/// `get(id)`, `state`, `send(command)`, `options(select, entries, chosen)` and `short(number)`.
///
/// A state has the names `paused`, `view`, `views` and `pixels`, [width, height]. Commands of all pages are
/// {do: "pause", on: true or false}, {do: "step"} and {do: "set", view: "name"}.
struct PageParts {
  std::string title;   ///< of the window of the browser, plain text
  std::string style;   ///< CSS
  std::string body;    ///< HTML
  std::string script;  ///< JavaScript
};

/// The page as HTML. It asks for nothing but what its server has.
std::string html_of(PageParts const& parts);

}  // namespace sparse::app
