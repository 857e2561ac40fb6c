//! How a game is drawn: colours, shapes, icons, which field goes where. A look names what the game declares and never carries code or markup;
//! it changes nothing of the rules, so it is no part of what a match is played with.

mod icons;
mod names;
mod positions;
mod values;

pub use icons::ICONS;
pub use positions::PositionsFile;

use super::reader::{At, Entries, Read, Reader, record, words};
use crate::content::definition::{Data, Definition, Look, Text};
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::tree::{Datum, Node};
use crate::limits::LARGEST_LOOK;
use std::collections::BTreeMap;
use values::{AnyPaint, Color, IconOutline, SeatPaint};

type Name = At<String>;

words! {
    /// What lies under the board.
    pub enum Ground("a ground") { Sea = "sea", Paper = "paper", Felt = "felt", Space = "space", }
}

words! {
    /// What the first view shows.
    pub enum Fit("what the first view shows") { All = "all", Played = "played", }
}

words! {
    /// Where the others sit.
    pub enum Seating("where the others sit") { Around = "around", Facing = "facing", }
}

words! {
    /// How a space is drawn.
    pub enum SpaceForm("a form of spaces") { Token = "token", Plate = "plate", Box = "box", Square = "square", Hex = "hex", Point = "point", }
}

words! {
    /// The shape of a space, a seat or a die.
    pub enum LookShape("a shape") {
        Circle = "circle", Square = "square", Triangle = "triangle", Shield = "shield", Diamond = "diamond",
        Hexagon = "hexagon", Disc = "disc", Dot = "dot", Cross = "cross", Ring = "ring",
    }
}

words! {
    /// Where a zone or a track lies.
    pub enum TableSide("a place of zones") {
        Dock = "dock", Player = "player", Board = "board", BoardTop = "board-top", Menu = "menu", Beside = "side",
    }
}

words! {
    /// How the pieces of a zone lie.
    pub enum ZoneForm("a form of zones") {
        Row = "row", Fan = "fan", Pile = "pile", Tiles = "tiles", Sheet = "sheet", Counters = "counters", Chips = "chips",
        Dice = "dice", Grid = "grid",
    }
}

words! {
    /// How a piece is drawn.
    pub enum PieceForm("a form of pieces") { Card = "card", Die = "die", }
}

words! {
    /// From which end one counts.
    pub enum FromEnd("an end") { Start = "start", End = "end", }
}

record! {
    pub struct AreaLook("an area's look") {
        /// One colour; the shades of light and dark pages are mixed from it.
        color: Option<Color>,
        /// Where its name is written.
        label: Option<(i32, i32)>,
    }
}

record! {
    pub struct AreaNumber("the number of areas") {
        /// A field of the areas, written behind the name.
        field: Name,
        /// With a plus before it.
        sign: Option<bool>,
    }
}

record! {
    pub struct AllAreas("how areas are drawn") {
        /// A number of each area, beside its name.
        number: Option<AreaNumber>,
    }
}

record! {
    pub struct Links("how borders are drawn") {
        /// A field of the edges, in a small circle.
        label: Option<Name>,
        /// A field of the edges that is true or false.
        dashed: Option<Name>,
    }
}

record! {
    pub struct Token("a token") {
        /// The attribute of the space that says whose it is.
        owner: Name,
        /// The attribute whose number stands on it.
        number: Option<Name>,
    }
}

record! {
    pub struct Slots("slots") {
        /// Attributes that hold a player each.
        owners: Vec<Name>,
        /// The icon of what stands there.
        piece: Option<Name>,
    }
}

record! {
    pub struct Marker("a marker") {
        /// A number of each player: an attribute, or `attribute.word`.
        number: Option<Name>,
        /// The field or attribute of spaces that numbers them.
        along: Option<Name>,
        /// Instead of both: an attribute of players that is a space.
        at: Option<Name>,
        /// The end from which the number counts; the start if left out.
        from: Option<FromEnd>,
        /// What is written on the token.
        letter: Option<Text>,
    }
}

record! {
    pub struct Rims("the rims of a board") {
        /// The seat whose colour the rim of that side has, from 0.
        north: Option<u32>,
        /// The seat whose colour the rim of that side has, from 0.
        east: Option<u32>,
        /// The seat whose colour the rim of that side has, from 0.
        south: Option<u32>,
        /// The seat whose colour the rim of that side has, from 0.
        west: Option<u32>,
    }
}

record! {
    pub struct Bar("a bar") {
        /// The attribute whose number it shows.
        attribute: Name,
        /// How many cells it has.
        to: i32,
    }
}

record! {
    /// How spaces are drawn.
    pub struct SpaceLook("how spaces are drawn") {
        /// How every space is drawn.
        form: Option<SpaceForm>,
        /// An attribute with a number for each word: a stripe for each that is not 0.
        fill: Option<Name>,
        /// A field or an attribute of words, or `section`.
        tint: Option<Name>,
        /// The colour of spaces that get none otherwise.
        color: Option<Color>,
        /// Of a grid: sides that belong to a seat.
        rims: Option<Rims>,
        /// For a field of words: the shape of each word.
        shape: Option<Entries<Entries<LookShape>>>,
        /// Whose a space is and how much stands there; the second is drawn only where it has an owner.
        tokens: Option<Vec<Token>>,
        /// A place for each owner; empty ones are dotted.
        slots: Option<Slots>,
        /// Attributes, each with an icon, `number` or `word`, shown where they are not 0 or false.
        marks: Option<Entries<Name>>,
        /// A token of each player, on the space that a number of the player counts to.
        markers: Option<Vec<Marker>>,
        /// Fields and attributes as small numbers.
        corners: Option<Vec<Name>>,
        /// The zone whose pieces stand there.
        zone: Option<Name>,
        /// A card that lies there: an attribute or a zone.
        tile: Option<Name>,
        /// An attribute with a number for each player, as stars.
        stars: Option<Name>,
        /// A number as a bar of cells.
        bar: Option<Bar>,
    }
}

record! {
    pub struct PanelFigure("a figure of the players' panel") {
        /// A number of the player.
        attribute: Option<Name>,
        /// A zone of the player: how many pieces are in it.
        zone: Option<Name>,
        /// `space.owner`: how many spaces name the player.
        count: Option<Name>,
        /// `space.armies`, added up over the spaces that name the player in `by`.
        sum: Option<Name>,
        /// The attribute of spaces that names the player whose they are.
        by: Option<Name>,
        /// What it is called, in a word.
        short: Option<Text>,
        /// The icon beside it.
        icon: Option<Name>,
    }
}

record! {
    pub struct Counters("counters") {
        /// The attribute that counts.
        on: Name,
        /// The zone whose size is all there are.
        of: Name,
        /// The icon of one.
        icon: Option<Name>,
    }
}

record! {
    pub struct PlayersLook("how players are shown") {
        /// The attribute of players whose word is their colour.
        color: Option<Name>,
        /// The seats' colours in their order, for games in which nobody chooses one.
        colors: Option<Vec<SeatPaint>>,
        /// `zone.field`: a field of the card in a zone of theirs.
        tint: Option<Name>,
        /// At most four figures beside each player.
        show: Option<Vec<PanelFigure>>,
        /// Below the name: `zone.<zone>`, or an attribute.
        line: Option<Vec<Name>>,
        /// An attribute against the size of a zone, for the form `counters`.
        counters: Option<Counters>,
        /// Zones from the board outwards.
        rows: Option<Vec<Vec<Name>>>,
    }
}

record! {
    pub struct ZoneLook("a zone's look") {
        /// Where the zone lies.
        place: Option<TableSide>,
        /// How its pieces lie.
        form: Option<ZoneForm>,
        /// So many from the top.
        top: Option<u32>,
        /// May be looked through.
        open: Option<bool>,
        /// Another heading than the declared one.
        text: Option<Text>,
        /// Behind so many pieces comes the rest: a parameter or a figure.
        split: Option<String>,
        /// The heading of what stands apart.
        then: Option<Text>,
        /// The zone it lies over.
        over: Option<Name>,
        /// Numbers of the rules' `figures`, one for each player, shown in the heading.
        figure: Option<String>,
    }
}

record! {
    pub struct Track("a track") {
        /// `game.stock`: how much lies there, by word.
        stock: Option<Name>,
        /// The table of prices.
        prices: Option<Name>,
        /// What its rows are told apart by.
        by: Option<String>,
        /// `game.allegiance`, `player.morale`.
        attribute: Option<Name>,
        /// How many cells a row has.
        cells: Option<u32>,
        /// Where it lies.
        place: Option<TableSide>,
        /// Its heading.
        text: Option<Text>,
    }
}

record! {
    pub struct Corners("the corners of a card") {
        /// The field on the left.
        left: Option<Name>,
        /// The field on the right.
        right: Option<Name>,
    }
}

record! {
    pub struct KindLook("the look of a kind") {
        /// As another kind.
        like: Option<Name>,
        /// How the piece is drawn; a card if left out.
        form: Option<PieceForm>,
        /// Width and height of a printed card, in millimetres.
        size: Option<(u32, u32)>,
        /// The attribute of pieces that is shown.
        number: Option<Name>,
        /// A field written large; the card is small then.
        big: Option<Name>,
        /// From top to bottom: `name`, `text`, fields, `field.area`, `a*b`, `a→b`.
        face: Option<Vec<Name>>,
        /// What a card shows where it lies, from top to bottom.
        tile: Option<Vec<Name>>,
        /// What it shows beside a name.
        chip: Option<Vec<Name>>,
        /// A field whose word's icon is the card's own, or an icon.
        icon: Option<Name>,
        /// The field whose word, area or section gives the colour.
        tint: Option<Name>,
        /// A field whose word names a picture.
        picture: Option<Name>,
        /// The icon of a number, by field.
        icons: Option<Entries<Name>>,
        /// Fields in the corners.
        corner: Option<Corners>,
        /// An icon for each corner.
        corner_icons: Option<Corners>,
        /// For a field of several numbers: an icon each.
        row: Option<Entries<Vec<Name>>>,
        /// For a field: the word that is not worth a line.
        hide: Option<Entries<Name>>,
        /// For a field of numbers: the attribute of the piece that is added.
        plus: Option<Entries<Name>>,
        /// Attribute of the piece = icon, or "number".
        marks: Option<Entries<Name>>,
    }
}

record! {
    pub struct DieLook("a die's look") {
        /// Its colour.
        fill: Option<Color>,
        /// Its shape.
        shape: Option<LookShape>,
    }
}

record! {
    pub struct HeaderLook("what stands above the board") {
        /// `round`, `step`, `phase`, attributes of the game.
        show: Option<Vec<Name>>,
        /// What is shown where there is more room: `round`, `phase`, attributes of the game.
        more: Option<Vec<Name>>,
    }
}

record! {
    /// How a game is drawn.
    pub struct LookFile("the look") {
        /// What lies under the board.
        ground: Option<Ground>,
        /// What the first view shows.
        fit: Option<Fit>,
        /// Where the others sit.
        seats: Option<Seating>,
        /// Areas, by id.
        areas: Option<Entries<AreaLook>>,
        /// How all areas are drawn.
        area: Option<AllAreas>,
        /// How borders are drawn.
        links: Option<Links>,
        /// How every space is drawn.
        space: Option<SpaceLook>,
        /// Section = colour, for boards that are assembled.
        sections: Option<Entries<Color>>,
        /// What is shown of players.
        players: Option<PlayersLook>,
        /// Where zones lie and how, by id.
        zones: Option<Entries<ZoneLook>>,
        /// Numbers on rows of cells, by a name of your own.
        tracks: Option<Entries<Track>>,
        /// How cards are drawn, by kind.
        kinds: Option<Entries<KindLook>>,
        /// Words and their colours.
        colors: Option<Entries<AnyPaint>>,
        /// Words and their icons.
        icons: Option<Entries<Name>>,
        /// Icons of the game's own.
        paths: Option<Entries<IconOutline>>,
        /// Names of pictures and their files below `pictures/`.
        pictures: Option<Entries<Name>>,
        /// How dice are drawn, by id.
        dice: Option<Entries<DieLook>>,
        /// What stands beside the title.
        header: Option<HeaderLook>,
    }
}

/// The look of a game and the positions of its map, held against what the game declares.
pub fn read(
    look: Option<&Node>,
    positions: &BTreeMap<String, Node>,
    pictures: &BTreeMap<String, u64>,
    (definition, root): (&Definition, &Node),
    reader: &mut Reader,
) -> Look {
    let names = names::LookNames::new(definition, root, pictures);
    let look = look.filter(|node| is_small(node, reader));
    let file = look.and_then(|node| LookFile::read(node, reader));
    if let Some(file) = &file {
        names.check(file, reader);
    }
    for (map, node) in positions {
        if is_small(node, reader)
            && let Some(file) = PositionsFile::read(node, reader)
        {
            names.check_positions(map, node, &file, reader);
        }
    }
    let map = definition.map.as_ref().map(|map| map.id.as_str());
    let here = map.and_then(|map| positions.get(map));
    let here = here.filter(|node| count(node) <= LARGEST_LOOK);
    Look {
        said: look.map_or_else(|| Data::Table(BTreeMap::new()), data),
        positions: here.map(data),
    }
}

/// Whether a file has few enough values to be held against the game one by one; says so if not.
fn is_small(node: &Node, reader: &mut Reader) -> bool {
    let found = count(node);
    if found > LARGEST_LOOK {
        let message = format!("this file has {found} values, and {LARGEST_LOOK} are the most");
        reader.report(Diagnostic::new(Code::OutOfRange, message).at(&node.place));
    }
    found <= LARGEST_LOOK
}

/// How many values a tree has.
fn count(node: &Node) -> usize {
    match &node.value {
        Datum::List(items) => 1 + items.iter().map(count).sum::<usize>(),
        Datum::Table(table) => {
            1 + table
                .values()
                .map(|entry| count(&entry.node))
                .sum::<usize>()
        }
        _ => 1,
    }
}

/// A tree as plain data.
fn data(node: &Node) -> Data {
    match &node.value {
        Datum::Bool(yes) => Data::Bool(*yes),
        Datum::Int(number) => Data::Int(*number),
        Datum::Decimal(text) | Datum::Text(text) | Datum::Date(text) => Data::Text(text.clone()),
        Datum::List(items) => Data::List(items.iter().map(data).collect()),
        Datum::Table(table) => Data::Table(
            table
                .iter()
                .map(|(key, entry)| (key.clone(), data(&entry.node)))
                .collect(),
        ),
    }
}
