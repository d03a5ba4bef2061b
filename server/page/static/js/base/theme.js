// Light and dark: as the system has it, or as the reader chose.

import { byId, say } from "./dom.js";
import { remember, remembered } from "./prefs.js";

const choices = ["auto", "light", "dark"];
const names = { auto: "Auto", light: "Light", dark: "Dark" };
const system = matchMedia("(prefers-color-scheme: dark)");

/** Keeps store.state.mode, "light" or "dark", and the switch of the page. */
export function startTheme(store) {
  const button = byId("theme");
  let choice = remembered("theme", choices, "auto");

  function apply() {
    if (choice === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = choice;
    say(button, names[choice]);
    button.setAttribute("aria-label", `Colours: ${names[choice]}`);
    store.set({ mode: choice === "auto" ? (system.matches ? "dark" : "light") : choice });
  }

  button.addEventListener("click", () => {
    choice = choices[(choices.indexOf(choice) + 1) % choices.length];
    remember("theme", choice);
    apply();
  });
  system.addEventListener("change", apply);
  apply();
}

/** The custom properties that canvases draw with. */
const drawn = ["ink", "soft", "line", "now", "accent", "plot"];
const known = new Map();

/** The colours that custom properties have in a mode, by name, for canvases. */
export function cssColours(mode) {
  if (!known.has(mode)) {
    const probe = document.createElement("i");
    probe.style.colorScheme = mode;
    document.body.append(probe);
    const read = (name) => {
      probe.style.color = `var(--${name})`;
      return getComputedStyle(probe).color;
    };
    known.set(mode, Object.fromEntries(drawn.map((name) => [name, read(name)])));
    probe.remove();
  }
  return known.get(mode);
}
