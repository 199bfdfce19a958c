//! Providers of language models.

use api::{
    ModelBudget, ModelPresetView, ModelPrice, ModelPriceTier, ModelProviderRequest, ModelProviderView,
    ModelRequest, ModelTest, ModelView, ModelWire, Page, Problem, SpendingDay, SpendingQuery, SpendingView,
};
use axum::{Json, extract::State, http::StatusCode};
use catalog::models::{self, PRESETS, Preset, Price, Probed, Provider, Tier, Wire};
use model::ActionName;
use oversight::{By, DaySpent, ModelChange, ModelProviderChange};

use super::connectors::{read_auth, show_auth};
use crate::{
    App,
    extract::{Body, CurrentUser, Id, Query, bounded},
    problem::Answer,
    view,
};

const MOST_URL: usize = 2_000;

/// List the servers whose settings are known.
#[utoipa::path(
    get, path = "/v1/model-presets", tag = "models",
    responses((status = 200, body = Page<ModelPresetView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_model_presets() -> Json<Page<ModelPresetView>> {
    Json(Page { items: PRESETS.iter().map(preset_view).collect(), next_cursor: None })
}

/// List model providers.
#[utoipa::path(
    get, path = "/v1/models", tag = "models",
    responses((status = 200, body = Page<ModelProviderView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_model_providers(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<Page<ModelProviderView>>, Answer> {
    let mut items = Vec::new();
    // There are few providers, so one page is enough.
    for found in app.oversight.model_providers(person.org).await? {
        items.push(provider_view(&app, &person, found).await?);
    }
    Ok(Json(Page { items, next_cursor: None }))
}

/// Add or change a model provider, and test it.
///
/// The test calls a tool and asks for an answer in a schema, which costs a few tokens. If the provider does not answer, it is
/// saved anyway, with the reason in `tested.problem`.
#[utoipa::path(
    put, path = "/v1/models/{provider}", tag = "models", params(("provider" = String, Path)),
    request_body = ModelProviderRequest,
    responses((status = 200, body = ModelProviderView), (status = "4XX", body = Problem))
)]
pub(crate) async fn put_model_provider(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(slug): Id<ActionName>,
    Body(request): Body<ModelProviderRequest>,
) -> Result<Json<ModelProviderView>, Answer> {
    bounded("/base_url", request.base_url.as_deref().unwrap_or_default(), MOST_URL)?;
    let change = change(request)?;
    let by = By { author: &person.author(), role: person.role };
    let saved = app.oversight.put_model_provider(by, &slug, change).await?;
    Ok(Json(provider_view(&app, &person, saved).await?))
}

/// Test a model provider.
#[utoipa::path(
    post, path = "/v1/models/{provider}/test", tag = "models", params(("provider" = String, Path)),
    responses((status = 200, body = ModelProviderView), (status = "4XX", body = Problem))
)]
pub(crate) async fn test_model_provider(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(slug): Id<ActionName>,
) -> Result<Json<ModelProviderView>, Answer> {
    let tested = app.oversight.test_model_provider(person.org, &slug).await?;
    Ok(Json(provider_view(&app, &person, tested).await?))
}

/// Return what models cost on the last days.
#[utoipa::path(
    get, path = "/v1/models/spending", tag = "models", params(SpendingQuery),
    responses((status = 200, body = SpendingView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_spending(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<SpendingQuery>,
) -> Result<Json<SpendingView>, Answer> {
    let days = query.days.unwrap_or(30);
    if !(1..=400).contains(&days) {
        return Err(Answer::invalid("/days", "must be between 1 and 400"));
    }
    let (days, cap) = app.oversight.spending(person.org, i32::from(days)).await?;
    let amount = |nano: u64| view::usd(i64::try_from(nano).unwrap_or(i64::MAX));
    let days = days.into_iter().map(|DaySpent { day, spent }| SpendingDay {
        day,
        spent_usd: amount(spent.spent_nano_usd),
        reserved_usd: amount(spent.reserved_nano_usd),
        tokens: spent.spent_tokens,
    });
    let budget = ModelBudget { usd_per_day: cap.nano_usd.map(amount), tokens_per_day: cap.tokens };
    Ok(Json(SpendingView { budget, days: days.collect() }))
}

/// Remove a model provider.
#[utoipa::path(
    delete, path = "/v1/models/{provider}", tag = "models", params(("provider" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn remove_model_provider(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(slug): Id<ActionName>,
) -> Result<StatusCode, Answer> {
    app.oversight.remove_model_provider(&person.author(), &slug).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn change(request: ModelProviderRequest) -> Result<ModelProviderChange, Answer> {
    let preset = match request.preset.as_deref() {
        None => None,
        Some(name) => Some(models::preset(name).ok_or_else(|| {
            let known: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
            Answer::invalid("/preset", format!("unknown preset; choose one of {}", known.join(", ")))
        })?),
    };
    Ok(ModelProviderChange {
        preset,
        wire: request.wire.map(read_wire),
        base_url: request.base_url,
        auth: request.auth.map(read_auth).transpose()?,
        models: request.models.map(|models| models.into_iter().map(model_change).collect()),
        may_see_private: request.may_see_private,
        is_free: request.is_free,
        enabled: request.enabled,
    })
}

fn model_change(request: ModelRequest) -> ModelChange {
    let ModelRequest { name, context, max_output, price } = request;
    ModelChange { name, context, max_output, price: price.map(read_price) }
}

async fn provider_view(
    app: &App,
    person: &tenancy::Person,
    found: Provider,
) -> Result<ModelProviderView, Answer> {
    let has_credential = app.oversight.has_credential(person.org, &found).await?;
    let models = found.models.iter().map(|model| {
        let price = found.price_of(&model.name);
        ModelView {
            name: model.name.clone(),
            context: model.context,
            max_output: model.max_output,
            price_from: price.as_ref().map(|(_, from)| from.as_str().to_owned()),
            price: price.map(|(price, _)| show_price(price)),
        }
    });
    Ok(ModelProviderView {
        id: found.id,
        provider: found.slug.to_string(),
        action: found.address().to_string(),
        wire: show_wire(found.wire),
        base_url: found.base_url.to_string(),
        has_credential,
        models: models.collect(),
        may_see_private: found.may_see_private,
        is_free: found.is_free,
        enabled: found.enabled,
        tested: found.probed.map(test_view),
        created_by: found.created_by,
        created_at: found.created_at,
        auth: show_auth(found.auth),
    })
}

fn test_view(probed: Probed) -> ModelTest {
    let Probed { at, model, calls_tools, answers_in_schema, error } = probed;
    ModelTest { at, model, calls_tools, answers_in_schema, problem: error }
}

fn preset_view(preset: &Preset) -> ModelPresetView {
    ModelPresetView {
        name: preset.name.to_owned(),
        title: preset.title.to_owned(),
        wire: show_wire(preset.wire),
        base_url: Some(preset.base_url).filter(|url| !url.is_empty()).map(str::to_owned),
        header: preset.header.map(str::to_owned),
        needs_secret: preset.needs_secret,
        is_free: preset.is_free,
        hint: preset.hint.to_owned(),
    }
}

const fn read_wire(wire: ModelWire) -> Wire {
    match wire {
        ModelWire::AnthropicMessages => Wire::AnthropicMessages,
        ModelWire::OpenaiChat => Wire::OpenaiChat,
        ModelWire::OpenaiResponses => Wire::OpenaiResponses,
    }
}

const fn show_wire(wire: Wire) -> ModelWire {
    match wire {
        Wire::AnthropicMessages => ModelWire::AnthropicMessages,
        Wire::OpenaiChat => ModelWire::OpenaiChat,
        Wire::OpenaiResponses => ModelWire::OpenaiResponses,
    }
}

fn read_price(price: ModelPrice) -> Price {
    let ModelPrice { input, output, cache_read, cache_write, tiers } = price;
    let tier = |tier: ModelPriceTier| {
        let ModelPriceTier { above, input, output, cache_read, cache_write } = tier;
        Tier { above, input, output, cache_read, cache_write }
    };
    Price { input, output, cache_read, cache_write, tiers: tiers.into_iter().map(tier).collect() }
}

fn show_price(price: Price) -> ModelPrice {
    let Price { input, output, cache_read, cache_write, tiers } = price;
    let tier = |tier: Tier| {
        let Tier { above, input, output, cache_read, cache_write } = tier;
        ModelPriceTier { above, input, output, cache_read, cache_write }
    };
    ModelPrice { input, output, cache_read, cache_write, tiers: tiers.into_iter().map(tier).collect() }
}
