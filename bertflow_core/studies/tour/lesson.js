"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function layoutOf(figure) {
  const layout = {
    ...figure.layout,
    height: Math.round(1.3 * figure.layout.height), // for the larger letters
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { ...figure.layout.font, color: colour("--ink"), size: 16 },
    legend: { ...figure.layout.legend, yref: "container", y: 0, yanchor: "bottom" },
  };
  for (const [name, axis] of Object.entries(figure.layout)) {
    if (/^[xy]axis\d*$/.test(name)) {
      const lines = { gridcolor: colour("--line"), zerolinecolor: colour("--line") };
      layout[name] = { automargin: true, ...axis, ...lines };
    }
  }
  for (const note of layout.annotations ?? []) note.font = { ...note.font, size: 16 };
  return layout;
}

// Only once it is to be seen: what is hidden has no width to draw in.
function draw(picture) {
  const figure = JSON.parse(document.getElementById(picture.dataset.figure).textContent);
  picture.querySelector(":scope > p")?.remove(); // what stands there for those without script
  const config = { responsive: true, displaylogo: false, toImageButtonOptions: { format: "svg" } };
  Plotly.react(picture, figure.data, layoutOf(figure), config);
}

function judge(section) {
  const fieldset = section.querySelector("fieldset");
  const chosen = fieldset.querySelector("input:checked");
  if (!chosen) return; // opened by something other than a click, such as a search in the page
  const isRight = chosen.value === fieldset.dataset.right;
  const verdict = section.querySelector(".verdict");
  verdict.textContent = isRight ? "Right." : "Not here.";
  verdict.dataset.right = isRight ? "yes" : "no";
}

function prepare(section) {
  const details = section.querySelector("details");
  const summary = details.querySelector("summary");
  const inputs = [...section.querySelectorAll("input")];
  summary.setAttribute("aria-disabled", "true");
  for (const input of inputs) {
    input.addEventListener("change", () => summary.removeAttribute("aria-disabled"));
    if (input.checked) summary.removeAttribute("aria-disabled"); // a reload keeps what was chosen
  }
  summary.addEventListener("click", (event) => {
    if (!inputs.some((input) => input.checked)) event.preventDefault();
  });
  details.addEventListener("toggle", () => {
    for (const input of inputs) input.disabled = details.open;
    if (!details.open) return;
    judge(section);
    draw(section.querySelector(".picture"));
  });
}

for (const section of document.querySelectorAll("section[data-step]")) prepare(section);
dark.addEventListener("change", () => {
  for (const picture of document.querySelectorAll("details[open] .picture")) draw(picture);
});
