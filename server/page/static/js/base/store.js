// The state that the parts of the page share.

/**
 * Returns a store: `state` is what is, `set` changes some of it, and `watch` runs
 * a function after any of the named values changed, once for all changes of a
 * turn.
 */
export function createStore(state) {
  const watchers = [];
  let changed = null;

  function notify() {
    const names = changed;
    changed = null;
    for (const { keys, run } of watchers) {
      if (keys.some((key) => names.has(key))) run(state);
    }
  }

  return {
    state,
    set(patch) {
      for (const [key, value] of Object.entries(patch)) {
        if (Object.is(state[key], value)) continue;
        state[key] = value;
        if (!changed) {
          changed = new Set();
          queueMicrotask(notify);
        }
        changed.add(key);
      }
    },
    watch(keys, run) {
      watchers.push({ keys, run });
    },
  };
}
