//! A model provider that answers from a script. It speaks Anthropic Messages, Chat Completions and Responses on one
//! port.
//!
//! Requests are checked as strictly as the strictest provider of each wire checks them. A refused request gets an error
//! in the form of its wire and is recorded as a complaint; [`FakeModel::finish`] returns complaints and unused steps.

mod chat;
mod checks;
mod dialect;
mod messages;
mod responses;
mod script;

use std::{collections::VecDeque, ops::Deref, time::Duration};

use anyhow::bail;
use hyper::Method;
use serde_json::{Value, json};

use self::{
    dialect::{Dialect, Reply, Thoughts, Tokens},
    script::{Draft, End, Failure, Ids},
};
pub use self::{
    dialect::{NeutralRequest, Wire},
    script::{Expect, Says, Step},
};
use super::stage::{Answer, Seen, Service, Stage};

const MODELS: &str = "/v1/models";
/// The model that is always listed.
const FIRST_MODEL: &str = "fake-1";

static DIALECTS: [&Dialect; 3] = [&messages::DIALECT, &chat::DIALECT, &responses::DIALECT];

/// A running provider. Every answer is an effect of its [`Stage`]: `answer`, or `answer after 250 ms` if it is slow.
pub struct FakeModel(Stage<Provider>);

impl FakeModel {
    /// Starts the fake on any free port; requests must have this key.
    pub async fn start(key: &str) -> Self {
        Self::start_on(key, 0).await.expect("a loopback port is free")
    }

    /// Starts the fake on a port.
    pub async fn start_on(key: &str, port: u16) -> std::io::Result<Self> {
        let stage = Stage::start(Provider::new(key), port).await?;
        stage.answer_late(|effect| Duration::from_millis(delay_ms(effect)));
        Ok(Self(stage))
    }

    /// Replaces the steps that were not used yet.
    pub fn script(&self, steps: Vec<Step>) {
        self.state(|provider| provider.steps = steps.into());
    }

    /// Adds a step to the end of the script.
    pub fn push(&self, step: impl Into<Step>) {
        let step = step.into();
        self.state(|provider| provider.steps.push_back(step));
    }

    /// Sets the answer to requests for which the script has no step.
    ///
    /// The function must not use this fake, which is locked while it runs.
    pub fn otherwise(&self, says: impl Fn(&NeutralRequest) -> Says + Send + 'static) {
        self.state(|provider| provider.otherwise = Some(Box::new(says)));
    }

    /// Sets the listed models besides `fake-1`. Requests may name any model.
    pub fn models<'a>(&self, others: impl IntoIterator<Item = &'a str>) {
        let models: Vec<String> = std::iter::once(FIRST_MODEL).chain(others).map(ToOwned::to_owned).collect();
        self.state(|provider| provider.models = models);
    }

    /// All requests for an answer with the right key, in order, including those that were refused for other reasons.
    pub fn asked(&self) -> Vec<NeutralRequest> {
        self.state(|provider| provider.asked.clone())
    }

    /// The sums of all answers. An answer counts when it is made, even if the client does not receive it.
    pub fn billed(&self) -> Billed {
        self.state(|provider| provider.billed)
    }

    /// The reasons of refused requests, in order.
    pub fn complaints(&self) -> Vec<String> {
        self.state(|provider| provider.complaints.clone())
    }

    /// Fails if there are complaints or unused steps, and names them.
    pub fn finish(&self) -> Result<(), String> {
        let problems = self.state(|provider| {
            let mut problems = provider.complaints.clone();
            for (number, step) in (provider.taken + 1..).zip(&provider.steps) {
                let says = checks::shortened(&format!("{:?}", step.says));
                problems.push(format!("step {number} was not used: {says}"));
            }
            problems
        });
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
    }
}

impl Deref for FakeModel {
    type Target = Stage<Provider>;

    fn deref(&self) -> &Stage<Provider> {
        &self.0
    }
}

/// The tokens that a provider would charge for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Billed {
    /// The number of answers. Errors are not billed.
    pub calls: u64,
    /// Including tokens that were read from a cache.
    pub input_tokens: u64,
    /// Including tokens that were not reported because of [`Says::NoUsage`].
    pub output_tokens: u64,
}

type Otherwise = Box<dyn Fn(&NeutralRequest) -> Says + Send>;

/// The state of the fake.
pub struct Provider {
    key: String,
    models: Vec<String>,
    steps: VecDeque<Step>,
    /// The number of used steps.
    taken: usize,
    otherwise: Option<Otherwise>,
    /// The number of requests so far, from which IDs are made.
    number: u64,
    /// The number of call IDs so far.
    calls: u64,
    thoughts: Thoughts,
    asked: Vec<NeutralRequest>,
    billed: Billed,
    complaints: Vec<String>,
}

impl Provider {
    fn new(key: &str) -> Self {
        Self {
            key: key.to_owned(),
            models: vec![FIRST_MODEL.to_owned()],
            steps: VecDeque::new(),
            taken: 0,
            otherwise: None,
            number: 0,
            calls: 0,
            thoughts: Thoughts::default(),
            asked: Vec::new(),
            billed: Billed::default(),
            complaints: Vec::new(),
        }
    }

    fn speak(&mut self, dialect: &Dialect, seen: &Seen) -> Answer {
        if !(dialect.is_authorized)(seen, &self.key) {
            return self.refuse(dialect, seen, &Failure::unauthorized(dialect.wire));
        }
        match self.say(dialect, seen) {
            Ok(answer) => answer,
            Err(error) => self.refuse(dialect, seen, &Failure::invalid(error.to_string())),
        }
    }

    /// Checks a request and answers it. An error is a complaint.
    fn say(&mut self, dialect: &Dialect, seen: &Seen) -> anyhow::Result<Answer> {
        let asked = (dialect.read)(&seen.body);
        self.asked.push(asked.clone());
        (dialect.check)(seen, &self.thoughts)?;
        let draft = self.next(&asked)?.into_draft();
        let delay_ms = draft.delay_ms;
        let mut answer = match &draft.end {
            End::Raw { status, body } => {
                Answer::new(*status, body.clone()).header(dialect.id_header, self.request_id())
            }
            End::Failure(failure) => self.fail(dialect, failure),
            End::ContextExceeded if dialect.wire != Wire::Messages => {
                self.fail(dialect, &Failure::context_exceeded())
            }
            _ => self.compose(dialect, seen, draft)?.effect("answer"),
        };
        if delay_ms > 0 {
            let effect = answer.effect.as_deref().unwrap_or("failure");
            answer.effect = Some(format!("{effect}{AFTER}{delay_ms}{MS}"));
        }
        Ok(answer)
    }

    fn next(&mut self, asked: &NeutralRequest) -> anyhow::Result<Says> {
        let Some(step) = self.steps.pop_front() else {
            let Some(otherwise) = &self.otherwise else {
                bail!("the script has no step for this request; {} were used", self.taken)
            };
            return Ok(otherwise(asked));
        };
        self.taken += 1;
        if let Some(problem) = step.expects.iter().find_map(|expect| expect.problem(asked)) {
            bail!("step {}: {problem}", self.taken)
        }
        Ok(step.says)
    }

    fn compose(&mut self, dialect: &Dialect, seen: &Seen, draft: Draft) -> anyhow::Result<Answer> {
        let thought = if draft.thinks { (dialect.thought)(self.number, &seen.body)? } else { None };
        let reply = Reply {
            number: self.number,
            model: checks::text_of(&seen.body["model"]),
            ids: self.ids(dialect, &draft),
            thought,
            draft,
        };
        self.thoughts.note(&reply);
        let mut body = (dialect.body)(&reply);
        let tokens = reply.draft.tokens.unwrap_or_else(|| Tokens {
            input: sent_bytes(seen) / 4,
            output: bytes(&body) / 4,
            cached: 0,
        });
        self.billed.calls += 1;
        self.billed.input_tokens += tokens.input;
        self.billed.output_tokens += tokens.output;
        if !reply.draft.hides_usage {
            body["usage"] = (dialect.usage)(&tokens);
            if let Some(usd) = reply.draft.cost_usd {
                body["usage"]["cost"] = json!(usd);
            }
        }
        Ok(Answer::new(200, body).header(dialect.id_header, self.request_id()))
    }

    fn ids(&mut self, dialect: &Dialect, draft: &Draft) -> Vec<Option<String>> {
        let mut ids = Vec::new();
        for call in 0..draft.calls.len() {
            if call == 0 || draft.ids == Ids::Unique {
                self.calls += 1;
            }
            let id = format!("{}{:04}", dialect.call_prefix, self.calls);
            ids.push((draft.ids != Ids::Missing).then_some(id));
        }
        ids
    }

    fn request_id(&self) -> String {
        format!("req_fake_{:04}", self.number)
    }

    /// Records a complaint.
    fn refuse(&mut self, dialect: &Dialect, seen: &Seen, failure: &Failure) -> Answer {
        let place = format!("{} {} (request {})", seen.method, seen.path, self.number);
        self.complaints.push(format!("{place}: {}", failure.message));
        self.fail(dialect, failure)
    }

    fn fail(&self, dialect: &Dialect, failure: &Failure) -> Answer {
        let id = self.request_id();
        let body = (dialect.failure)(failure, &id);
        let mut answer = Answer::new(failure.status, body).header(dialect.id_header, id);
        answer.headers.extend(failure.retry_after.map(|after| ("retry-after", after.to_owned())));
        answer.headers.extend(failure.retry_after_ms.map(|ms| ("retry-after-ms", ms.to_string())));
        answer
    }

    fn list(&mut self, dialect: &Dialect, seen: &Seen) -> Answer {
        if !(dialect.is_authorized)(seen, &self.key) {
            return self.refuse(dialect, seen, &Failure::unauthorized(dialect.wire));
        }
        let data: Vec<Value> = self.models.iter().map(|id| (dialect.listed)(id)).collect();
        let body = match dialect.wire {
            Wire::Messages => json!({
                "data": data, "has_more": false, "first_id": self.models.first(), "last_id": self.models.last(),
            }),
            Wire::Chat | Wire::Responses => json!({"object": "list", "data": data}),
        };
        Answer::new(200, body).header(dialect.id_header, self.request_id())
    }
}

impl Service for Provider {
    fn answer(&mut self, seen: &Seen) -> Answer {
        self.number += 1;
        let is_anthropic = seen.headers.contains_key("anthropic-version");
        let others = if is_anthropic { &messages::DIALECT } else { &chat::DIALECT };
        match (&seen.method, DIALECTS.iter().find(|dialect| dialect.path == seen.path)) {
            (&Method::POST, Some(dialect)) => self.speak(dialect, seen),
            (&Method::GET, None) if seen.path == MODELS => self.list(others, seen),
            _ => self.refuse(others, seen, &Failure::not_found(others.wire)),
        }
    }
}

/// How the name of an effect tells the delay of its response, which only [`Stage::answer_late`] can cause.
const AFTER: &str = " after ";
const MS: &str = " ms";

fn delay_ms(effect: &str) -> u64 {
    let delay = effect.rsplit_once(AFTER).and_then(|(_, delay)| delay.strip_suffix(MS));
    delay.and_then(|ms| ms.parse().ok()).unwrap_or(0)
}

fn bytes(body: &Value) -> u64 {
    u64::try_from(body.to_string().len()).unwrap_or(u64::MAX)
}

fn sent_bytes(seen: &Seen) -> u64 {
    seen.header("content-length").parse().unwrap_or_else(|_| bytes(&seen.body))
}
