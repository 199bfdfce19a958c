//! What a provider may be.

use catalog::{
    connector::Auth,
    limits::models::{MOST_FOR_A_TOKEN, MOST_MODELS, MOST_TIERS},
    models::{Model, Preset, Price},
};
use tenancy::SLACK_SIGNING_SECRET;
use url::Url;

use super::invalid;
use crate::error::Error;

pub(super) fn base_url_of(text: &str) -> Result<Url, Error> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let url =
        url.filter(|url| url.username().is_empty() && url.password().is_none() && url.fragment().is_none());
    match url {
        Some(url) => Ok(url),
        None => invalid("the URL of a provider is `https://…`, without a user, password or fragment"),
    }
}

/// Whether a server is the one that a preset knows: at its address, or on this machine where the preset is for one's own machine.
pub(super) fn is_home(preset: &Preset, url: &Url) -> bool {
    Url::parse(preset.base_url).is_ok_and(|known| known.origin() == url.origin())
}

/// A price that a person gives, with its tiers in order.
pub(super) fn check_price(model: &str, mut price: Price) -> Result<Price, Error> {
    price.tiers.sort_by_key(|tier| tier.above);
    let tiers = price.tiers.iter();
    let told =
        tiers.flat_map(|tier| [Some(tier.input), Some(tier.output), tier.cache_read, tier.cache_write]);
    let told = told.chain([Some(price.input), Some(price.output), price.cache_read, price.cache_write]);
    if told.flatten().any(|nano| nano > MOST_FOR_A_TOKEN) {
        return invalid(format!("`{model}`: a token costs at most {MOST_FOR_A_TOKEN} nano-USD"));
    }
    let is_twice = price.tiers.windows(2).any(|pair| matches!(pair, [a, b] if a.above == b.above));
    if is_twice || price.tiers.len() > MOST_TIERS {
        return invalid(format!(
            "`{model}`: a price has at most {MOST_TIERS} tiers, each above another number"
        ));
    }
    Ok(price)
}

pub(super) fn check_auth(auth: &Auth, preset: Option<&Preset>) -> Result<(), Error> {
    if auth.secret() == Some(SLACK_SIGNING_SECRET) {
        return invalid(format!("`{SLACK_SIGNING_SECRET}` is reserved for clicks in Slack"));
    }
    match (auth, preset) {
        (Auth::OAuth { .. }, _) => invalid("a model provider is called with a key: `bearer` or `header`"),
        (Auth::None, Some(preset)) if preset.needs_secret => {
            invalid(format!("{} needs a secret: name the one that holds its key", preset.title))
        }
        _ => Ok(()),
    }
}

pub(super) fn check_models(models: &[Model]) -> Result<(), Error> {
    if models.is_empty() || models.len() > MOST_MODELS {
        return invalid(format!("name 1 to {MOST_MODELS} models of the provider"));
    }
    let mut names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() < models.len() { invalid("a model is named twice") } else { Ok(()) }
}
