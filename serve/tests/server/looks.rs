//! Looks as content: what is wrong with one is said with its place, overlays change it, pictures are images and nothing else.

use crate::support::{Server, Wishes, hush};
use ludoteca::{ICONS, Library, PackSource, Selection};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// What is wrong with `hush` with this look: code, line and column, message.
fn wrong(look: &str) -> Vec<String> {
    let mut files: BTreeMap<String, String> = hush().lock().unwrap().clone();
    files.insert("looks/hush/look.toml".into(), look.into());
    let own = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()));
    let (library, _) = Library::open(&[PackSource::memory("own", own)]);
    let loaded = library.load("hush", &Selection::default()).unwrap();
    let told = loaded.diagnostics.iter().map(|found| {
        let place = &found.at.as_ref().unwrap().place;
        let (line, column) = place.file.position(place.span.start);
        format!("{} {line}:{column} {}", found.code.id(), found.message)
    });
    told.collect()
}

#[test]
fn what_is_wrong_with_a_look_is_said_with_its_place() {
    let cases = [
        ("ground = \"see\"", "E013 1:10 "),
        (
            "grund = \"sea\"",
            "E005 1:1 unknown key `grund` of the look",
        ),
        (
            "[zones]\nhnad = { form = \"fan\" }",
            "E041 2:1 unknown zone `hnad`",
        ),
        ("[zones]\nhand = { form = \"fun\" }", "E013 2:17 "),
        (
            "[players]\nshow = [{ attribute = \"pionts\" }]",
            "E012 2:23 unknown attribute of players `pionts`",
        ),
        (
            "[kinds.number]\nbig = \"wroth\"",
            "E018 2:7 unknown field of `number` `wroth`",
        ),
        (
            "[kinds.nmber]\nbig = \"worth\"",
            "E017 1:8 unknown kind `nmber`",
        ),
        ("[icons]\nworth = \"strr\"", "E013 2:9 unknown icon `strr`"),
        (
            "[colors]\nworth = \"red\"",
            "E007 2:9 expected a colour such as \"#c9453d\", found \"red\"",
        ),
        (
            "[paths]\nstrr = \"M0 0\\\"/><script>\"",
            "E007 2:8 expected the data of a path such as \"M2 8h12\"",
        ),
        (
            "[pictures]\nback = \"back.png\"",
            "E001 2:8 unknown picture `back.png`",
        ),
        (
            "[dice]\nd7 = { fill = \"#000000\" }",
            "E013 2:1 unknown die `d7`",
        ),
        (
            "[header]\nshow = [\"stage\"]",
            "E012 2:9 unknown attribute of the game `stage`",
        ),
    ];
    for (look, expected) in cases {
        let found = wrong(look);
        assert_eq!(found.len(), 1, "{look}: {found:?}");
        assert!(
            found[0].starts_with(expected),
            "{look}: {} instead of {expected}",
            found[0]
        );
    }
    assert_eq!(
        wrong("ground = \"felt\"\n[paths]\nstrr = \"!M0 0h4z\"\n[icons]\nworth = \"strr\"\n"),
        Vec::<String>::new()
    );
}

#[test]
fn the_icons_of_the_kernel_are_those_of_the_page() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("client/icons.js");
    let text = std::fs::read_to_string(page).unwrap();
    let mut drawn: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter_map(|line| line.split_once(": \""))
        .map(|(name, _)| name.trim_matches('"'))
        .filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'))
        .collect();
    drawn.sort_unstable();
    drawn.dedup();
    assert_eq!(drawn, ICONS);
}

#[test]
fn a_picture_is_an_image_and_runs_nothing() {
    let pack = hush();
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
    {
        let mut files = pack.lock().unwrap();
        files.insert("looks/hush/pictures/back.svg".into(), svg.into());
        files.insert(
            "looks/hush/look.toml".into(),
            "[pictures]\nback = \"back.svg\"\n".into(),
        );
    }
    let server = Server::on(Arc::new(TempDir::new().unwrap()), pack, Wishes::default());
    let (status, game) = server.get("/api/games/hush");
    assert_eq!(status, 200, "{game}");
    let id = game["declaration"].as_str().unwrap();
    let (status, head, body) = server.request("GET", &format!("/api/pictures/{id}/back"), &[], b"");
    assert_eq!((status, body.as_str()), (200, svg));
    let head = head.to_lowercase();
    assert!(
        head.contains("content-type: image/svg+xml")
            && head.contains("script-src 'self'")
            && head.contains("nosniff")
    );
    assert_eq!(server.get(&format!("/api/pictures/{id}/other")).0, 404);
}

#[test]
fn a_rulebook_is_a_page_of_text_in_both_languages() {
    let pack = hush();
    {
        let mut files = pack.lock().unwrap();
        let book = |head: &str| {
            format!(
                "# {head} {{#goal}}\n\nLay **{{bonus}}** & <script>alert(1)</script>.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| <i>x</i> | 2 |\n"
            )
        };
        files.insert("scripts/hush/rulebook.es.md".into(), book("Meta"));
        files.insert("scripts/hush/rulebook.en.md".into(), book("Goal"));
    }
    let server = Server::on(Arc::new(TempDir::new().unwrap()), pack, Wishes::default());
    let (_, game) = server.get("/api/games/hush");
    let id = game["declaration"].as_str().unwrap();
    for (lang, head) in [("es", "Meta"), ("en", "Goal")] {
        let (status, _, page) =
            server.request("GET", &format!("/rules/{id}?lang={lang}"), &[], b"");
        assert_eq!(status, 200);
        let wanted = [
            &format!("<html lang=\"{lang}\">"),
            &format!("<section id=\"goal\"><h2>{head}</h2>"),
            "<p>Lay <b>1</b> &amp; &lt;script&gt;alert(1)&lt;/script&gt;.</p>",
            "<ul><li><span>•</span> one</li><li><span>•</span> two</li></ul>",
            "<tr><td>&lt;i&gt;x&lt;/i&gt;</td><td>2</td></tr>",
        ];
        for part in wanted {
            assert!(page.contains(part), "{part} is not in {page}");
        }
    }
    let (status, _, told) = server.request("GET", "/rules/nowhere?lang=es", &[], b"");
    assert_eq!(status, 404);
    assert!(told.contains("reglamento"), "{told}");
}
