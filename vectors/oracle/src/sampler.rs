//! Weighted sampling with and without replacement, in O(n) a draw: the plain
//! meaning of what the radix-9 tree does.

use crate::stream::{Rejection, Stream};

/// What is returned when nothing is left.
pub const EMPTY: u32 = 0xFFFF_FFFF;
/// What is returned when the draw fell into the poisoned weight.
pub const INDETERMINATE: u32 = 0xFFFF_FFFE;

pub struct Sampler {
    original: Vec<u64>,
    weights: Vec<u64>,
    poison: u64,
    poisoned: bool,
    rejection: Rejection,
}

impl Sampler {
    pub fn new(weights: &[u64], poison: u64, rejection: Rejection) -> Sampler {
        Sampler {
            original: weights.to_vec(),
            weights: weights.to_vec(),
            poison,
            poisoned: false,
            rejection,
        }
    }

    pub fn sample(&mut self, stream: &mut Stream) -> u32 {
        let total: u64 = self.weights.iter().sum();
        if total == 0 {
            return EMPTY;
        }
        if self.poisoned {
            return INDETERMINATE;
        }
        let mut x = self.rejection.roll(stream, total + self.poison);
        for (i, &w) in self.weights.iter().enumerate() {
            if x < w {
                return i as u32;
            }
            x -= w;
        }
        INDETERMINATE
    }

    pub fn sample_and_remove(&mut self, stream: &mut Stream) -> u32 {
        let i = self.sample(stream);
        match i {
            EMPTY => {}
            INDETERMINATE => self.poisoned = true,
            _ => self.remove(i as usize),
        }
        i
    }

    pub fn remove(&mut self, i: usize) {
        self.weights[i] = 0;
    }

    pub fn restore(&mut self) {
        self.weights.clone_from(&self.original);
        self.poisoned = false;
    }
}

/// Turbine's order of all indices: non-zero weights by draws without
/// replacement, then the zero ones by rolls and swap_remove. A weight that would
/// overflow the sum counts as zero. `removed` are taken out first, in order.
pub fn shuffle(weights: &[u64], removed: &[usize], stream: &mut Stream) -> Vec<usize> {
    let mut weights = weights.to_vec();
    let mut zeros = Vec::new();
    let mut sum = 0u64;
    for (i, w) in weights.iter_mut().enumerate() {
        match sum.checked_add(*w) {
            Some(s) if *w > 0 => sum = s,
            _ => {
                *w = 0;
                zeros.push(i);
            }
        }
    }
    for &i in removed {
        if weights[i] > 0 {
            sum -= weights[i];
            weights[i] = 0;
        } else if let Some(at) = zeros.iter().position(|&z| z == i) {
            zeros.remove(at);
        }
    }
    let mut order = Vec::new();
    while sum > 0 {
        let mut x = Rejection::Shift.roll(stream, sum);
        let pick = weights.iter().position(|&w| {
            let hit = x < w;
            if !hit {
                x -= w;
            }
            hit
        });
        let pick = pick.expect("the draw is below the sum");
        sum -= weights[pick];
        weights[pick] = 0;
        order.push(pick);
    }
    while !zeros.is_empty() {
        let at = Rejection::Shift.roll(stream, zeros.len() as u64);
        order.push(zeros.swap_remove(at as usize));
    }
    order
}
