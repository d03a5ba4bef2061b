// Where the schedule comes from, how sure it is, and its digest.

import { copyButton } from "../base/copy.js";
import { byId, el, fill } from "../base/dom.js";
import { count } from "../base/format.js";
import { vintageBadge } from "./facts.js";

const kinds = {
  example: "the example list, which is made up",
  csv: "a CSV file",
  json: "a JSON file",
  "json-rows": "a JSON array",
  "get-vote-accounts": "a saved getVoteAccounts reply",
  "epoch-new": "an epoch.new message",
  rpc: "a node, over RPC",
  genesis: "the genesis of the cluster",
  snapshot: "a snapshot",
};

export function startSource(store) {
  const section = byId("source");

  store.watch(["summary", "status"], ({ summary, status }) => {
    section.hidden = !summary;
    if (!summary) return;
    const from = summary.provenance ?? {};
    const key = JSON.stringify([summary, status?.upstream]);
    if (section.dataset.shows === key) return; // a selection of text stays
    section.dataset.shows = key;
    fill(section,
      el("h2", { id: "source-title", text: "Where it comes from" }),
      el("dl", { class: "source-list" },
        row("Stakes from", kinds[from.kind] ?? from.kind ?? "not said"),
        row("Source", from.source),
        row("Schedule", vintageBadge(summary), from.reason ? ` ${from.reason}` : ""),
        from.slot === undefined || from.slot === null ? null : row("Read at slot", count(from.slot)),
        row("Entries", `${count(summary.entries)} of ${count(summary.identities)} identities`),
        row("Cluster", [from.cluster || status?.cluster, from.genesisHash || status?.genesisHash].filter(Boolean).join(", genesis ")),
        upstreamRow(status?.upstream, summary),
        summary.digest ? [
          el("dt", { text: "Digest" }),
          el("dd", { class: "digest" }, el("code", { id: "digest", text: summary.digest }), copyButton(summary.digest, "digest")),
        ] : null),
      el("p", { class: "note", text: "The digest is the SHA-256 of the leader keys of all slots in order: two schedules with one digest are the same." }),
      notes(from, summary));
  });
}

function row(term, ...values) {
  const some = values.filter((value) => value !== "" && value !== null && value !== undefined);
  return some.length ? [el("dt", { text: term }), el("dd", {}, ...some)] : null;
}

function upstreamRow(upstream, summary) {
  if (!upstream || upstream.epoch !== summary.epoch) return null;
  return row("Compared with", `${upstream.address}: ${upstream.equal ? "the same schedule" : "another schedule"}`);
}

function notes(from, summary) {
  const all = [...(from.notes ?? []), ...(summary.notes ?? [])];
  return all.length ? el("ul", { class: "source-notes" }, [...new Set(all)].map((text) => el("li", { text }))) : null;
}
