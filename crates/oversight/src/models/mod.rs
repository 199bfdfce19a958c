//! Providers of language models: saved, tested and removed by people.

mod check;

use catalog::{
    CallContext, Credential,
    connector::{Auth, Error as ConnectorError},
    limits::models::{MOST_OUTPUT_TOKENS, MOST_PROVIDERS, PROBE_TIMEOUT},
    models::{self, Model, Preset, Price, Provider, Wire, store},
};
use changes::{Author, Draft, Kind as Change};
use model::{ActionName, Digest, InvocationId, ModelProviderId, OrgId};
use pipeline::read;
use platform::db::{self, Tx};
use serde_json::{Value, json};

use crate::{connectors::By, error::Error, parts::Oversight};
use check::{base_url_of, check_auth, check_models, check_price, is_home};

/// The sizes of a model that is not in the bundled table, unless a person says them: those of small servers.
const UNKNOWN_CONTEXT: u64 = 32_000;
const UNKNOWN_OUTPUT: u64 = 4_096;
/// The largest sizes that a person may say.
const MOST_TOKENS: u64 = 100_000_000;

/// A provider to be saved. What is `None` is as it was, or as its preset says.
#[derive(Debug, Clone)]
pub struct ModelProviderChange {
    pub preset: Option<&'static Preset>,
    pub wire: Option<Wire>,
    pub base_url: Option<String>,
    pub auth: Option<Auth>,
    /// `None` for those that it has.
    pub models: Option<Vec<ModelChange>>,
    pub may_see_private: Option<bool>,
    pub is_free: Option<bool>,
    pub enabled: Option<bool>,
}

/// A model to be saved; its sizes are those of the bundled table, unless a person says them.
#[derive(Debug, Clone)]
pub struct ModelChange {
    pub name: String,
    pub context: Option<u64>,
    pub max_output: Option<u64>,
    pub price: Option<Price>,
}

impl ModelChange {
    fn model(self) -> Result<Model, Error> {
        let known = models::known_model(&self.name);
        let context = self.context.or_else(|| known.map(|known| known.context)).unwrap_or(UNKNOWN_CONTEXT);
        let most = self.max_output.or_else(|| known.map(|known| known.max_output)).unwrap_or(UNKNOWN_OUTPUT);
        let is_name = !self.name.is_empty()
            && self.name.len() <= 200
            && self.name.chars().all(|c| c.is_ascii_graphic() && !"\"'<>`".contains(c));
        if !is_name {
            return invalid("the name of a model has 1 to 200 characters, without spaces and quotes");
        }
        if !(1_000..=MOST_TOKENS).contains(&context) || !(16..=context).contains(&most) {
            let name = &self.name;
            return invalid(format!(
                "`{name}`: the context must have at least 1 000 tokens, and the output 16 to that many"
            ));
        }
        let price = self.price.map(|price| check_price(&self.name, price)).transpose()?;
        Ok(Model { name: self.name, context, max_output: most.min(MOST_OUTPUT_TOKENS), price })
    }
}

fn invalid<T>(rule: impl Into<String>) -> Result<T, Error> {
    Err(ConnectorError::Invalid(rule.into()).into())
}

/// A provider as its change is recorded. The rest of an address may hold a secret, so it is named by its digest.
fn recorded(provider: &Provider) -> Value {
    json!({
        "wire": provider.wire,
        "origin": provider.origin(),
        "base_url": Digest::of_bytes(provider.base_url.as_str().as_bytes()),
        "auth": provider.auth.as_str(),
        "auth_header": provider.auth.header(),
        "secret_name": provider.auth.secret(),
        "models": provider.models,
        "below_table": provider.below_table(),
        "quirks": provider.quirks,
        "may_see_private": provider.may_see_private,
        "is_free": provider.is_free,
        "enabled": provider.enabled,
    })
}

impl Oversight {
    /// The org's providers.
    pub async fn model_providers(&self, org: OrgId) -> Result<Vec<Provider>, Error> {
        Ok(store::list(&mut *self.parts.db.begin(org).await?, org).await?)
    }

    /// Whether a provider can be called: it needs no secret, or its secret exists and may be sent to it.
    pub async fn has_credential(&self, org: OrgId, provider: &Provider) -> Result<bool, Error> {
        let Some(wanted) = read::model_secret_use(provider) else { return Ok(true) };
        let mut tx = self.parts.db.begin(org).await?;
        let sealed = self.parts.tenancy.secrets_for(&mut tx, org, std::slice::from_ref(&wanted)).await?;
        Ok(sealed.contains_key(&wanted.source))
    }

    /// What an organization spent on models on the last days, and what it may spend in a day.
    pub async fn spending(&self, org: OrgId, days: i32) -> Result<(Vec<read::DaySpent>, read::Cap), Error> {
        Ok(self.parts.reader.spending(org, days).await?)
    }

    /// Saves a provider, new or changed, and asks it what it can do. If it does not answer, it is saved with that error.
    pub async fn put_model_provider(
        &self,
        by: By<'_>,
        slug: &ActionName,
        change: ModelProviderChange,
    ) -> Result<Provider, Error> {
        let org = by.author.org;
        let mut tx = self.parts.db.begin(org).await?;
        let before = store::lock(&mut tx, org, slug).await?;
        let after = self.changed(by.author, slug, before.as_ref(), change)?;
        let draft = Draft {
            kind: Change::ModelProviderSet,
            subject: after.id.to_string(),
            name: slug.to_string(),
            before: before.as_ref().map(recorded),
            after: Some(recorded(&after)),
        };
        if draft.before != draft.after {
            let mut change = self.parts.recorder.record(&mut tx, by.author, draft).await?;
            if !store::put(&mut change, org, &after).await? {
                return invalid(format!("an organization can have at most {MOST_PROVIDERS} model providers"));
            }
        }
        if let Some(wanted) = read::model_secret_use(&after) {
            self.parts.tenancy.allow_secret(&mut tx, by.author, by.role, &wanted).await?;
        }
        db::commit(tx).await?;
        if after.enabled { self.test_model_provider(org, slug).await } else { Ok(after) }
    }

    fn changed(
        &self,
        by: &Author,
        slug: &ActionName,
        before: Option<&Provider>,
        change: ModelProviderChange,
    ) -> Result<Provider, Error> {
        let preset = change.preset;
        let wire = change.wire.or_else(|| before.map(|was| was.wire));
        let wire = wire.or_else(|| preset.map(|preset| preset.wire));
        let Some(wire) = wire else { return invalid("say the wire of the provider, or choose a preset") };
        let base_url = match (&change.base_url, before, preset) {
            (Some(url), ..) => url.as_str(),
            (None, Some(was), _) => was.base_url.as_str(),
            (None, None, Some(preset)) if !preset.base_url.is_empty() => preset.base_url,
            _ => return invalid("say the URL of the provider"),
        };
        let auth = change.auth.or_else(|| before.map(|was| was.auth.clone())).unwrap_or(Auth::None);
        check_auth(&auth, preset)?;
        let models = match (change.models, before) {
            (Some(models), _) => models.into_iter().map(ModelChange::model).collect::<Result<Vec<_>, _>>()?,
            (None, Some(was)) => was.models.clone(),
            (None, None) => vec![],
        };
        check_models(&models)?;
        // The quirks that were found out are those of the server as it was.
        let base_url = base_url_of(base_url)?;
        // What is known about the server of a preset holds at its own address only.
        let at_home = preset.filter(|preset| is_home(preset, &base_url));
        let known = preset.filter(|preset| preset.wire == wire).map(|preset| models::Quirks {
            reports_cost: preset.quirks.reports_cost && at_home.is_some(),
            ..preset.quirks
        });
        let kept = before.filter(|was| was.wire == wire && was.base_url == base_url && preset.is_none());
        let kept = kept.map(|was| was.quirks);
        Ok(Provider {
            id: before.map_or_else(|| ModelProviderId::from_uuid(self.parts.world.uuid()), |was| was.id),
            slug: slug.clone(),
            wire,
            base_url,
            auth,
            models,
            quirks: kept.or(known).unwrap_or_else(|| models::Quirks::of(wire)),
            may_see_private: (change.may_see_private)
                .unwrap_or_else(|| before.is_some_and(|was| was.may_see_private)),
            is_free: change.is_free.unwrap_or_else(|| match before {
                Some(was) => was.is_free,
                None => at_home.is_some_and(|preset| preset.is_free),
            }),
            enabled: change.enabled.unwrap_or_else(|| before.is_none_or(|was| was.enabled)),
            probed: before.and_then(|was| was.probed.clone()),
            created_by: match (before, by.user) {
                (Some(was), _) => was.created_by,
                (None, Some(user)) => user,
                (None, None) => return Err(tenancy::Error::Unauthenticated.into()),
            },
            created_at: before.map_or_else(|| self.parts.world.clock.now(), |was| was.created_at),
        })
    }

    /// Asks a provider what it can do, and stores the answer.
    pub async fn test_model_provider(&self, org: OrgId, slug: &ActionName) -> Result<Provider, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let provider = found(&mut tx, org, slug).await?;
        drop(tx);
        let credential = self.parts.reader.credential_of(org, &provider).await?;
        let ctx = CallContext {
            org,
            key: InvocationId::from_uuid(self.parts.world.uuid()).into(),
            credential: credential.map(|found| Credential { token: found.token }),
            timeout: PROBE_TIMEOUT,
            egress: self.parts.egress.clone(),
            workspace: None,
            payloads: Default::default(),
        };
        let (mut probed, quirks) = models::probe(&provider, &ctx, self.parts.world.clock.now()).await;
        let redactor = self.parts.reader.redactor_with(ctx.credential.as_ref());
        probed.error = probed.error.map(|why| redactor.redact_text(&why).chars().take(500).collect());
        let mut tx = self.parts.db.begin(org).await?;
        store::set_probed(&mut tx, org, provider.id, (&probed, &quirks)).await?;
        let provider = found(&mut tx, org, slug).await?;
        db::commit(tx).await?;
        Ok(provider)
    }

    /// Removes a provider. Steps that ask it fail from then on.
    pub async fn remove_model_provider(&self, by: &Author, slug: &ActionName) -> Result<(), Error> {
        let mut tx = self.parts.db.begin(by.org).await?;
        let provider = found(&mut tx, by.org, slug).await?;
        let draft = Draft {
            kind: Change::ModelProviderRemoved,
            subject: provider.id.to_string(),
            name: slug.to_string(),
            before: Some(recorded(&provider)),
            after: None,
        };
        let mut change = self.parts.recorder.record(&mut tx, by, draft).await?;
        store::delete(&mut change, by.org, provider.id).await?;
        Ok(db::commit(tx).await?)
    }
}

async fn found(tx: &mut Tx, org: OrgId, slug: &ActionName) -> Result<Provider, Error> {
    let found = store::lock(tx, org, slug).await?;
    Ok(found.ok_or(ConnectorError::NotFound("model provider"))?)
}
