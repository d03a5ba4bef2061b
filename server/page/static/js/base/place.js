// What the reader looks at stays where it is when something above it appears.

/** Makes a change, and scrolls by as much as it moved an element. */
export function keepInPlace(node, change) {
  const before = node.getBoundingClientRect().top;
  change();
  // By the next frame all parts of the page have followed, and nothing is painted yet.
  requestAnimationFrame(() => scrollBy({ top: node.getBoundingClientRect().top - before, behavior: "instant" }));
}
