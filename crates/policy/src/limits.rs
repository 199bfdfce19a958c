//! Every limit of policy.

/// Grants and requests for them.
pub mod grants {
    use std::time::Duration;

    /// The most calls one grant allows.
    pub const MOST_CALLS: u32 = 10_000;
    /// The longest a grant lasts.
    pub const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);
    /// How long a grant request stays pending.
    pub const REQUEST_WAITS: Duration = Duration::from_secs(24 * 60 * 60);
    /// How long an expired grant is still shown.
    pub const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);
}

/// Requests that wait for a person.
pub mod places {
    /// While fewer requests wait, the inbox needs no turns.
    pub const CALM: i64 = 20;
    /// An opener with fewer requests that wait may use the reserve.
    pub const FEW: i64 = 5;
    /// One part in so many of an organization's places is kept for openers with few requests that wait.
    pub const RESERVE: u32 = 5;
}

/// How long people look at what they approve.
pub mod pace {
    /// The most characters of a short document, and of a medium one.
    pub const SHORT: i32 = 300;
    pub const MEDIUM: i32 = 1_500;
    /// What a quick reader reads in a second; three times as fast as most people.
    pub const CHARACTERS_PER_SECOND: f64 = 60.0;
    /// How many approvals tell a habit.
    pub const ENOUGH: i64 = 5;
}

/// Waiting after denials.
pub mod cool_down {
    use std::time::Duration;

    /// After so many denials it begins.
    pub const DENIALS: usize = 3;
    /// How long the first one lasts; each further one twice as long.
    pub const FIRST: Duration = Duration::from_secs(60);
    /// The longest.
    pub const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
}

/// Policies as text.
pub mod policies {
    use std::time::Duration;

    /// The most bytes of a policy.
    pub const LONGEST_TEXT: usize = 10 << 10;
    /// The most bytes of all policies of an organization.
    pub const LONGEST_SET: usize = 200 << 10;
    /// The most policies of an organization.
    pub const MOST: usize = 200;
    /// The most characters of the name of a policy, a fact or a case.
    pub const LONGEST_NAME: usize = 64;
    /// The most characters of a reason.
    pub const LONGEST_WHY: usize = 200;
    /// The most people that a policy can ask for.
    pub const MOST_APPROVERS: u32 = 10;
    /// The most facts that the policies for one action use.
    pub const MOST_FACTS: usize = 8;
    /// How deep records nest that policies can read.
    pub const DEEPEST_RECORD: usize = 4;
    /// The most fields of one action that policies can read.
    pub const MOST_FIELDS: usize = 500;
    /// The most references that are followed from one place of a schema.
    pub const MOST_REFERENCES: usize = 8;
    /// How deep schemas nest, with references, unions and lists, and how many of one action are looked at.
    pub const DEEPEST_SCHEMA: usize = 32;
    pub const MOST_SCHEMAS: usize = 20_000;
    /// How deep brackets nest in a policy, and how many operators it has.
    pub const DEEPEST_BRACKETS: usize = 64;
    pub const MOST_OPERATORS: usize = 1_000;
    /// The stack for reading and checking a policy. Cedar's parser takes many calls for each bracket.
    pub const STACK: usize = 64 << 20;
    /// A policy that does not read the input is validated against so many actions.
    pub const MOST_VALIDATED: usize = 50;
    /// The most cases of an organization.
    pub const MOST_CASES: usize = 500;
    /// The most bytes of a case.
    pub const LONGEST_CASE: usize = 16 << 10;
    /// How many kinds of actions a solver compares at once.
    pub const MOST_COMPARED: usize = 50;
    /// How long a solver looks at one of them.
    pub const LONGEST_SOLVING: Duration = Duration::from_secs(10);
}

/// Facts about the past.
pub mod facts {
    use jiff::SignedDuration;

    /// The most facts of an organization.
    pub const MOST: usize = 100;
    /// The most actions that one fact names.
    pub const MOST_OF: usize = 20;
    /// The most fields that must be the same.
    pub const MOST_SAME: usize = 4;
    /// The shortest window, and the longest.
    pub const SHORTEST_WINDOW: SignedDuration = SignedDuration::from_mins(1);
    pub const LONGEST_WINDOW: SignedDuration = SignedDuration::from_hours(30 * 24);
    /// How many requests are read at once where a new fact is filled from the past.
    pub const FILLED_AT_ONCE: i64 = 1_000;
    /// Into how many slices the window of a fact is divided, by which its entries are added up. Single entries are read at
    /// the edge of the window only, which is one slice.
    pub const SLICES: i64 = 512;
    /// The same for facts that tell values apart: each slice has a row for each of its values.
    pub const SLICES_OF_VALUES: i64 = 32;
    /// How many entries are added up in one transaction.
    pub const ADDED_AT_ONCE: i64 = 5_000;
    /// How many such transactions follow each other before the next organization has its turn.
    pub const ADDED_IN_A_ROW: usize = 20;
}

/// Gates.
pub mod gates {
    /// The most bytes of the gate settings of an organization.
    pub const LONGEST_SETTINGS: usize = 128 << 10;
    /// The most recipients that are allowed.
    pub const MOST_RECIPIENTS: usize = 1_000;
    /// The most characters of a recipient, and of the subject of a consent: those of an e-mail address.
    pub const LONGEST_PERSON: usize = 320;
    /// The most detectors of an organization.
    pub const MOST_DETECTORS: usize = 20;
    /// The most characters of a detector's pattern.
    pub const LONGEST_PATTERN: usize = 1_000;
    /// The most bytes of memory that a compiled pattern takes.
    pub const LARGEST_PATTERN: usize = 1 << 20;
    /// The most actions that need a consent.
    pub const MOST_PURPOSES: usize = 100;
    /// The most homes of sources, and the most crossings between spaces.
    pub const MOST_PLACES: usize = 200;
    /// The most subjects of one request.
    pub const MOST_SUBJECTS: usize = 1_000;
    /// The most characters of a note.
    pub const LONGEST_NOTE: usize = 200;
}

/// The flow of data.
pub mod flow {
    /// The most sources that are trusted, or public; the most audiences, and hosts.
    pub const MOST_ENTRIES: usize = 200;
    /// The most consents.
    pub const MOST_CONSENTS: usize = 500;
    /// So many origins are named in a reason.
    pub const MOST_NAMED: usize = 3;
}
