//! Makes the program find the web app when that is built later than the program.

use std::{env, fs, path::Path};

#[expect(clippy::disallowed_methods, reason = "cargo tells a build script its settings in the environment")]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_UI").is_none() {
        return;
    }
    let built = Path::new("../../ui/dist");
    // A debug build reads the files when they are asked for, but only below a folder that existed when it was compiled.
    if let Err(error) = fs::create_dir_all(built) {
        println!("cargo::warning=creating {} failed: {error}", built.display());
    }
    // A release build contains the files, so it is compiled again when they change.
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed={}", built.display());
    }
}
