//! schedules.json: whole schedules, from derived stake lists.

use super::boundary::edge_of_zone;
use super::{digest, input_digest, keys};
use crate::json::{count, counts, flag, text, texts, Json};
use crate::schedule::{derive, Refusal};
use crate::splitmix::{stakes_by_rule, stakes_listed, Key, StakeRule};

const FIRST: usize = 64;

/// One schedule to derive, and how a reader makes its stake list.
struct Case {
    name: &'static str,
    catches: &'static str,
    generator: Vec<(&'static str, Json)>,
    entries: Vec<(Key, u64)>,
    /// Who leads for each entry; the key itself when there is nobody else.
    nodes: Vec<Key>,
    duplicates: bool,
    epoch: u64,
    slots: usize,
    repeat: usize,
}

impl Case {
    fn new(name: &'static str, catches: &'static str, entries: Vec<(Key, u64)>) -> Case {
        Case {
            name,
            catches,
            generator: Vec::new(),
            nodes: keys(&entries),
            entries,
            duplicates: false,
            epoch: 0,
            slots: 8192,
            repeat: 4,
        }
    }

    fn ruled(name: &'static str, catches: &'static str, rule: StakeRule, seed: u64, n: usize) -> Case {
        let mut case = Case::new(name, catches, stakes_by_rule(rule, seed, n));
        case.generator = vec![("seed", text(seed)), ("n", count(n)), ("rule", text(rule.name()))];
        case
    }

    fn listed(name: &'static str, catches: &'static str, seed: u64, stakes: &[u64]) -> Case {
        let mut case = Case::new(name, catches, stakes_listed(seed, stakes));
        case.generator = vec![
            ("seed", text(seed)),
            ("n", count(stakes.len())),
            ("stakes", texts(stakes)),
        ];
        case
    }

    fn of(mut self, epoch: u64, slots: usize, repeat: usize) -> Case {
        (self.epoch, self.slots, self.repeat) = (epoch, slots, repeat);
        self
    }

    /// Appends an entry with an earlier one's key.
    fn copying(mut self, copies: &[(usize, u64)]) -> Case {
        let listed = copies.iter().map(|&(of, stake)| {
            self.entries.push((self.entries[of].0, stake));
            Json::Object(vec![("of", count(of)), ("stake", text(stake))])
        });
        let listed = listed.collect();
        self.generator.push(("copies", Json::List(listed)));
        self.nodes = keys(&self.entries);
        self.duplicates = true;
        self
    }

    /// Entry i is led by the key of entry i modulo `nodes`.
    fn led_by(mut self, nodes: usize) -> Case {
        self.nodes = (0..self.entries.len())
            .map(|i| self.entries[i % nodes].0)
            .collect();
        self.generator.push(("nodes", count(nodes)));
        self
    }

    /// The same list keyed by identity: stakes of one node summed.
    fn summed(mut self) -> Case {
        let mut sums: Vec<(Key, u64)> = Vec::new();
        for (&node, &(_, stake)) in self.nodes.iter().zip(&self.entries) {
            match sums.iter_mut().find(|s| s.0 == node) {
                Some(sum) => sum.1 += stake,
                None => sums.push((node, stake)),
            }
        }
        self.nodes = keys(&sums);
        self.entries = sums;
        self.generator.push(("keyed_by_identity", flag(true)));
        self
    }

    fn json(self) -> Json {
        let total: u128 = self.entries.iter().map(|e| u128::from(e.1)).sum();
        let mut fields = vec![
            ("name", text(self.name)),
            ("catches", text(self.catches)),
            ("generator", Json::Object(self.generator)),
            ("entries", count(self.entries.len())),
            ("total", text(total)),
            ("input_sha256", text(input_digest(&self.entries))),
            ("epoch", text(self.epoch)),
            ("slots", count(self.slots)),
            ("repeat", count(self.repeat)),
        ];
        if self.duplicates {
            fields.push(("refused", text("duplicate key")));
        }
        match derive(&self.entries, self.epoch, self.slots, self.repeat) {
            Ok(d) => fields.push((
                "schedule",
                Json::Object(vec![
                    ("words", count(d.words as usize)),
                    ("rejected", count(d.rejected() as usize)),
                    ("distinct", count(d.distinct())),
                    ("first_rotations", counts(d.rotations.iter().copied().take(FIRST))),
                    ("last_rotation", count(d.rotations[d.rotations.len() - 1])),
                    ("sha256", text(digest(&d, &self.nodes))),
                ]),
            )),
            Err(why) => fields.push(("refused", text(why.name()))),
        }
        Json::Object(fields)
    }
}

const WHOLE: usize = 432_000;

pub fn file() -> Json {
    use StakeRule::*;
    let p62 = 1u64 << 62;
    let (edge_epoch, edge) = edge_of_zone(0);
    let (e32, max) = (1u64 << 32, u64::MAX);
    let cases = vec![
        Case::ruled("01-n1", "one validator leads every slot", Equal, 1, 1).of(0, 32, 4),
        Case::ruled("02-n2-tie", "ties go by key bytes, descending", Equal, 2, 2).of(1, 8192, 4),
        Case::ruled("03-n10", "an epoch that needs its fifth byte", Uniform40, 3, 10).of(e32, 8192, 4),
        Case::ruled("04-n81", "the last epoch; 9 x 9 weights", Uniform40, 4, 81).of(max, 8192, 4),
        Case::ruled("05-n82", "one weight more than 9 x 9", Uniform40, 5, 82).of(1, 8192, 4),
        Case::ruled("06-n729", "9^3 weights", Uniform40, 6, 729).of(0, 8192, 4),
        Case::ruled(
            "07-n730",
            "one weight more than 9^3, a whole epoch",
            Uniform40,
            7,
            730,
        )
        .of(e32, WHOLE, 4),
        Case::ruled(
            "08-n1500-powerlaw",
            "mainnet-like stakes, about 2 % rejections",
            PowerLaw,
            8,
            1500,
        )
        .of(800, WHOLE, 4),
        Case::ruled(
            "08b-n1500-powerlaw-e0",
            "the same stakes, epoch 0",
            PowerLaw,
            8,
            1500,
        )
        .of(0, WHOLE, 4),
        Case::ruled(
            "08c-n1500-powerlaw-emax",
            "the same stakes, the last epoch",
            PowerLaw,
            8,
            1500,
        )
        .of(max, WHOLE, 4),
        Case::ruled("09-n6561", "9^4 weights", Uniform48, 9, 6561).of(1, WHOLE, 4),
        Case::ruled("10-n6562", "one weight more than 9^4", Uniform48, 10, 6562).of(1, WHOLE, 4),
        Case::listed(
            "11-total-2p63-plus-1",
            "about half of all words rejected",
            11,
            &[p62, p62, 1],
        )
        .of(1, 8192, 4),
        Case::listed(
            "11b-total-2p63-plus-1000",
            "the same with one-slot rotations",
            11,
            &[p62, p62 - 500, 700, 300, 500],
        )
        .of(1000, 8192, 1),
        Case::listed(
            "12-total-max",
            "total 2^64-1: the last zone",
            12,
            &[max - 10, 4, 3, 2, 1],
        )
        .of(5, 8192, 4),
        Case::listed("13-total-2p63", "a power of two: no rejection", 13, &[p62, p62]).of(6, 8192, 4),
        Case::ruled(
            "14-slots-8190",
            "the last rotation is cut to two slots",
            Uniform40,
            14,
            10,
        )
        .of(7, 8190, 4),
        Case::ruled(
            "14b-slots-31",
            "the last rotation is cut to three slots",
            Uniform40,
            14,
            10,
        )
        .of(7, 31, 4),
        Case::ruled(
            "15-ties-n100",
            "stakes 1 to 3: order within many ties",
            SmallTies,
            15,
            100,
        )
        .of(3, 8192, 4),
        Case::ruled(
            "16-zero-stakes-n40",
            "entries without stake never lead and change nothing",
            SomeZero,
            16,
            40,
        )
        .of(4, 8192, 4),
        duplicates().of(9, 8192, 4),
        Case::listed("18-empty", "no entries", 18, &[]).of(0, 32, 4),
        Case::listed("19-all-zero", "nobody has stake", 19, &[0, 0]).of(0, 32, 4),
        Case::listed("20-overflow", "the sum passes 2^64-1", 20, &[max, 1]).of(0, 32, 4),
        Case::listed("21-stake-1", "total 1: a word is drawn all the same", 21, &[1]).of(0, 32, 4),
        Case::ruled("22-slots-0", "an epoch without slots", Equal, 1, 1).of(0, 0, 4),
        Case::ruled(
            "23-n65536",
            "the most ranks that 16 bits hold",
            Uniform40,
            23,
            65_536,
        )
        .of(23, 40_000, 1),
        Case::ruled(
            "23b-n65537",
            "one rank more than 16 bits hold",
            Uniform40,
            23,
            65_537,
        )
        .of(23, 40_000, 1),
        Case::ruled(
            "24-shared-nodes-by-vote",
            "vote accounts of one identity stay apart",
            Uniform40,
            24,
            12,
        )
        .led_by(5)
        .of(842, 8192, 4),
        Case::ruled(
            "24b-shared-nodes-by-identity",
            "the same list summed by identity",
            Uniform40,
            24,
            12,
        )
        .led_by(5)
        .summed()
        .of(841, 8192, 4),
        Case::ruled("25-repeat-2", "rotations of two slots", Uniform40, 25, 50).of(1, 8191, 2),
        Case::ruled("25b-repeat-8", "rotations of eight slots", Uniform40, 25, 50).of(1, 8191, 8),
        Case::listed(
            "26-edge-of-zone",
            "the first word is the last that the zone accepts",
            26,
            &[edge - (edge >> 1) - (edge >> 2), edge >> 1, edge >> 2],
        )
        .of(edge_epoch, 8192, 4),
    ];
    for case in &cases {
        assert_ne!(case.slots == 0, case.name != "22-slots-0");
    }
    assert_eq!(derive(&[], 0, 32, 4).unwrap_err(), Refusal::NoStake);
    Json::Object(vec![(
        "schedules",
        Json::List(cases.into_iter().map(Case::json).collect()),
    )])
}

/// Five entries, the second again as it is, the third again with half its stake.
fn duplicates() -> Case {
    let case = Case::ruled(
        "17-duplicates",
        "a key with two stakes is refused; drawn as two weights it gives this",
        StakeRule::Uniform40,
        17,
        5,
    );
    let (again, half) = (case.entries[1].1, case.entries[2].1 / 2);
    case.copying(&[(1, again), (2, half)])
}
