//! shuffles.json: Turbine's weighted shuffle, zero weights last.

use crate::json::{count, counts, text, texts, Json};
use crate::sampler::shuffle;
use crate::splitmix::weights;
use crate::stream::{seed_for_epoch, Stream};
use crate::text::{hex, sha256_numbers};

const FIRST: usize = 128;

fn order(rounds: u32, seed: [u8; 32], weights: &[u64], removed: &[usize]) -> Json {
    let mut stream = Stream::new(rounds, seed);
    let order = shuffle(weights, removed, &mut stream);
    Json::Object(vec![
        ("first", counts(order.iter().copied().take(FIRST))),
        ("length", count(order.len())),
        ("sha256", text(sha256_numbers(order.iter().map(|&i| i as u64)))),
        ("words", count(stream.words as usize)),
    ])
}

fn case(name: &str, seed: [u8; 32], input: (&'static str, Json), w: &[u64], removed: &[usize]) -> Json {
    Json::Object(vec![
        ("name", text(name)),
        ("seed", text(hex(&seed))),
        input,
        ("removed", counts(removed.iter().copied())),
        ("chacha20", order(20, seed, w, removed)),
        ("chacha8", order(8, seed, w, removed)),
    ])
}

fn listed(name: &str, seed: [u8; 32], w: &[u64], removed: &[usize]) -> Json {
    case(name, seed, ("weights", texts(w)), w, removed)
}

fn derived(seed: u64, n: usize, removed: &[usize]) -> Json {
    let input = Json::Object(vec![("seed", text(seed)), ("n", count(n))]);
    let name = format!("splitmix-n{n}");
    let w = weights(seed, n);
    case(&name, seed_for_epoch(seed), ("generator", input), &w, removed)
}

pub const EIGHTEEN: [u64; 18] = [
    78, 70, 38, 27, 21, 82, 42, 21, 77, 77, 17, 4, 50, 96, 83, 33, 16, 72,
];

pub fn file() -> Json {
    known();
    let mixed = [1, 0, 1000, 0, 0, 10, 100, 0];
    let max = u64::MAX;
    let cases = vec![
        listed("zeros5", [37; 32], &[0; 5], &[]),
        listed("mixed", seed_for_epoch(1), &mixed, &[]),
        listed("mixed-removed", seed_for_epoch(1), &mixed, &[5, 3, 1]),
        listed(
            "overflow",
            seed_for_epoch(2),
            &[max / 2, max / 2, 5, 7, max, 0, 1],
            &[],
        ),
        listed("empty", seed_for_epoch(2), &[], &[]),
        listed("one", seed_for_epoch(2), &[7], &[]),
        listed("one-zero", seed_for_epoch(2), &[0], &[]),
        listed(
            "powers-of-two",
            seed_for_epoch(3),
            &[1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
            &[],
        ),
        listed("total-max", seed_for_epoch(4), &[max - 10, 4, 3, 2, 1], &[]),
        listed("eighteen", [0x30; 32], &EIGHTEEN, &[]),
        derived(31, 9, &[]),
        derived(32, 10, &[]),
        derived(33, 81, &[]),
        derived(34, 82, &[]),
        derived(35, 300, &[]),
        derived(36, 729, &[0, 728, 13]),
        derived(37, 730, &[729, 0]),
        derived(38, 1500, &[]),
        derived(39, 3373, &[]),
        derived(40, 6562, &[]),
    ];
    Json::Object(vec![("shuffles", Json::List(cases))])
}

/// Published figures that this program must reproduce before it writes a file.
fn known() {
    let run = |rounds, seed, w: &[u64]| shuffle(w, &[], &mut Stream::new(rounds, seed));
    assert_eq!(run(20, [37; 32], &[0; 5]), [1, 4, 2, 3, 0]);
    assert_eq!(run(8, [37; 32], &[0; 5]), [4, 3, 1, 2, 0]);
    assert_eq!(
        run(8, [0x30; 32], &EIGHTEEN),
        [13, 8, 6, 14, 0, 17, 1, 12, 3, 16, 5, 15, 9, 2, 4, 7, 10, 11]
    );
    assert_eq!(
        run(20, [0x30; 32], &EIGHTEEN),
        [9, 3, 12, 15, 0, 8, 16, 5, 2, 1, 14, 6, 11, 13, 17, 10, 4, 7]
    );
}
