//! Colours of looks, and shades mixed from them.

pub const INK: &str = "#2a241c";
pub const SOFT: &str = "#635949";
pub const EDGE: &str = "#8a7f6e";
pub const LINK: &str = "#5d5345";
pub const LAND: &str = "#fbf5e6";
pub const RAISED: &str = "#fffdf9";
pub const HALO: &str = "#fdf8ec";
pub const PANEL: &str = "#faf7f0";

/// Colours for what a look gives none.
const SPARE: [&str; 10] = [
    "#e3a95c", "#7d93d0", "#8fba4c", "#b07fc4", "#4fbfa0", "#e0857c", "#e6cb52", "#74a7dd",
    "#c98fae", "#9a8f6a",
];

pub fn spare(number: usize) -> &'static str {
    SPARE[number % SPARE.len()]
}

/// What lies under a board.
pub fn ground(named: &str) -> &'static str {
    match named {
        "sea" => "#cfe0e3",
        "felt" => "#e5dccb",
        "space" => "#dcdfee",
        _ => "#eae3d4",
    }
}

/// So much of one colour, in parts of a hundred, and the rest of another. What is no colour is grey.
pub fn mix(share: u32, one: &str, other: &str) -> String {
    let (one, other) = (parts(one), parts(other));
    let mixed = |n: usize| (one[n] * share + other[n] * (100 - share) + 50) / 100;
    format!("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2))
}

/// What can be read on a colour.
pub fn ink_on(fill: &str) -> &'static str {
    let [r, g, b] = parts(fill);
    match r * 30 + g * 59 + b * 11 > 15_000 {
        true => INK,
        false => "#ffffff",
    }
}

fn parts(color: &str) -> [u32; 3] {
    let digits = color.strip_prefix('#').unwrap_or_default();
    let part = |at: usize| {
        let pair = digits.get(at..at + 2);
        pair.and_then(|pair| u32::from_str_radix(pair, 16).ok())
            .unwrap_or(0x88)
    };
    [part(0), part(2), part(4)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_mixed() {
        assert_eq!(mix(50, "#000000", "#ffffff"), "#808080");
        assert_eq!(mix(100, "#c9453d", "#ffffff"), "#c9453d");
        assert_eq!(mix(100, "no colour", "#ffffff"), "#888888");
        assert_eq!((ink_on("#f3c63a"), ink_on("#2362b4")), (INK, "#ffffff"));
    }
}
