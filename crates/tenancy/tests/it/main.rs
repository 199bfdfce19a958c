//! Organizations, members, tokens and sessions, on a real database.

mod orgs;
mod people;
mod stage;
mod tokens;
