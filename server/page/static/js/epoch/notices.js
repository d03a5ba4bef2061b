// What is wrong with the service, in words, above all else.

import { byId, el, fill } from "../base/dom.js";
import { hourMinute } from "../base/time.js";
import { duration } from "../base/format.js";

export function startNotices(store) {
  const box = byId("notices");
  let shown = "";

  store.watch(["unreachable", "statusError", "status", "clock", "loadError", "epoch"], (state) => {
    const all = notices(state);
    const key = JSON.stringify(all);
    if (key === shown) return;
    shown = key;
    fill(box, all.map(([kind, text]) => el("p", { class: `notice notice-${kind}`, text })));
  });

  store.watch(["loadError", "epoch", "unreachable"], ({ loadError, epoch, unreachable }) => {
    const failed = loadError ?? (unreachable && !epoch ? "Nothing to show: the service cannot be asked." : null);
    byId("plot-state").textContent = epoch ? "" : (failed ?? "Fetching the schedule…");
  });
}

/** [kind, text] of each; the worst first. */
function notices({ unreachable, statusError, status, clock, loadError, epoch }) {
  const all = [];
  if (unreachable) {
    const rest = epoch ? ` What is shown is from before ${hourMinute(unreachable, false, true)}.` : "";
    all.push(["bad", `${statusError} It is asked again every few seconds.${rest}`]);
  }
  if (loadError) all.push(["bad", loadError]);
  if (!status || unreachable) return all;
  if (!status.ready) all.push(["warn", "The service says that it is not ready: its answers may be out of date."]);
  const upstream = status.upstream;
  if (upstream && upstream.equal === false) {
    all.push(["bad", `The node at ${upstream.address} has another schedule for epoch ${upstream.epoch}: its digest is ${short(upstream.digest)}, the one here ${short(upstream.ours)}.`]);
  }
  if (!clock) all.push(["warn", "The service does not know which slot it is: no times, no countdowns, and no epoch is the current one."]);
  else if (clock.stale) all.push(["warn", `The source of the clock (${clock.source}) says nothing new: slots and times are extrapolated.`]);
  else if (clock.late) all.push(["warn", `This computer’s clock is ${duration(Math.abs(clock.late))} ${clock.late > 0 ? "ahead of" : "behind"} the service’s; countdowns follow the service.`]);
  if (epoch?.problem) all.push(["warn", `Vote accounts are not shown: ${epoch.problem}`]);
  return all;
}

const short = (digest) => String(digest ?? "").slice(0, 12);
