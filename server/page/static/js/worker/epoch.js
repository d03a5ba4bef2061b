// A worker: fetches the schedule of an epoch and makes tables of it, away from the
// page, which stays free to answer its reader.

import { countLeaders, readSchedule } from "./tables.js";

addEventListener("message", async ({ data: { id, base, epoch } }) => {
  try {
    const tables = await load(base, epoch);
    const buffers = Object.values(tables).filter(ArrayBuffer.isView).map((view) => view.buffer);
    postMessage({ id, tables }, buffers);
  } catch (error) {
    postMessage({ id, error: { status: error.status ?? 0, message: String(error.message ?? error) } });
  }
});

async function load(base, epoch) {
  const stakes = ask(`${base}epochs/${epoch}/leaders`).catch((error) => ({ problem: error.message }));
  const message = await ask(`${base}epochs/${epoch}/schedule?format=epoch-new`);
  const tables = readSchedule(message);
  countLeaders(tables, await stakes);
  return tables;
}

async function ask(address) {
  let response;
  try {
    response = await fetch(address);
  } catch {
    throw Object.assign(new Error("The service cannot be reached."), { status: 0 });
  }
  const body = await response.json().catch(() => null);
  if (response.ok && body) return body;
  const words = [body?.title, body?.detail].filter((text) => typeof text === "string" && text).join(": ");
  throw Object.assign(new Error(words || `The service answered ${response.status}.`), { status: response.status });
}
