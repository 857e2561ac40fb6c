//! Files as editors name them (`file:///a%20b/c.toml`), and as the system does.

use lsp_types::Uri;
use std::path::{Component, Path, PathBuf};

/// The path of a file; nothing for what is no file.
pub fn path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    // A host may stand before the path.
    let rest = &rest[rest.find('/')?..];
    let mut bytes = Vec::with_capacity(rest.len());
    let mut given = rest.bytes();
    while let Some(byte) = given.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [given.next()?, given.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            b'?' | b'#' => break,
            _ => byte,
        });
    }
    let text = String::from_utf8(bytes).ok()?;
    // `/C:/games` is `C:/games`.
    let drive = text.as_bytes().get(2) == Some(&b':');
    Some(clean(Path::new(if drive { &text[1..] } else { &text })))
}

/// How editors name a file, which is an absolute path.
pub fn uri(path: &Path) -> Option<Uri> {
    let text = path.to_str()?.replace('\\', "/");
    let mut written = String::from(if text.starts_with('/') {
        "file://"
    } else {
        "file:///"
    });
    for byte in text.bytes() {
        match byte {
            b'/' | b':' | b'-' | b'_' | b'.' | b'~' => written.push(byte as char),
            _ if byte.is_ascii_alphanumeric() => written.push(byte as char),
            _ => written.push_str(&format!("%{byte:02X}")),
        }
    }
    written.parse().ok()
}

/// Without `.` and `..`, whether or not the file is there.
pub fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(cleaned.pop()),
            other => cleaned.push(other),
        }
    }
    cleaned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_back_from_their_uris() {
        for text in ["/a/b c/ñ.toml", "/x%/y+z#.rhai"] {
            let there = uri(Path::new(text)).unwrap();
            assert_eq!(
                path(&there),
                Some(PathBuf::from(text)),
                "{}",
                there.as_str()
            );
        }
        let odd = |text: &str| text.parse::<Uri>().ok().and_then(|uri| path(&uri));
        assert_eq!(odd("untitled:one"), None);
        assert_eq!(odd("file:///a/./b/../c"), Some(PathBuf::from("/a/c")));
    }
}
