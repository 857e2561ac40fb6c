//! The pages about mistakes: each code has one, its wrong example is that mistake, its right one is not, and the documents are current.

use crate::fixture::*;
use crate::scenarios::{SCENARIO, fair_with};
use ludoteca::{
    Code, Diagnostic, Library,
    explained::{ErrorPage, Example, index, pages},
};
use std::path::Path;

/// What is found in the fair with an example in it.
fn found(page: &ErrorPage, text: &str) -> Vec<Diagnostic> {
    let library = match &page.example {
        Example::In(path) => {
            let file = FILES.iter().find(|(known, _)| known == path);
            let (_, file) =
                file.unwrap_or_else(|| panic!("{}: {path} is no file of the fair", page.title()));
            Library::open(&[fair(&[(path, &with(file, &page.right, text))])]).0
        }
        Example::New(path) => Library::open(&[fair(&[(path, &format!("{text}\n"))])]).0,
        Example::Over(path) => Library::open(&[fair(&[]), over("extra", &[(path, text)])]).0,
        Example::Scenario => fair_with(&with(SCENARIO, &page.right, text)),
        Example::Step => {
            let rules = with(
                RULES,
                "fn turn(p) {}",
                &format!("fn turn(p) {{\n{text}\n}}"),
            );
            Library::open(&[fair(&[("scripts/fair/rules.rhai", &rules)])]).0
        }
        Example::Like(_) | Example::None(_) => return Vec::new(),
    };
    library.check(None)
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let pages = pages();
    let scripts = ludoteca_vm::Code::ALL
        .iter()
        .map(|code| (String::new(), code.slug().to_string()));
    let codes = Code::ALL
        .iter()
        .map(|code| (code.id().to_string(), code.slug().to_string()));
    let mut codes: Vec<(String, String)> = codes.chain(scripts).collect();
    let mut written: Vec<(String, String)> = pages
        .iter()
        .map(|page| (page.id.clone(), page.slug.clone()))
        .collect();
    codes.sort();
    written.sort();
    assert_eq!(written, codes);
    for page in &pages {
        assert!(!page.text.is_empty(), "{} says nothing", page.title());
        let has_none = matches!(&page.example, Example::None(why) if !why.is_empty());
        assert!(
            has_none || !page.right.is_empty(),
            "{} has no example and does not say why",
            page.title()
        );
    }
}

#[test]
fn the_wrong_example_is_that_mistake_and_the_right_one_is_not() {
    let mut failures = Vec::new();
    for page in pages() {
        if matches!(page.example, Example::Like(_) | Example::None(_)) {
            continue;
        }
        let told = |text: &str| -> Vec<String> {
            found(&page, text)
                .iter()
                .map(|one| one.to_string())
                .collect()
        };
        let is_it = |one: &Diagnostic| one.code.id() == page.id && one.code.slug() == page.slug;
        if !found(&page, &page.wrong).iter().any(is_it) {
            failures.push(format!(
                "{}: the wrong example says {:?}",
                page.title(),
                told(&page.wrong)
            ));
        }
        if found(&page, &page.right).iter().any(is_it) {
            failures.push(format!(
                "{}: the right example says {:?}",
                page.title(),
                told(&page.right)
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// `UPDATE_PAGES=1 cargo test -p ludoteca --test content pages` writes them.
#[test]
fn the_pages_of_the_documents_are_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/errors");
    let mut wanted: Vec<(String, String)> = pages()
        .iter()
        .map(|page| (page.file(), page.markdown()))
        .collect();
    wanted.push(("README.md".into(), index()));
    if std::env::var_os("UPDATE_PAGES").is_some() {
        std::fs::create_dir_all(&folder).expect("the folder");
        for (name, text) in &wanted {
            std::fs::write(folder.join(name), text).expect("a page");
        }
    }
    for (name, text) in &wanted {
        let there = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert_eq!(
            &there, text,
            "docs/errors/{name} is not current; write it with UPDATE_PAGES=1"
        );
    }
    let there = std::fs::read_dir(&folder).expect("the folder").count();
    assert_eq!(there, wanted.len(), "a page nobody wrote");
}
