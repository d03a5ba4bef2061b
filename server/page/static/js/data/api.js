// Questions to the service.

/** Where the answers are: beside the page, also below the path of a proxy. */
export const base = new URL("v1/", document.baseURI).href;

/** What went wrong, in words for the reader. status is 0 without an answer. */
export class ServiceError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * Asks for a path below v1/ and returns the JSON of the answer. `late` is how
 * far the service's clock is behind this computer's in milliseconds, or null.
 */
export async function ask(path, { signal, timeout = 15000 } = {}) {
  const sent = Date.now();
  const response = await fetchPath(path, signal, timeout);
  let body;
  try {
    body = await response.json();
  } catch {
    if (response.ok) throw new ServiceError(response.status, "The service sent something that is not JSON.");
  }
  if (!response.ok) {
    const words = [body?.title, body?.detail].filter((text) => typeof text === "string" && text);
    throw new ServiceError(response.status, words.join(": ") || `The service answered ${response.status}.`);
  }
  return { body, late: lateness(response, sent) };
}

async function fetchPath(path, signal, timeout) {
  const limit = AbortSignal.timeout(timeout);
  try {
    return await fetch(base + path, { signal: signal ? AbortSignal.any([signal, limit]) : limit });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ServiceError(0, limit.aborted ? "The service does not answer in time." : "The service cannot be reached.");
  }
}

/** The Date header counts whole seconds: the middle of one is the best guess. */
function lateness(response, sent) {
  const date = Date.parse(response.headers.get("Date") ?? "");
  return Number.isNaN(date) ? null : (sent + Date.now()) / 2 - (date + 500);
}
