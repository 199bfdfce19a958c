//! Fakes of outside services: they speak the real protocol, keep state, count effects, and misbehave on request.
//!
//! Each is a [`Service`], a pure function from request to response, on a [`Stage`], which does the network and the
//! faults. `GET /_effects`, `GET /_requests` and `POST /_control` are for programs that are not written in Rust.

mod github;
mod integrations;
mod linear;
mod mcp;
mod model;
mod oauth;
mod oidc;
mod openapi;
mod receiver;
mod s3;
mod sentry;
mod slack;
mod slack_click;
mod smtp;
mod stage;

pub use github::FakeGitHub;
pub use linear::FakeLinear;
pub use mcp::{FakeMcp, Guarded, Manner, tool};
pub use oauth::{FakeOAuth, TOKEN_LIFETIME};
pub use oidc::{FakeOidc, Known, Lie};
pub use openapi::FakeOpenApi;
pub use receiver::{FakeReceiver, Received, Reception, TOLERANCE_S};
pub use s3::FakeS3;
pub use sentry::FakeSentry;
pub use slack::FakeSlack;
pub use slack_click::{Press, SignedClick, form};
pub use smtp::{FakeSmtp, Mailed};
pub use stage::{Answer, Fault, Seen, Service, Stage};

use self::integrations::starter;
pub use self::integrations::{Fake, Running, Starter};
pub use self::model::{Billed, Expect, FakeModel, NeutralRequest, Says, Step, Wire};

/// The fake of every integration.
pub const INTEGRATIONS: [Starter; 4] =
    [starter::<FakeLinear>(), starter::<FakeSlack>(), starter::<FakeSentry>(), starter::<FakeGitHub>()];
