//! Checks this program itself against recorded schedules, where their files are
//! at hand. Such files are not shipped; the vectors state their digests.

use crate::schedule::{derive, ranks};
use crate::splitmix::Key;
use crate::text::{base58, hex, key, sha256};
use crate::vectors::clusters::{text_digest, EPOCH_454};
use crate::vectors::{digest, keys, random100};
use std::{error::Error, fs, path::Path};

/// Reads epoch 454's stakes and leaders and the 100-entry case from `dir`.
pub fn check(dir: &Path) -> Result<(), Box<dyn Error>> {
    epoch_454(dir)?;
    let file = fs::read_to_string(dir.join("agave-random100-epoch123.json"))?;
    let leaders: Vec<String> = random100::leaders()
        .iter()
        .map(|k| format!("\"{}\"", base58(k)))
        .collect();
    let wanted = format!("\"leaders\": [{}]", leaders.join(", "));
    assert!(file.contains(&wanted), "leaders of the 100 random entries");
    println!("100 random entries: {} leaders as recorded", leaders.len());
    Ok(())
}

fn epoch_454(dir: &Path) -> Result<(), Box<dyn Error>> {
    let facts = EPOCH_454;
    let csv = fs::read_to_string(dir.join(facts.stakes_file))?;
    assert_eq!(hex(&sha256([&csv])), facts.stakes_sha256);
    let mut entries: Vec<(Key, u64)> = Vec::new();
    for line in csv.lines().skip(1) {
        let (address, stake) = line.split_once(',').ok_or("a line without a comma")?;
        entries.push((key(address), stake.parse()?));
    }
    let order = ranks(&entries);
    let entries: Vec<(Key, u64)> = order.iter().map(|&i| entries[i]).collect();
    let d = derive(&entries, facts.epoch, facts.slots, facts.repeat).expect("there is stake");

    let recorded = fs::read(dir.join("epoch-454-leaders-idx.bin"))?;
    let recorded = recorded
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize);
    assert!(d.per_slot().into_iter().eq(recorded), "recorded leaders");

    assert_eq!(entries.len(), facts.entries);
    assert_eq!(entries.iter().map(|e| e.1).sum::<u64>(), facts.total);
    assert_eq!(
        (d.words, d.rejected(), d.distinct()),
        (facts.words, facts.rejected, facts.distinct)
    );
    assert_eq!(d.rotations[..facts.first_rotations.len()], facts.first_rotations);
    assert_eq!(digest(&d, &keys(&entries)), facts.sha256);
    assert_eq!(text_digest(&d, &keys(&entries)), facts.text_sha256);
    println!("epoch {}: {} slots as recorded", facts.epoch, facts.slots);
    Ok(())
}
