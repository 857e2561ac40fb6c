//! Lists the repository's content, so that its packs are part of the binary and follow the files.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the crate is");
    let root = Path::new(&manifest).join("..").canonicalize()?;
    let base = listed(("FILES", "SCENARIOS"), "base pack", &root)?;
    let shelf = root.join("examples/classics");
    println!(
        "cargo:rerun-if-changed={}",
        shelf.join("pack.toml").display()
    );
    let names = ("SHELF_FILES", "SHELF_SCENARIOS");
    let shelf = listed(names, "shelf of classic games", &shelf)?;
    let out = env::var_os("OUT_DIR").expect("cargo says where to write");
    fs::write(Path::new(&out).join("files.rs"), base + &shelf)
}

/// The files of a pack and its scenarios as tables of paths and texts: scenarios are only looked at by who wants them.
fn listed(names: (&str, &str), what: &str, root: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    for folder in ["scripts", "maps", "cards", "decks", "looks", "variants"] {
        let path = root.join(folder);
        if path.is_dir() {
            println!("cargo:rerun-if-changed={}", path.display());
            walk(&path, &mut files)?;
        }
    }
    let own = root.join("pack.toml");
    files.extend(own.is_file().then_some(own));
    let code = table(names.0, &format!("file of the {what}"), root, files);
    let mut scenarios = Vec::new();
    let all = root.join("tests/scenarios");
    if all.is_dir() {
        println!("cargo:rerun-if-changed={}", all.display());
        for folder in fs::read_dir(&all)? {
            let folder = folder?;
            // Those of games that are made for tests stay where they are.
            if root.join("scripts").join(folder.file_name()).is_dir() {
                walk(&folder.path(), &mut scenarios)?;
            }
        }
    }
    let what = format!("scenario of the {what}");
    Ok(code + &table(names.1, &what, root, scenarios))
}

/// Files as a table of paths and texts.
fn table(name: &str, what: &str, root: &Path, files: Vec<PathBuf>) -> String {
    let mut rows: Vec<(String, PathBuf)> = Vec::new();
    for file in files {
        let inside = file
            .strip_prefix(root)
            .expect("it was found below the root");
        rows.push((inside.to_string_lossy().replace('\\', "/"), file));
    }
    rows.sort();
    let mut code = format!(
        "/// Path and text of every {what}, sorted by path.\nstatic {name}: &[(&str, &str)] = &[\n"
    );
    for (name, path) in rows {
        writeln!(code, "    ({name:?}, include_str!({path:?})),").expect("a string takes text");
    }
    code.push_str("];\n");
    code
}

/// Only what the loader reads; notes beside the content stay out of the binary.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_rulebook = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("rulebook."));
        let ending = path.extension();
        let content = is_rulebook || ending.is_some_and(|e| e == "toml" || e == "rhai");
        if path.is_dir() {
            walk(&path, files)?;
        } else if content {
            files.push(path);
        }
    }
    Ok(())
}
