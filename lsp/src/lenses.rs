//! Lines above things that can be tried: run this scenario; compare this variant.

use crate::commands::{COMPARE, RUN};
use crate::desk::Desk;
use crate::page::Page;
use crate::symbols::scenarios_of;
use lsp_types::{CodeLens, Command, Uri};
use ludoteca::pack::{Role, role};
use serde_json::json;

pub fn lenses(desk: &mut Desk, uri: &Uri) -> Vec<CodeLens> {
    let Some(page) = Page::open(desk, uri) else {
        return Vec::new();
    };
    let mut lenses = Vec::new();
    for scenario in scenarios_of(&page.sheet.path, &page.text) {
        if scenario.title.is_empty() {
            continue;
        }
        let line = scenario.whole.start..scenario.whole.start;
        lenses.push(CodeLens {
            range: page.positions(line),
            command: Some(Command {
                title: "▶ run this scenario".into(),
                command: RUN.into(),
                arguments: Some(vec![json!(uri), json!(scenario.title)]),
            }),
            data: None,
        });
    }
    if let Role::Variant(game, variant) = role(&page.sheet.path) {
        lenses.push(CodeLens {
            range: page.positions(0..0),
            command: Some(Command {
                title: "⇄ compare this variant with the base".into(),
                command: COMPARE.into(),
                arguments: Some(vec![json!(uri), json!(game), json!(variant)]),
            }),
            data: None,
        });
    }
    lenses
}
