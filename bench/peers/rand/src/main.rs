//! The leader schedule as a Rust node derives it, on the crates whose behaviour
//! the network has kept: rand 0.8.5 and rand_chacha 0.3.1.
//!
//! It answers one request a line on standard input, so that the program that
//! measures can take turns between peers:
//!
//!     load PATH          entries of 32 key bytes and a little-endian stake -> "ok N"
//!     sampling EPOCH     build the index and draw 108,000 ranks from the sorted list -> nanoseconds
//!     derive EPOCH       the unsorted list in, a leader for every rotation out -> nanoseconds
//!     derive-slots EPOCH the same, with the 32-byte key of each of 432,000 slots -> nanoseconds
//!     digest EPOCH       SHA-256 over the leader key of every slot, in hexadecimal
//!     keystream BYTES    fill a buffer of that length -> nanoseconds
use rand::distributions::{Distribution, WeightedIndex};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;
use sha2::{Digest, Sha256};
use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::time::Instant;

type Key = [u8; 32];
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const ROTATIONS: usize = 108_000;
const SLOTS_PER_ROTATION: usize = 4;

fn rng_of(epoch: u64) -> ChaCha20Rng {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&epoch.to_le_bytes());
    ChaCha20Rng::from_seed(seed)
}

/// Larger stake first, then larger key; exact duplicates once.
fn sorted(entries: &[(Key, u64)]) -> Vec<(Key, u64)> {
    let mut list = entries.to_vec();
    list.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| b.0.cmp(&a.0)));
    list.dedup();
    list
}

fn ranks(stakes: &[u64], epoch: u64) -> Result<Vec<u32>> {
    let index = WeightedIndex::new(stakes)?;
    let mut rng = rng_of(epoch);
    Ok((0..ROTATIONS).map(|_| index.sample(&mut rng) as u32).collect())
}

fn derive(entries: &[(Key, u64)], epoch: u64) -> Result<Vec<Key>> {
    let (keys, stakes): (Vec<Key>, Vec<u64>) = sorted(entries).into_iter().unzip();
    let index = WeightedIndex::new(stakes)?;
    let mut rng = rng_of(epoch);
    Ok((0..ROTATIONS).map(|_| keys[index.sample(&mut rng)]).collect())
}

fn derive_slots(entries: &[(Key, u64)], epoch: u64) -> Result<Vec<Key>> {
    let (keys, stakes): (Vec<Key>, Vec<u64>) = sorted(entries).into_iter().unzip();
    let index = WeightedIndex::new(stakes)?;
    let mut rng = rng_of(epoch);
    let mut leader = [0; 32];
    Ok((0..ROTATIONS * SLOTS_PER_ROTATION)
        .map(|slot| {
            if slot % SLOTS_PER_ROTATION == 0 {
                leader = keys[index.sample(&mut rng)];
            }
            leader
        })
        .collect())
}

fn load(path: &str) -> Result<Vec<(Key, u64)>> {
    let bytes = std::fs::read(path)?;
    let mut entries = Vec::with_capacity(bytes.len() / 40);
    for record in bytes.chunks_exact(40) {
        entries.push((record[..32].try_into()?, u64::from_le_bytes(record[32..].try_into()?)));
    }
    Ok(entries)
}

/// Nanoseconds that `work` takes.
fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<String> {
    let start = Instant::now();
    let made = work()?;
    let elapsed = start.elapsed().as_nanos();
    black_box(made);
    Ok(elapsed.to_string())
}

fn answer(request: &str, entries: &mut Vec<(Key, u64)>) -> Result<String> {
    let (verb, argument) = request.split_once(' ').ok_or("a request is a verb and an argument")?;
    match verb {
        "load" => {
            *entries = load(argument)?;
            Ok(format!("ok {}", entries.len()))
        }
        "sampling" => {
            let epoch = argument.parse()?;
            let stakes: Vec<u64> = sorted(entries).iter().map(|e| e.1).collect();
            timed(|| ranks(&stakes, epoch))
        }
        "derive" => {
            let epoch = argument.parse()?;
            timed(|| derive(entries, epoch))
        }
        "derive-slots" => {
            let epoch = argument.parse()?;
            timed(|| derive_slots(entries, epoch))
        }
        "digest" => {
            let mut hash = Sha256::new();
            for key in derive_slots(entries, argument.parse()?)? {
                hash.update(key);
            }
            Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
        }
        "keystream" => {
            let mut buffer = vec![0; argument.parse()?];
            let mut rng = rng_of(1);
            timed(|| {
                rng.fill_bytes(&mut buffer);
                Ok(buffer)
            })
        }
        _ => Err(format!("unknown verb {verb}").into()),
    }
}

fn main() -> io::Result<()> {
    let mut entries = Vec::new();
    for request in io::stdin().lock().lines() {
        match answer(&request?, &mut entries) {
            Ok(line) => println!("{line}"),
            Err(e) => println!("error: {e}"),
        }
        io::stdout().flush()?;
    }
    Ok(())
}
