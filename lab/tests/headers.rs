//! The first line of results says of which game they are: nobody reads on where it tells of more than a game can have.

use ludoteca::Text;
use ludoteca::limits::MOST_PIECES;
use ludoteca_lab::record::{ContentItem, FORMAT, Header};
use ludoteca_lab::results::{ResultsError, ResultsReader};

fn opened(items: usize) -> Result<Header, ResultsError> {
    let item = ContentItem {
        id: "sword".into(),
        kind: "card".into(),
        name: Text {
            es: "Espada".into(),
            en: "Sword".into(),
        },
        copies: 1,
    };
    let header = Header {
        format: FORMAT,
        players: 2,
        bots: vec!["random".into(); 2],
        items: vec![item; items],
        ..Header::default()
    };
    let written = serde_json::to_string(&header).expect("it is plain data");
    let path = std::env::temp_dir().join(format!(
        "ludoteca-header-{}-{items}.csv",
        std::process::id()
    ));
    std::fs::write(&path, format!("# ludoteca {written}\ngame\n")).expect("a place for files");
    let file = std::fs::File::open(&path).expect("it was just written");
    let read = ResultsReader::open(file).map(|reader| reader.header);
    std::fs::remove_file(&path).expect("it was just written");
    read
}

#[test]
fn results_of_more_cards_than_a_game_has_are_refused() {
    let header = opened(100).expect("results");
    assert_eq!(header.items.len(), 100);
    let refused = opened(2 * MOST_PIECES + 1).map(|_| ());
    let told = refused.expect_err("too many").to_string();
    assert!(told.contains("40001 cards and words"), "{told}");
}
