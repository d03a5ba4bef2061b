// Elements made without markup: text stays text, whatever the service sends.

/**
 * Returns a new element. props: `class`, `text`, `vars` (custom properties of
 * style), `on` (listeners by type), `hidden` and other booleans, and attributes.
 * Children that are null or undefined are left out; strings become text.
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) setProp(node, name, value);
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

function setProp(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  switch (name) {
    case "class":
      node.className = value;
      break;
    case "text":
      node.textContent = value;
      break;
    case "vars":
      for (const [key, css] of Object.entries(value)) node.style.setProperty(`--${key}`, css);
      break;
    case "on":
      for (const [type, listener] of Object.entries(value)) node.addEventListener(type, listener);
      break;
    default:
      node.setAttribute(name, value === true ? "" : value);
  }
}

/** Returns the element with an id; that there is one is up to index.html. */
export const byId = (id) => document.getElementById(id);

/** Puts nodes in the place of all that a parent has. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
}

/** Sets text only where it differs, so that nothing is announced twice. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Returns a pair of a definition list. */
export const pair = (term, ...values) => el("div", {}, el("dt", { text: term }), el("dd", {}, ...values));
