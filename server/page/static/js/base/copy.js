// A button that copies a text.

import { el, say } from "./dom.js";

export function copyButton(text, what) {
  const button = el("button", { class: "plain-button copy", type: "button", "aria-label": `Copy ${what}`, text: "Copy" });
  button.addEventListener("click", async () => {
    say(button, (await copy(text)) ? "Copied" : "Not allowed");
    setTimeout(() => say(button, "Copy"), 2000);
  });
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text); // pages without TLS have no clipboard
  }
}

function copySelected(text) {
  const area = el("textarea", { class: "unseen", readonly: true, "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  const focused = document.activeElement;
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  focused?.focus();
  return done;
}
