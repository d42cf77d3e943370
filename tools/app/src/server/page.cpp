#include <sparse/app/server/page.hpp>

namespace sparse::app {
namespace {

constexpr char style[] = R"css(
body { margin: 0; background: #1b1e23; color: #e8e8e8; font: 15px/1.4 sans-serif; }
.bar { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; padding: 6px 10px; }
#picture { display: block; width: 100%; image-rendering: auto; user-select: none; }
select, button, input { font: inherit; color: inherit; background: #363c46; border: 1px solid #586070; border-radius: 4px; }
button.on { background: #0072b2; } label { white-space: nowrap; }
#says { padding: 4px 10px; min-height: 1.4em; font-variant-numeric: tabular-nums; white-space: pre-wrap; }
)css";

constexpr char script[] = R"js(
const get = id => document.getElementById(id), token = location.search, picture = get("picture");
let state = null;
picture.src = "/stream" + token;
async function send(command) {
  const answer = await fetch("/command" + token, {method: "POST", body: JSON.stringify(command)});
  if (!answer.ok) get("says").textContent = await answer.text();
}
const keys = {" ": () => send({do: "pause", on: !state.paused}), ".": () => send({do: "step"})};
get("pause").onclick = keys[" "];
get("step").onclick = keys["."];
get("view").onchange = event => send({do: "set", view: event.target.value});
document.onkeydown = event => {
  if (!state || event.ctrlKey || event.altKey || event.target.tagName === "SELECT") return;
  const key = event.key.toLowerCase(), view = key >= "1" && key <= "9" && state.views[key - 1];
  if (view) send({do: "set", view});
  else if (keys[key]) keys[key]();
  else return;
  event.preventDefault();
};
function options(select, entries, chosen) {
  if (select.dataset.entries !== JSON.stringify(entries)) {
    select.dataset.entries = JSON.stringify(entries);
    select.replaceChildren(...entries.map(([value, text]) => new Option(text, value)));
  }
  if (document.activeElement !== select) select.value = chosen;
}
const short = x => Math.abs(x) >= 1e5 || x !== 0 && Math.abs(x) < 1e-3 ? x.toExponential(2) : +x.toPrecision(4);
function show() {
  options(get("view"), state.views.map(name => [name, name]), state.view);
  get("pause").classList.toggle("on", state.paused);
  picture.style.width = Math.min(document.body.clientWidth, 0.75 * innerHeight * state.pixels[0] / state.pixels[1]) + "px";
  get("says").textContent = told();
}
async function poll() {
  try {
    state = await (await fetch("/state" + token)).json();
    show();
  } catch (error) { get("says").textContent = ended; }
  setTimeout(poll, 200);
}
)js";

}  // namespace

std::string html_of(PageParts const& parts) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + parts.title +
         "</title><link rel=\"icon\" href=\"data:,\">\n<style>" + style + parts.style + "</style></head><body>\n" +
         parts.body + "<script>" + script + parts.script + "poll();\n</script></body></html>\n";
}

}  // namespace sparse::app
