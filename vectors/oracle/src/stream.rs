//! rand_chacha streams that count 64-bit words, and the two ways in which rand
//! 0.8.5 turns words into a number below n.

use rand::distributions::uniform::{SampleUniform, UniformSampler};
use rand::{Error, Rng, RngCore, SeedableRng};
use rand_chacha::{ChaCha20Rng, ChaCha8Rng};

enum Rounds {
    Eight(ChaCha8Rng),
    Twenty(ChaCha20Rng),
}

/// One stream and the number of words drawn from it.
pub struct Stream {
    rng: Rounds,
    pub words: u64,
}

impl Stream {
    /// `rounds` is 8 or 20.
    pub fn new(rounds: u32, seed: [u8; 32]) -> Stream {
        let rng = match rounds {
            8 => Rounds::Eight(ChaCha8Rng::from_seed(seed)),
            20 => Rounds::Twenty(ChaCha20Rng::from_seed(seed)),
            _ => panic!("no vectors for ChaCha{rounds}"),
        };
        Stream { rng, words: 0 }
    }

    /// Starts at a 64-byte block: the counter in state words 12 and 13.
    pub fn at_block(rounds: u32, seed: [u8; 32], block: u64) -> Stream {
        let mut s = Stream::new(rounds, seed);
        let position = u128::from(block) * 16; // in 32-bit words
        match &mut s.rng {
            Rounds::Eight(r) => r.set_word_pos(position),
            Rounds::Twenty(r) => r.set_word_pos(position),
        }
        s
    }

    pub fn take_words(&mut self, n: usize) -> Vec<u64> {
        (0..n).map(|_| self.next_u64()).collect()
    }
}

impl RngCore for Stream {
    fn next_u32(&mut self) -> u32 {
        unreachable!("only 64-bit words are drawn")
    }

    fn next_u64(&mut self) -> u64 {
        self.words += 1;
        match &mut self.rng {
            Rounds::Eight(r) => r.next_u64(),
            Rounds::Twenty(r) => r.next_u64(),
        }
    }

    fn fill_bytes(&mut self, dst: &mut [u8]) {
        assert_eq!(dst.len() % 8, 0, "whole words only");
        self.words += dst.len() as u64 / 8;
        match &mut self.rng {
            Rounds::Eight(r) => r.fill_bytes(dst),
            Rounds::Twenty(r) => r.fill_bytes(dst),
        }
    }

    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Error> {
        self.fill_bytes(dst);
        Ok(())
    }
}

/// Which words a roll throws away.
#[derive(Clone, Copy, PartialEq)]
pub enum Rejection {
    /// `Uniform<u64>::sample`, which `WeightedIndex` uses: leader schedules.
    Modulo,
    /// `gen_range`, which is `sample_single`: Turbine.
    Shift,
}

impl Rejection {
    pub fn name(self) -> &'static str {
        match self {
            Rejection::Modulo => "modulo",
            Rejection::Shift => "shift",
        }
    }

    /// A number in [0, n).
    pub fn roll(self, stream: &mut Stream, n: u64) -> u64 {
        match self {
            Rejection::Modulo => <u64 as SampleUniform>::Sampler::new(0, n).sample(stream),
            Rejection::Shift => stream.gen_range(0..n),
        }
    }
}

/// The seed of an epoch: little-endian, then zeros.
pub fn seed_for_epoch(epoch: u64) -> [u8; 32] {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&epoch.to_le_bytes());
    seed
}
