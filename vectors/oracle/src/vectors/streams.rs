//! streams.json: keystream words of both round counts, from the start and
//! across every carry of the 64-bit block counter.

use crate::json::{count, text, texts, Json};
use crate::stream::{seed_for_epoch, Stream};
use crate::text::{hex, sha256_numbers, unhex};
use rand::RngCore;

const FIRST: usize = 16;

fn iota() -> [u8; 32] {
    std::array::from_fn(|i| i as u8)
}

fn case(name: &str, rounds: u32, seed: [u8; 32], block: u64, words: usize) -> Json {
    let all = Stream::at_block(rounds, seed, block).take_words(words);
    Json::Object(vec![
        ("name", text(name)),
        ("rounds", count(rounds as usize)),
        ("seed", text(hex(&seed))),
        ("block", text(block)),
        ("first", texts(&all[..FIRST])),
        ("words", count(words)),
        ("sha256", text(sha256_numbers(all))),
    ])
}

pub fn file() -> Json {
    known();
    let mut cases = Vec::new();
    for rounds in [20, 8] {
        for (name, seed) in [
            ("zero", [0; 32]),
            ("epoch-1", seed_for_epoch(1)),
            ("epoch-800", seed_for_epoch(800)),
            ("epoch-2p32", seed_for_epoch(1 << 32)),
            ("epoch-max", seed_for_epoch(u64::MAX)),
            ("sixteens", [16; 32]),
            ("iota", iota()),
        ] {
            cases.push(case(&format!("chacha{rounds}-{name}"), rounds, seed, 0, 100_000));
        }
        // Blocks on both sides of the carry fall into every lane of a backend
        // that makes up to 32 blocks at once.
        for (name, block) in [
            ("2p32", (1u64 << 32) - 40),
            ("2p33", (1 << 33) - 40),
            ("2p38", (1 << 38) - 40),
            ("2p61", (1 << 61) - 40),
            ("2p63", (1 << 63) - 40),
            ("2p64", u64::MAX - 39),
        ] {
            let name = format!("chacha{rounds}-carry-{name}");
            cases.push(case(&name, rounds, iota(), block, 1000));
        }
        let name = format!("chacha{rounds}-last-blocks");
        cases.push(case(&name, rounds, iota(), u64::MAX - 1, 1000));
    }
    Json::Object(vec![("streams", Json::List(cases))])
}

/// Published figures that this program must reproduce before it writes a file.
fn known() {
    // RFC 8439, A.1, test vector 1: zero key and nonce, counter 0.
    let block = "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7\
                 da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586";
    assert_eq!(block_bytes([0; 32], 0), unhex(block));
    // The same block function with the 64-bit counter past 2^32.
    let block = "a6457719da5a7f54f9c62fe314df8f3a65dc34b97ed7803cc4af3872049b64f5\
                 a4728aa07360107a23e45df4559ac3b58bff9bac99631776b6023d796282201d";
    assert_eq!(block_bytes(iota(), (1 << 32) + 48), unhex(block));

    let mut s = Stream::new(20, iota());
    assert_eq!(s.next_u64(), 0x6a19_c5d9_7d2b_fd39);
    let xor = s.take_words(100_000).iter().fold(0, |x, w| x ^ w);
    assert_eq!(xor, 0xb425_be48_c89d_4f75);
    // The counter wraps: block 2^64 is block 0 again.
    let wrapped = Stream::at_block(20, iota(), u64::MAX).take_words(16);
    assert_eq!(wrapped[8..], Stream::new(20, iota()).take_words(8));
}

fn block_bytes(seed: [u8; 32], block: u64) -> Vec<u8> {
    let words = Stream::at_block(20, seed, block).take_words(8);
    words.into_iter().flat_map(u64::to_le_bytes).collect()
}
