//! The rulebook of a game as a page to read: what a pack wrote is text there, and never markup.

use super::Doorway;
use super::guard::language;
use super::lists::refuse;
use crate::declaration::Declaration;
use crate::kernel::Language;
use crate::refusal::Refusal;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse, Response};
use ludoteca_draw::prose::{ProsePart, blocks, words};
use ludoteca_draw::svg::escaped;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct Asked {
    #[serde(default)]
    lang: String,
}

pub async fn page(
    State(door): State<Doorway>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let reads = match asked.lang.as_str() {
        "es" => Language::Es,
        "en" => Language::En,
        _ => language(&headers),
    };
    match door.house.shelf.declaration(&id) {
        Some(found) => Html(written(&found, reads)).into_response(),
        None => refuse(
            &Refusal::new(
                "not-found",
                "Ese reglamento ya no está: ábrelo desde la partida.",
                "That rulebook is not there any more: open it from the match.",
            ),
            reads,
        ),
    }
}

fn written(game: &Declaration, reads: Language) -> String {
    let (lang, title, none, other) = match reads {
        Language::Es => (
            "es",
            "Reglas",
            "Este juego no trae reglamento.",
            "<a href=\"?lang=en\" lang=\"en\">English</a>",
        ),
        Language::En => (
            "en",
            "Rules",
            "This game has no rulebook.",
            "<a href=\"?lang=es\" lang=\"es\">Español</a>",
        ),
    };
    let name = escaped(reads.of(&game.title));
    let mut contents = String::new();
    let mut topics = String::new();
    for topic in &game.rulebook {
        let (id, head) = (escaped(&topic.id), escaped(reads.of(&topic.title)));
        contents += &format!("<li><a href=\"#{id}\">{head}</a></li>");
        let text = prose(reads.of(&topic.text));
        topics += &format!("<section id=\"{id}\"><h2>{head}</h2>{text}</section>\n");
    }
    if game.rulebook.is_empty() {
        topics = format!("<p>{none}</p>");
    }
    format!(
        "<!doctype html>\n<html lang=\"{lang}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{name} · {title}</title><link rel=\"icon\" href=\"../icon.svg\"><link rel=\"stylesheet\" href=\"../style/base.css\"><link rel=\"stylesheet\" href=\"../rulebook/style.css\"></head>\n\
         <body class=\"rules\"><header><h1>{name}</h1><p>{other}</p></header><nav aria-label=\"{title}\"><ol>{contents}</ol></nav>\n<main>{topics}</main></body></html>\n"
    )
}

/// Blocks of a text, one after the other; items that follow each other are one list.
fn prose(text: &str) -> String {
    let mut html = String::new();
    let mut listing = false;
    for block in blocks(text) {
        let is_item = matches!(block, ProsePart::Item(..));
        if is_item != listing {
            listing = is_item;
            html += if listing { "<ul>" } else { "</ul>" };
        }
        html += &match block {
            ProsePart::Heading(text) => format!("<h3>{}</h3>", line(&text)),
            ProsePart::Paragraph(text) => format!("<p>{}</p>", line(&text)),
            ProsePart::Item(sign, text) => {
                format!("<li><span>{}</span> {}</li>", escaped(&sign), line(&text))
            }
            ProsePart::Table(rows) => table(&rows),
        };
    }
    if listing {
        html += "</ul>";
    }
    html
}

fn table(rows: &[Vec<String>]) -> String {
    let mut html = String::from("<div class=\"wide\" tabindex=\"0\"><table>");
    for (number, row) in rows.iter().enumerate() {
        let tag = if number == 0 { "th" } else { "td" };
        let cells = row
            .iter()
            .map(|cell| format!("<{tag}>{}</{tag}>", line(cell)));
        html += &format!("<tr>{}</tr>", cells.collect::<String>());
    }
    html + "</table></div>"
}

fn line(text: &str) -> String {
    let words: Vec<String> = words(text)
        .iter()
        .map(|(word, bold)| match bold {
            true => format!("<b>{}</b>", escaped(word)),
            false => escaped(word),
        })
        .collect();
    words.join(" ")
}
