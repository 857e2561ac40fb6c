//! Lists the client's files, so that they are part of the binary.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the crate is");
    let mut rows: Vec<(String, PathBuf)> = Vec::new();
    // The table's files go by their own names, those of other pages by their folder's.
    for (folder, named_from) in [("client", "client"), ("rulebook", ""), ("workbench", "")] {
        let root = Path::new(&manifest).join(folder);
        println!("cargo:rerun-if-changed={}", root.display());
        let mut files = Vec::new();
        walk(&root, &mut files)?;
        let start = Path::new(&manifest).join(named_from);
        for file in files {
            let inside = file.strip_prefix(&start).expect("it was found below");
            rows.push((inside.to_string_lossy().replace('\\', "/"), file));
        }
    }
    rows.sort();
    let mut code = String::from(
        "/// Name and bytes of every file of the client, sorted by name.\nstatic FILES: &[(&str, &[u8])] = &[\n",
    );
    for (name, path) in rows {
        writeln!(code, "    ({name:?}, include_bytes!({path:?})),").expect("a string takes text");
    }
    code.push_str("];\n");
    let out = env::var_os("OUT_DIR").expect("cargo says where to write");
    fs::write(Path::new(&out).join("client.rs"), code)
}

/// What a browser loads; notes and settings of tools stay out.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    const ENDINGS: [&str; 8] = [
        "html",
        "js",
        "css",
        "svg",
        "png",
        "webp",
        "ico",
        "webmanifest",
    ];
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if path.is_dir() && path.file_name().is_some_and(|name| name != "node_modules") {
            walk(&path, files)?;
        } else if ending.is_some_and(|ending| ENDINGS.contains(&ending)) {
            files.push(path);
        }
    }
    Ok(())
}
