//! How a game is drawn: colours, shapes, icons, which field goes where. A look names what the game declares and never carries code or markup;
//! it changes nothing of the rules, so it is no part of what a match is played with.

mod names;

use super::reader::{At, Entries, Read, Reader, record, words};
use crate::content::definition::{Data, Definition, Look, Text};
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::tree::{Node, Value};
use crate::limits::LONGEST_OUTLINE;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The icons every table has; `docs/looks.md` lists them, and a test holds them against the page's own.
pub const ICONS: &[&str] = &[
    "alert",
    "anchor",
    "back",
    "balloon",
    "bat",
    "bear",
    "bishop",
    "bolt",
    "book",
    "brick",
    "bulb",
    "cards",
    "chat",
    "check",
    "circle",
    "clock",
    "cloud",
    "coin",
    "column",
    "cross",
    "crown",
    "cube",
    "diamond",
    "die",
    "disc",
    "disc-drop",
    "drop",
    "eye",
    "factory",
    "fast",
    "first",
    "fit",
    "flag",
    "flame",
    "gate",
    "gear",
    "glasses",
    "hand",
    "handshake",
    "helmet",
    "hexagon",
    "house",
    "king",
    "knight",
    "last",
    "leaf",
    "list",
    "mark",
    "menu",
    "minus",
    "missile",
    "moon",
    "mountain",
    "note",
    "on",
    "orb",
    "page",
    "pause",
    "pawn",
    "people",
    "person",
    "plane",
    "play",
    "plus",
    "queen",
    "reserve",
    "rhomb",
    "ring",
    "rook",
    "share",
    "shield",
    "snowflake",
    "square",
    "star",
    "sun",
    "tower",
    "tree",
    "triangle",
    "turned",
    "undo",
    "wall",
    "wind",
];

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
    pub enum Seats("where the others sit") { Around = "around", Facing = "facing", }
}

words! {
    /// How a space is drawn.
    pub enum SpaceForm("a form of spaces") { Token = "token", Plate = "plate", Box = "box", Square = "square", Hex = "hex", Point = "point", }
}

words! {
    /// The shape of a space, a seat or a die.
    pub enum Shape("a shape") {
        Circle = "circle", Square = "square", Triangle = "triangle", Shield = "shield", Diamond = "diamond",
        Hexagon = "hexagon", Disc = "disc", Dot = "dot", Cross = "cross", Ring = "ring",
    }
}

words! {
    /// Where a zone or a track lies.
    pub enum Side("a place of zones") {
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
    pub enum From("an end") { Start = "start", End = "end", }
}

/// A colour, `#rrggbb`. The shades of light and dark pages are mixed from it.
#[derive(Debug, Clone)]
pub struct Color;

impl Read for Color {
    fn read(node: &Node, reader: &mut Reader) -> Option<Color> {
        let written = String::read(node, reader)?;
        let digits = written.strip_prefix('#').unwrap_or_default();
        if digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Some(Color);
        }
        let message = format!("expected a colour such as \"#c9453d\", found \"{written}\"");
        reader.report(Diagnostic::new(Code::WrongType, message).at(&node.place));
        None
    }
}

impl JsonSchema for Color {
    fn schema_name() -> Cow<'static, str> {
        "Color".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^#[0-9a-fA-F]{6}$" })
    }
}

/// The outline of an icon in a box of 16 by 16, as the data of an SVG path; `!` before it fills it.
#[derive(Debug, Clone)]
pub struct Outline;

impl Read for Outline {
    fn read(node: &Node, reader: &mut Reader) -> Option<Outline> {
        let written = String::read(node, reader)?;
        let data = written.strip_prefix('!').unwrap_or(&written);
        let known = |c: char| c.is_ascii_digit() || "MmLlHhVvCcSsQqTtAaZz .,+-e".contains(c);
        if data.starts_with(['M', 'm']) && data.chars().all(known) && data.len() <= LONGEST_OUTLINE
        {
            return Some(Outline);
        }
        let message = "expected the data of a path such as \"M2 8h12\"";
        let problem = Diagnostic::new(Code::WrongType, message).at(&node.place);
        reader.report(
            problem.help("letters of commands, numbers, spaces and commas, in a box of 16 by 16"),
        );
        None
    }
}

impl JsonSchema for Outline {
    fn schema_name() -> Cow<'static, str> {
        "Outline".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^!?[Mm][MmLlHhVvCcSsQqTtAaZz0-9 .,+e-]*$", "maxLength": LONGEST_OUTLINE })
    }
}

/// A colour alone, or a seat's: with the ink on it and a shape that says the same.
#[derive(Debug, Clone)]
pub struct Paint;

record! {
    pub struct SeatPaint("a seat's colour") {
        /// The colour.
        fill: Color,
        /// What is written on it.
        ink: Option<Color>,
        /// The shape that says the same as the colour.
        shape: Option<Shape>,
    }
}

impl Read for Paint {
    fn read(node: &Node, reader: &mut Reader) -> Option<Paint> {
        match node.table() {
            Some(_) => SeatPaint::read(node, reader).map(|_| Paint),
            None => Color::read(node, reader).map(|_| Paint),
        }
    }
}

impl JsonSchema for Paint {
    fn schema_name() -> Cow<'static, str> {
        "Paint".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (color, seat) = (
            Color::json_schema(generator),
            generator.subschema_for::<SeatPaint>(),
        );
        json_schema!({ "anyOf": [color, seat] })
    }
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
        from: Option<From>,
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
        shape: Option<Entries<Entries<Shape>>>,
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
    pub struct Figure("a figure of the players' panel") {
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
        show: Option<Vec<Figure>>,
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
        place: Option<Side>,
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
        place: Option<Side>,
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
        shape: Option<Shape>,
    }
}

record! {
    pub struct Header("what stands above the board") {
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
        seats: Option<Seats>,
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
        colors: Option<Entries<Paint>>,
        /// Words and their icons.
        icons: Option<Entries<Name>>,
        /// Icons of the game's own.
        paths: Option<Entries<Outline>>,
        /// Names of pictures and their files below `pictures/`.
        pictures: Option<Entries<Name>>,
        /// How dice are drawn, by id.
        dice: Option<Entries<DieLook>>,
        /// What stands beside the title.
        header: Option<Header>,
    }
}

record! {
    pub struct EdgePlace("how an edge is drawn") {
        /// It leaves the board on one side and comes back on the other.
        wrap: Option<bool>,
    }
}

record! {
    /// Where the things of a map are drawn, x to the right and y down.
    pub struct PositionsFile("the positions") {
        /// Width and height of the board.
        size: (i32, i32),
        /// Width and height of a name.
        label: Option<(i32, i32)>,
        /// The middle of a space, `[x, y]`, or its box, `[x, y, width, height]`.
        spaces: Option<Entries<Spot>>,
        /// The outline of an area, a list of points, or its box.
        areas: Option<Entries<Ring>>,
        /// Outlines of spaces that are drawn on their own.
        islands: Option<Entries<Ring>>,
        /// How single borders are drawn, by their ends: "a - b".
        edges: Option<Entries<EdgePlace>>,
        /// Boxes of tracks; of one with a row for each word, `track_word`.
        tracks: Option<Entries<Spot>>,
        /// Boxes of zones that lie on the board.
        zones: Option<Entries<Spot>>,
    }
}

/// A point or a box.
#[derive(Debug, Clone)]
pub struct Spot;

impl Read for Spot {
    fn read(node: &Node, reader: &mut Reader) -> Option<Spot> {
        let numbers = Vec::<i32>::read(node, reader)?;
        if [2, 4].contains(&numbers.len()) {
            return Some(Spot);
        }
        let message = "expected `[x, y]` or `[x, y, width, height]`";
        reader.report(Diagnostic::new(Code::WrongType, message).at(&node.place));
        None
    }
}

impl JsonSchema for Spot {
    fn schema_name() -> Cow<'static, str> {
        "Spot".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": { "type": "integer" }, "minItems": 2, "maxItems": 4 })
    }
}

/// An outline of at least three points, or a box.
#[derive(Debug, Clone)]
pub struct Ring;

impl Read for Ring {
    fn read(node: &Node, reader: &mut Reader) -> Option<Ring> {
        let items = reader.list(node, "a list of points, or `[x, y, width, height]`")?;
        let is_box = items
            .first()
            .is_some_and(|first| matches!(first.value, Value::Int(_)));
        let fits = match is_box {
            true => Spot::read(node, reader).is_some() && items.len() == 4,
            false => Vec::<(i32, i32)>::read(node, reader)?.len() >= 3,
        };
        if fits {
            return Some(Ring);
        }
        let message = "expected three points or more, or `[x, y, width, height]`";
        reader.report(Diagnostic::new(Code::WrongType, message).at(&node.place));
        None
    }
}

impl JsonSchema for Ring {
    fn schema_name() -> Cow<'static, str> {
        "Ring".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array" })
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
    let names = names::Names::new(definition, root, pictures);
    let file = look.and_then(|node| LookFile::read(node, reader));
    if let Some(file) = &file {
        names.check(file, reader);
    }
    for (map, node) in positions {
        if let Some(file) = PositionsFile::read(node, reader) {
            names.check_positions(map, node, &file, reader);
        }
    }
    let map = definition.map.as_ref().map(|map| map.id.as_str());
    let here = map.and_then(|map| positions.get(map));
    Look {
        said: look.map_or_else(|| Data::Table(BTreeMap::new()), data),
        positions: here.map(data),
    }
}

/// A tree as plain data.
fn data(node: &Node) -> Data {
    match &node.value {
        Value::Bool(yes) => Data::Bool(*yes),
        Value::Int(number) => Data::Int(*number),
        Value::Decimal(text) | Value::Text(text) | Value::Date(text) => Data::Text(text.clone()),
        Value::List(items) => Data::List(items.iter().map(data).collect()),
        Value::Table(table) => Data::Table(
            table
                .iter()
                .map(|(key, entry)| (key.clone(), data(&entry.node)))
                .collect(),
        ),
    }
}
