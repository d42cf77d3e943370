#include <sparse/app/server/page.hpp>

#include "server.hpp"

namespace sparse::live {
namespace {

constexpr char style[] = R"css(
#more { background: #24282f; }
#picture { cursor: crosshair; touch-action: none; }
#help { display: none; padding: 10px; background: #24282f; }
kbd { background: #464d5a; border-radius: 3px; padding: 0 5px; }
)css";

constexpr char body[] = R"html(
<div class="bar">
<label>Case <select id="case"></select></label>
<label>View <select id="view"></select></label>
<button id="pause">Pause</button><button id="step">Step</button><button id="reset">Reset</button>
<label>Tool <select id="tool"><option>brush<option>line<option>box<option>none</select></label>
<label>Width <input id="width" type="range" min="0.5" max="15" step="0.5" value="5"></label>
<label>Ink <input id="colour" type="color" value="#d55e00"></label>
<button id="picture_file">Picture</button><button id="film">Film</button><button id="save">Save case</button>
<button id="ask">?</button>
</div>
<img id="picture" alt="the flow" draggable="false">
<div id="more" class="bar">
<label>Reynolds <input id="re" type="range" min="0" max="5" step="0.05"><span id="re_says"></span></label>
<label>Inflow <input id="speed" type="range" min="0.1" max="3" step="0.05"><span id="speed_says"></span></label>
<label>Steps per picture <input id="steps" type="range" min="1" max="20" step="1"><span id="steps_says"></span></label>
<label>Ink fades <input id="decay" type="range" min="0" max="3" step="0.05"><span id="decay_says"></span></label>
<label><input id="follows" type="checkbox"> colours follow</label>
<label><input id="outlines" type="checkbox"> outlines of levels</label>
</div>
<div id="says">connecting</div>
<div id="help"><p>Drag with the left button: draw obstacles. With the right button: erase.</p>
<p><kbd>E</kbd> emitter at the pointer; drag emitters to move them; <kbd>X</kbd> removes the one at the pointer.
<kbd>P</kbd> probe, <kbd>S</kbd> streamline, <kbd>C</kbd> clears streamlines.
<kbd>space</kbd> pause, <kbd>.</kbd> one step, <kbd>R</kbd> reset, <kbd>1</kbd> to <kbd>9</kbd> views, <kbd>?</kbd> help.</p></div>
)html";

constexpr char script[] = R"js(
let at = null, drag = null, held = {};
function where(event) {
  const r = get("picture").getBoundingClientRect();
  return [(event.clientX - r.left) / r.width * state.size[0], (1 - (event.clientY - r.top) / r.height) * state.size[1]];
}
const radius = () => get("width").value / 100 * Math.min(...state.size);
function stroke(erases, from, to) {
  const tool = get("tool").value;
  if (tool === "none" || tool === "box" && (from[0] === to[0] || from[1] === to[1])) return;
  const command = {do: erases ? "erase" : "draw", tool, from, to};
  if (tool !== "box") command.radius = radius();
  send(command);
}
function emitter_at(x) {
  return state.emitters.findIndex(e => Math.hypot(e.at[0] - x[0], e.at[1] - x[1]) < Math.max(1.3 * e.radius, 0.02 * state.size[1]));
}
picture.oncontextmenu = () => false;
picture.onpointerdown = event => {
  if (!state) return;
  picture.setPointerCapture(event.pointerId);
  const x = where(event), number = emitter_at(x);
  if (event.button === 0 && number >= 0 && state.emitters[number].can_move) { drag = {number}; return; }
  drag = {erases: event.button === 2, from: x};
  if (get("tool").value === "brush") stroke(drag.erases, x, x);
};
let last_hover = 0;
picture.onpointermove = event => {
  if (!state) return;
  at = where(event);
  if (drag && "number" in drag) send({do: "change_emitter", number: drag.number, to: at});
  else if (drag && get("tool").value === "brush") { stroke(drag.erases, drag.from, at); drag.from = at; }
  else if (event.timeStamp - last_hover > 80) { last_hover = event.timeStamp; send({do: "hover", at}); }
};
picture.onpointerup = event => {
  if (drag && "from" in drag && get("tool").value !== "brush") stroke(drag.erases, drag.from, where(event));
  drag = null;
};
picture.onpointerleave = () => { at = null; if (!drag) send({do: "hover"}); };
for (const id of ["reset", "save"]) get(id).onclick = () => send({do: id});
get("picture_file").onclick = () => send({do: "picture"});
get("film").onclick = () => send({do: "film", on: !state.filming});
const help = () => { const style = get("help").style; style.display = style.display === "block" ? "none" : "block"; };
get("ask").onclick = help;
get("case").onchange = event => send({do: "load", name: event.target.value});
for (const id of ["follows", "outlines"]) get(id).onchange = event => send({do: "set", [id]: event.target.checked});
const values = {re: () => 10 ** get("re").value, speed: () => +get("speed").value, steps: () => +get("steps").value,
                decay: () => +get("decay").value};
for (const id in values) {
  get(id).onpointerdown = () => held[id] = true;
  get(id).oninput = () => { send({do: "set", [id]: values[id]()}); };
  get(id).onpointerup = () => setTimeout(() => held[id] = false, 500);
}
Object.assign(keys, {
  r: () => send({do: "reset"}),
  "?": help,
  c: () => send({do: "clear_streamlines"}),
  e: () => at && send({do: "add_emitter", at, radius: radius(), colour: get("colour").value}),
  x: () => at && emitter_at(at) >= 0 && send({do: "remove_emitter", number: emitter_at(at)}),
  p: () => at && send({do: "pin", at}),
  s: () => at && send({do: "add_streamline", at}),
});
const ended = "the program has ended";
function told() {
  const is_of_menu = state.cases.some(([name]) => name === state.case);  // else it is from a file
  options(get("case"), is_of_menu ? state.cases : [[state.case, state.case], ...state.cases], state.case);
  get("film").classList.toggle("on", state.filming);
  get("follows").checked = state.follows;
  get("outlines").checked = state.outlines;
  const now = {re: Math.log10(state.re || 1), speed: state.speed, steps: state.steps_per_frame, decay: state.decay};
  for (const id in now) if (!held[id]) get(id).value = now[id];
  get("re").disabled = !state.re;
  get("re_says").textContent = state.re ? short(state.re) : "none";
  get("speed_says").textContent = short(state.speed);
  get("steps_says").textContent = state.steps_per_frame;
  get("decay_says").textContent = short(state.decay);
  const tell = r => r.values.map(([name, value]) => name + " " + short(value)).join("  ") || "no fluid";
  let text = `t = ${short(state.time)}  step ${state.steps}  ${state.cells} cells  ${state.view} ${short(state.range[0])} to ` +
             `${short(state.range[1])}  ${short(state.milliseconds)} ms per picture`;
  if (state.hover) {
    text += `\n(${short(state.hover.at[0])}, ${short(state.hover.at[1])}) `;
    text += state.hover.values.length ? `cell ${state.hover.cell} level ${state.hover.level}: ${tell(state.hover)}` : "no fluid";
  }
  state.probes.forEach((probe, i) => text += `\nprobe ${i}: ${tell(probe)}`);
  if (state.message) text += "\n" + state.message;
  return text;
}
)js";

}  // namespace

std::string page() { return app::html_of({"sparse live", style, body, script}); }

}  // namespace sparse::live
