//! The packs of `examples/packs`: nothing is wrong with the games they change, and their scenarios hold.

use ludoteca::{Folder, Library, PackSource, Suite, render_all};
use ludoteca_tests::root;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn packs() -> Vec<PathBuf> {
    let folder = root().join("examples/packs");
    let entries = std::fs::read_dir(folder).expect("the packs");
    let mut packs: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    packs.sort();
    packs
}

/// The games a pack has scenarios for.
fn games(pack: &Path) -> BTreeSet<String> {
    let scenarios = std::fs::read_dir(pack.join("tests/scenarios")).into_iter();
    let names = scenarios.flatten().flatten().map(|entry| entry.file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

#[test]
fn every_pack_is_sound_and_its_scenarios_hold() {
    let mut wrong = Vec::new();
    let mut tried = 0;
    for pack in packs() {
        let mut sources = vec![PackSource::new("base", Folder::new(root()))];
        sources.extend(PackSource::folder(&pack).expect("a folder"));
        let (library, _) = Library::open(&sources);
        wrong.push(render_all(library.problems(), false));
        let own = PackSource::folder(&pack).expect("a folder");
        let (alone, _) = Library::open(&own);
        for game in games(&pack) {
            wrong.push(render_all(&library.check(Some(&game)), false));
        }
        let (suite, problems) = Suite::read(&library, &alone.scenarios(None));
        wrong.push(render_all(&problems, false));
        for one in suite.run(&library) {
            tried += 1;
            let told = |failure| format!("{}: {}: {failure}", pack.display(), one.title.value);
            wrong.extend(one.failures.iter().map(told));
        }
    }
    wrong.retain(|line| !line.trim().is_empty());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 15, "only {tried} scenarios");
}
