//! The table in the browser: every game of the library over HTTP and WebSockets, kept in one file, with no code for any game.
//!
//! | room | what lives there |
//! |---|---|
//! | `door/` | routes, the client's files, the WebSocket, and who is let in |
//! | `house` | all tables, and making one |
//! | `table/` | one match: who sits there, what each window is told, bots, taking back, the past |
//! | `shelf`, `declaration` | the games, and what a page must know of one |
//! | `store` | matches on disk |
//! | `thinkers` | threads for long thoughts |
//! | `workbench/` | editing a folder on a page, and what an edit does to many games |
//! | `refusal` | what people read when something cannot be done |
//! | `kernel` | all that is used of the kernel |

mod declaration;
mod door;
mod house;
mod kernel;
mod refusal;
mod shelf;
mod store;
mod table;
mod thinkers;
mod workbench;

pub use door::{Client, DoorRules, Rate, Rates};
pub use shelf::Open;
pub use workbench::{Editing, OpenEdited};

use axum::serve::ListenerExt;
use house::House;
use shelf::Shelf;
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use store::{MatchStore, StoreError};
use tokio::net::TcpListener;

/// Tables at which nobody sits are put away this often.
const TIDY: Duration = Duration::from_secs(60);
/// Threads that may wait for a table or for the disk.
const WAITERS: usize = 64;

/// What a server is made of.
pub struct Options {
    /// Opens all packs.
    pub open: Box<Open>,
    /// Packs that are not opened, and why.
    pub left_out: Vec<LeftOut>,
    /// The folder matches are kept in.
    pub data: PathBuf,
    /// Where to listen; port 0 takes any that is free.
    pub address: SocketAddr,
    pub client: Client,
    pub manner: DoorRules,
    /// What the files of content are now; looked at again and again if edits shall count.
    pub files: Option<Box<FileStamps>>,
    /// A folder that may be edited on a page.
    pub edit: Option<Editing>,
}

/// A pack that was not let in.
#[derive(Debug, Clone, serde::Serialize)]
pub struct LeftOut {
    pub pack: String,
    pub why: String,
}

/// Names of files, with what changes when they are edited.
pub type FileStamps = dyn Fn() -> BTreeMap<String, (SystemTime, u64)> + Send + Sync;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("{path}: {error}", path = path.display())]
    Data {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error("{path}: {error}", path = path.display())]
    Store { path: PathBuf, error: StoreError },
    #[error("{address}: {error}")]
    Listen {
        address: SocketAddr,
        error: std::io::Error,
    },
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// A secret for whoever may edit: 128 bits nobody can guess.
pub fn new_token() -> Result<String, ServeError> {
    house::random_key().map_err(|refusal| ServeError::Io(std::io::Error::other(refusal)))
}

/// Serves until Ctrl-C. `ready` hears the address and how to make matches, and says whether to go on.
pub fn serve(
    options: Options,
    ready: impl FnOnce(SocketAddr, &Matches) -> bool,
) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(WAITERS)
        .build()?;
    runtime.block_on(async {
        let (listener, router, matches) = prepare(options).await?;
        if !ready(listener.local_addr()?, &matches) {
            return Ok(());
        }
        // Messages are small and somebody waits for each: none is held back to be sent with the next.
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        tokio::select! {
            done = axum::serve(listener, service) => done?,
            _ = tokio::signal::ctrl_c() => {}
        }
        Ok(())
    })
}

/// Makes matches without the network, for the command that opens one at once.
pub struct Matches(Arc<House>);

impl Matches {
    /// A match; its wishes are those of `POST api/matches`. The answer is the body of the answer there.
    pub fn begin(&self, wanted: serde_json::Value) -> Result<serde_json::Value, String> {
        let wanted = serde_json::from_value(wanted).map_err(|error| error.to_string())?;
        self.0
            .begin(wanted, house::Maker::Command)
            .map_err(|refusal| refusal.en)
    }
}

async fn prepare(options: Options) -> Result<(TcpListener, axum::Router, Matches), ServeError> {
    let Options {
        open,
        left_out,
        data,
        address,
        client,
        mut manner,
        files,
        edit,
    } = options;
    manner.watches = files.is_some();
    std::fs::create_dir_all(&data).map_err(|error| ServeError::Data {
        path: data.clone(),
        error,
    })?;
    let path = data.join("ludoteca.sqlite");
    let store = MatchStore::open(&path).map_err(|error| ServeError::Store { path, error })?;
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| ServeError::Listen { address, error })?;
    let house = Arc::new(House::new(Shelf::new(open), store));
    if let Some(files) = files {
        watch(&house, files)?;
    }
    let tidied = Arc::downgrade(&house);
    tokio::spawn(async move {
        let mut pause = tokio::time::interval(TIDY);
        loop {
            pause.tick().await;
            let Some(house) = tidied.upgrade() else {
                return;
            };
            house.tidy_up();
        }
    });
    let workbench = edit.map(workbench::Workbench::open);
    let router = door::routes(house.clone(), workbench, left_out, client, manner);
    Ok((listener, router, Matches(house)))
}

/// How often files are looked at. An editor that writes several has this long to finish.
const GLANCE: Duration = Duration::from_millis(400);

/// Reads content again when its files have changed and then stayed as they are for a moment.
fn watch(house: &Arc<House>, files: Box<FileStamps>) -> Result<(), ServeError> {
    let house = Arc::downgrade(house);
    let mut known = files();
    let look = move || {
        loop {
            std::thread::sleep(GLANCE);
            let mut found = files();
            if found == known {
                continue;
            }
            loop {
                std::thread::sleep(GLANCE);
                let again = files();
                if again == found {
                    break;
                }
                found = again;
            }
            let edited = |name: &&String| known.get(*name) != found.get(*name);
            let names: BTreeSet<&String> = known.keys().chain(found.keys()).collect();
            let names: Vec<String> = names.into_iter().filter(edited).cloned().collect();
            known = found;
            let Some(house) = house.upgrade() else { return };
            house.read_again(&names);
        }
    };
    std::thread::Builder::new()
        .name("watch".into())
        .spawn(look)?;
    Ok(())
}
