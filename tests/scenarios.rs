//! Every scenario of every game is sound and holds.

use ludoteca::{Suite, render_all};
use ludoteca_tests::library;

#[test]
fn all_scenarios_hold() {
    let library = library();
    let (suite, problems) = Suite::read(&library, &library.scenarios(None));
    assert!(problems.is_empty(), "{}", render_all(&problems, false));
    let tried = suite.run(&library);
    let wrong: Vec<String> = tried
        .iter()
        .flat_map(|one| {
            let file = &one.title.place.file.shown;
            let told = |failure| format!("{file}: {}: {failure}", one.title.value);
            one.failures.iter().map(told).collect::<Vec<_>>()
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {} scenarios:\n{}",
        wrong.len(),
        tried.len(),
        wrong.join("\n")
    );
    assert!(tried.len() > 1000, "only {} scenarios", tried.len());
}
