//! The client's own files: built into the binary, or from a folder for those who edit them.

use super::Doorway;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::borrow::Cow;
use std::path::PathBuf;

include!(concat!(env!("OUT_DIR"), "/client.rs"));

/// Where the client's files come from.
#[derive(Debug, Clone)]
pub enum Client {
    BuiltIn,
    Folder(PathBuf),
}

impl Client {
    /// A file by its name below the client's folder. Nothing else can be named.
    fn read(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        let plain = |part: &str| {
            !part.is_empty()
                && !part.starts_with('.')
                && part
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
        };
        if !name.split('/').all(plain) {
            return None;
        }
        match self {
            Client::BuiltIn => {
                let at = FILES.binary_search_by_key(&name, |(name, _)| name).ok()?;
                Some(Cow::Borrowed(FILES[at].1))
            }
            Client::Folder(folder) => {
                // Other pages lie beside the client.
                let others = ["rulebook/", "workbench/"];
                let is_other = others.iter().any(|page| name.starts_with(page));
                let beside = folder.parent().filter(|_| is_other);
                let found = std::fs::read(beside.unwrap_or(folder).join(name));
                found.ok().map(Cow::Owned)
            }
        }
    }
}

pub async fn page(State(door): State<Doorway>) -> Response {
    answer(&door, "index.html")
}

pub async fn file(State(door): State<Doorway>, Path(name): Path<String>) -> Response {
    match name.as_str() {
        "table" => answer(&door, "table.html"),
        "edit" => answer(&door, "workbench/index.html"),
        // The workbench calls the table's modules by the folder they lie in.
        name if name.starts_with("client/") => answer(&door, &name["client/".len()..]),
        name => answer(&door, name),
    }
}

fn answer(door: &Doorway, name: &str) -> Response {
    let Some(bytes) = door.client.read(name) else {
        return (StatusCode::NOT_FOUND, "there is no such page").into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, content_type(name)),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, bytes.into_owned()).into_response()
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
