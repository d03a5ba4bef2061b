//! One module a vector file; each returns the whole file.

pub mod boundary;
pub mod clusters;
pub mod published;
pub mod random100;
pub mod rolls;
pub mod samplers;
pub mod schedules;
pub mod shuffles;
pub mod streams;

use crate::json::Json;
use crate::schedule::Derived;
use crate::splitmix::Key;
use crate::text::{hex, sha256};
use std::{fs, io, path::Path};

type Maker = fn() -> Json;

const FILES: [(&str, Maker); 9] = [
    ("boundary.json", boundary::file),
    ("clusters.json", clusters::file),
    ("published.json", published::file),
    ("random100.json", random100::file),
    ("rolls.json", rolls::file),
    ("samplers.json", samplers::file),
    ("schedules.json", schedules::file),
    ("shuffles.json", shuffles::file),
    ("streams.json", streams::file),
];

pub fn write_all(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    for (name, make) in FILES {
        fs::write(dir.join(name), make().to_file_text())?;
    }
    Ok(())
}

/// SHA-256 over the raw 32-byte leader of every slot.
pub fn digest(schedule: &Derived, leaders: &[Key]) -> String {
    hex(&sha256(schedule.per_slot().iter().map(|&i| leaders[i])))
}

/// SHA-256 over every entry: key, then stake as 8 little-endian bytes.
pub fn input_digest(entries: &[(Key, u64)]) -> String {
    let parts = entries
        .iter()
        .flat_map(|(key, stake)| [key.to_vec(), stake.to_le_bytes().to_vec()]);
    hex(&sha256(parts))
}

pub fn keys(entries: &[(Key, u64)]) -> Vec<Key> {
    entries.iter().map(|e| e.0).collect()
}
