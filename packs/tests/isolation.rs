//! What a process that is confined can still reach: the folder it was given, and nothing else.
#![cfg(target_os = "linux")]

use ludoteca_packs::isolate;
use std::fs;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::UnixDatagram;
use std::process::{Command, Stdio};

/// The folder the confined process was given, and the one beside it.
const GIVEN: &str = "LUDOTECA_TEST_GIVEN";
const BESIDE: &str = "LUDOTECA_TEST_BESIDE";
const PORT: &str = "LUDOTECA_TEST_PORT";

/// Is the confined process: says what it can do. It does nothing where nobody started it as such.
#[test]
#[ignore = "the other test starts it in a process of its own"]
fn confined() {
    let (Ok(given), Ok(beside), Ok(port)) = (
        std::env::var(GIVEN),
        std::env::var(BESIDE),
        std::env::var(PORT),
    ) else {
        return;
    };
    let unconfined = isolate::confine(&[given.clone().into()]);
    let program = Command::new("/bin/true").stdin(Stdio::null()).status();
    // A process that was begun and could not become another program is refused with another number.
    const NOT_PERMITTED: i32 = 1;
    let begun = match &program {
        Ok(_) => true,
        Err(error) => error.raw_os_error() != Some(NOT_PERMITTED),
    };
    let thread = std::thread::Builder::new().spawn(|| UdpSocket::bind("127.0.0.1:0").is_ok());
    let thread = thread.map(|thread| thread.join().unwrap_or(true));
    for (what, could) in [
        ("confined", unconfined.is_empty()),
        ("read", fs::read(format!("{given}/file")).is_ok()),
        ("read beside", fs::read(format!("{beside}/file")).is_ok()),
        ("read users", fs::read("/etc/passwd").is_ok()),
        ("write", fs::write(format!("{given}/new"), "x").is_ok()),
        ("remove", fs::remove_file(format!("{given}/file")).is_ok()),
        (
            "link",
            std::os::unix::fs::symlink("/", format!("{given}/link")).is_ok(),
        ),
        ("begin a process", begun),
        ("run", program.is_ok_and(|status| status.success())),
        ("think on a thread", thread.is_ok()),
        ("send from a thread", thread.unwrap_or(false)),
        ("send", UdpSocket::bind("127.0.0.1:0").is_ok()),
        ("speak to a neighbour", UnixDatagram::unbound().is_ok()),
        (
            "connect",
            TcpStream::connect(format!("127.0.0.1:{port}")).is_ok(),
        ),
        ("listen", TcpListener::bind("127.0.0.1:0").is_ok()),
    ] {
        println!("<{what}: {could}>");
    }
}

#[test]
fn a_confined_process_reaches_what_it_was_given_and_nothing_else() {
    let folder = std::env::temp_dir().join(format!("ludoteca-confined-{}", std::process::id()));
    let (given, beside) = (folder.join("given"), folder.join("beside"));
    for place in [&given, &beside] {
        fs::create_dir_all(place).expect("a folder");
        fs::write(place.join("file"), "x").expect("a file");
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", "confined", "--ignored", "--nocapture"]);
    command.env(GIVEN, &given).env(BESIDE, &beside);
    command.env(PORT, port.to_string());
    let heard = isolate::run(&mut command).expect("a process");
    fs::remove_dir_all(&folder).expect("gone");
    let could = |what: &str| {
        let yes = heard.out.contains(&format!("<{what}: true>"));
        let no = heard.out.contains(&format!("<{what}: false>"));
        assert!(yes || no, "nothing of {what:?} in {heard:?}");
        yes
    };
    assert!(could("read"), "{heard:?}");
    assert!(could("think on a thread"), "{heard:?}");
    // Without landlock the limits of the process hold all the same: what it writes has no length.
    if !could("confined") {
        return;
    }
    let barred = [
        "read beside",
        "read users",
        "write",
        "remove",
        "link",
        "begin a process",
        "run",
        "send from a thread",
        "send",
        "speak to a neighbour",
        "connect",
        "listen",
    ];
    let reached: Vec<_> = barred.into_iter().filter(|what| could(what)).collect();
    assert!(reached.is_empty(), "a confined process could {reached:?}");
}
