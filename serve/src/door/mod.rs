//! The door to the network: pages and lists over HTTP, one WebSocket a window.

mod files;
mod guard;
mod lists;
mod rules;
mod socket;
mod workbench;

pub use files::Client;
pub use guard::{Rate, Rates};

use crate::LeftOut;
use crate::house::House;
use crate::workbench::Workbench;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::response::Redirect;
use axum::routing::{get, post};
use guard::Guard;
use std::sync::Arc;

/// A saved match may be long.
const LARGEST_BODY: usize = 4 << 20;

/// What every request needs.
#[derive(Clone)]
pub struct Doorway {
    pub house: Arc<House>,
    pub client: Arc<Client>,
    pub guard: Arc<Guard>,
    pub workbench: Option<Arc<Workbench>>,
    pub left_out: Arc<[LeftOut]>,
    pub watches: bool,
}

/// How the door is kept.
#[derive(Debug, Clone, Default)]
pub struct DoorRules {
    /// Addresses of pages that may act besides the one that is served (`https://example.org`).
    pub origins: Vec<String>,
    /// Only names of this machine are answered to: nobody can point a name of theirs at it.
    pub only_local: bool,
    pub base_path: String,
    pub rates: Rates,
    pub watches: bool,
}

pub fn routes(
    house: Arc<House>,
    workbench: Option<Arc<Workbench>>,
    left_out: Vec<LeftOut>,
    client: Client,
    manner: DoorRules,
) -> Router {
    let base = manner.base_path.trim_end_matches('/').to_string();
    let watches = manner.watches;
    let doorway = Doorway {
        house,
        client: Arc::new(client),
        guard: Arc::new(Guard::new(manner)),
        workbench,
        left_out: left_out.into(),
        watches,
    };
    let at = |path: &str| format!("{base}{path}");
    let all = Router::new()
        .route(&at("/api/lobby"), get(lists::lobby))
        .route(&at("/api/games/{game}"), get(lists::game))
        .route(&at("/api/declarations/{id}"), get(lists::declaration))
        .route(&at("/api/pictures/{id}/{name}"), get(lists::picture))
        .route(&at("/api/matches"), post(lists::new_match))
        .route(&at("/api/matches/known"), post(lists::known))
        .route(&at("/api/transcript"), get(lists::transcript))
        .route(&at("/api/socket"), get(socket::open))
        .route(&at("/api/workbench"), get(workbench::look))
        .route(
            &at("/api/workbench/{what}"),
            get(workbench::look).post(workbench::act),
        )
        .route(&at("/rules/{id}"), get(rules::page))
        .route(&at("/"), get(files::page))
        .route(&at("/{*file}"), get(files::file));
    let home = at("/");
    let all = match base.as_str() {
        "" => all,
        base => all.route(base, get(move || async move { Redirect::permanent(&home) })),
    };
    all.layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn_with_state(
            doorway.clone(),
            guard::stand_at_the_door,
        ))
        .with_state(doorway)
}
