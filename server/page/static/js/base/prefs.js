// Choices that this browser remembers. Without storage they last for the visit.

const prefix = "schedgen.";

export function remembered(name, allowed, otherwise) {
  try {
    const value = localStorage.getItem(prefix + name);
    return allowed.includes(value) ? value : otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(prefix + name, value);
  } catch {
    // Storage is off or full.
  }
}
