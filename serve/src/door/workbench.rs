//! The workbench over HTTP: pages ask what there is, wait for what changes, and say what to write. Every request carries the token.

use super::Doorway;
use super::guard::language;
use super::lists::{refuse, work};
use crate::refusal::Refusal;
use crate::workbench::{ComparisonWish, ValueEdit, Workbench};
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::time::Duration;

/// How long a page waits for something to change before it asks again.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a page looks at.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PageView {
    game: String,
    variant: String,
    path: String,
    since: Option<u64>,
}

/// The workbench, for whoever may edit.
fn bench(door: &Doorway, headers: &HeaderMap) -> Result<Arc<Workbench>, Refusal> {
    let bench = door.workbench.clone().ok_or_else(|| {
        Refusal::new(
            "not-found",
            "Este servidor no edita nada: empieza con `--edit CARPETA`.",
            "This server edits nothing: start it with `--edit FOLDER`.",
        )
    })?;
    let token = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .unwrap_or_default();
    match bench.is_key(token) {
        true => Ok(bench),
        false => Err(Refusal::not_allowed(
            "Para editar hace falta el enlace completo que dice el servidor al empezar.",
            "To edit you need the whole link that the server says when it starts.",
        )),
    }
}

pub async fn look(
    State(door): State<Doorway>,
    what: Option<Path<String>>,
    Query(wanted): Query<PageView>,
    headers: HeaderMap,
) -> Response {
    let bench = match bench(&door, &headers) {
        Ok(bench) => bench,
        Err(refusal) => return refuse(&refusal, language(&headers)),
    };
    let what = what.map_or_else(String::new, |Path(what)| what);
    match (wanted.since, what.as_str()) {
        (Some(since), "") => bench.wait(since, PATIENCE).await,
        (Some(since), "against") => bench.wait_for_comparison(since, PATIENCE).await,
        _ => {}
    }
    work(&headers, move || {
        let PageView {
            game,
            variant,
            path,
            ..
        } = &wanted;
        match what.as_str() {
            "" => bench.state(&door.house, game, variant),
            "cards" => bench.cards(&door.house, game, variant),
            "scenarios" => bench.scenarios(game),
            "text" => bench.text(path),
            "against" => Ok(bench.comparison()),
            _ => Err(unknown(&what)),
        }
    })
    .await
}

#[derive(Debug, Deserialize)]
struct Named {
    game: String,
    name: String,
}

#[derive(Debug, Deserialize)]
struct Typed {
    path: String,
    text: String,
    was: String,
    /// Where, for a part of a file.
    from: Option<usize>,
}

#[derive(Debug, Deserialize)]
struct Settled {
    path: String,
    mine: bool,
}

#[derive(Debug, Deserialize)]
struct Played {
    game: String,
    variant: String,
    seats: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Replayed {
    side: usize,
    game: u64,
}

fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(Refusal::bad_request)
}

fn unknown(what: &str) -> Refusal {
    Refusal::bad_request(format!("`{what}`"))
}

pub async fn act(
    State(door): State<Doorway>,
    Path(what): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let bench = match bench(&door, &headers) {
        Ok(bench) => bench,
        Err(refusal) => return refuse(&refusal, language(&headers)),
    };
    work(&headers, move || done(&door, &bench, &what, &body)).await
}

/// Does what a page says.
fn done(door: &Doorway, bench: &Arc<Workbench>, what: &str, body: &Bytes) -> Result<Json, Refusal> {
    let house = &door.house;
    let fine = |done: Result<(), Refusal>| done.map(|()| json!({ "ok": true }));
    match what {
        "edit" => fine(bench.edit(house, &read::<ValueEdit>(body)?)),
        "begin" => {
            let Named { game, name } = read(body)?;
            fine(bench.begin(&game, &name))
        }
        "text" => {
            let typed: Typed = read(body)?;
            bench.write(&typed.path, typed.text, &typed.was)
        }
        "fix" => {
            let typed: Typed = read(body)?;
            let from = typed.from.ok_or_else(|| Refusal::bad_request("`from`"))?;
            fine(bench.fix(&typed.path, from, &typed.was, &typed.text))
        }
        "undo" => fine(bench.undo()),
        "settle" => {
            let Settled { path, mine } = read(body)?;
            bench.settle(&path, mine);
            fine(Ok(()))
        }
        "save" => bench.save(house),
        "against" => {
            let wish: ComparisonWish = read(body)?;
            bench.compare(house, wish);
            fine(Ok(()))
        }
        "play" => {
            let Played {
                game,
                variant,
                seats,
            } = read(body)?;
            bench.play(house, &game, &variant, &seats)
        }
        "replay" => {
            let Replayed { side, game } = read(body)?;
            bench.replay(house, side, game)
        }
        _ => Err(unknown(what)),
    }
}
