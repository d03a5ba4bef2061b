// Sizes of elements, kept as the browser tells them: to ask for one in the middle of
// a change would make it lay out the page then and there, again and again.

const sizes = new WeakMap();

const observer = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const known = sizes.get(target);
    known.width = contentRect.width;
    known.height = contentRect.height;
    known.changed?.();
  }
});

/** Keeps the size of an element, and calls `changed` after each change of it. */
export function watchSize(node, changed) {
  sizes.set(node, { width: 0, height: 0, changed });
  observer.observe(node);
}

/** The size of an element that is watched, CSS pixels; 0 as long as it is not laid out. */
export function sizeOf(node) {
  const { width, height } = sizes.get(node);
  return { width, height };
}
