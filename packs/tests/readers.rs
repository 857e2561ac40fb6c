//! Whatever a file holds, whoever reads it ends with what it says or with a message: seeded nonsense for each reader.

use ludoteca::{Library, PackSource, Selection, Transcript};
use ludoteca_packs::archive::{self, Archive};
use ludoteca_packs::contents::Contents;
use ludoteca_packs::signature::{self, Key};
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A small generator, so that a failure can be repeated.
struct Luck(u64);

impl Luck {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// Another seed where somebody has time for more of them.
fn luck(usual: u64) -> Luck {
    let asked = std::env::var("LUDOTECA_SEED").ok();
    Luck(asked.and_then(|text| text.parse().ok()).unwrap_or(usual))
}

/// How many rounds; more where somebody has time.
fn rounds(usual: usize) -> usize {
    let asked = std::env::var("LUDOTECA_FUZZ").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Cuts, repeats, flips and inserts, a few times.
fn spoil(bytes: &[u8], luck: &mut Luck) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=luck.below(5) {
        let at = luck.below(bytes.len() + 1);
        let end = (at + luck.below(24)).min(bytes.len());
        match luck.below(5) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let piece = bytes[at..end].to_vec();
                let to = luck.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            2 => bytes.truncate(bytes.len() - luck.below(bytes.len() / 4 + 1)),
            3 if at < bytes.len() => bytes[at] = luck.below(256) as u8,
            _ => drop(
                bytes.splice(
                    at..at,
                    [0, 255, b'\n', b'\\', b'"']
                        .into_iter()
                        .take(1 + luck.below(5)),
                ),
            ),
        }
    }
    bytes
}

fn contents() -> Contents {
    let mut contents = Contents::default();
    let files = [
        (
            "pack.toml",
            "name = \"little\"\nversion = \"1.0.0\"\nauthors = [\"Me\"]\nlicence = \"CC0-1.0\"\nkernel = \"*\"\n",
        ),
        (
            "cards/little/text.toml",
            "[prompt]\nask = { es = \"¿Qué?\", en = \"What?\" }\n",
        ),
        ("scripts/little/rules.rhai", "fn turn(p) { }\n"),
    ];
    for (path, text) in files {
        contents
            .add(path.into(), text.into())
            .expect("a pack may hold it");
    }
    contents
}

#[test]
fn pack_files() {
    let contents = contents();
    let key = Key::generate().expect("randomness");
    let signed = Archive {
        signature: Some(key.sign(&contents)),
        contents,
    };
    let bytes = archive::write(&signed).expect("a pack file");
    let mut luck = luck(3);
    let (mut read, mut trusted) = (0, 0);
    for _ in 0..rounds(3_000) {
        let spoilt = spoil(&bytes, &mut luck);
        if let Ok(found) = archive::read(&spoilt) {
            read += 1;
            let _ = found.contents.facts();
            let signature = found.signature.as_deref().unwrap_or_default();
            if signature::verify(&found.contents, signature).is_ok() {
                trusted += 1;
                assert_eq!(
                    found.contents, signed.contents,
                    "a changed byte was trusted"
                );
            }
        }
    }
    // Some damage is harmless (a time, a comment): else the reader refuses everything, and nothing was tried.
    assert!(read > 0 && trusted <= read);
}

/// Two entries of one name: whoever looks at the file sees one, whoever installs it might get the other.
#[test]
fn a_pack_file_with_two_entries_of_one_name_is_refused() {
    let mut contents = contents();
    for (path, text) in [
        ("cards/little/aaaa.toml", "a = 1\n"),
        ("cards/little/bbbb.toml", "a = 2\n"),
    ] {
        let added = contents.add(path.into(), text.into());
        added.expect("a pack may hold it");
    }
    for signature in [None, Some("signed".to_string())] {
        let sound = archive::write(&Archive {
            contents: contents.clone(),
            signature,
        });
        let mut bytes = sound.expect("a pack file");
        assert!(archive::read(&bytes).is_ok());
        let places = 0..bytes.len() - 4;
        let found: Vec<usize> = places.filter(|&at| &bytes[at..at + 4] == b"bbbb").collect();
        assert_eq!(found.len(), 2, "before the file and in the list of all");
        for at in found {
            bytes[at..at + 4].copy_from_slice(b"aaaa");
        }
        let told = archive::read(&bytes).expect_err("one of them would be silently taken");
        assert_eq!(told.to_string(), "two of its files have the same name");
    }
}

/// A pack file is one behind the other what is listed, and nothing besides: what nobody looks at is nowhere.
#[test]
fn a_pack_file_with_more_in_it_than_its_files_is_refused() {
    let signed = Archive {
        contents: contents(),
        signature: Some("signed".to_string()),
    };
    let sound = archive::write(&signed).expect("a pack file");
    assert_eq!(archive::read(&sound).expect("it is sound"), signed);
    let packed = archive::write_packed(&signed).expect("a pack file");
    assert_eq!(
        archive::read(&packed).expect("packed it is read alike"),
        signed
    );
    // Its files written by hand, in an order and with rights of our own, and something between them.
    let zipped = |names: &[&str], mode: u32, comment: &str| {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for name in names {
            let options = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Stored)
                .unix_permissions(mode);
            writer.start_file(*name, options).expect("a file");
            let text = signed.contents.get(name).unwrap_or(b"signed");
            writer.write_all(text).expect("written");
        }
        writer.set_comment(comment).expect("a comment");
        writer.finish().expect("a zip").into_inner()
    };
    let [text, facts, rules, key] = [
        "cards/little/text.toml",
        "pack.toml",
        "scripts/little/rules.rhai",
        signature::SIGNATURE,
    ];
    let ours = [text, facts, rules, key];
    assert!(archive::read(&zipped(&ours, 0o644, "")).is_ok());
    // The rights stand in the list of all files.
    let mut setuid = zipped(&ours, 0o755, "");
    let listed = setuid.windows(4).position(|mark| mark == b"PK\x01\x02");
    setuid[listed.expect("a list") + 41] |= 0o4000_u16.to_be_bytes()[0];
    let stuffed = "bytes that belong to none";
    let before = [b"junk".as_slice(), &sound].concat();
    let behind = [sound.as_slice(), b"junk"].concat();
    let twice = [sound.as_slice(), &sound].concat();
    for (what, bytes, says) in [
        ("before", before, stuffed),
        ("behind", behind, stuffed),
        ("twice", twice, "it cannot be read"),
        ("a comment", zipped(&ours, 0o644, "junk"), stuffed),
        (
            "another order",
            zipped(&[facts, text, rules, key], 0o644, ""),
            "the order of the paths",
        ),
        (
            "the signature first",
            zipped(&[key, text, facts, rules], 0o644, ""),
            "the order of the paths",
        ),
        ("setuid", setuid, "asks for rights"),
    ] {
        let told = archive::read(&bytes).expect_err(what).to_string();
        assert!(told.contains(says), "{what}: {told}");
    }
}

#[test]
fn signatures() {
    let contents = contents();
    let signature = Key::generate().expect("randomness").sign(&contents);
    let mut luck = luck(5);
    for _ in 0..rounds(3_000) {
        let spoilt = spoil(signature.as_bytes(), &mut luck);
        if let Ok(text) = String::from_utf8(spoilt)
            && text != signature
        {
            assert!(signature::verify(&contents, &text).is_err(), "{text}");
        }
    }
}

#[test]
fn transcripts() {
    let saved = "ludoteca transcript 2\ngame heap\nversion 1.0.0\ncontent 00000000000000ff\nplayers 2\nseed 7\nseats human,greedy\nvariant odd\nset a=b\npack little 1.0.0 00ff00ff00ff00ff\nanswers\np0 take two\\swords\np1 take -\nundo 1\nend\n";
    let mut luck = luck(11);
    let mut read = 0;
    for _ in 0..rounds(5_000) {
        let spoilt = spoil(saved.as_bytes(), &mut luck);
        let text = String::from_utf8_lossy(&spoilt).into_owned();
        if let Ok(found) = Transcript::parse(&text) {
            read += 1;
            let again =
                Transcript::parse(&found.to_string()).expect("what was written can be read");
            assert_eq!((again.lines, again.packs), (found.lines, found.packs));
        }
    }
    assert!(read > 0);
}

const SCENARIO: &str = "game = \"little\"\n[[scenario]]\ntitle = \"Money\"\nplayers = 2\nseed = 3\nrun = [\"turn(p0)\"]\ndice = { d6 = [1, 2] }\nanswers = [{ seat = 0, prompt = \"ask\", choose = \"yes\" }]\n[scenario.state.players]\n0 = { money = 3 }\n[scenario.expect]\nplayers = { 0 = { money = 3 } }\n";
const MANIFEST: &str = "version = \"1.0.0\"\ntitle = { es = \"P\", en = \"L\" }\nsummary = { es = \"P\", en = \"L\" }\nplayers = [2, 3]\n[attributes.player]\nmoney = { type = \"int\" }\n[[phases]]\nstep = \"turn\"\neach = \"player\"\ntext = { es = \"T\", en = \"T\" }\n";
const RULES: &str = "fn turn(p) { if choose_yes(p, \"ask\") { p.money += roll_one(); } }\nfn score(p) { p.money }\n";
const TEXTS: &str = "[prompt]\nask = { es = \"¿Sí?\", en = \"Yes?\" }\n";

#[test]
fn scenarios() {
    let mut luck = luck(13);
    for _ in 0..rounds(300) {
        let spoilt = spoil(SCENARIO.as_bytes(), &mut luck);
        let spoilt = String::from_utf8_lossy(&spoilt).into_owned();
        let files = [
            ("scripts/little/game.toml", MANIFEST),
            ("scripts/little/rules.rhai", RULES),
            ("cards/little/text.toml", TEXTS),
            ("tests/scenarios/little/odd.toml", spoilt.as_str()),
        ];
        let (library, _) = Library::open(&[PackSource::memory("little", files)]);
        assert!(library.load("little", &Selection::default()).is_ok());
        let _ = library.check(None);
    }
}

#[test]
fn locks_and_lists_of_versions() {
    let folder = std::env::temp_dir().join(format!("ludoteca-readers-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("little")).expect("a folder");
    let archive = Archive {
        contents: contents(),
        signature: None,
    };
    ludoteca_packs::index::publish(&folder, &archive).expect("published");
    let list = folder.join("little/versions.toml");
    let whole = std::fs::read(&list).expect("a list");
    let place = ludoteca_packs::fetch::Whereabouts::Folder(folder.clone());
    let mut luck = luck(17);
    for _ in 0..rounds(500) {
        let spoilt = spoil(&whole, &mut luck);
        std::fs::write(&list, &spoilt).expect("written");
        if let Ok(found) = ludoteca_packs::index::versions(&place, "little") {
            for release in &found.all {
                let _ = ludoteca_packs::index::download(&place, "little", release);
            }
        }
        let _ = ludoteca_packs::lock::Lock::read(&list);
    }
    std::fs::remove_dir_all(&folder).expect("gone");
}
