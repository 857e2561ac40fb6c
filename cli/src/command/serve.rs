//! `ludoteca serve`, and `play --browser`: the table on a page.

use crate::arguments::{Play, Serve};
use crate::output::{Failure, Outcome, errln, outln};
use crate::seats::{self, Invited};
use crate::words::{errors::told, say};
use crate::{fault, isolated, packs, saved};
use ludoteca::Folder;
use ludoteca_serve::{Client, DoorRules, Editing, LeftOut, Options, Rates, ServeError};
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub fn run(content: &[PathBuf], serve: &Serve) -> Outcome {
    let manner = DoorRules {
        origins: serve.origin.clone(),
        only_local: serve.host.is_loopback(),
        base_path: serve.base_path.clone(),
        rates: match serve.unlimited {
            true => Rates::unlimited(),
            false => Rates::default(),
        },
        ..DoorRules::default()
    };
    let mut content = content.to_vec();
    let edit = serve.edit.as_deref();
    let edit = edit
        .map(|folder| editing(folder, serve, &mut content))
        .transpose()?;
    let token = edit.as_ref().map(|editing| editing.token.clone());
    let content = content.as_slice();
    let watched = content.to_vec();
    let files = || -> Box<ludoteca_serve::FileStamps> { Box::new(move || packs::files(&watched)) };
    let options = Options {
        client: client(serve.client.as_deref()),
        manner,
        files: serve.watch.then(files),
        edit,
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
        if let Some(token) = token {
            outln!("{}edit#{token}", page(address, &base));
        }
        errln!("{}", packs::whence(content));
        true
    })
    .map_err(failed)
}

/// The folder somebody wants to edit, which is content like others if it is not the one they stand in.
fn editing(folder: &Path, serve: &Serve, content: &mut Vec<PathBuf>) -> Result<Editing, Failure> {
    if !serve.host.is_loopback() && serve.edit_token.is_none() {
        return Err(Failure::Usage(say!(
            "otras máquinas podrían escribir en {}: di con --edit-token lo que deben tener para ello",
            "other machines could write into {}: say what they must have for it with --edit-token",
            folder.display()
        )));
    }
    if !Folder::new(folder).is_pack() {
        return Err(Failure::Usage(say!(
            "{}: esto no es un paquete: no tiene pack.toml, scripts/, maps/, cards/, decks/, looks/ ni variants/",
            "{}: this is not a pack: it has no pack.toml, scripts/, maps/, cards/, decks/, looks/ or variants/",
            folder.display()
        )));
    }
    let token = match &serve.edit_token {
        Some(token) => token.clone(),
        None => ludoteca_serve::new_token().map_err(failed)?,
    };
    if !content.contains(&folder.to_path_buf()) {
        content.push(folder.to_path_buf());
    }
    let (all, folder) = (content.clone(), folder.to_path_buf());
    let edited = folder.clone();
    Ok(Editing {
        folder,
        open: Box::new(move |texts| packs::open_edited(&all, &edited, texts).ok()),
        token,
    })
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
    let set: serde_json::Map<_, _> = packs::selected(&play.variants, &play.set)?
        .set
        .into_iter()
        .map(|(key, value)| (key, json!(value)))
        .collect();
    let saved = play.load.as_deref().map(saved::read).transpose()?;
    let id = match (&saved, &play.game) {
        (Some(saved), _) => saved.game.clone(),
        (None, game) => game.clone().unwrap_or_default(),
    };
    let selection = match &saved {
        Some(saved) => saved.selection(),
        None => packs::selected(&play.variants, &play.set)?,
    };
    let (library, _) = packs::open(content)?;
    let game = packs::load_game(&library, &id, &selection)?;
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
            Invited::Human => "me".into(),
            bot => bot.name(),
        })
        .collect();
    let mut wanted = json!({
        "game": id, "seats": seats, "variants": play.variants, "set": set,
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
    let data = data.map_or_else(own_folder, Ok)?;
    // What is wrong with the command line is said now; what is wrong with content later, where it matters.
    packs::sources(content)?;
    let (content, left_out) = strangers(content, &data)?;
    Ok(Options {
        open: Box::new(move || packs::open(&content).ok().map(|(library, _)| library)),
        left_out,
        data,
        address,
        client: client(None),
        manner: DoorRules {
            only_local: address.ip().is_loopback(),
            ..DoorRules::default()
        },
        files: None,
        edit: None,
    })
}

/// The folders whose packs may be opened here: those nobody knows yet are first looked at in a process that may do little, and what was
/// stopped there is left out. What was let in once is known, until its files are others.
fn strangers(content: &[PathBuf], data: &Path) -> Result<(Vec<PathBuf>, Vec<LeftOut>), Failure> {
    let path = data.join("known-packs");
    let mut known = std::fs::read_to_string(&path).unwrap_or_default();
    let (mut let_in, mut left_out) = (Vec::new(), Vec::new());
    for root in content {
        let name = format!("{:016x}", isolated::fingerprint(root));
        if known.lines().any(|line| line == name) {
            let_in.push(root.clone());
            continue;
        }
        match isolated::try_out(&let_in, root)? {
            Ok(()) => {
                known = format!("{known}{name}\n");
                let_in.push(root.clone());
            }
            Err(why) => {
                errln!(
                    "{}",
                    say!(
                        "{} no entra: {why}",
                        "{} is left out: {why}",
                        root.display()
                    )
                );
                left_out.push(LeftOut {
                    pack: root.display().to_string(),
                    why,
                });
            }
        }
    }
    // A pack that is forgotten is looked at again.
    let kept = std::fs::create_dir_all(data).and_then(|()| ludoteca::keep::write(&path, known));
    if let Err(error) = kept {
        errln!("{}: {}", path.display(), told(&error));
    }
    Ok((let_in, left_out))
}

/// Where a user's matches are kept.
fn own_folder() -> Result<PathBuf, Failure> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = set("XDG_DATA_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(set("HOME")?).join(".local/share")))
        .or_else(|| set("APPDATA").map(PathBuf::from));
    home.map(|home| home.join("ludoteca")).ok_or_else(|| {
        Failure::Usage(say!(
            "no hay carpeta tuya donde guardar partidas; nombra una con --data",
            "there is no folder of your own to keep matches in; name one with --data"
        ))
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
