// What pages can do without, but people like: copying, opening what the address names.
"use strict";

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  if (!source || !navigator.clipboard) return;
  navigator.clipboard.writeText(source.textContent).then(() => {
    const before = button.textContent;
    button.textContent = "Copied";
    document.getElementById("said").textContent = "Copied";
    setTimeout(() => { button.textContent = before; }, 1500);
  });
});

// Buttons that need this script are shown by it.
for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;

// What the address names is opened, and the selected box is brought into view.
const open = () => {
  const place = location.hash && document.getElementById(location.hash.slice(1));
  const closed = place && (place.matches("details") ? place : place.querySelector("details"));
  if (closed) closed.open = true;
};
window.addEventListener("hashchange", open);
open();
const chosen = document.querySelector(".picture .selected") || document.querySelector(".picture .root");
const frame = chosen && chosen.closest(".picture-scroll");
if (frame) {
  const box = chosen.getBoundingClientRect(), around = frame.getBoundingClientRect();
  frame.scrollLeft += box.left - around.left - around.width / 2 + box.width / 2;
  frame.scrollTop += box.top - around.top - around.height / 2 + box.height / 2;
}

// Escape closes the side panel.
document.addEventListener("keydown", (event) => {
  const close = event.key === "Escape" && !event.defaultPrevented && !event.target.matches("input, select") && document.querySelector(".panel .close");
  if (close) location.assign(close.href);
});
