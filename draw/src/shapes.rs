//! The shapes of icons and tokens. They are the page's own: its file is read here, so that a shape is drawn in one place only.

use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Path data by name, a line each: `  name: "data",`.
const PAGE: &str = include_str!("../../serve/client/icons.js");

struct Shapes {
    icons: BTreeMap<&'static str, &'static str>,
    bodies: BTreeMap<&'static str, &'static str>,
}

fn shapes() -> &'static Shapes {
    static SHAPES: OnceLock<Shapes> = OnceLock::new();
    SHAPES.get_or_init(|| Shapes {
        icons: listed("const ICONS = {"),
        bodies: listed("const BODIES = {"),
    })
}

fn listed(opening: &str) -> BTreeMap<&'static str, &'static str> {
    let inside = PAGE.split_once(opening).map_or("", |(_, rest)| rest);
    let inside = inside
        .split_once("\n};")
        .map_or(inside, |(inside, _)| inside);
    let pairs = inside.lines().filter_map(|line| {
        let (name, data) = line.trim().strip_suffix("\",")?.split_once(": \"")?;
        Some((name.trim_matches('"'), data))
    });
    pairs.collect()
}

/// An icon in a box of 16 by 16; `!` before its data says that it is filled.
pub fn icon(name: &str) -> Option<&'static str> {
    shapes().icons.get(name).copied()
}

/// The body of a seat's token around its middle, about twenty units wide.
pub fn body(shape: &str) -> &'static str {
    let bodies = &shapes().bodies;
    let found = bodies.get(shape).or_else(|| bodies.get("circle"));
    found.copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shapes_of_the_page_are_found() {
        let icons = &shapes().icons;
        assert!(icons.len() > 60);
        let drawn = |data: &&str| data.trim_start_matches('!').starts_with('M');
        assert!(icons.values().all(drawn));
        for shape in [
            "circle", "square", "triangle", "shield", "diamond", "hexagon", "cross", "ring",
        ] {
            assert!(shapes().bodies.contains_key(shape), "{shape}");
        }
    }
}
