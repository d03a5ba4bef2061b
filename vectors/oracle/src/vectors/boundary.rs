//! boundary.json: draws that equal a cumulative weight exactly. The right answer
//! is the first entry whose cumulative weight is above the draw; comparing with
//! `>=` gives the one before. Real stakes all but never show the difference.
//! And words whose low half equals the zone's limit exactly: the last accepted.

use super::{digest, keys};
use crate::json::{count, counts, text, texts, Json};
use crate::schedule::{derive, ranks};
use crate::splitmix::Key;
use crate::stream::{seed_for_epoch, Rejection, Stream};
use crate::text::hex;
use rand::RngCore;

/// `number` entries that share `sum` evenly, the first with the remainder.
#[derive(Clone, Copy)]
struct Part {
    number: usize,
    sum: u64,
}

impl Part {
    fn stakes(self) -> impl Iterator<Item = u64> {
        let n = self.number as u64;
        let Part { sum, .. } = self;
        (0..n).map(move |i| sum / n + if i == 0 { sum % n } else { 0 })
    }

    fn json(self) -> Json {
        Json::Object(vec![("number", count(self.number)), ("sum", text(self.sum))])
    }
}

/// A list of n entries of which the first ones hold exactly the first draw.
/// Entry i's key is the byte i+1, 32 times.
fn schedule(epoch: u64, total: u64, n: usize) -> Json {
    let mut stream = Stream::new(20, seed_for_epoch(epoch));
    let draw = Rejection::Modulo.roll(&mut stream, total);
    let number = if n == 2 {
        1
    } else {
        (n as u128 * u128::from(draw) / u128::from(total)) as usize - 1
    };
    let head = Part { number, sum: draw };
    let tail = Part {
        number: n - number,
        sum: total - draw,
    };
    let stakes = head.stakes().chain(tail.stakes());
    let entries: Vec<(Key, u64)> = stakes.zip(1u8..).map(|(stake, b)| ([b; 32], stake)).collect();

    let order = ranks(&entries);
    let held: u64 = order[..number].iter().map(|&i| entries[i].1).sum();
    assert_eq!(held, draw, "the head sorts before the tail");
    let d = derive(&entries, epoch, 1024, 4).expect("there is stake");
    assert_eq!(d.rotations[0], order[number]);
    Json::Object(vec![
        ("epoch", text(epoch)),
        ("total", text(total)),
        ("head", head.json()),
        ("tail", tail.json()),
        ("first_draw", text(draw)),
        ("first_rank", count(number)),
        ("first_leader", text(hex(&entries[order[number]].0))),
        ("leader_if_at_least", text(hex(&entries[order[number - 1]].0))),
        ("slots", count(1024)),
        ("repeat", count(4)),
        ("sha256", text(digest(&d, &keys(&entries)))),
    ])
}

/// Weights whose cumulative sums are all the draws of a stream, so that every
/// one of them falls on a boundary. They are not sorted: a table's, not a
/// schedule's.
fn table(seed: [u8; 32], total: u64, draws: usize) -> Json {
    let mut stream = Stream::new(20, seed);
    let drawn: Vec<u64> = (0..draws)
        .map(|_| Rejection::Modulo.roll(&mut stream, total))
        .collect();
    let mut sums = drawn.clone();
    sums.sort_unstable();
    sums.dedup();
    sums.retain(|&s| s > 0);
    let mut weights = vec![sums[0]];
    weights.extend(sums.windows(2).map(|w| w[1] - w[0]));
    weights.push(total - sums[sums.len() - 1]);
    let picked = drawn.iter().map(|d| sums.partition_point(|s| s <= d));
    Json::Object(vec![
        ("seed", text(hex(&seed))),
        ("total", text(total)),
        ("weights", texts(weights)),
        ("picked", counts(picked)),
        ("words", count(stream.words as usize)),
    ])
}

/// 1/a modulo 2^64, for odd a, by Newton's iteration.
fn inverse(a: u64) -> u64 {
    (0..6).fold(a, |x, _| x.wrapping_mul(2u64.wrapping_sub(a.wrapping_mul(x))))
}

/// The first epoch, and the bound n with k leading zeros, for which the low half
/// of first word times n is the last that the zone (n << k) - 1 accepts:
/// w n = (n << k) - 1, so n = -1/(w - 2^k). With k = 0 the two rules share the
/// zone n - 1.
pub fn edge_of_zone(k: u32) -> (u64, u64) {
    let edge = |epoch| {
        let word = Stream::new(20, seed_for_epoch(epoch)).next_u64();
        let a = word.wrapping_sub(1 << k);
        let n = inverse(a).wrapping_neg();
        (a % 2 == 1 && n.leading_zeros() == k).then_some((epoch, n))
    };
    (0..).find_map(edge).expect("one epoch in 2^(k+2)")
}

fn zone(k: u32, rejection: Rejection) -> Json {
    let (epoch, n) = edge_of_zone(k);
    let seed = seed_for_epoch(epoch);
    let word = Stream::new(20, seed).next_u64();
    let mut stream = Stream::new(20, seed);
    let rolls: Vec<u64> = (0..8).map(|_| rejection.roll(&mut stream, n)).collect();
    let product = u128::from(word) * u128::from(n);
    assert_eq!(product as u64, (n << k) - 1);
    assert_eq!(rolls[0], (product >> 64) as u64, "the word is accepted");
    Json::Object(vec![
        ("rejection", text(rejection.name())),
        ("seed", text(hex(&seed))),
        ("n", text(n)),
        ("limit", text((n << k) - 1)),
        ("rolls", texts(rolls)),
        ("words", count(stream.words as usize)),
    ])
}

const MAINNET: u64 = 392_456_937_698_882_662;

pub fn file() -> Json {
    known();
    let mut schedules = Vec::new();
    for epoch in [0, 1, 3, 6] {
        for total in [1_000, 1_000_000, MAINNET] {
            schedules.push(schedule(epoch, total, 2));
        }
        for n in [9, 10, 81, 82, 200] {
            schedules.push(schedule(epoch, MAINNET, n));
        }
    }
    let tables = vec![
        table([1; 32], 1_000, 8),
        table([2; 32], MAINNET, 9),
        table([3; 32], MAINNET, 80),
        table([4; 32], u64::MAX, 81),
        table([5; 32], (1 << 63) + 1, 81),
        table([6; 32], MAINNET, 1_000),
    ];
    let mut zones = vec![zone(0, Rejection::Modulo)];
    zones.extend((0..6).map(|k| zone(k, Rejection::Shift)));
    Json::Object(vec![
        ("schedules", Json::List(schedules)),
        ("tables", Json::List(tables)),
        ("zones", Json::List(zones)),
    ])
}

/// First draws that were found by another program.
fn known() {
    for (epoch, total, want) in [
        (0, 1_000, 563),
        (0, 1_000_000, 563_445),
        (0, MAINNET, 221_127_973_146_964_460),
        (1, 1_000, 574),
        (1, 1_000_000, 574_492),
        (1, MAINNET, 225_463_476_470_341_034),
        (3, 1_000, 877),
        (3, 1_000_000, 877_408),
        (3, MAINNET, 344_345_197_010_826_804),
        (6, 1_000, 775),
        (6, 1_000_000, 775_058),
        (6, MAINNET, 304_177_250_723_344_798),
    ] {
        let mut stream = Stream::new(20, seed_for_epoch(epoch));
        assert_eq!(Rejection::Modulo.roll(&mut stream, total), want);
        let entries = [([1; 32], want), ([2; 32], total - want)];
        let d = derive(&entries, epoch, 16, 4).expect("there is stake");
        let known: [usize; 4] = if epoch < 2 { [1, 0, 0, 1] } else { [1, 0, 0, 0] };
        assert_eq!(d.rotations, known);
    }
}
