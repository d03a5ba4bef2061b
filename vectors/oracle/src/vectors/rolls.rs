//! rolls.json: uniform numbers below n by both rejection rules, and the words
//! that they took.

use crate::json::{count, text, texts, Json};
use crate::stream::{seed_for_epoch, Rejection, Stream};
use crate::text::{hex, sha256_numbers};

const FIRST: usize = 20;

/// n and how many rolls of it, one run after the other on one stream.
type Runs = [(u64, usize)];

fn outcome(rounds: u32, seed: [u8; 32], runs: &Runs, rejection: Rejection) -> Json {
    let mut stream = Stream::new(rounds, seed);
    let mut rolls = Vec::new();
    for &(n, times) in runs {
        rolls.extend((0..times).map(|_| rejection.roll(&mut stream, n)));
    }
    Json::Object(vec![
        ("first", texts(&rolls[..rolls.len().min(FIRST)])),
        ("sha256", text(sha256_numbers(rolls))),
        ("words", count(stream.words as usize)),
    ])
}

fn case(name: &str, rounds: u32, seed: [u8; 32], runs: &Runs) -> Json {
    let listed = runs
        .iter()
        .map(|&(n, times)| Json::Object(vec![("n", text(n)), ("rolls", count(times))]))
        .collect();
    Json::Object(vec![
        ("name", text(name)),
        ("rounds", count(rounds as usize)),
        ("seed", text(hex(&seed))),
        ("runs", Json::List(listed)),
        ("modulo", outcome(rounds, seed, runs, Rejection::Modulo)),
        ("shift", outcome(rounds, seed, runs, Rejection::Shift)),
    ])
}

const BOUNDS: [u64; 24] = [
    1,
    2,
    3,
    7,
    10,
    100,
    1000,
    4098,
    294_533,
    65_535,
    65_536,
    65_537,
    4_294_967_295,
    4_294_967_296,
    4_294_967_297,
    10_000_000_000,
    400_000_000_000_000_000,
    (1 << 62) + 1,
    (1 << 63) - 1,
    1 << 63,
    (1 << 63) + 1,
    3 << 62,
    u64::MAX - 1,
    u64::MAX,
];

/// Each bound is three times the roll before, plus three: a wrong roll anywhere
/// changes all that follow.
pub fn iterate(times: u64) -> u64 {
    let mut stream = Stream::new(20, [0x41; 32]);
    let mut n = 100_000_000u64;
    for _ in 0..times {
        n = Rejection::Modulo
            .roll(&mut stream, n)
            .wrapping_mul(3)
            .wrapping_add(3);
    }
    n
}

pub fn file() -> Json {
    known();
    let mut cases = Vec::new();
    for n in BOUNDS {
        cases.push(case(&format!("epoch1-n{n}"), 20, seed_for_epoch(1), &[(n, 16)]));
    }
    for n in BOUNDS {
        cases.push(case(&format!("sixteens-n{n}"), 20, [16; 32], &[(n, 16)]));
    }
    for rounds in [20, 8] {
        let two = [(10, 10), (4_294_967_231, 10)];
        cases.push(case(
            &format!("two-bounds-chacha{rounds}"),
            rounds,
            [0x41; 32],
            &two,
        ));
        let every = BOUNDS.map(|n| (n, 37));
        cases.push(case(
            &format!("every-bound-chacha{rounds}"),
            rounds,
            [0x42; 32],
            &every,
        ));
        for n in [3_373, 392_456_937_698_882_662, (1 << 63) + 1] {
            let name = format!("long-n{n}-chacha{rounds}");
            cases.push(case(&name, rounds, seed_for_epoch(454), &[(n, 20_000)]));
        }
    }
    let iterations = 1_000_000;
    let iterated = Json::Object(vec![
        ("name", text("iterated")),
        ("rounds", count(20)),
        ("seed", text(hex(&[0x41; 32]))),
        ("start", text(100_000_000)),
        ("iterations", count(iterations)),
        ("end", text(iterate(iterations as u64))),
    ]);
    Json::Object(vec![
        ("rolls", Json::List(cases)),
        ("iterated", Json::List(vec![iterated])),
    ])
}

/// Published figures that this program must reproduce before it writes a file.
fn known() {
    let two = |rejection: Rejection| {
        let mut s = Stream::new(20, [0x41; 32]);
        let mut rolls: Vec<u64> = (0..10).map(|_| rejection.roll(&mut s, 10)).collect();
        rolls.extend((0..10).map(|_| rejection.roll(&mut s, 4_294_967_231)));
        rolls
    };
    assert_eq!(two(Rejection::Shift)[..10], [8, 7, 2, 5, 7, 6, 5, 6, 9, 6]);
    assert_eq!(
        two(Rejection::Shift)[10..],
        [
            3252524226, 3847107912, 2388546007, 1795840680, 1493882641, 2627412178, 2509655068, 2770564418,
            368683988, 318451188
        ]
    );
    assert_eq!(two(Rejection::Modulo)[..10], [8, 7, 1, 2, 5, 7, 6, 2, 9, 5]);
    assert_eq!(
        two(Rejection::Modulo)[10..],
        [
            2659576357, 4036770383, 2578672018, 3252524226, 3847107912, 2388546007, 1795840680, 1493882641,
            2627412178, 2509655068
        ]
    );
}
