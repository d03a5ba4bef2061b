//! published.json: figures that Agave's own tests expect. This program computes
//! them again and stops when one differs.

use super::digest;
use crate::json::{count, counts, text, texts, Json};
use crate::schedule::derive;
use crate::splitmix::Key;
use crate::stream::{Rejection, Stream};
use crate::text::{base58, hex, unhex};

/// Entry i's key is i as two little-endian bytes, then zeros.
fn entries(stakes: impl Iterator<Item = u64>) -> Vec<(Key, u64)> {
    let numbered = stakes.zip(0u16..=u16::MAX);
    numbered
        .map(|(stake, i)| {
            let mut key = [0; 32];
            key[..2].copy_from_slice(&i.to_le_bytes());
            (key, stake)
        })
        .collect()
}

fn sequence(stakes: &[u64], epoch: u64, repeat: usize, leaders: &[usize]) -> Json {
    let input = entries(stakes.iter().copied());
    let d = derive(&input, epoch, leaders.len(), repeat).expect("there is stake");
    assert_eq!(d.per_slot(), leaders);
    Json::Object(vec![
        ("stakes", texts(stakes)),
        ("epoch", text(epoch)),
        ("repeat", count(repeat)),
        ("leaders", counts(leaders.iter().copied())),
    ])
}

fn hash(epoch: u64, slots: usize, power: u32, want: &str) -> Json {
    let input = entries((0..=65_535u64).map(|i| i.pow(power)));
    let keys = super::keys(&input);
    let d = derive(&input, epoch, slots, 1).expect("there is stake");
    assert_eq!(base58(&unhex(&digest(&d, &keys))), want);
    Json::Object(vec![
        ("epoch", text(epoch)),
        ("slots", count(slots)),
        ("power", count(power as usize)),
        ("sha256_base58", text(want)),
    ])
}

fn rolls(rejection: Rejection, want: [u64; 10]) -> Json {
    let mut stream = Stream::new(20, [16; 32]);
    let n = 294_533;
    for roll in want {
        assert_eq!(rejection.roll(&mut stream, n), roll);
    }
    Json::Object(vec![
        ("seed", text(hex(&[16; 32]))),
        ("n", text(n)),
        ("rejection", text(rejection.name())),
        ("rolls", texts(want)),
    ])
}

pub fn file() -> Json {
    let sequences = vec![
        sequence(&[10, 20, 30], 1, 1, &[1, 1, 2, 1, 1, 0, 0, 1, 2, 1, 0, 1]),
        sequence(&[10, 20, 30], 1, 2, &[1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 0, 0]),
        sequence(
            &[10, 20, 30],
            3_466_545,
            1,
            &[2, 2, 0, 0, 2, 1, 1, 1, 0, 0, 2, 2, 1, 2],
        ),
        sequence(
            &[10, 20, 25, 30, 35, 40, 100],
            1,
            1,
            &[4, 5, 6, 3, 4, 1, 2, 3, 6, 4, 2, 4, 5, 6, 6],
        ),
    ];
    let hashes = vec![
        hash(42, 1_000, 0, "4XU6LEarBUmBkAvXRsjeyLu3N8CcgrvbRFrNiJi2jECk"),
        hash(42, 10_000, 1, "9xLLKyyqF5YrdwPSDbqh5oVamSF7cqPqQLxEyHTexEiP"),
        hash(42, 10_000, 2, "AJ6NQi2p5SnRz9mqESqkW2PwVoT2vYy1fmKdaHxNFUAf"),
        hash(42, 10_000, 3, "2oLjZggMwDTQhzdB4KN5VQisyeRw6MZbBBdjosNZK5xR"),
        hash(346_436, 1_000, 3, "H2bw3Y2AjxJyK7smy1ZBB4LJ7MY3i9bPQM3YdAChAww2"),
        hash(454_357, 10_000, 0, "4BLanrC5t7vzNXx62javKtjCmCkd8yZfZpVrjT4eUpNQ"),
        hash(454_357, 10_000, 3, "E9XL5BLhCJ4Emyfs8jTUsQetfA8QZj78LcnN63dPp7jJ"),
    ];
    let rolls = vec![
        rolls(
            Rejection::Modulo,
            [
                280405, 7507, 84194, 272634, 52124, 190984, 8676, 230277, 223574, 126007,
            ],
        ),
        rolls(
            Rejection::Shift,
            [
                272634, 52124, 8676, 230277, 223574, 137788, 212533, 213080, 187008, 209168,
            ],
        ),
    ];
    Json::Object(vec![
        ("sequences", Json::List(sequences)),
        ("hashes", Json::List(hashes)),
        ("rolls", Json::List(rolls)),
    ])
}
