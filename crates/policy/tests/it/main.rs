//! Rules and grants, on a real database.

mod grants;
mod rules;
mod stage;
