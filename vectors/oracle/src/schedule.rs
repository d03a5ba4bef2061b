//! Leader schedules, twice: on rand 0.8.5's `WeightedIndex`, and by the formula
//! that Agave writes out today. The two must agree.

use crate::splitmix::Key;
use crate::stream::{seed_for_epoch, Stream};
use rand::distributions::{Distribution, WeightedIndex};
use rand::RngCore;

/// Why there is no schedule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    NoStake,
    Overflow,
    NoSlots,
}

impl Refusal {
    pub fn name(self) -> &'static str {
        match self {
            Refusal::NoStake => "no stake",
            Refusal::Overflow => "overflow",
            Refusal::NoSlots => "no slots",
        }
    }
}

#[derive(Debug)]
pub struct Derived {
    /// One position in the caller's list a rotation.
    pub rotations: Vec<usize>,
    /// 64-bit words drawn, rejected ones too.
    pub words: u64,
    pub repeat: usize,
    pub slots: usize,
}

impl Derived {
    /// The position in the caller's list of every slot's leader.
    pub fn per_slot(&self) -> Vec<usize> {
        (0..self.slots).map(|s| self.rotations[s / self.repeat]).collect()
    }

    pub fn rejected(&self) -> u64 {
        self.words - self.rotations.len() as u64
    }

    pub fn distinct(&self) -> usize {
        let mut seen = self.rotations.clone();
        seen.sort_unstable();
        seen.dedup();
        seen.len()
    }
}

/// Positions of the entries that take part, by stake and then key, descending;
/// exact repeats once.
pub fn ranks(entries: &[(Key, u64)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by(|&a, &b| {
        (entries[b].1, entries[b].0)
            .cmp(&(entries[a].1, entries[a].0))
            .then(a.cmp(&b))
    });
    order.dedup_by(|a, b| entries[*a] == entries[*b]);
    order
}

pub fn derive(entries: &[(Key, u64)], epoch: u64, slots: usize, repeat: usize) -> Result<Derived, Refusal> {
    let order = ranks(entries);
    let stakes: Vec<u64> = order.iter().map(|&i| entries[i].1).collect();
    let formula = Formula::new(&stakes)?;
    if slots == 0 {
        return Err(Refusal::NoSlots);
    }
    let index = WeightedIndex::new(&stakes).expect("the formula took these stakes");
    let mut stream = Stream::new(20, seed_for_epoch(epoch));
    let mut twin = Stream::new(20, seed_for_epoch(epoch));
    let rotations = (0..slots.div_ceil(repeat))
        .map(|_| {
            let rank = index.sample(&mut stream);
            assert_eq!(rank, formula.sample(&mut twin), "WeightedIndex and formula");
            order[rank]
        })
        .collect();
    assert_eq!(stream.words, twin.words);
    Ok(Derived {
        rotations,
        words: stream.words,
        repeat,
        slots,
    })
}

struct Formula {
    cumulative: Vec<u64>,
    total: u64,
    zone: u64,
}

impl Formula {
    fn new(stakes: &[u64]) -> Result<Formula, Refusal> {
        let mut total = 0u64;
        let mut cumulative = Vec::with_capacity(stakes.len());
        for &stake in stakes {
            total = total.checked_add(stake).ok_or(Refusal::Overflow)?;
            cumulative.push(total);
        }
        if total == 0 {
            return Err(Refusal::NoStake);
        }
        cumulative.pop();
        let zone = u64::MAX - (u64::MAX - total + 1) % total;
        Ok(Formula {
            cumulative,
            total,
            zone,
        })
    }

    fn sample(&self, stream: &mut Stream) -> usize {
        loop {
            let product = u128::from(stream.next_u64()) * u128::from(self.total);
            if product as u64 <= self.zone {
                let draw = (product >> 64) as u64;
                return self.cumulative.partition_point(|&c| c <= draw);
            }
        }
    }
}
