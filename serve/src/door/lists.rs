//! Lists and single questions over HTTP.

use super::Doorway;
use super::guard::language;
use crate::house::{Maker, NewMatch, TIERS};
use crate::kernel::{Language, Selection};
use crate::refusal::Refusal;
use axum::Json as Body;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value as Json, json};

/// Keys somebody may ask about at once.
const MOST_KEYS: usize = 200;

/// A refusal as an answer.
pub fn refuse(refusal: &Refusal, language: Language) -> Response {
    let status = match refusal.code {
        "unknown-key" | "unknown-game" | "not-found" => StatusCode::NOT_FOUND,
        "not-allowed" => StatusCode::FORBIDDEN,
        "too-many" => StatusCode::TOO_MANY_REQUESTS,
        "too-large" => StatusCode::PAYLOAD_TOO_LARGE,
        "not-kept" => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::BAD_REQUEST,
    };
    (status, Body(refusal.json(language))).into_response()
}

/// Does something that takes a while on a thread that may wait, and answers.
pub async fn work(
    headers: &HeaderMap,
    what: impl FnOnce() -> Result<Json, Refusal> + Send + 'static,
) -> Response {
    match tokio::task::spawn_blocking(what).await {
        Ok(Ok(told)) => Body(told).into_response(),
        Ok(Err(refusal)) => refuse(&refusal, language(headers)),
        Err(_) => refuse(&broken(), language(headers)),
    }
}

fn broken() -> Refusal {
    Refusal::new(
        "broken",
        "El servidor falló; no cambió nada.",
        "The server failed; nothing has changed.",
    )
}

pub async fn lobby(State(door): State<Doorway>, headers: HeaderMap) -> Response {
    work(&headers, move || {
        let bots: Vec<Json> = TIERS
            .iter()
            .map(|(id, es, en)| json!({ "id": id, "text": { "es": es, "en": en } }))
            .collect();
        Ok(json!({
            "games": door.house.shelf.listed(), "bots": bots, "left_out": &door.left_out[..], "reload": door.watches, "version": env!("CARGO_PKG_VERSION"),
        }))
    })
    .await
}

pub async fn game(
    State(door): State<Doorway>,
    Path(game): Path<String>,
    Query(wanted): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Response {
    work(&headers, move || {
        let variants = wanted.into_iter().filter(|(key, _)| key == "variant");
        let selection = Selection {
            variants: variants.map(|(_, value)| value).collect(),
            set: Vec::new(),
        };
        door.house.shelf.settings(&game, &selection)
    })
    .await
}

pub async fn declaration(
    State(door): State<Doorway>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    match door.house.shelf.declaration(&id) {
        None => refuse(
            &Refusal::new(
                "not-found",
                "Esa declaración ya no está.",
                "That declaration is not there any more.",
            ),
            language(&headers),
        ),
        Some(found) => {
            let headers = [
                (header::CONTENT_TYPE, "application/json"),
                (
                    header::CACHE_CONTROL,
                    "private, max-age=31536000, immutable",
                ),
            ];
            (headers, found.text.clone()).into_response()
        }
    }
}

/// A picture of a look, as an image and nothing else: whatever a pack puts into it, the browser runs none of it.
pub async fn picture(
    State(door): State<Doorway>,
    Path((id, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let found = tokio::task::spawn_blocking(move || {
        let declaration = door.house.shelf.declaration(&id)?;
        let (file, picture) = declaration.pictures.get(&name)?;
        let kind = match file.rsplit_once('.').map_or("", |(_, ending)| ending) {
            "png" => "image/png",
            "webp" => "image/webp",
            "svg" => "image/svg+xml",
            _ => return None,
        };
        Some((kind, picture.bytes().ok()?))
    });
    match found.await {
        Ok(Some((kind, bytes))) => {
            let headers = [
                (header::CONTENT_TYPE, kind),
                (header::CACHE_CONTROL, "private, max-age=3600"),
            ];
            (headers, bytes).into_response()
        }
        _ => refuse(
            &Refusal::new(
                "not-found",
                "Esa imagen no está.",
                "That picture is not there.",
            ),
            language(&headers),
        ),
    }
}

pub async fn new_match(State(door): State<Doorway>, headers: HeaderMap, body: Bytes) -> Response {
    work(&headers, move || {
        let wanted: NewMatch = serde_json::from_slice(&body).map_err(Refusal::bad_request)?;
        door.house.begin(wanted, Maker::Page)
    })
    .await
}

#[derive(Debug, Deserialize)]
struct KnownKeys {
    keys: Vec<String>,
}

pub async fn known(State(door): State<Doorway>, headers: HeaderMap, body: Bytes) -> Response {
    work(&headers, move || {
        let known: KnownKeys = serde_json::from_slice(&body).map_err(Refusal::bad_request)?;
        if known.keys.len() > MOST_KEYS {
            return Err(Refusal::new(
                "too-large",
                format!("Se puede preguntar por {MOST_KEYS} partidas a la vez."),
                format!("One may ask about {MOST_KEYS} matches at once."),
            ));
        }
        Ok(door.house.known(&known.keys))
    })
    .await
}

pub async fn transcript(State(door): State<Doorway>, headers: HeaderMap) -> Response {
    let bearer = headers.get(header::AUTHORIZATION);
    let key = bearer
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .unwrap_or_default()
        .to_string();
    let read = tokio::task::spawn_blocking(move || {
        let table = door.house.table(&key)?;
        let table = crate::shelf::locked(&table);
        table.transcript_for(&key)
    });
    match read.await {
        Ok(Ok(text)) => {
            let headers = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
            (headers, text).into_response()
        }
        Ok(Err(refusal)) => refuse(&refusal, language(&headers)),
        Err(_) => refuse(&broken(), language(&headers)),
    }
}
