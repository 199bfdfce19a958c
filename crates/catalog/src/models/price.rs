//! What tokens cost. Money is integer nano-USD (10⁻⁹ USD): sums are exact, and a token costs a whole number of them.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Usage;

/// An amount in nano-USD.
pub type Nano = u64;

/// What the tokens of a model cost, in nano-USD for each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub input: Nano,
    pub output: Nano,
    /// Input that the provider had in its cache; as other input where it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<Nano>,
    /// Input that the provider put into its cache; as other input where it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<Nano>,
    /// Other prices for large requests, smallest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tiers: Vec<Tier>,
}

/// The prices of a request with more input than a number of tokens. They hold for the whole request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tier {
    pub above: u64,
    pub input: Nano,
    pub output: Nano,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<Nano>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<Nano>,
}

/// What a call cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    pub nano_usd: Nano,
}

impl Cost {
    /// An amount that a provider tells in USD, rounded up.
    pub(super) fn of_usd(usd: &Value) -> Option<Self> {
        let nano = usd.as_f64().map(|usd| (usd * 1e9).ceil())?;
        // Larger ones are mistakes; an f64 is exact up to 2^53.
        let is_usable = (0.0..9e15).contains(&nano);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is whole and within the range"
        )]
        is_usable.then_some(Self { nano_usd: nano as Nano })
    }
}

/// The prices of one request.
struct Rates {
    input: Nano,
    output: Nano,
    cache_read: Nano,
    cache_write: Nano,
}

impl Price {
    /// What these tokens cost.
    pub fn cost(&self, usage: &Usage) -> Nano {
        let rates = self.rates(usage.whole_input());
        [
            (usage.input, rates.input),
            (usage.cache_read, rates.cache_read),
            (usage.cache_write, rates.cache_write),
            (usage.output, rates.output),
        ]
        .into_iter()
        .fold(0, |sum: Nano, (tokens, rate)| sum.saturating_add(tokens.saturating_mul(rate)))
    }

    /// The most that a request with this many tokens can cost.
    pub fn most(&self, input: u64, output: u64) -> Nano {
        let rates = self.rates(input);
        let input_rate = rates.input.max(rates.cache_write).max(rates.cache_read);
        input.saturating_mul(input_rate).saturating_add(output.saturating_mul(rates.output))
    }

    /// How many output tokens this much money pays for after this much input.
    pub fn affordable(&self, input: u64, nano_usd: Nano) -> u64 {
        let Some(left) = nano_usd.checked_sub(self.most(input, 0)) else { return 0 };
        left.checked_div(self.rates(input).output).unwrap_or(u64::MAX)
    }

    /// Whether some request costs less than by another price.
    pub fn is_below(&self, other: &Self) -> bool {
        let starts = self.tiers.iter().chain(&other.tiers).map(|tier| tier.above.saturating_add(1));
        std::iter::once(0).chain(starts).any(|input| {
            let (own, other) = (self.rates(input), other.rates(input));
            own.input < other.input
                || own.output < other.output
                || own.cache_read < other.cache_read
                || own.cache_write < other.cache_write
        })
    }

    fn rates(&self, input: u64) -> Rates {
        let tier = self.tiers.iter().rev().find(|tier| input > tier.above);
        let (plain, output, cache_read, cache_write) = match tier {
            Some(tier) => (tier.input, tier.output, tier.cache_read, tier.cache_write),
            None => (self.input, self.output, self.cache_read, self.cache_write),
        };
        Rates {
            input: plain,
            output,
            cache_read: cache_read.unwrap_or(plain),
            cache_write: cache_write.unwrap_or(plain),
        }
    }
}

/// A model in the bundled table.
#[derive(Debug, Deserialize)]
pub struct Known {
    pub context: u64,
    pub max_output: u64,
    #[serde(flatten)]
    price: PriceFields,
}

// `deny_unknown_fields` and `flatten` exclude each other.
#[derive(Debug, Deserialize)]
struct PriceFields {
    input: Nano,
    output: Nano,
    cache_read: Option<Nano>,
    cache_write: Option<Nano>,
    #[serde(default)]
    tiers: Vec<Tier>,
}

impl Known {
    /// What its tokens cost.
    pub fn price(&self) -> Price {
        let PriceFields { input, output, cache_read, cache_write, tiers } = &self.price;
        let tiers = tiers.clone();
        Price { input: *input, output: *output, cache_read: *cache_read, cache_write: *cache_write, tiers }
    }
}

#[derive(Deserialize)]
struct Table {
    version: String,
    models: BTreeMap<String, Known>,
}

/// Written by `scripts/model-prices`.
static TABLE: LazyLock<Table> =
    LazyLock::new(|| serde_json::from_str(include_str!("prices.json")).expect("the bundled table is valid"));

/// The version of the bundled table.
pub fn version() -> &'static str {
    &TABLE.version
}

/// A model in the bundled table, by its name or by its name with a date.
pub fn known(name: &str) -> Option<&'static Known> {
    TABLE.models.get(name).or_else(|| TABLE.models.get(without_date(name)?))
}

/// `name` of `name-2026-04-23` and `name-20260423`.
fn without_date(name: &str) -> Option<&str> {
    let end = name.len().checked_sub("-2026-04-23".len()).and_then(|at| name.split_at_checked(at));
    let short = name.len().checked_sub("-20260423".len()).and_then(|at| name.split_at_checked(at));
    let is_date = |tail: &str, dashes: usize| {
        let digits = tail.chars().filter(char::is_ascii_digit).count();
        tail.starts_with('-') && digits == 8 && tail.matches('-').count() == dashes
    };
    let dashed = end.filter(|(_, tail)| is_date(tail, 3));
    dashed.or_else(|| short.filter(|(_, tail)| is_date(tail, 1))).map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_bundled_table_is_complete() {
        assert!(TABLE.models.len() > 40 && version().len() == 10);
        for (name, known) in &TABLE.models {
            let price = known.price();
            assert!(known.context > 1_000 && known.max_output > 1_000, "{name}");
            assert!(price.input > 0 && price.output >= price.input, "{name}");
            assert!(price.tiers.is_sorted_by_key(|tier| tier.above), "{name}");
        }
    }

    #[test]
    fn models_are_found_with_their_date() {
        assert!(known("gpt-5.5").is_some() && known("gpt-5.5-2026-04-23").is_some());
        assert!(known("claude-sonnet-5-20260101").is_some());
        assert!(known("gpt-5.5-2026-04").is_none() && known("nobody").is_none() && known("é").is_none());
    }

    #[test]
    fn a_tier_holds_for_the_whole_request() {
        let tier = Tier { above: 100, input: 20, output: 40, cache_read: Some(2), cache_write: None };
        let price =
            Price { input: 10, output: 30, cache_read: Some(1), cache_write: Some(12), tiers: vec![tier] };
        let usage = |input, cache_read, cache_write| Usage { input, cache_read, cache_write, output: 5 };
        assert_eq!(price.cost(&usage(100, 0, 0)), 1_000 + 150);
        assert_eq!(price.cost(&usage(50, 40, 10)), 500 + 40 + 120 + 150);
        assert_eq!(price.cost(&usage(101, 0, 0)), 2_020 + 200);
        assert_eq!(price.cost(&usage(50, 50, 10)), 1_000 + 100 + 200 + 200);
        assert_eq!(price.most(100, 5), 1_200 + 150, "at the dearer rate");
        assert_eq!(price.affordable(100, price.most(100, 7)), 7);
        assert_eq!(price.affordable(100, 0), 0);
        assert_eq!(
            Price { output: 0, tiers: vec![], ..price }.affordable(100, 0),
            0,
            "the input alone is too dear"
        );
        assert_eq!(price.cost(&usage(u64::MAX, 1, 1)), u64::MAX, "saturates");
    }

    #[test]
    fn a_price_is_below_another_if_any_request_is() {
        let price =
            |input, output, tiers| Price { input, output, cache_read: None, cache_write: None, tiers };
        let tier = |above, input| Tier { above, input, output: 30, cache_read: None, cache_write: None };
        assert!(!price(10, 30, vec![]).is_below(&price(10, 30, vec![])));
        assert!(price(9, 40, vec![]).is_below(&price(10, 30, vec![])));
        assert!(price(10, 29, vec![]).is_below(&price(10, 30, vec![])));
        assert!(price(10, 30, vec![]).is_below(&price(10, 30, vec![tier(100, 20)])), "of large requests");
        assert!(!price(20, 30, vec![]).is_below(&price(10, 30, vec![tier(100, 20)])));
        let cached = Price { cache_read: Some(1), ..price(10, 30, vec![]) };
        assert!(cached.is_below(&price(10, 30, vec![])) && !price(10, 30, vec![]).is_below(&cached));
    }

    #[test]
    fn told_costs_are_rounded_up() {
        assert_eq!(Cost::of_usd(&json!(0.000_012_345_6)), Some(Cost { nano_usd: 12_346 }));
        assert_eq!(Cost::of_usd(&json!(0)), Some(Cost { nano_usd: 0 }));
        for wrong in [json!(-1), json!("1"), json!(1e300), json!(null)] {
            assert_eq!(Cost::of_usd(&wrong), None, "{wrong}");
        }
    }
}
