//! Numbers from a seed (SplitMix64).

pub struct Dice(u64);

impl Dice {
    /// Those of one case. Neighbours have nothing in common.
    pub fn of(seed: u64, case: u64) -> Self {
        let mut mixed = Self(seed.wrapping_add(case.wrapping_mul(0xD1B5_4A32_D192_ED03)));
        Self(mixed.next() ^ mixed.next().rotate_left(32))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub fn in_a_hundred(&mut self, times: usize) -> bool {
        self.below(100) < times
    }

    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}
