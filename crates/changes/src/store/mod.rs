//! The tables of this crate, one file each.

pub(crate) mod proposed;
pub(crate) mod records;

pub use proposed::{
    answer_proposed, end_proposed, find_proposed, insert_proposed, list_proposed, needs_two_people,
};
pub use records::{Filter, find_many, list};
