//! What must hold of the whole: which crate may know which, and how the files look.

mod edges;
mod tidy;
