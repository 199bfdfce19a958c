//! The binary `countersign`.

fn main() {}
