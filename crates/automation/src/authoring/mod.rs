//! Authoring in words: a model proposes a definition, with tools that only look and check. Nothing is saved: a person reads the
//! proposal, and saves it as their own request.

mod tools;

use std::time::Duration;

use catalog::models::{Message, Prompt, Provider, Reply, Stop, ToolResult, describe};
use changes::Author;
use model::{
    ActionName, AutomationId, Digest, Disposition, OrgId, RunId, SessionId, SessionKind, SpaceId, Status,
};
use pipeline::{Budget, Cap, Provenance, Request};
use serde_json::Value;
use tenancy::{Capabilities, NewSession};
use tokio::time::Instant;

use crate::{
    Automations, Error, Problem,
    agent::prompt::{Then, following},
    limits::authoring::{
        LONGEST, MOST_CALLS, MOST_MODELS, MOST_NANO_USD, MOST_OUTPUT_TOKENS, MOST_ROUNDS, MOST_TURNS,
    },
};

const GUIDE: &str = include_str!("guide.md");

/// What a person wants.
#[derive(Debug, Clone)]
pub struct Wish {
    pub words: String,
    /// The definition that is to be changed.
    pub base: Option<Value>,
    pub space: Option<SpaceId>,
    /// Provider and model; `None` for the only ones there are.
    pub provider: Option<ActionName>,
    pub model: Option<String>,
    /// The person's time zone.
    pub zone: String,
}

/// What a model proposes. Its words are its own; the definition can be saved.
#[derive(Debug, Clone, Default)]
pub struct Proposal {
    /// `None` if it proposes nothing.
    pub definition: Option<Value>,
    pub notes: String,
    pub questions: Vec<String>,
    /// What was asked for and cannot be done.
    pub gaps: Vec<String>,
    /// Why its last definition cannot be saved, if it gave up.
    pub problems: Vec<Problem>,
    /// Why the model was not asked, or did not answer.
    pub failure: Option<String>,
    pub turns: u32,
    /// How many definitions it proposed that cannot be saved.
    pub refused: u32,
    /// `None` if nobody knows.
    pub nano_usd: Option<u64>,
}

/// A reply and what it cost, if somebody knows.
type Answered = (Reply, Option<u64>);

/// A definition in the making.
#[derive(Default)]
struct Draft {
    base: Option<Value>,
    /// How many definitions were proposed that cannot be saved.
    refused: u32,
    /// What the model was told last.
    problems: Vec<Problem>,
}

/// The model that is asked, and on whose behalf.
struct Asked {
    org: OrgId,
    session: SessionId,
    provider: Provider,
    model: String,
    budget: Budget,
}

impl Automations {
    /// Lets a model propose a definition, or changes of one.
    pub async fn propose(&self, by: &Author, wish: Wish) -> Result<Proposal, Error> {
        let (provider, model) = self.chosen(by.org, &wish).await?;
        let new = NewSession {
            space: wish.space,
            kind: SessionKind::Interactive,
            agent: "authoring".to_owned(),
            title: "an automation in words".to_owned(),
            capabilities: Capabilities::Exactly(vec!["model:use".to_owned()]),
            lifetime: LONGEST + Duration::from_secs(60),
        };
        // Nobody gets its token.
        let (session, _) = self.parts.tenancy.create_session(by, new).await?;
        let world = &self.parts.world;
        let budget = Budget {
            automation: AutomationId::from_uuid(world.uuid()),
            run: RunId::from_uuid(world.uuid()),
            run_created_at: world.clock.now(),
            per_day: Cap::default(),
            per_run: Cap { nano_usd: Some(MOST_NANO_USD), tokens: None },
        };
        let asked = Asked { org: by.org, session: session.id, provider, model, budget };
        let done = Box::pin(self.converse(&asked, wish)).await;
        self.parts.tenancy.end_session(by, session.id).await?;
        done
    }

    /// The provider and the model that were named, or the only ones there are.
    async fn chosen(&self, org: OrgId, wish: &Wish) -> Result<(Provider, String), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let catalog = self.parts.pipeline.reader().catalog(&mut tx, org).await?;
        drop(tx);
        let mut all: Vec<&Provider> = catalog.model_providers().collect();
        if let Some(slug) = &wish.provider {
            all.retain(|provider| provider.slug == *slug);
        }
        let provider = match all.as_slice() {
            [] => return Err(Error::NoModel("no provider of language models is set up")),
            [one] => (*one).clone(),
            _ => return Err(Error::NoModel("there are several providers of language models; name one")),
        };
        let models: Vec<&str> = provider.models.iter().map(|model| model.name.as_str()).collect();
        let model = match (&wish.model, models.as_slice()) {
            (Some(name), models) if models.contains(&name.as_str()) => name.clone(),
            (Some(_), _) => return Err(Error::NoModel("the provider has no such model")),
            (None, [first, ..]) => (*first).to_owned(),
            (None, []) => return Err(Error::NoModel("the provider has no models")),
        };
        Ok((provider, model))
    }

    async fn converse(&self, asked: &Asked, wish: Wish) -> Result<Proposal, Error> {
        let actions = self.actions(asked.org).await?;
        let begun = Instant::now();
        let mut prompt = opening(&wish, &actions, &self.models(asked.org).await?);
        let mut draft = Draft { base: wish.base, ..Draft::default() };
        let mut spent = Some(0_u64);
        for turn in 1..=MOST_TURNS {
            let (reply, nano_usd) =
                match Box::pin(self.turn(asked, &prompt, LONGEST.saturating_sub(begun.elapsed()))).await? {
                    Ok(answered) => answered,
                    Err(why) => {
                        let (turns, refused) = (turn - 1, draft.refused);
                        return Ok(Proposal {
                            failure: Some(why),
                            turns,
                            refused,
                            nano_usd: spent,
                            ..Proposal::default()
                        });
                    }
                };
            spent = spent.zip(nano_usd).map(|(sum, more)| sum.saturating_add(more));
            let mut results = Vec::new();
            for (number, call) in reply.calls.iter().enumerate() {
                let came = if number < MOST_CALLS && reply.stop == Stop::Calls {
                    Box::pin(self.author(asked.org, &actions, &mut draft, call)).await?
                } else {
                    tools::Came::wrong("too many calls at once; make it again")
                };
                if let Some(proposal) = came.proposal {
                    return Ok(Proposal { turns: turn, refused: draft.refused, nano_usd: spent, ..proposal });
                }
                let (id, text, is_error) = (call.id.clone(), came.text, came.is_error);
                results.push(ToolResult { id, text, is_error });
            }
            if draft.refused >= MOST_ROUNDS || begun.elapsed() >= LONGEST || turn == MOST_TURNS {
                let notes = "The model did not arrive at a definition that can be saved.".to_owned();
                return Ok(Proposal {
                    notes,
                    problems: draft.problems,
                    turns: turn,
                    refused: draft.refused,
                    nano_usd: spent,
                    ..Proposal::default()
                });
            }
            let then = if results.is_empty() {
                Then::Correction(vec!["the answer has to be a call of `propose`".to_owned()])
            } else {
                Then::Results(results)
            };
            prompt = Prompt { must_answer: false, ..following(prompt, (&reply, then), None, false) };
        }
        Ok(Proposal::default())
    }

    /// The models that a step may use, as the model is told.
    async fn models(&self, org: OrgId) -> Result<String, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let catalog = self.parts.pipeline.reader().catalog(&mut tx, org).await?;
        drop(tx);
        let each = catalog.model_providers().flat_map(|provider| {
            provider.models.iter().map(|model| format!("`{}` of `{}`", model.name, provider.slug))
        });
        Ok(each.take(MOST_MODELS).collect::<Vec<_>>().join(", "))
    }

    /// Asks once, for at most this long. The inner `Err` says why there is no reply.
    async fn turn(
        &self,
        asked: &Asked,
        prompt: &Prompt,
        left: Duration,
    ) -> Result<Result<Answered, String>, Error> {
        let Ok(parts) = prompt.parts() else {
            return Ok(Err("the prompt cannot be written as JSON".to_owned()));
        };
        let pipeline = &self.parts.pipeline;
        pipeline.put_prompt(asked.org, &parts).await?;
        let params = describe(prompt, &parts, &asked.model, MOST_OUTPUT_TOKENS);
        let invoked = Box::pin(pipeline.invoke(Request {
            org: asked.org,
            session: asked.session,
            action: asked.provider.address().to_string(),
            params: serde_json::to_value(params).unwrap_or_default(),
            dry_run: false,
            key: None,
            trace_id: None,
            timeout: Some(left),
            step: None,
            reason: String::new(),
            released: None,
            budget: Some(Box::new(asked.budget)),
            provenance: Some(Box::new(Provenance::default())),
        }));
        let done = match invoked.await {
            Ok(done) => done,
            Err(error) => match error.disposition() {
                Disposition::Retry | Disposition::Bug => return Err(error.into()),
                _ => return Ok(Err(error.to_string())),
            },
        };
        if done.status != Status::Succeeded {
            return Ok(Err(done.failure.map_or(done.decision.reason, |failure| failure.message)));
        }
        let result = done.result.unwrap_or_default();
        let digest: Option<Digest> = serde_json::from_value(result["reply"].clone()).ok();
        let stored = pipeline.reader().payloads(asked.org, digest.as_slice()).await?;
        let reply = digest.and_then(|digest| serde_json::from_slice(stored.get(&digest)?).ok());
        let cost = result.pointer("/cost/nano_usd").and_then(Value::as_u64);
        Ok(reply.map(|reply| (reply, cost)).ok_or_else(|| "the reply is not stored any more".to_owned()))
    }
}

fn opening(wish: &Wish, actions: &crate::flow::Actions, models: &str) -> Prompt {
    let mut sources: Vec<&str> = actions
        .values()
        .filter(|action| !action.definition.address.is_model())
        .map(|action| action.definition.address.source.as_str())
        .collect();
    sources.sort_unstable();
    sources.dedup();
    let mut text = format!(
        "The person wants:\n{}\n\nTheir time zone: {}. Sources: {}. Models for steps: {models}.",
        wish.words,
        wish.zone,
        sources.join(", "),
    );
    if let Some(base) = &wish.base {
        text.push_str(&format!("\n\nThe present definition, to be changed:\n{base}"));
    }
    Prompt {
        system: GUIDE.to_owned(),
        messages: vec![Message::User { text }],
        tools: tools::texts(wish.base.is_some()),
        ..Prompt::default()
    }
}
