//! Packages that are made so that building the sandbox itself does harm: it is built with the rights of the gateway.

use std::{fs, os::unix::fs::symlink, path::Path};

use super::{
    fixture::{Tally, printed},
    scene::Scene,
};

/// A program's path with `..`: the folders it is bound to must not be made outside.
#[tokio::test]
async fn a_path_with_dots_makes_nothing_outside() {
    let scene = Scene::new();
    let mut tally = Tally::default();
    for path in [
        format!("/../old{}/made/program", scene.dir.display()),
        format!("/usr/../../old{}/made/program", scene.dir.display()),
        format!("/tmp/../../old{}/made/program", scene.dir.display()),
    ] {
        let mut cage = scene.cage("pass");
        cage.policy.command = vec![path.clone()];
        let came = printed(&cage).await;
        let changed = scene.changed();
        tally.tried(&format!("- {path}: {came} {changed:?}"), changed.is_some());
        scene.repair();
    }
    tally.report("paths with dots");
}

/// A package whose program is a link: through one folder it leads to a file of the package, through another one, as
/// the launcher sees it, to a file outside that does not exist yet.
#[tokio::test]
async fn links_in_a_package_make_nothing_outside() {
    let scene = Scene::new();
    let mut tally = Tally::default();
    let package = scene.dir.join("read");
    let up = "../".repeat(package.components().count());
    symlink(format!("{up}old{}/other", scene.dir.display()), package.join("step")).unwrap();
    fs::write(package.join("made"), "#!/bin/sh\n").unwrap();
    symlink("step/../made", package.join("program")).unwrap();
    for program in ["program"] {
        let mut cage = scene.cage("pass");
        cage.policy.command = vec![package.join(program).display().to_string()];
        let came = printed(&cage).await;
        let outside = scene.dir.join("made").exists();
        tally.tried(&format!("- {program}: {came}; a file outside was made: {outside}"), outside);
    }
    tally.report("links in a package");
}

/// A folder to write in which an earlier run replaced something that is bound in the next run.
#[tokio::test]
async fn links_left_by_an_earlier_run_open_nothing() {
    let scene = Scene::new();
    let mut tally = Tally::default();
    let write = scene.dir.join("write");
    // Relative to the folder, so that it leads somewhere in the new root too.
    let left = scene.cage("os.symlink('..', '@write@/state'); os.symlink('../secret', '@write@/program')");
    printed(&left).await;
    assert!(write.join("state").is_symlink() && write.join("program").is_symlink());
    for (what, state) in [("read", false), ("write", true)] {
        let mut cage = scene.cage(
            "print(open('@write@/state/secret').read()); open('@write@/state/untouched', 'w').write('x')",
        );
        let bound = if state { &mut cage.policy.write } else { &mut cage.policy.read };
        bound.push(write.join("state"));
        let (came, opened) = opened(&scene, &cage).await;
        tally.tried(&format!("- a link, given as a folder to {what}: {came}"), opened);
        scene_keeps(&scene);
    }
    // Another program, that may read what the first one wrote.
    let mut cage = scene.cage("print(open('@write@/state/secret').read())");
    (cage.policy.read, cage.policy.write) = (vec![write.join("state")], Vec::new());
    let (came, opened_it) = opened(&scene, &cage).await;
    tally.tried(&format!("- a link in the folder of another program: {came}"), opened_it);
    // A program by its path in such a folder.
    let mut cage = scene.cage("");
    cage.policy.command = vec!["/bin/cat".to_owned(), write.join("program").display().to_string()];
    let (came, opened) = opened(&scene, &cage).await;
    tally.tried(&format!("- a program that is a link: {came}"), opened);
    tally.report("links left behind");
}

async fn opened(scene: &Scene, cage: &crate::cage::Cage) -> (String, bool) {
    let came = printed(cage).await;
    let opened = came.contains(&scene.canary) || scene.changed().is_some();
    (came, opened)
}

/// The file outside is as it was again.
fn scene_keeps(scene: &Scene) {
    let untouched: &Path = &scene.dir.join("untouched");
    fs::write(untouched, "untouched").unwrap();
}
