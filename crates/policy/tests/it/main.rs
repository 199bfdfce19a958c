//! Rules, grants and facts, on a real database.

mod facts;
mod grants;
mod rules;
mod stage;
