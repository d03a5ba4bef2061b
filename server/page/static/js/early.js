// Runs before the first paint, so that a remembered choice of colours does not flash.
try {
  const theme = localStorage.getItem("schedgen.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // No storage: the system's colours.
}
