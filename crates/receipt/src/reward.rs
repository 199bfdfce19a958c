//! The reward: how good one invocation was, as a number an agent can learn from.

use serde::{Deserialize, Serialize};

/// The reward and its parts, each in thousandths.
///
/// Thousandths are integers, so the canonical form of a receipt never depends on how a language prints a
/// fraction, and anyone can recompute `total` exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Reward {
    /// Whether the action succeeded: −1000 to 1000.
    pub success: i32,
    /// The quality of the result: −1000 to 1000.
    pub quality: i32,
    /// The cost relative to the expected cost: 0 to 1000.
    pub cost: i32,
    /// The duration relative to the expected duration: 0 to 1000.
    pub latency: i32,
    /// `0.6·success + 0.3·quality − 0.05·cost − 0.05·latency`, within −1000 to 1000.
    pub total: i32,
}

/// `0.6·success + 0.3·quality − 0.05·cost − 0.05·latency`, clamped to [−1, 1].
///
/// Success and quality are clamped to [−1, 1], cost and latency to [0, 1]; a value that is not a number counts as 0.
pub fn reward(success: f64, quality: f64, cost: f64, latency: f64) -> Reward {
    let (success, quality) = (thousandths(success, -1.0), thousandths(quality, -1.0));
    let (cost, latency) = (thousandths(cost, 0.0), thousandths(latency, 0.0));
    let millionths = 600 * success + 300 * quality - 50 * cost - 50 * latency;
    // Halves round away from zero, as people expect.
    let total = (millionths + 500 * millionths.signum()) / 1000;
    Reward { success, quality, cost, latency, total: total.clamp(-1000, 1000) }
}

#[expect(clippy::cast_possible_truncation, reason = "the value was brought into -1000..=1000 before")]
fn thousandths(value: f64, least: f64) -> i32 {
    if value.is_nan() { 0 } else { (value.clamp(least, 1.0) * 1000.0).round() as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reward_follows_the_formula_and_stays_within_its_ends() {
        assert_eq!(reward(1.0, 1.0, 0.0, 0.0).total, 900);
        assert_eq!(reward(1.0, 0.5, 0.2, 0.4).total, 720);
        assert_eq!(reward(0.0, 0.0, 1.0, 1.0).total, -100);
        assert_eq!(reward(-1.0, -1.0, 1.0, 1.0).total, -1000);
        assert_eq!(reward(f64::INFINITY, f64::MAX, -3.0, f64::NEG_INFINITY).total, 900);
        assert_eq!(reward(f64::NAN, 0.0, 0.0, 0.0).total, 0);
    }

    #[test]
    fn halves_round_away_from_zero() {
        assert_eq!(reward(0.0, 0.0, 0.01, 0.0).total, -1);
        assert_eq!(reward(0.0, 0.005, 0.0, 0.0).total, 2);
    }
}
