//! Every game on paper: as many pages as its cards need, with texts that can be found.

use ludoteca::{Language, Library, Loaded, Selection};
use ludoteca_draw::Book;
use ludoteca_press::{Job, Page, Paper, PressError, Printed, as_pictures, pages, pdf, png};
use std::process::Command;

fn loaded(game: &str, variant: Option<&str>) -> Loaded {
    let (library, _) = Library::open(&ludoteca_base::packs());
    let selection = variant.map_or_else(Selection::default, Selection::variant);
    library.load(game, &selection).expect("the game is there")
}

fn printed(loaded: &Loaded, parts: &[Printed], kind: Option<&str>) -> Vec<Page> {
    let book = Book::new(&loaded.definition, Language::Es);
    let job = Job {
        book: &book,
        rulebook: &loaded.definition.rulebook,
        against: None,
        kind: kind.map(str::to_string),
        parts: parts.to_vec(),
        paper: Paper::A4,
    };
    pages(&job).expect("there is something to print")
}

#[test]
fn cards_are_as_many_as_their_copies() {
    let loaded = loaded("conquista", None);
    // 54 cards of research, nine a page, and their backs.
    let pages = printed(&loaded, &[Printed::Cards], Some("research"));
    assert_eq!(pages.len(), 12);
    let first = pages[0].svg();
    assert_eq!(first.matches("¡Ataque tenaz!</title>").count(), 3);
    let bytes = pdf(&pages, "Conquista").expect("a document");
    assert!(bytes.starts_with(b"%PDF"));
    let text = String::from_utf8_lossy(&bytes);
    assert_eq!(
        text.matches("/Type /Page\n").count() + text.matches("/Type/Page/").count(),
        12,
        "pages of the document"
    );
}

#[test]
fn every_game_has_pages() {
    let (library, _) = Library::open(&ludoteca_base::packs());
    for game in library.games() {
        let loaded = loaded(&game.id, None);
        let pages = printed(
            &loaded,
            &[Printed::Boards, Printed::Tokens, Printed::Rules],
            None,
        );
        for page in &pages {
            let svg = page.svg();
            assert!(
                !svg.contains("NaN") && !svg.contains("inf"),
                "{}: {}",
                game.id,
                page.title
            );
        }
    }
}

#[test]
fn only_what_differs() {
    let (base, cheap) = (
        loaded("conquista", None),
        loaded("conquista", Some("cheap-fleet")),
    );
    let [before, book] = [&base, &cheap].map(|loaded| Book::new(&loaded.definition, Language::En));
    let job = |parts: Vec<Printed>| Job {
        book: &book,
        rulebook: &cheap.definition.rulebook,
        against: Some((&before, &base.definition.rulebook)),
        kind: None,
        parts,
        paper: Paper::Letter,
    };
    // No card has the price on it; the rules do.
    assert!(matches!(
        pages(&job(vec![Printed::Cards, Printed::Boards])),
        Err(PressError::Nothing(_))
    ));
    let rules = pages(&job(vec![Printed::Rules])).expect("prices are in the rules");
    assert_eq!(rules.len(), 1);
}

#[test]
fn content_is_text_and_never_markup() {
    let mut loaded = loaded("conquista", None);
    for card in &mut loaded.definition.cards {
        card.name.es = "</text><script>alert(1)</script>".into();
        card.text = Some(ludoteca::Text {
            es: "a & b < c \"d\"".into(),
            en: String::new(),
        });
    }
    for page in printed(&loaded, &[Printed::Cards], Some("phase")) {
        let svg = page.svg();
        assert!(!svg.contains("<script"));
        png(&page, 50).expect("it is still a picture");
    }
}

/// Words as long as books, and more paper than anybody has.
#[test]
fn hostile_cards_are_printed_as_far_as_they_go() {
    let mut loaded = loaded("conquista", None);
    let text = |words: String| ludoteca::Text {
        es: words.clone(),
        en: words,
    };
    for card in &mut loaded.definition.cards {
        card.name = text("x".repeat(19_000));
        card.text = Some(text("y ".repeat(9_900)));
    }
    for page in printed(&loaded, &[Printed::Cards], Some("research")) {
        let lines = page.svg().matches("<text").count();
        assert!(lines < 9 * 200, "{lines} lines on a sheet");
    }
    let told = |loaded: &Loaded| {
        let book = Book::new(&loaded.definition, Language::Es);
        let job = Job {
            book: &book,
            rulebook: &loaded.definition.rulebook,
            against: None,
            kind: Some("research".into()),
            parts: vec![Printed::Cards],
            paper: Paper::A4,
        };
        match pages(&job) {
            Ok(pages) => as_pictures(&pages)
                .err()
                .map_or(String::new(), |error| error.to_string()),
            Err(error) => error.to_string(),
        }
    };
    let mut loaded = self::loaded("conquista", None);
    for (copies, says) in [
        (2, ""),
        (500, "more than 100 pages"),
        (9_500, "more than 2000 pages"),
        (10_001, "more than 10000 cards"),
    ] {
        let mut first = true;
        for card in &mut loaded.definition.cards {
            let of_kind = loaded.definition.kinds[card.kind as usize].name == "research";
            card.copies = if of_kind && std::mem::take(&mut first) {
                copies
            } else {
                0
            };
        }
        let said = told(&loaded);
        assert!(
            said.contains(says) && said.is_empty() == says.is_empty(),
            "{copies}: {said}"
        );
    }
}

#[test]
fn texts_can_be_found() {
    let there = Command::new("pdftotext").arg("-v").output();
    if there.is_err() {
        eprintln!("pdftotext is not there: texts of documents were not looked for");
        return;
    }
    let loaded = loaded("conquista", None);
    let pages = printed(&loaded, &[Printed::Cards, Printed::Rules], None);
    let bytes = pdf(&pages, "Conquista").expect("a document");
    let path = std::env::temp_dir().join(format!("ludoteca-print-{}.pdf", std::process::id()));
    std::fs::write(&path, bytes).expect("a file");
    let told = Command::new("pdftotext")
        .args([path.as_os_str(), "-".as_ref()])
        .output()
        .expect("it runs");
    let _ = std::fs::remove_file(&path);
    let text = String::from_utf8_lossy(&told.stdout)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    for said in [
        "¡Ataque tenaz!",
        "añades un dado cada vez",
        "Economía de guerra",
        "Población",
    ] {
        assert!(text.contains(said), "{said}");
    }
    assert!(!text.contains('\u{fffd}'));
}
