//! SplitMix64 (Steele, Lea and Flood 2014), the generator of every derived input.

pub type Key = [u8; 32];

pub struct SplitMix64(pub u64);

impl SplitMix64 {
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Four outputs, each as 8 little-endian bytes.
    pub fn key(&mut self) -> Key {
        let mut key = [0; 32];
        for chunk in key.chunks_exact_mut(8) {
            chunk.copy_from_slice(&self.next_u64().to_le_bytes());
        }
        key
    }
}

/// How an entry's stake follows from its number and one SplitMix64 output.
#[derive(Clone, Copy)]
pub enum StakeRule {
    Equal,
    Uniform40,
    Uniform48,
    PowerLaw,
    SmallTies,
    SomeZero,
}

impl StakeRule {
    pub fn name(self) -> &'static str {
        match self {
            StakeRule::Equal => "equal",
            StakeRule::Uniform40 => "uniform40",
            StakeRule::Uniform48 => "uniform48",
            StakeRule::PowerLaw => "powerlaw",
            StakeRule::SmallTies => "smallties",
            StakeRule::SomeZero => "somezero",
        }
    }

    pub fn stake(self, i: usize, r: u64) -> u64 {
        match self {
            StakeRule::Equal => 1_000_000_000,
            StakeRule::Uniform40 => 1 + (r & ((1 << 40) - 1)),
            StakeRule::Uniform48 => 1 + (r & ((1 << 48) - 1)),
            StakeRule::PowerLaw => {
                let base = 77_000_000_000_000_000 / (i as u64 + 10);
                base + r % (base / 16 + 1)
            }
            StakeRule::SmallTies => 1 + r % 3,
            StakeRule::SomeZero if r % 4 == 0 => 0,
            StakeRule::SomeZero => 1 + (r >> 32),
        }
    }
}

/// n (key, stake) pairs by a rule.
pub fn stakes_by_rule(rule: StakeRule, seed: u64, n: usize) -> Vec<(Key, u64)> {
    let mut g = SplitMix64(seed);
    (0..n)
        .map(|i| {
            let key = g.key();
            (key, rule.stake(i, g.next_u64()))
        })
        .collect()
}

/// The same keys with given stakes; each entry's fifth output is dropped.
pub fn stakes_listed(seed: u64, stakes: &[u64]) -> Vec<(Key, u64)> {
    let mut g = SplitMix64(seed);
    stakes
        .iter()
        .map(|&stake| {
            let key = g.key();
            g.next_u64();
            (key, stake)
        })
        .collect()
}

/// Weights for shuffles: about one in five is zero, the others have 34 bits.
pub fn weights(seed: u64, n: usize) -> Vec<u64> {
    let mut g = SplitMix64(seed);
    (0..n)
        .map(|_| {
            let r = g.next_u64();
            if r % 5 == 0 {
                0
            } else {
                r >> 30
            }
        })
        .collect()
}
