//! samplers.json: histories of one sampler: draws with and without replacement,
//! removals, the poisoned weight, restores; and the words that they took.

use super::shuffles::EIGHTEEN;
use crate::json::{count, text, texts, Json};
use crate::sampler::Sampler;
use crate::stream::{Rejection, Stream};
use crate::text::hex;

use Rejection::{Modulo, Shift};

#[derive(Clone, Copy)]
enum Step {
    Sample(usize),
    SampleAndRemove(usize),
    Remove(usize),
    Restore,
}

use Step::{Remove, Restore, Sample, SampleAndRemove};

struct Case<'a> {
    name: &'a str,
    rounds: u32,
    seed: [u8; 32],
    rejection: Rejection,
    weights: &'a [u64],
    poison: u64,
    steps: &'a [Step],
}

impl Case<'_> {
    fn run(&self) -> (Vec<Json>, Vec<u32>, u64) {
        let mut stream = Stream::new(self.rounds, self.seed);
        let mut sampler = Sampler::new(self.weights, self.poison, self.rejection);
        let mut all = Vec::new();
        let mut done = Vec::new();
        for &step in self.steps {
            let mut drawn: Vec<u32> = Vec::new();
            let mut fields = vec![("op", text(step.name()))];
            match step {
                Sample(n) => drawn.extend((0..n).map(|_| sampler.sample(&mut stream))),
                SampleAndRemove(n) => {
                    drawn.extend((0..n).map(|_| sampler.sample_and_remove(&mut stream)));
                }
                Remove(i) => {
                    sampler.remove(i);
                    fields.push(("index", count(i)));
                }
                Restore => sampler.restore(),
            }
            if !drawn.is_empty() {
                fields.push(("drawn", texts(&drawn)));
            }
            all.extend(drawn);
            done.push(Json::Object(fields));
        }
        (done, all, stream.words)
    }

    fn json(&self) -> Json {
        let (steps, _, words) = self.run();
        Json::Object(vec![
            ("name", text(self.name)),
            ("rounds", count(self.rounds as usize)),
            ("seed", text(hex(&self.seed))),
            ("rejection", text(self.rejection.name())),
            ("weights", texts(self.weights)),
            ("poison", text(self.poison)),
            ("steps", Json::List(steps)),
            ("words", count(words as usize)),
        ])
    }
}

impl Step {
    fn name(self) -> &'static str {
        match self {
            Sample(_) => "sample",
            SampleAndRemove(_) => "sample-and-remove",
            Remove(_) => "remove",
            Restore => "restore",
        }
    }
}

/// 1000, 500, 333, …: lopsided, as stakes are.
fn harmonic(n: usize) -> Vec<u64> {
    (1..=n as u64).map(|i| 1_000_000 / i).collect()
}

pub fn file() -> Json {
    known();
    let large = harmonic(820);
    let max = u64::MAX;
    let mut cases = Vec::new();
    for rounds in [20, 8] {
        for rejection in [Modulo, Shift] {
            let plain = |name: &str, weights: &[u64], poison: u64, steps: &[Step]| {
                let name = format!("{name}-chacha{rounds}-{}", rejection.name());
                Case {
                    name: &name,
                    rounds,
                    seed: [0x30; 32],
                    rejection,
                    weights,
                    poison,
                    steps,
                }
                .json()
            };
            cases.push(plain("two", &[2, 1], 0, &[Sample(16)]));
            cases.push(plain(
                "one",
                &[5],
                0,
                &[Sample(8), SampleAndRemove(1), Sample(2), SampleAndRemove(2)],
            ));
            cases.push(plain("total-1", &[1], 0, &[Sample(16)]));
            cases.push(plain(
                "total-2p63-plus-1",
                &[1 << 62, 1 << 62, 1],
                0,
                &[Sample(24)],
            ));
            cases.push(plain(
                "total-max",
                &[max - 10, 4, 3, 2, 1],
                0,
                &[Sample(8), SampleAndRemove(6)],
            ));
            cases.push(plain(
                "total-max-with-poison",
                &[1 << 62, 1 << 61],
                max - (3 << 61),
                &[Sample(16)],
            ));
            cases.push(plain("all-of-eighteen", &EIGHTEEN, 0, &[SampleAndRemove(20)]));
            cases.push(plain(
                "poison-is-not-sticky-in-sample",
                &EIGHTEEN,
                900,
                &[Sample(24)],
            ));
            cases.push(plain(
                "poison-is-sticky-in-removal",
                &EIGHTEEN,
                200,
                &[
                    SampleAndRemove(18),
                    Sample(3),
                    Restore,
                    Sample(12),
                    SampleAndRemove(12),
                ],
            ));
            cases.push(plain(
                "poison-and-nothing-left",
                &[3, 2],
                1 << 40,
                &[Remove(0), Remove(1), Sample(2), SampleAndRemove(2), Sample(2)],
            ));
            cases.push(plain(
                "removals",
                &EIGHTEEN,
                0,
                &[
                    Remove(13),
                    Remove(13),
                    Remove(0),
                    Sample(24),
                    Remove(17),
                    SampleAndRemove(16),
                    Restore,
                    Sample(12),
                ],
            ));
        }
        // One level more than 729 weights need; an implementation may have a
        // path of its own for this height.
        let name = format!("harmonic-820-chacha{rounds}-shift");
        let steps = &[
            Sample(48),
            SampleAndRemove(96),
            Remove(2),
            Remove(819),
            SampleAndRemove(48),
            Restore,
            SampleAndRemove(24),
        ];
        cases.push(
            Case {
                name: &name,
                rounds,
                seed: [0x31; 32],
                rejection: Shift,
                weights: &large,
                poison: 0,
                steps,
            }
            .json(),
        );
    }
    for rounds in [8, 20] {
        let name = format!("two-zero-seed-chacha{rounds}");
        let steps = &[Sample(8)];
        cases.push(
            Case {
                name: &name,
                rounds,
                seed: [0; 32],
                rejection: Modulo,
                weights: &[2, 1],
                poison: 0,
                steps,
            }
            .json(),
        );
    }
    Json::Object(vec![("sentinels", sentinels()), ("samplers", Json::List(cases))])
}

fn sentinels() -> Json {
    Json::Object(vec![
        ("empty", text(crate::sampler::EMPTY)),
        ("indeterminate", text(crate::sampler::INDETERMINATE)),
    ])
}

/// Published figures that this program must reproduce before it writes a file.
fn known() {
    let two = |rounds, rejection| {
        let case = Case {
            name: "",
            rounds,
            seed: [0; 32],
            rejection,
            weights: &[2, 1],
            poison: 0,
            steps: &[Sample(8)],
        };
        case.run().1
    };
    assert_eq!(two(8, Modulo), [1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(two(20, Modulo), [0, 0, 0, 1, 0, 0, 0, 0]);
    assert_eq!(two(20, Shift), [0, 0, 0, 1, 0, 0, 0, 0]);
}
