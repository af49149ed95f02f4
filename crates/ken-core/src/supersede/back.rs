//! What is brought back, and ends what had taken its place.

use super::cues::Cue;
use super::slot::{Filler, Pair, Side};
use super::{BACK_MIN, Evidence, World};

/// Least similarity where it only says `again`.
const AGAIN_MIN: f32 = 0.55;

impl World<'_> {
    /// What is brought back ends what had taken its place.
    pub(super) fn returns(&mut self, at: usize, like: &[usize]) {
        let unit = self.unit(at);
        if !(self.unit(at).has(Cue::Back) || self.unit(at).has(Cue::Again)) {
            return;
        }
        let mut ended: Vec<usize> = Vec::new();
        for old in like.iter().copied() {
            let earlier = self.unit(old);
            let Some(replaced) = self.out[earlier.said].filter(|one| one.by < unit.said) else { continue };
            // What names something itself leans on nothing.
            let later = match unit.stems.len() {
                0 | 1 => self.near.keys(unit, at, &unit.stems, &[]),
                _ => self.near.keys_alone(unit, &unit.stems, &[]),
            };
            let alike = self.near.similarity(&self.near.keys(earlier, old, &earlier.stems, &[]), &later);
            let least = if unit.has(Cue::Back) { BACK_MIN } else { AGAIN_MIN };
            if alike < least || self.out[replaced.by].is_some() || self.said[replaced.by].exchange == unit.exchange {
                continue;
            }
            let by: Vec<usize> = self.units_of(replaced.by);
            let is_gone = |stem: &u32| !by.iter().any(|by| self.unit(*by).stems.contains(stem));
            // Who ends or replaces something names it too.
            let is_named_old = |stem: &u32| {
                let frames = by.iter().map(|by| self.frame(*by));
                frames.into_iter().any(|frame| {
                    let was = |pair: &Pair| matches!(&pair.old, Side::Words(words) if words.contains(stem));
                    frame.pairs.iter().any(was) || frame.ends.iter().any(|ended| ended.stems.contains(stem))
                })
            };
            let is_brought =
                |filler: &Filler| filler.stems.iter().all(|stem| unit.stems.contains(stem) && is_named_old(stem));
            let shared: Vec<&u32> = earlier.stems.iter().filter(|stem| unit.stems.contains(stem)).collect();
            // `We order boards again` does again what was done, and brings nothing back.
            let is_told = shared.len() > 1 && (unit.has(Cue::Back) || !self.acts(at));
            let words = is_told && shared.into_iter().any(is_gone) || self.frame(old).fillers.iter().any(is_brought);
            let values = self.frame(old).slots.iter().filter(|slot| !slot.is_bare());
            let mut values = values.filter(|slot| {
                !by.iter().any(|by| self.frame(*by).slots.iter().any(|new| new.is_same(slot) && !new.is_old))
            });
            if words || values.any(|slot| self.frame(at).slots.iter().any(|new| new.is_same(slot) && !new.is_time)) {
                ended.push(replaced.by);
            }
        }
        for said in ended {
            let first = self.units_of(said)[0];
            self.replace(first, at, Evidence::Change);
        }
    }

    /// Whether a sentence says what somebody is to do.
    fn acts(&self, at: usize) -> bool {
        self.unit(at).has(Cue::Must)
    }
}
