//! Who stands at the door: pages of others may not act, nobody may ask too often, and answers tell browsers to run nothing but our own files.

use super::lists::refuse;
use super::{DoorRules, Doorway};
use crate::kernel::Language;
use crate::refusal::Refusal;
use crate::shelf::locked;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Mutex;
use std::time::Instant;

/// Nothing runs in the page but our own files; nobody may frame it; nothing is loaded from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Addresses that are remembered at once.
const ADDRESSES: usize = 100_000;

/// How often an address may do something: so many at once, and so many a second after that.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    pub at_once: f64,
    pub a_second: f64,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    pub requests: Rate,
    pub new_matches: Rate,
    pub sockets: Rate,
    /// Messages of one window.
    pub messages: Rate,
}

impl Rates {
    /// For those who measure the server from one address.
    pub fn unlimited() -> Rates {
        let any = Rate {
            at_once: f64::MAX,
            a_second: f64::MAX,
        };
        Rates {
            requests: any,
            new_matches: any,
            sockets: any,
            messages: any,
        }
    }
}

impl Default for Rates {
    fn default() -> Rates {
        let rate = |at_once, a_second| Rate { at_once, a_second };
        Rates {
            requests: rate(400.0, 40.0),
            new_matches: rate(30.0, 0.5),
            sockets: rate(60.0, 4.0),
            messages: rate(60.0, 20.0),
        }
    }
}

/// What is left of somebody's rate.
#[derive(Debug, Clone, Copy)]
pub struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    pub fn full(rate: Rate) -> Bucket {
        Bucket {
            left: rate.at_once,
            at: Instant::now(),
        }
    }

    /// Takes one, if there is one.
    pub fn take(&mut self, rate: Rate) -> bool {
        let now = Instant::now();
        let since = now.duration_since(self.at).as_secs_f64();
        self.left = (self.left + since * rate.a_second).min(rate.at_once);
        self.at = now;
        let enough = self.left >= 1.0;
        if enough {
            self.left -= 1.0;
        }
        enough
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Counted {
    Requests,
    NewMatches,
    Sockets,
}

#[derive(Debug)]
pub struct Guard {
    manner: DoorRules,
    buckets: Mutex<HashMap<(IpAddr, Counted), Bucket>>,
}

impl Guard {
    pub fn new(manner: DoorRules) -> Guard {
        Guard {
            manner,
            buckets: Mutex::default(),
        }
    }

    pub fn rates(&self) -> Rates {
        self.manner.rates
    }

    fn lets_in(&self, address: IpAddr, counted: Counted) -> bool {
        let rate = match counted {
            Counted::Requests => self.manner.rates.requests,
            Counted::NewMatches => self.manner.rates.new_matches,
            Counted::Sockets => self.manner.rates.sockets,
        };
        let mut buckets = locked(&self.buckets);
        if buckets.len() > ADDRESSES {
            buckets.clear();
        }
        let bucket = buckets
            .entry((address, counted))
            .or_insert_with(|| Bucket::full(rate));
        bucket.take(rate)
    }

    /// A browser says which page acts: it must be ours. Programs say nothing.
    fn is_ours(&self, headers: &HeaderMap) -> bool {
        let text = |name| {
            headers
                .get(name)
                .and_then(|value: &HeaderValue| value.to_str().ok())
        };
        let host = text(header::HOST).unwrap_or_default();
        if self.manner.only_local && !is_local(host) && !self.is_known_host(host) {
            return false;
        }
        match text(header::ORIGIN) {
            None => !headers.contains_key(header::ORIGIN),
            Some(origin) => {
                let ours = origin
                    .split_once("://")
                    .is_some_and(|(_, name)| name == host);
                ours || self.manner.origins.iter().any(|known| known == origin)
            }
        }
    }

    fn is_known_host(&self, host: &str) -> bool {
        let of = |origin: &String| origin.split_once("://").map(|(_, name)| name.to_string());
        self.manner
            .origins
            .iter()
            .filter_map(of)
            .any(|known| known == host)
    }
}

/// A name of this machine, with or without a port.
fn is_local(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

/// Every request comes by here.
pub async fn stand_at_the_door(
    State(door): State<Doorway>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let reads = language(headers);
    let path = request.uri().path();
    let socket = path.ends_with("/api/socket");
    let counted = match (request.method(), socket) {
        (_, true) => Counted::Sockets,
        (&Method::POST, _) if path.ends_with("/api/matches") => Counted::NewMatches,
        _ => Counted::Requests,
    };
    let acts = socket || request.method() != Method::GET;
    let mut response = if acts && !door.guard.is_ours(headers) {
        refuse(&foreign(), reads)
    } else if !door.guard.lets_in(from.ip(), counted) {
        refuse(&too_many(), reads)
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    let mut set = |name, value| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::X_FRAME_OPTIONS, "DENY");
    response
}

fn foreign() -> Refusal {
    Refusal::not_allowed(
        "Otra página no puede actuar aquí.",
        "Another page cannot act here.",
    )
}

pub fn too_many() -> Refusal {
    Refusal::new(
        "too-many",
        "Demasiados pedidos seguidos; prueba dentro de un momento.",
        "Too many requests at once; try again in a moment.",
    )
}

/// The language somebody reads, by what the browser says.
pub fn language(headers: &HeaderMap) -> Language {
    let accepted = headers
        .get(header::ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    match accepted.trim_start().to_lowercase() {
        ref first if first.starts_with("es") => Language::Es,
        _ => Language::En,
    }
}
