//! clusters.json: stake lists of public clusters, and what they lead to.

use super::digest;
use crate::json::{count, counts, text, Json};
use crate::schedule::{derive, Derived};
use crate::splitmix::Key;
use crate::text::{base58, hex, key, sha256};

/// A line of a genesis: vote account, identity, lamports.
type Line = (&'static str, &'static str, u64);

const HALF_A_MILLION: u64 = 499_999_997_717_120;

const MAINNET_BETA: [Line; 4] = [
    (
        "4785anyR2rYSas6cQGHtykgzwYEtChvFYhcEgdDw3gGL",
        "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
        HALF_A_MILLION,
    ),
    (
        "8XgHUtBRY6qePVYERxosyX3MUq8NQkjtmFDSzQ2WpHTJ",
        "DE1bawNcRJB9rVm3buyMVfr8mBEoyyu73NBovf2oXJsJ",
        HALF_A_MILLION,
    ),
    (
        "9bRDrYShoQ77MZKYTMoAsoCkU7dAR24mxYCBjXLpfEJx",
        "CakcnaRDHka2gXyfbEd2d3xsvkJkqsLw2akB3zsN1D2S",
        HALF_A_MILLION,
    ),
    (
        "sCtiJieP8B3SwYnXemiLpRFRR8KJLMtsMVN25fAFWjW",
        "GdnSyH3YtwcxFvQrVVJMm1JhTS4QVX7MFsX56uJLUfiZ",
        HALF_A_MILLION,
    ),
];

const WHOLE: usize = 432_000;

/// Digest of the schedule as 44-character lines: base58 and a line feed a slot.
pub fn text_digest(schedule: &Derived, leaders: &[Key]) -> String {
    let lines: Vec<String> = leaders.iter().map(|k| base58(k) + "\n").collect();
    hex(&sha256(schedule.per_slot().iter().map(|&i| &lines[i])))
}

fn genesis_schedule(keyed_by: &str, epoch: u64) -> Json {
    let nodes: Vec<Key> = MAINNET_BETA.iter().map(|l| key(l.1)).collect();
    let entries: Vec<(Key, u64)> = MAINNET_BETA
        .iter()
        .map(|l| (key(if keyed_by == "vote" { l.0 } else { l.1 }), l.2))
        .collect();
    let d = derive(&entries, epoch, WHOLE, 4).expect("there is stake");
    let sha256 = digest(&d, &nodes);
    match (keyed_by, epoch) {
        ("identity", 0) => assert_eq!(
            sha256,
            "2c63b73f563abae9c7b3af8308b0bcd3d1bf5cb235c85f7085a46b167d5ab2f0"
        ),
        ("identity", 1) => assert_eq!(
            sha256,
            "74b996dc2c0168748f196f2b04dc9121a437f5f8f6249bfa969e4fdd123c4f82"
        ),
        _ => {}
    }
    Json::Object(vec![
        ("keyed_by", text(keyed_by)),
        ("epoch", text(epoch)),
        ("slots", count(WHOLE)),
        ("repeat", count(4)),
        ("sha256", text(sha256)),
        ("text_sha256", text(text_digest(&d, &nodes))),
    ])
}

fn mainnet_genesis() -> Json {
    let line = |l: &Line| {
        Json::Object(vec![
            ("vote", text(l.0)),
            ("node", text(l.1)),
            ("stake", text(l.2)),
        ])
    };
    let mut schedules = Vec::new();
    for keyed_by in ["identity", "vote"] {
        for epoch in [0, 1] {
            schedules.push(genesis_schedule(keyed_by, epoch));
        }
    }
    Json::Object(vec![
        ("name", text("mainnet-beta-genesis")),
        ("entries", Json::List(MAINNET_BETA.iter().map(line).collect())),
        ("schedules", Json::List(schedules)),
    ])
}

/// What is known about an epoch whose stake list is too long to ship.
pub struct Facts {
    pub name: &'static str,
    pub stakes_file: &'static str,
    pub stakes_sha256: &'static str,
    pub epoch: u64,
    pub first_slot: u64,
    pub slots: usize,
    pub repeat: usize,
    pub entries: usize,
    pub total: u64,
    pub words: u64,
    pub rejected: u64,
    pub first_rejected_rotation: usize,
    pub distinct: usize,
    /// Positions in the sorted list.
    pub first_rotations: [usize; 12],
    pub sha256: &'static str,
    pub text_sha256: &'static str,
}

pub const EPOCH_454: Facts = Facts {
    name: "mainnet-beta-epoch-454",
    stakes_file: "epoch-454-stakes.csv",
    stakes_sha256: "fcbe69051d644dcbb5f093ad66451742ac2263966a132b35c7e3f58ef8e2d7e8",
    epoch: 454,
    first_slot: 196_128_000,
    slots: WHOLE,
    repeat: 4,
    entries: 3_373,
    total: 392_456_937_698_882_662,
    words: 108_007,
    rejected: 7,
    first_rejected_rotation: 10_273,
    distinct: 1_828,
    first_rotations: [333, 5, 10, 75, 42, 21, 67, 141, 14, 2, 26, 1574],
    sha256: "d36a60f50035f8dc76e9801ba6b27390f670d14abb30339a39340d836f57effa",
    text_sha256: "abb21c997cd9d0220d6fcdaad166ddd5b0da46a604c8fd85db5c92ea44e8854e",
};

fn external(f: &Facts) -> Json {
    Json::Object(vec![
        ("name", text(f.name)),
        ("stakes_file", text(f.stakes_file)),
        ("stakes_sha256", text(f.stakes_sha256)),
        ("keyed_by", text("identity")),
        ("epoch", text(f.epoch)),
        ("first_slot", text(f.first_slot)),
        ("slots", count(f.slots)),
        ("repeat", count(f.repeat)),
        ("entries", count(f.entries)),
        ("total", text(f.total)),
        ("words", count(f.words as usize)),
        ("rejected", count(f.rejected as usize)),
        ("first_rejected_rotation", count(f.first_rejected_rotation)),
        ("distinct", count(f.distinct)),
        ("first_rotations", counts(f.first_rotations)),
        ("sha256", text(f.sha256)),
        ("text_sha256", text(f.text_sha256)),
    ])
}

pub fn file() -> Json {
    Json::Object(vec![
        ("listed", Json::List(vec![mainnet_genesis()])),
        ("external", Json::List(vec![external(&EPOCH_454)])),
    ])
}
