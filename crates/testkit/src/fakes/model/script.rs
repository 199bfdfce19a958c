//! Scripts: what a request must contain, and what the provider says to it. No step knows the wire.

use serde_json::Value;

use super::{
    checks::shortened,
    dialect::{NeutralRequest, Tokens, Wire},
};

/// The answer to one request.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// A request that does not meet all of these is refused; the step is used up all the same.
    pub expects: Vec<Expect>,
    /// The answer.
    pub says: Says,
}

impl Step {
    /// An answer to any request.
    pub const fn new(says: Says) -> Self {
        Self { expects: Vec::new(), says }
    }

    /// An answer of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(Says::text(text))
    }

    /// An answer that calls tools.
    pub fn calls<N: Into<String>>(calls: impl IntoIterator<Item = (N, Value)>) -> Self {
        Self::new(Says::calls(calls))
    }

    /// The same step with one more condition.
    #[must_use]
    pub fn expect(mut self, expect: Expect) -> Self {
        self.expects.push(expect);
        self
    }

    /// [`Expect::Model`].
    #[must_use]
    pub fn expect_model(self, name: impl Into<String>) -> Self {
        self.expect(Expect::Model(name.into()))
    }

    /// [`Expect::LastUserContains`].
    #[must_use]
    pub fn expect_user(self, text: impl Into<String>) -> Self {
        self.expect(Expect::LastUserContains(text.into()))
    }

    /// [`Expect::ResultContains`].
    #[must_use]
    pub fn expect_result(self, text: impl Into<String>) -> Self {
        self.expect(Expect::ResultContains(text.into()))
    }

    /// [`Expect::Tools`].
    #[must_use]
    pub fn expect_tools<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Self {
        self.expect(Expect::Tools(names.into_iter().map(Into::into).collect()))
    }

    /// [`Expect::NoTools`].
    #[must_use]
    pub fn expect_no_tools(self) -> Self {
        self.expect(Expect::NoTools)
    }

    /// [`Expect::HasSchema`].
    #[must_use]
    pub fn expect_schema(self) -> Self {
        self.expect(Expect::HasSchema)
    }

    /// [`Expect::SystemContains`].
    #[must_use]
    pub fn expect_system(self, text: impl Into<String>) -> Self {
        self.expect(Expect::SystemContains(text.into()))
    }
}

impl From<Says> for Step {
    fn from(says: Says) -> Self {
        Self::new(says)
    }
}

/// A condition for a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expect {
    /// The name of the model.
    Model(String),
    /// A part of the last text of the user.
    LastUserContains(String),
    /// A part of one of the tool results after the last answer.
    ResultContains(String),
    /// The names of all offered tools, in any order.
    Tools(Vec<String>),
    /// No tool is offered, or none may be chosen.
    NoTools,
    /// The answer must have a given schema.
    HasSchema,
    /// A part of the system text.
    SystemContains(String),
}

impl Expect {
    pub(super) fn problem(&self, asked: &NeutralRequest) -> Option<String> {
        let (holds, found) = match self {
            Self::Model(name) => (asked.model == *name, format!("{:?}", asked.model)),
            Self::LastUserContains(text) => {
                (asked.last_user.contains(text), format!("{:?}", asked.last_user))
            }
            Self::ResultContains(text) => {
                (asked.results.iter().any(|result| result.contains(text)), format!("{:?}", asked.results))
            }
            Self::Tools(names) => (sorted(names) == sorted(&asked.tools), format!("{:?}", asked.tools)),
            Self::NoTools => (asked.tools.is_empty(), format!("{:?}", asked.tools)),
            Self::HasSchema => (asked.has_schema, "none".to_owned()),
            Self::SystemContains(text) => (asked.system.contains(text), format!("{:?}", asked.system)),
        };
        (!holds).then(|| format!("expected {self:?}, found {}", shortened(&found)))
    }
}

fn sorted(names: &[String]) -> Vec<&String> {
    let mut names: Vec<&String> = names.iter().collect();
    names.sort();
    names
}

/// What the provider says.
#[derive(Debug, Clone, PartialEq)]
pub enum Says {
    /// Text.
    Text(String),
    /// Calls of tools, each with its name and arguments.
    Calls(Vec<(String, Value)>),
    /// Text, then calls.
    TextAndCalls(String, Vec<(String, Value)>),
    /// A call whose arguments are this text instead of JSON. On Messages, `input` is a string.
    BrokenArguments {
        /// The tool.
        name: String,
        /// The arguments.
        raw: String,
    },
    /// Calls that all have the same ID.
    RepeatedIds(Vec<(String, Value)>),
    /// Calls without IDs.
    NoIds(Vec<(String, Value)>),
    /// The model declines to answer.
    Refusal,
    /// An answer without content.
    Empty,
    /// An answer that was cut off at the cap of output tokens.
    Cut(Box<Self>),
    /// The conversation is too long: an answer that says so on Messages, an error on the other wires.
    ContextExceeded,
    /// An answer without usage. It is billed all the same.
    NoUsage(Box<Self>),
    /// An answer with this usage.
    Usage {
        /// Tokens of the request, including cached ones.
        input: u64,
        /// Tokens of the answer.
        output: u64,
        /// Tokens of the request that were read from a cache.
        cached: u64,
        /// The answer.
        says: Box<Self>,
    },
    /// An answer after a signed thought, which the next request must return unchanged. Chat Completions has none.
    Thinking(Box<Self>),
    /// An answer that reports its cost, as `OpenRouter` does.
    CostReported {
        /// The cost in US dollars.
        usd: f64,
        /// The answer.
        says: Box<Self>,
    },
    /// An error.
    Fail {
        /// The HTTP status.
        status: u16,
        /// The code: `error.code`, on Messages `error.details.error_code`.
        code: Option<&'static str>,
        /// The type: `error.type`.
        kind: &'static str,
        /// The header `retry-after`: seconds or a date.
        retry_after: Option<&'static str>,
        /// The header `retry-after-ms`.
        retry_after_ms: Option<u64>,
    },
    /// An answer after a delay.
    ///
    /// The delay uses [`Stage::answer_late`](super::super::Stage::answer_late), so setting that disables it.
    Slow {
        /// The delay.
        ms: u64,
        /// The answer.
        says: Box<Self>,
    },
    /// This response, whatever the wire. It is not billed.
    Raw {
        /// The HTTP status.
        status: u16,
        /// The body, sent as JSON.
        body: Value,
    },
}

impl Says {
    /// [`Says::Text`].
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// [`Says::Calls`].
    pub fn calls<N: Into<String>>(calls: impl IntoIterator<Item = (N, Value)>) -> Self {
        Self::Calls(named(calls))
    }

    /// [`Says::TextAndCalls`].
    pub fn text_and_calls<N: Into<String>>(
        text: impl Into<String>,
        calls: impl IntoIterator<Item = (N, Value)>,
    ) -> Self {
        Self::TextAndCalls(text.into(), named(calls))
    }

    /// [`Says::BrokenArguments`].
    pub fn broken_arguments(name: impl Into<String>, raw: impl Into<String>) -> Self {
        Self::BrokenArguments { name: name.into(), raw: raw.into() }
    }

    /// [`Says::RepeatedIds`].
    pub fn repeated_ids<N: Into<String>>(calls: impl IntoIterator<Item = (N, Value)>) -> Self {
        Self::RepeatedIds(named(calls))
    }

    /// [`Says::NoIds`].
    pub fn no_ids<N: Into<String>>(calls: impl IntoIterator<Item = (N, Value)>) -> Self {
        Self::NoIds(named(calls))
    }

    /// [`Says::Fail`] without a time to retry.
    pub const fn fail(status: u16, kind: &'static str, code: Option<&'static str>) -> Self {
        Self::Fail { status, code, kind, retry_after: None, retry_after_ms: None }
    }

    /// The same error with the header `retry-after`. Anything but [`Says::Fail`] stays unchanged.
    #[must_use]
    pub fn retry_after(mut self, after: &'static str) -> Self {
        if let Self::Fail { retry_after, .. } = &mut self {
            *retry_after = Some(after);
        }
        self
    }

    /// The same error with the header `retry-after-ms`. Anything but [`Says::Fail`] stays unchanged.
    #[must_use]
    pub fn retry_after_ms(mut self, ms: u64) -> Self {
        if let Self::Fail { retry_after_ms, .. } = &mut self {
            *retry_after_ms = Some(ms);
        }
        self
    }

    /// [`Says::Cut`].
    #[must_use]
    pub fn cut(self) -> Self {
        Self::Cut(Box::new(self))
    }

    /// [`Says::NoUsage`].
    #[must_use]
    pub fn no_usage(self) -> Self {
        Self::NoUsage(Box::new(self))
    }

    /// [`Says::Usage`]; `cached` is a part of `input`.
    #[must_use]
    pub fn usage(self, input: u64, output: u64, cached: u64) -> Self {
        Self::Usage { input, output, cached, says: Box::new(self) }
    }

    /// [`Says::Thinking`].
    #[must_use]
    pub fn thinking(self) -> Self {
        Self::Thinking(Box::new(self))
    }

    /// [`Says::CostReported`].
    #[must_use]
    pub fn cost(self, usd: f64) -> Self {
        Self::CostReported { usd, says: Box::new(self) }
    }

    /// [`Says::Slow`].
    #[must_use]
    pub fn slow(self, ms: u64) -> Self {
        Self::Slow { ms, says: Box::new(self) }
    }

    pub(super) fn into_draft(self) -> Draft {
        let calling = |ids: Ids, calls| Draft { calls: valid(calls), ids, ..Draft::default() };
        let ending = |end: End| Draft { end, ..Draft::default() };
        match self {
            Self::Text(text) => Draft { text: Some(text), ..Draft::default() },
            Self::Calls(calls) => calling(Ids::Unique, calls),
            Self::TextAndCalls(text, calls) => Draft { text: Some(text), ..calling(Ids::Unique, calls) },
            Self::BrokenArguments { name, raw } => {
                let call = Call { name, arguments: Arguments::Broken(raw) };
                Draft { calls: vec![call], ..Draft::default() }
            }
            Self::RepeatedIds(calls) => calling(Ids::Repeated, calls),
            Self::NoIds(calls) => calling(Ids::Missing, calls),
            Self::Refusal => ending(End::Refusal),
            Self::Empty => Draft::default(),
            Self::Cut(says) => Draft { end: End::Cut, ..says.into_draft() },
            Self::ContextExceeded => ending(End::ContextExceeded),
            Self::NoUsage(says) => Draft { hides_usage: true, ..says.into_draft() },
            Self::Usage { input, output, cached, says } => {
                Draft { tokens: Some(Tokens { input, output, cached }), ..says.into_draft() }
            }
            Self::Thinking(says) => Draft { thinks: true, ..says.into_draft() },
            Self::CostReported { usd, says } => Draft { cost_usd: Some(usd), ..says.into_draft() },
            Self::Fail { status, code, kind, retry_after, retry_after_ms } => {
                let message = "The script of the fake has an error here.".to_owned();
                ending(End::Failure(Failure { status, kind, code, message, retry_after, retry_after_ms }))
            }
            Self::Slow { ms, says } => Draft { delay_ms: ms, ..says.into_draft() },
            Self::Raw { status, body } => ending(End::Raw { status, body }),
        }
    }
}

fn named<N: Into<String>>(calls: impl IntoIterator<Item = (N, Value)>) -> Vec<(String, Value)> {
    calls.into_iter().map(|(name, arguments)| (name.into(), arguments)).collect()
}

fn valid(calls: Vec<(String, Value)>) -> Vec<Call> {
    calls.into_iter().map(|(name, given)| Call { name, arguments: Arguments::Valid(given) }).collect()
}

/// An answer, not yet in the form of a wire.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) text: Option<String>,
    pub(super) calls: Vec<Call>,
    pub(super) ids: Ids,
    pub(super) thinks: bool,
    pub(super) end: End,
    /// `None`: by size.
    pub(super) tokens: Option<Tokens>,
    pub(super) hides_usage: bool,
    pub(super) cost_usd: Option<f64>,
    pub(super) delay_ms: u64,
}

pub(super) struct Call {
    pub(super) name: String,
    arguments: Arguments,
}

enum Arguments {
    Valid(Value),
    Broken(String),
}

impl Call {
    /// The arguments as a value, for Messages.
    pub(super) fn input(&self) -> Value {
        match &self.arguments {
            Arguments::Valid(arguments) => arguments.clone(),
            Arguments::Broken(raw) => Value::String(raw.clone()),
        }
    }

    /// The arguments as text, for the other wires.
    pub(super) fn arguments(&self) -> String {
        match &self.arguments {
            Arguments::Valid(arguments) => arguments.to_string(),
            Arguments::Broken(raw) => raw.clone(),
        }
    }
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ids {
    #[default]
    Unique,
    Repeated,
    Missing,
}

/// How an answer ends.
#[derive(Default)]
pub(super) enum End {
    #[default]
    Natural,
    Cut,
    Refusal,
    ContextExceeded,
    Failure(Failure),
    Raw {
        status: u16,
        body: Value,
    },
}

/// An error, not yet in the form of a wire.
pub(super) struct Failure {
    pub(super) status: u16,
    pub(super) kind: &'static str,
    pub(super) code: Option<&'static str>,
    pub(super) message: String,
    pub(super) retry_after: Option<&'static str>,
    pub(super) retry_after_ms: Option<u64>,
}

impl Failure {
    fn new(status: u16, kind: &'static str, code: Option<&'static str>, message: &str) -> Self {
        Self { status, kind, code, message: message.to_owned(), retry_after: None, retry_after_ms: None }
    }

    pub(super) fn invalid(message: String) -> Self {
        Self { message, ..Self::new(400, "invalid_request_error", None, "") }
    }

    pub(super) fn context_exceeded() -> Self {
        let message = "The input is longer than the context window of this model.";
        Self::new(400, "invalid_request_error", Some("context_length_exceeded"), message)
    }

    pub(super) fn unauthorized(wire: Wire) -> Self {
        let message = "The API key is missing or invalid.";
        match wire {
            Wire::Messages => Self::new(401, "authentication_error", None, message),
            Wire::Chat | Wire::Responses => {
                Self::new(401, "invalid_request_error", Some("invalid_api_key"), message)
            }
        }
    }

    pub(super) fn not_found(wire: Wire) -> Self {
        let message = "There is no such endpoint.";
        match wire {
            Wire::Messages => Self::new(404, "not_found_error", None, message),
            Wire::Chat | Wire::Responses => Self::new(404, "invalid_request_error", None, message),
        }
    }
}
