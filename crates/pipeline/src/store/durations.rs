//! Durations, counted in classes instead of one by one: a few hundred numbers describe a million.

use std::collections::BTreeMap;

/// How many classes there are to each factor of e: neighbours are 5 % apart, so a percentile is right to 2.5 %.
pub(super) const CLASSES: f64 = 20.0;

/// Durations by class. The class of so many milliseconds, at least one, is `round(ln(ms) * CLASSES)`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Durations(BTreeMap<i32, i64>);

impl Durations {
    pub fn add(&mut self, class: i32, count: i64) {
        *self.0.entry(class).or_default() += count;
    }

    /// The number of durations.
    pub fn count(&self) -> i64 {
        self.0.values().sum()
    }

    /// A percentile in milliseconds; `None` if there are no durations.
    pub fn percentile_ms(&self, percent: i64) -> Option<f64> {
        let wanted = (self.count() * percent + 99) / 100;
        let mut seen = 0;
        let class = self.0.iter().find(|(_, count)| {
            seen += **count;
            seen >= wanted
        });
        class.map(|(class, _)| (f64::from(*class) / CLASSES).exp())
    }

    /// A percentile in whole milliseconds.
    pub fn whole_ms(&self, percent: i64) -> Option<i64> {
        #[expect(clippy::cast_possible_truncation, reason = "no execution takes 2^53 milliseconds")]
        self.percentile_ms(percent).map(|ms| ms.round() as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(durations_ms: &[f64]) -> Durations {
        let mut durations = Durations::default();
        for ms in durations_ms {
            #[expect(clippy::cast_possible_truncation, reason = "a class is small")]
            durations.add((ms.ln() * CLASSES).round() as i32, 1);
        }
        durations
    }

    #[test]
    fn a_percentile_is_right_to_one_part_in_forty() {
        let all: Vec<f64> = (1..=1_000).map(f64::from).collect();
        let durations = of(&all);
        for (percent, exact) in [(50, 500.0), (95, 950.0), (100, 1_000.0)] {
            let read = durations.percentile_ms(percent).unwrap();
            assert!((read / exact - 1.0).abs() < 0.026, "{percent}: {read}");
        }
        assert_eq!(durations.count(), 1_000);
    }

    #[test]
    fn one_is_its_own_median_and_none_has_no_percentile() {
        assert_eq!(of(&[1.0]).whole_ms(50), Some(1));
        assert_eq!(Durations::default().percentile_ms(50), None);
    }
}
