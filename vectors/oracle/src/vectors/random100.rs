//! random100.json: 100 random entries, which other validators' tests use too.

use super::{digest, input_digest, keys};
use crate::json::{count, text, texts, Json};
use crate::schedule::{derive, Derived};
use crate::splitmix::Key;
use crate::stream::Stream;
use crate::text::{base58, hex};
use rand::RngCore;

/// Each entry: 32 bytes of the stream are its key, the next word divided by 1000
/// its stake.
fn entries(seed: [u8; 32], n: usize) -> Vec<(Key, u64)> {
    let mut stream = Stream::new(20, seed);
    (0..n)
        .map(|_| {
            let mut key = [0; 32];
            stream.fill_bytes(&mut key);
            (key, stream.next_u64() / 1000)
        })
        .collect()
}

const FIRST: usize = 20;

/// Leaders of every slot.
pub fn leaders() -> Vec<Key> {
    let (entries, d) = schedule();
    d.per_slot().iter().map(|&i| entries[i].0).collect()
}

fn schedule() -> (Vec<(Key, u64)>, Derived) {
    let entries = entries([0; 32], 100);
    let d = derive(&entries, 123, 321, 4).expect("there is stake");
    (entries, d)
}

pub fn file() -> Json {
    let (entries, d) = schedule();
    let total: u128 = entries.iter().map(|e| u128::from(e.1)).sum();
    let rotations = d.rotations.iter().take(FIRST).map(|&i| base58(&entries[i].0));
    Json::Object(vec![
        ("seed", text(hex(&[0; 32]))),
        ("entries", count(entries.len())),
        ("total", text(total)),
        ("input_sha256", text(input_digest(&entries))),
        ("epoch", text(123)),
        ("slots", count(d.slots)),
        ("repeat", count(d.repeat)),
        ("words", count(d.words as usize)),
        ("first_rotations", texts(rotations)),
        ("sha256", text(digest(&d, &keys(&entries)))),
    ])
}
