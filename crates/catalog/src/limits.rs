//! Every limit of the catalog: how much a caller, a service or a server may give, ask for and take.
//!
//! Limits on parameters of built-in actions stand in their schemas, where callers see them, and what only one integration
//! needs stands beside its code.

use std::time::Duration;

use crate::template::Bounds;

/// How long one try of a built-in action may take, in milliseconds.
pub const ACTION_TIMEOUT_MS: u64 = 30_000;

/// How much one `data.transform` may take.
pub const TRANSFORM: Bounds = Bounds { data: 256 * 1024, output: 64 * 1024, time: Duration::from_secs(1) };

/// The longest wait a service may ask for. A longer one is not worth keeping.
pub const RETRY_AFTER: Duration = Duration::from_secs(24 * 3600);

/// Text files of the workspace.
pub mod files {
    /// The largest file that is read or written, in bytes.
    pub const MAX_BYTES: u64 = 1024 * 1024;
    /// The most entries a list of a folder has.
    pub const MAX_ENTRIES: usize = 1000;
}

/// Checking values against JSON Schemas.
pub mod schema {
    /// The most errors that are reported about one value.
    pub const MAX_ERRORS: usize = 20;
    /// The longest message of one error, in characters.
    pub const MAX_MESSAGE: usize = 300;
    /// The deepest value that errors are collected for. Collecting them can take exponential time in the depth.
    pub const MAX_DEPTH: usize = 32;
    /// The largest compiled pattern, in bytes.
    pub const REGEX_SIZE: usize = 1 << 20;
    /// The most patterns of one schema.
    pub const MAX_PATTERNS: usize = 1_000;
    /// The size of all compiled patterns of one schema together, in bytes.
    pub const REGEXES_SIZE: usize = 1 << 24;
}

/// How much work a schema may cause.
pub mod weight {
    /// How often the parts of a schema may be applied on the way to one part of a value.
    pub const MOST: u64 = 10_000;
    /// How many parts of a schema are visited to find that out.
    pub const MOST_STEPS: usize = 300_000;
    /// How far references and parts may lead without going deeper into a value; what follows them does so by recursion.
    pub const FARTHEST: usize = 24;
    /// How many places may be referred to, and so how long a chain of references can be.
    pub const MOST_TARGETS: usize = 256;
    /// The weight of the published schema of schemas.
    pub const META: u64 = 100;
}

/// Templates.
pub mod template {
    /// The longest template, in bytes.
    pub const MAX_SOURCE: usize = 8 * 1024;
    /// How many instructions one template may run.
    pub const FUEL: u64 = 20_000;
    /// How deep the engine may recurse.
    pub const RECURSION: usize = 64;
    /// The longest format of a date, in bytes.
    pub const MAX_FORMAT: usize = 64;
    /// How many times the bounds on data and output the filters of one template may produce together.
    pub const MAKINGS: usize = 16;
    /// The deepest data. It is visited by recursion.
    pub const DEEPEST: usize = 128;
    /// The most additions of one template. Each may copy two texts, and a loop over a text does not check the time.
    pub const MAX_ADDITIONS: usize = 8;
    /// How much of an unknown name an error repeats, in characters.
    pub const MAX_SHOWN: usize = 40;
    /// How many tokens one `{{ … }}` or `{% … %}` may have. Each may be a level of the tree, which is walked by recursion.
    pub const MAX_PARTS: usize = 256;
    /// The most `elif` of one condition. Each is a level of the tree too.
    pub const MAX_ELIFS: usize = 32;
}

/// Connectors and what they offer.
pub mod connector {
    /// The most connectors of one org.
    pub const MOST_CONNECTORS: i64 = 200;
    /// The most tools of one connector.
    pub const MOST_TOOLS: usize = 512;
    /// The largest definition of a tool, in bytes of JSON.
    pub const MOST_OFFER_BYTES: usize = 64 * 1024;
    /// The deepest schema of a tool.
    pub const MOST_DEPTH: usize = 32;
    /// The most values in a schema of a tool.
    pub const MOST_NODES: usize = 4_000;
    /// The most references in a schema of a tool.
    pub const MOST_REFS: usize = 100;
    /// The most differences between two versions of a tool that are listed.
    pub const MOST: usize = 200;
    /// How long one call of a connector may take, in milliseconds.
    pub const CALL_TIMEOUT_MS: u64 = 30_000;
}

/// MCP servers.
pub mod mcp {
    use std::time::Duration;

    /// How long connecting and listing tools may take together.
    pub const LIST_TIMEOUT: Duration = Duration::from_secs(15);
    /// The most pages of a list of tools.
    pub const MOST_PAGES: usize = 32;
    /// How long an unused connection stays open.
    pub const IDLE: Duration = Duration::from_secs(600);
    /// The largest event of a stream, in bytes.
    pub const MOST_EVENT_BYTES: usize = 4 << 20;
    /// The largest image or file that is handed on, in bytes of base64. Agents read text.
    pub const MOST_DATA: usize = 32 * 1024;
    /// The largest answer, and the largest event of a stream that stays open, in bytes.
    pub const MOST_ANSWER_BYTES: usize = 8 << 20;
    /// The longest wait for the beginning of an answer. The timeout of the call ends it earlier.
    pub const LONGEST: Duration = Duration::from_secs(120);
}

/// Authorization servers.
pub mod oauth {
    use std::time::Duration;

    /// The largest document or answer, in bytes.
    pub const MOST_BYTES: usize = 1 << 20;
    /// The longest request. A renewal keeps other calls waiting.
    pub const LONGEST: Duration = Duration::from_secs(5);
    /// A token this close to its expiry is renewed, so that it does not expire during a call.
    pub const MARGIN: Duration = Duration::from_secs(60);
}

/// OpenAPI documents.
pub mod openapi {
    use std::time::Duration;

    /// The largest document, in bytes.
    pub const MOST_DOCUMENT: usize = 4 << 20;
    /// How long reading a document may take.
    pub const READ_TIMEOUT: Duration = Duration::from_secs(15);
    /// How long a parsed document that nobody uses is kept.
    pub const IDLE: Duration = Duration::from_secs(600);
    /// The largest input schema of one operation with all that it refers to, in bytes.
    pub const INPUT_BYTES: usize = 40 * 1024;
    /// The largest output schema of one operation with all that it refers to, in bytes.
    pub const OUTPUT_BYTES: usize = 16 * 1024;
    /// The longest description of an operation, in characters.
    pub const MOST_WORDS: usize = 4_000;
    /// The most parameters of one operation.
    pub const MOST_PARAMS: usize = 100;
    /// How many references may follow each other.
    pub const MOST_HOPS: usize = 8;
    /// The longest name of an action, in bytes.
    pub const MOST_NAME: usize = 64;
    /// The deepest schema that is read.
    pub const MOST_DEPTH: usize = 40;
}
