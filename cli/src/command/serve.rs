//! `ludoteca serve`, and `play --browser`: the table on a page.

use crate::arguments::{Play, Serve};
use crate::output::{Failure, Outcome, errln, outln};
use crate::seats::{self, Sitter};
use crate::{fault, packs, saved};
use ludoteca_serve::{Client, Manner, Options, Rates, ServeError};
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub fn run(content: &[PathBuf], serve: &Serve) -> Outcome {
    let manner = Manner {
        origins: serve.origin.clone(),
        only_local: serve.host.is_loopback(),
        base_path: serve.base_path.clone(),
        rates: match serve.unlimited {
            true => Rates::unlimited(),
            false => Rates::default(),
        },
        ..Manner::default()
    };
    let watched = content.to_vec();
    let files = || -> Box<ludoteca_serve::Files> { Box::new(move || packs::files(&watched)) };
    let options = Options {
        client: client(serve.client.as_deref()),
        manner,
        files: serve.watch.then(files),
        ..options(
            content,
            serve.data.clone(),
            SocketAddr::new(serve.host, serve.port),
        )?
    };
    let base = serve.base_path.clone();
    fault::go_on_after_panic();
    ludoteca_serve::serve(options, |address, _| {
        outln!("{}", page(address, &base));
        errln!("{}", packs::whence());
        true
    })
    .map_err(failed)
}

/// One match on a page of this machine.
pub fn play(content: &[PathBuf], play: &Play) -> Outcome {
    let wanted = wanted(content, play)?;
    let here = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
    let options = options(content, None, here)?;
    let mut refused = None;
    fault::go_on_after_panic();
    let served = ludoteca_serve::serve(options, |address, matches| {
        match matches.begin(wanted) {
            Err(why) => refused = Some(why),
            Ok(made) => {
                let key = made["keys"]["me"].as_str().unwrap_or_default();
                let page = format!("{}table#{key}", page(address, ""));
                outln!("{page}");
                open_browser(&page);
            }
        }
        refused.is_none()
    });
    match refused {
        Some(why) => Err(Failure::Game(why)),
        None => served.map_err(failed),
    }
}

/// The match the command line asks for, as a page would.
fn wanted(content: &[PathBuf], play: &Play) -> Result<serde_json::Value, Failure> {
    let set: serde_json::Map<_, _> = packs::selection(&play.game)?
        .set
        .into_iter()
        .map(|(key, value)| (key, json!(value)))
        .collect();
    let saved = play.load.as_deref().map(saved::read).transpose()?;
    let game = packs::game(content, &play.game)?;
    let players = saved.as_ref().map(|saved| saved.players).or(play.players);
    let players = packs::players(&game, players)?;
    let names = match &saved {
        Some(saved) if play.seats.is_empty() => seats::again(&saved.seats, false),
        _ => play.seats.clone(),
    };
    let sitters = seats::seats(&names, &game, players, false)?;
    let seats: Vec<String> = sitters
        .iter()
        .map(|sitter| match sitter {
            Sitter::Human => "me".into(),
            bot => bot.name(),
        })
        .collect();
    let mut wanted = json!({
        "game": play.game.game, "seats": seats, "variants": play.game.variants, "set": set,
        "seed": play.seed.map(|seed| seed.to_string()),
    });
    if let Some(saved) = saved {
        wanted["transcript"] = json!(saved.to_string());
    }
    Ok(wanted)
}

fn options(
    content: &[PathBuf],
    data: Option<PathBuf>,
    address: SocketAddr,
) -> Result<Options, Failure> {
    // What is wrong with the command line is said now; what is wrong with content later, where it matters.
    packs::open(content)?;
    let content = content.to_vec();
    Ok(Options {
        open: Box::new(move || packs::open(&content).ok().map(|(library, _)| library)),
        data: data.map_or_else(own_folder, Ok)?,
        address,
        client: client(None),
        manner: Manner {
            only_local: address.ip().is_loopback(),
            ..Manner::default()
        },
        files: None,
    })
}

/// Where a user's matches are kept.
fn own_folder() -> Result<PathBuf, Failure> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = set("XDG_DATA_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(set("HOME")?).join(".local/share")))
        .or_else(|| set("APPDATA").map(PathBuf::from));
    home.map(|home| home.join("ludoteca")).ok_or_else(|| {
        Failure::Usage(
            "there is no folder of your own to keep matches in; name one with --data".into(),
        )
    })
}

/// In a checkout a program that is not optimised takes the page's files from there, so that edits count at once.
fn client(named: Option<&Path>) -> Client {
    if let Some(folder) = named {
        return Client::Folder(folder.to_path_buf());
    }
    let here = match packs::home() {
        Some(packs::Home::Checkout(root)) => Some(root.join("serve/client")),
        _ => None,
    };
    match here.filter(|folder| cfg!(debug_assertions) && folder.is_dir()) {
        Some(folder) => Client::Folder(folder),
        None => Client::BuiltIn,
    }
}

fn page(address: SocketAddr, base: &str) -> String {
    let host = match address.ip() {
        ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        ip => ip,
    };
    format!("http://{}{base}/", SocketAddr::new(host, address.port()))
}

/// Asks the system to show a page. Who has no browser reads the address.
fn open_browser(page: &str) {
    let programs: &[&str] = match std::env::consts::OS {
        "macos" => &["open"],
        "windows" => &["explorer"],
        _ => &["xdg-open", "sensible-browser"],
    };
    for program in programs {
        let started = Command::new(program)
            .arg(page)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        if started.is_ok() {
            return;
        }
    }
}

fn failed(error: ServeError) -> Failure {
    match error {
        ServeError::Listen { .. } | ServeError::Data { .. } => Failure::Usage(error.to_string()),
        other => Failure::Game(other.to_string()),
    }
}
