//! What a game may have at most. Content that has more is refused when it is loaded, in words.

/// Players at one table: a list of players is a value of fourteen bytes.
pub const PLAYERS: u8 = 13;
/// Dice thrown at once, for the same reason.
pub const DICE: usize = 13;
/// Spaces of a map: a set of them is four words.
pub const SPACES: usize = 256;
/// What a die may show: a throw keeps a byte for each die.
pub const FACES: std::ops::RangeInclusive<i32> = i8::MIN as i32..=i8::MAX as i32;
