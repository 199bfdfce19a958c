//! The migrations are embedded in this crate, and cargo does not see them unless it is told.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
