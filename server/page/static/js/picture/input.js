// What hands do to the picture: pointer, wheel, fingers, keys.

/** A pointer that moved less than this between down and up was a click. */
const clickPixels = 5;
/** A wheel that turned elsewhere so recently goes on scrolling the page. */
const scrollMillis = 350;

/**
 * Listens on the plot and calls `act`: zoom(factor, x, y), pan(dx, dy), hover(x, y)
 * or hover(null), click(x, y), moveCursor(dx, dy), jump(where), panView(dx, dy),
 * and isWhole(). Points are CSS pixels from the plot's left edge, which `margin()` is
 * left of the slots.
 */
export function listen(plot, margin, act) {
  const at = (event) => {
    const box = plot.getBoundingClientRect();
    return [event.clientX - box.left - margin(), event.clientY - box.top];
  };
  pointers(plot, at, act);
  wheel(plot, at, act);
  plot.addEventListener("keydown", (event) => keys(event, act));
}

function pointers(plot, at, act) {
  const down = new Map(); // pointers by id: where they are
  let moved = 0;
  let spread = 0;

  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    down.set(event.pointerId, at(event));
    moved = down.size > 1 ? Infinity : 0;
    spread = distance(down);
  });
  plot.addEventListener("pointermove", (event) => {
    const [x, y] = at(event);
    const before = down.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== "touch") act.hover(x, y);
      return;
    }
    moved += Math.hypot(x - before[0], y - before[1]);
    if (down.size === 1 && (moved < clickPixels || act.isWhole())) {
      if (event.pointerType !== "touch" && moved >= clickPixels) act.hover(x, y);
      if (moved < clickPixels) return;
    }
    const [cx, cy] = middle(down);
    down.set(event.pointerId, [x, y]);
    plot.setPointerCapture(event.pointerId);
    plot.classList.toggle("dragging", !act.isWhole());
    act.hover(null);
    const [nx, ny] = middle(down);
    const wider = distance(down);
    if (down.size > 1 && spread > 0 && wider > 0) act.zoom(wider / spread, nx, ny);
    spread = wider;
    act.pan(nx - cx, ny - cy);
  });
  const up = (event) => {
    const was = down.delete(event.pointerId);
    spread = distance(down);
    if (down.size === 0) plot.classList.remove("dragging");
    if (was && event.type === "pointerup" && moved < clickPixels) act.click(...at(event), event.pointerType);
  };
  plot.addEventListener("pointerup", up);
  plot.addEventListener("pointercancel", up);
  plot.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") act.hover(null);
  });
}

function middle(down) {
  let x = 0;
  let y = 0;
  for (const point of down.values()) {
    x += point[0] / down.size;
    y += point[1] / down.size;
  }
  return [x, y];
}

function distance(down) {
  if (down.size < 2) return 0;
  const [a, b] = [...down.values()];
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/**
 * The wheel zooms, unless the reader is just scrolling past, or would zoom out of
 * the whole epoch: then the page scrolls.
 */
function wheel(plot, at, act) {
  let scrolled = 0;
  addEventListener("wheel", (event) => {
    if (!plot.contains(event.target)) scrolled = event.timeStamp;
  }, { passive: true, capture: true });
  plot.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && event.timeStamp - scrolled < scrollMillis) {
      scrolled = event.timeStamp;
      return;
    }
    const lines = event.deltaMode === 1 ? 33 : 1;
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (act.isWhole() && (event.deltaY >= 0 || sideways)) return;
    event.preventDefault();
    if (sideways) act.pan(-event.deltaX * lines, 0);
    else act.zoom(Math.exp((-event.deltaY * lines) / (event.ctrlKey ? 120 : 420)), ...at(event));
  }, { passive: false });
}

function keys(event, act) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const move = event.shiftKey ? act.panView : act.moveCursor;
  switch (event.key) {
    case "ArrowLeft": move(-1, 0); break;
    case "ArrowRight": move(1, 0); break;
    case "ArrowUp": move(0, -1); break;
    case "ArrowDown": move(0, 1); break;
    case "PageUp": act.panView(0, -1); break;
    case "PageDown": act.panView(0, 1); break;
    case "Home": act.jump("first"); break;
    case "End": act.jump("last"); break;
    case "+": case "=": act.zoom(1.6); break;
    case "-": case "_": act.zoom(1 / 1.6); break;
    case "0": act.jump("whole"); break;
    case "n": case "N": act.jump("now"); break;
    case "Enter": case " ": act.jump("select"); break;
    case "Escape": act.jump("leave"); break;
    default: return;
  }
  event.preventDefault();
}
