// Starts the parts of the page. They share one store and know nothing of each
// other but that.

import { byId, say } from "./base/dom.js";
import { createStore } from "./base/store.js";
import { parseAddress, startAddress } from "./base/address.js";
import { startTheme } from "./base/theme.js";
import { startDownloads } from "./epoch/downloads.js";
import { Facts } from "./epoch/facts.js";
import { Live } from "./epoch/live.js";
import { startNotices } from "./epoch/notices.js";
import { startEpoch } from "./epoch/show.js";
import { startSource } from "./epoch/source.js";
import { Status } from "./epoch/status.js";
import { Table } from "./epoch/table.js";
import { startTabs } from "./epoch/tabs.js";
import { Ahead } from "./leader/ahead.js";
import { Answers } from "./leader/answers.js";
import { Quiet } from "./leader/quiet.js";
import { Windows } from "./leader/windows.js";
import { Picture } from "./picture/picture.js";
import { startChips } from "./search/chips.js";
import { Search } from "./search/search.js";

const store = createStore({
  mode: "light", utc: false, // how things are shown
  status: null, clock: null, hasClock: false, unreachable: null, statusError: null, // the service
  epochs: null, heldKey: null, // what it holds
  wanted: "current", summary: null, epoch: null, loadError: null, // the epoch shown
  selected: [], shown: null, view: null, quietTime: null, // leaders, and the part of the picture
  ahead: null, quiet: null, // what is known of the leader shown
});
store.set(parseAddress(location.hash));
startAddress(store, { onNavigate: (state) => store.set(state) });
startTheme(store);
startNotices(store);
startTabs(store);
startEpoch(store);
startChips(store);
startSource(store);
startDownloads(store);

const picture = new Picture(store);
const goTo = (slot) => goToSlot(slot);
const live = new Live(store);
const every = [new Facts(store), new Answers(store), new Ahead(store), new Windows(store, goTo), new Quiet(store)];
new Search(store, goTo);
new Table(store);
store.watch(["status"], ({ status }) => say(byId("foot"), status?.version ? `schedgen ${status.version}` : ""));

/** Shows a slot, of another epoch that is held if need be. */
let awaited = null;
function goToSlot(slot) {
  if (picture.goTo(slot)) {
    byId("plot").scrollIntoView({ block: "nearest" });
    return true;
  }
  const held = store.state.epochs?.find((one) => slot >= one.firstSlot && slot <= one.lastSlot);
  if (!held) return false;
  awaited = slot;
  store.set({ wanted: held.epoch, view: null });
  return true;
}
store.watch(["epoch"], () => {
  if (awaited !== null && picture.goTo(awaited)) awaited = null;
});

let seconds = 0;
function tick() {
  const { clock } = store.state;
  live.tick();
  picture.tick();
  if (Date.now() - seconds >= 950) {
    seconds = Date.now();
    for (const part of every) part.tick?.();
  }
  setTimeout(tick, Math.max(200, Math.min(1000, clock?.slotMillis ?? 1000)));
}
tick();
new Status(store).poll();
