//! Every limit of the catalog: on what callers, services and servers may send, request and use.
//!
//! Limits on the parameters of built-in actions are in their schemas, where callers see them; limits that only one
//! integration needs are in its code.

use std::time::Duration;

use crate::template::Bounds;

/// How long one attempt of a built-in action may take, in milliseconds.
pub const ACTION_TIMEOUT_MS: u64 = 30_000;

/// The limits of one `data.transform`.
pub const TRANSFORM: Bounds = Bounds { data: 256 * 1024, output: 64 * 1024, time: Duration::from_secs(1) };

/// The longest wait that a service can request. A longer one is shortened to this.
pub const RETRY_AFTER: Duration = Duration::from_secs(24 * 3600);

/// Text files of the workspace.
pub mod files {
    /// The largest file that is read or written, in bytes.
    pub const MAX_BYTES: u64 = 1024 * 1024;
    /// The most entries in the listing of a folder.
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

/// The work that a schema may cause.
pub mod weight {
    /// How many times parts of a schema may be applied on the way to one part of a value.
    pub const MOST: u64 = 10_000;
    /// How many parts of a schema are visited to determine that.
    pub const MOST_STEPS: usize = 300_000;
    /// How many references and parts may follow each other without going deeper into a value. They are followed by
    /// recursion.
    pub const FARTHEST: usize = 24;
    /// How many different targets references may have, and so how long a chain of references can be.
    pub const MOST_TARGETS: usize = 256;
    /// The weight of a reference to the published meta-schema of JSON Schema.
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
    /// The bytes that all filters of one template may produce together, as a multiple of the bounds on data and output.
    pub const MAKINGS: usize = 16;
    /// The deepest data. It is visited by recursion.
    pub const DEEPEST: usize = 128;
    /// The most additions in one template. Each may copy two texts, and a loop over a text does not check the time.
    pub const MAX_ADDITIONS: usize = 8;
    /// How many characters of an unknown name an error repeats.
    pub const MAX_SHOWN: usize = 40;
    /// How many tokens one `{{ … }}` or `{% … %}` may have. Each may be a level of the syntax tree, which is walked by
    /// recursion.
    pub const MAX_PARTS: usize = 256;
    /// The most `elif` branches in one template. Each is a level of the tree too.
    pub const MAX_ELIFS: usize = 32;
}

/// Connectors and their tools.
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
    /// How many differences between two versions of a tool are listed.
    pub const MOST: usize = 200;
    /// How long one call of a connector may take, in milliseconds.
    pub const CALL_TIMEOUT_MS: u64 = 30_000;
}

/// Language models.
pub mod models {
    /// The most providers of one org.
    pub const MOST_PROVIDERS: i64 = 50;
    /// The most models of one provider.
    pub const MOST_MODELS: usize = 100;
    /// How long one call may take, in milliseconds. A model may think for minutes.
    pub const TIMEOUT_MS: u64 = 300_000;
    /// How long all calls of a probe may take together.
    pub const PROBE_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(60);
    /// The largest answer, in bytes.
    pub const MOST_ANSWER_BYTES: usize = 3 << 20;
    /// The most nano-USD for one token: 1 USD for a thousand.
    pub const MOST_FOR_A_TOKEN: u64 = 1_000_000;
    /// The most tiers of a price.
    pub const MOST_TIERS: usize = 8;
    /// The largest prompt with its tools, in bytes.
    pub const MOST_PROMPT_BYTES: usize = 8 << 20;
    /// The most output tokens of one call. Providers refuse more without streaming.
    pub const MOST_OUTPUT_TOKENS: u64 = 16_000;
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
    /// The largest image or file that is passed on, in bytes of base64. Agents read text.
    pub const MOST_DATA: usize = 32 * 1024;
    /// The largest response, and the largest event of a stream that stays open, in bytes.
    pub const MOST_ANSWER_BYTES: usize = 8 << 20;
    /// The longest wait for the beginning of a response. The timeout of the call ends it earlier.
    pub const LONGEST: Duration = Duration::from_secs(120);
    /// The unit of the memory that an operator declares for a command, in bytes.
    pub const MIB: u64 = 1 << 20;

    /// The proxy of commands in the sandbox.
    pub mod proxy {
        use std::time::Duration;

        /// The most connections of one command at once.
        pub const MOST_CONNECTIONS: usize = 64;
        /// The most connections of all commands of a process.
        pub const MOST_OF_ALL: usize = 256;
        /// How long a connection may last.
        pub const LONGEST_CONNECTION: Duration = Duration::from_secs(900);
        /// How long to wait when this process has no descriptors left.
        pub const PAUSE: Duration = Duration::from_secs(1);
        /// The longest head of a request, in bytes.
        pub const LONGEST_REQUEST: usize = 8 * 1024;
        /// How long a request may take to arrive.
        pub const PATIENCE: Duration = Duration::from_secs(10);
    }
}

/// Authorization servers.
pub mod oauth {
    use std::time::Duration;

    /// The largest document or response, in bytes.
    pub const MOST_BYTES: usize = 1 << 20;
    /// The longest that one request may take. Other calls wait for a renewal.
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
    /// How long an unused parsed document is kept.
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
