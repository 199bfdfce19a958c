//! Declares the migrations, which this crate embeds, as inputs of the build: cargo does not track them by itself.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
