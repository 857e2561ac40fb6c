//! Holds the names a look uses against what the game declares.

use super::{
    Entries, ICONS, KindLook, LookFile, Name, PanelFigure, PlayersLook, PositionsFile, SpaceLook,
    Track,
};
use crate::content::definition::{
    Attribute, AttributeType, Definition, Field, FieldType, Kind, Per, ZoneOf,
};
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::read::reader::{At, Reader};
use crate::content::tree::Node;
use crate::limits::{LARGEST_PICTURE, LINES_OF_A_CARD};
use std::collections::{BTreeMap, BTreeSet};

pub struct LookNames<'a> {
    all: &'a Definition,
    /// Pictures of the packs and their sizes.
    pictures: &'a BTreeMap<String, u64>,
    /// Everything that may have a colour or an icon.
    words: BTreeSet<&'a str>,
    /// The areas of all maps of the game: one look serves them all.
    areas: BTreeSet<&'a str>,
}

/// Entries of a table that may be left out.
fn each<T>(entries: &Option<Entries<T>>) -> impl Iterator<Item = (&Name, Option<&T>)> {
    let listed = entries.iter().flat_map(|entries| &entries.0);
    listed.map(|(name, value)| (name, value.as_ref()))
}

fn names(attributes: &[Attribute], fits: impl Fn(&Attribute) -> bool) -> Vec<&str> {
    let found = attributes.iter().filter(|attribute| fits(attribute));
    found.map(|attribute| attribute.name.as_str()).collect()
}

fn any(_: &Attribute) -> bool {
    true
}

fn field_names(fields: &[Field]) -> Vec<&str> {
    fields.iter().map(|field| field.name.as_str()).collect()
}

/// A part of a name, at the place of the whole.
fn part(name: &Name, text: &str) -> Name {
    At {
        value: text.to_string(),
        place: name.place.clone(),
    }
}

fn unknown<'k>(
    name: &Name,
    what: &str,
    code: Code,
    known: impl Iterator<Item = &'k str>,
    reader: &mut Reader,
) {
    let problem = Diagnostic::new(code, format!("unknown {what} `{}`", name.value));
    reader.report(problem.at(&name.place).suggest(&name.value, known));
}

impl<'a> LookNames<'a> {
    pub fn new(
        all: &'a Definition,
        root: &'a Node,
        pictures: &'a BTreeMap<String, u64>,
    ) -> LookNames<'a> {
        let maps = root.get("maps").and_then(Node::table);
        let maps = maps.into_iter().flatten();
        let areas = maps
            .filter_map(|(_, map)| map.node.get("areas").and_then(Node::table))
            .flatten()
            .map(|(id, _)| id.as_str())
            .collect();
        let attributes = &all.attributes;
        let declared = [
            &attributes.game,
            &attributes.player,
            &attributes.space,
            &attributes.piece,
        ];
        let mut words: BTreeSet<&str> = all.words.iter().map(String::as_str).collect();
        words.extend(
            declared
                .into_iter()
                .flatten()
                .map(|found| found.name.as_str()),
        );
        words.extend(all.kinds.iter().flat_map(|kind| field_names(&kind.fields)));
        words.extend(all.texts.option.keys().map(String::as_str));
        if let Some(map) = &all.map {
            for fields in [&map.space_fields, &map.edge_fields, &map.area_fields] {
                words.extend(field_names(fields));
            }
        }
        LookNames {
            all,
            pictures,
            words,
            areas,
        }
    }

    /// Reports a name that is not among those there are.
    fn one_of(&self, name: &Name, what: &str, code: Code, known: &[&str], reader: &mut Reader) {
        if !known.contains(&name.value.as_str()) {
            unknown(name, what, code, known.iter().copied(), reader);
        }
    }

    /// The same where there may be very many.
    fn among(
        &self,
        name: &Name,
        what: &str,
        code: Code,
        known: &BTreeSet<&str>,
        reader: &mut Reader,
    ) {
        if !known.contains(name.value.as_str()) {
            unknown(name, what, code, known.iter().copied(), reader);
        }
    }

    fn attribute(&self, name: &Name, of: &str, known: &[&str], reader: &mut Reader) {
        let what = format!("attribute of {of}");
        self.one_of(name, &what, Code::UnknownAttribute, known, reader);
    }

    fn zone(&self, name: &Name, of: Option<ZoneOf>, reader: &mut Reader) {
        let zones = self.all.zones.iter();
        let known: Vec<&str> = zones
            .filter(|zone| of.is_none_or(|of| zone.of == of))
            .map(|zone| zone.name.as_str())
            .collect();
        self.one_of(name, "zone", Code::UnknownZone, &known, reader);
    }

    fn icon(&self, name: &Name, file: &LookFile, also: &[&str], reader: &mut Reader) {
        let icon = name.value.as_str();
        let own = || each(&file.paths).map(|(name, _)| name.value.as_str());
        let there = ICONS.iter().chain(also);
        if !there.clone().any(|known| *known == icon) && !own().any(|known| known == icon) {
            unknown(
                name,
                "icon",
                Code::UnknownWord,
                there.copied().chain(own()),
                reader,
            );
        }
    }

    fn word(&self, name: &Name, reader: &mut Reader) {
        self.among(name, "word", Code::UnknownWord, &self.words, reader);
    }

    /// Fields and attributes of spaces, and what else fits.
    fn of_space(&self, also: &[&'a str]) -> Vec<&'a str> {
        let map = self.all.map.as_ref();
        let mut known = names(&self.all.attributes.space, any);
        known.extend(map.map_or_else(Vec::new, |map| field_names(&map.space_fields)));
        known.extend(also);
        known
    }

    pub fn check(&self, file: &LookFile, reader: &mut Reader) {
        let map = self.all.map.as_ref();
        for (name, _) in each(&file.areas) {
            self.among(name, "area", Code::UnknownArea, &self.areas, reader);
        }
        let fields = |of: fn(&crate::content::definition::Map) -> &Vec<Field>| {
            map.map_or_else(Vec::new, |map| field_names(of(map)))
        };
        if let Some(number) = file.area.as_ref().and_then(|area| area.number.as_ref()) {
            let known = fields(|map| &map.area_fields);
            self.one_of(
                &number.field,
                "field of areas",
                Code::UnknownField,
                &known,
                reader,
            );
        }
        let links = file.links.iter();
        for name in links.flat_map(|links| links.label.iter().chain(&links.dashed)) {
            let known = fields(|map| &map.edge_fields);
            self.one_of(name, "field of edges", Code::UnknownField, &known, reader);
        }
        let sections: Vec<&str> = map.map_or_else(Vec::new, |map| {
            map.sections
                .iter()
                .map(|section| section.id.as_str())
                .collect()
        });
        for (name, _) in each(&file.sections) {
            self.one_of(name, "section", Code::UnknownWord, &sections, reader);
        }
        if let Some(space) = &file.space {
            self.check_space(space, file, reader);
        }
        if let Some(players) = &file.players {
            self.check_players(players, file, reader);
        }
        for (name, zone) in each(&file.zones) {
            self.zone(name, None, reader);
            for over in zone.iter().filter_map(|zone| zone.over.as_ref()) {
                self.zone(over, None, reader);
            }
        }
        for (_, track) in each(&file.tracks) {
            track
                .iter()
                .for_each(|track| self.check_track(track, reader));
        }
        for (name, kind) in each(&file.kinds) {
            self.check_kind(name, kind, file, reader);
        }
        self.check_words(file, reader);
    }

    fn check_words(&self, file: &LookFile, reader: &mut Reader) {
        for (word, _) in each(&file.colors) {
            self.word(word, reader);
        }
        for (word, icon) in each(&file.icons) {
            self.word(word, reader);
            icon.iter()
                .for_each(|icon| self.icon(icon, file, &[], reader));
        }
        for (_, picture) in each(&file.pictures) {
            picture
                .iter()
                .for_each(|picture| self.picture(picture, reader));
        }
        let dice: Vec<&str> = self.all.dice.iter().map(|die| die.name.as_str()).collect();
        for (name, _) in each(&file.dice) {
            self.one_of(name, "die", Code::UnknownWord, &dice, reader);
        }
        let mut known = names(&self.all.attributes.game, any);
        known.extend(["round", "step", "phase"]);
        let header = file.header.iter();
        for name in header.flat_map(|header| header.show.iter().chain(&header.more).flatten()) {
            self.attribute(name, "the game", &known, reader);
        }
    }

    fn picture(&self, name: &Name, reader: &mut Reader) {
        let known: Vec<&str> = self.pictures.keys().map(String::as_str).collect();
        self.one_of(name, "picture", Code::UnreadableFile, &known, reader);
        if self
            .pictures
            .get(&name.value)
            .is_some_and(|&size| size > LARGEST_PICTURE)
        {
            let message = format!(
                "the picture `{}` has more than {} KiB",
                name.value,
                LARGEST_PICTURE >> 10
            );
            reader.report(Diagnostic::new(Code::UnreadableFile, message).at(&name.place));
        }
    }

    fn check_space(&self, look: &SpaceLook, file: &LookFile, reader: &mut Reader) {
        let declared = &self.all.attributes.space;
        let of = |fits: fn(&Attribute) -> bool| names(declared, fits);
        let is_player = |found: &Attribute| found.ty == AttributeType::Player;
        let is_number = |found: &Attribute| found.ty == AttributeType::Int;
        if let Some(name) = &look.fill {
            let known = of(|found| matches!(found.per, Per::Word(_)));
            self.attribute(name, "spaces with a number for each word", &known, reader);
        }
        if let Some(name) = &look.tint {
            self.attribute(name, "spaces", &self.of_space(&["section"]), reader);
        }
        for (name, words) in each(&look.shape) {
            self.attribute(name, "spaces", &self.of_space(&[]), reader);
            let words = words.into_iter().flat_map(|words| &words.0);
            words.for_each(|(word, _)| self.word(word, reader));
        }
        for token in look.tokens.iter().flatten() {
            self.attribute(
                &token.owner,
                "spaces that holds a player",
                &of(is_player),
                reader,
            );
            if let Some(number) = &token.number {
                self.attribute(number, "spaces that is a number", &of(is_number), reader);
            }
        }
        if let Some(slots) = &look.slots {
            for owner in &slots.owners {
                self.attribute(owner, "spaces that holds a player", &of(is_player), reader);
            }
            slots
                .piece
                .iter()
                .for_each(|icon| self.icon(icon, file, &[], reader));
        }
        for (name, icon) in each(&look.marks) {
            self.attribute(name, "spaces", &of(any), reader);
            icon.iter()
                .for_each(|icon| self.icon(icon, file, &["number", "word"], reader));
        }
        for marker in look.markers.iter().flatten() {
            let declared = &self.all.attributes.player;
            if let Some(number) = &marker.number {
                let first = number.value.split('.').next().unwrap_or_default();
                let known = names(declared, any);
                self.attribute(&part(number, first), "players", &known, reader);
            }
            if let Some(along) = &marker.along {
                self.attribute(along, "spaces", &self.of_space(&[]), reader);
            }
            if let Some(at) = &marker.at {
                let known = names(declared, |found| found.ty == AttributeType::Space);
                self.attribute(at, "players that is a space", &known, reader);
            }
        }
        for name in look.corners.iter().flatten() {
            self.attribute(name, "spaces", &self.of_space(&[]), reader);
        }
        look.zone
            .iter()
            .for_each(|zone| self.zone(zone, Some(ZoneOf::Space), reader));
        if let Some(name) = &look.tile {
            let zones = self
                .all
                .zones
                .iter()
                .filter(|zone| zone.of == ZoneOf::Space);
            let mut known: Vec<&str> = zones.map(|zone| zone.name.as_str()).collect();
            known.extend(of(|found| {
                matches!(found.ty, AttributeType::Card | AttributeType::Piece)
            }));
            self.attribute(name, "spaces that holds a card", &known, reader);
        }
        if let Some(name) = &look.stars {
            let known = of(|found| found.per == Per::Player);
            self.attribute(name, "spaces with a number for each player", &known, reader);
        }
        if let Some(bar) = &look.bar {
            self.attribute(
                &bar.attribute,
                "spaces that is a number",
                &of(is_number),
                reader,
            );
        }
    }

    fn check_players(&self, look: &PlayersLook, file: &LookFile, reader: &mut Reader) {
        let declared = &self.all.attributes.player;
        if let Some(name) = &look.color {
            let known = names(declared, |found| matches!(found.ty, AttributeType::Word(_)));
            self.attribute(name, "players that is a word", &known, reader);
        }
        if let Some(name) = &look.tint {
            let zone = name.value.split('.').next().unwrap_or_default();
            self.zone(&part(name, zone), Some(ZoneOf::Player), reader);
        }
        for figure in look.show.iter().flatten() {
            self.check_figure(figure, file, reader);
        }
        for name in look.line.iter().flatten() {
            match name.value.strip_prefix("zone.") {
                Some(zone) => self.zone(&part(name, zone), Some(ZoneOf::Player), reader),
                None => self.attribute(name, "players", &names(declared, any), reader),
            }
        }
        if let Some(counters) = &look.counters {
            self.attribute(&counters.on, "players", &names(declared, any), reader);
            self.zone(&counters.of, Some(ZoneOf::Player), reader);
            counters
                .icon
                .iter()
                .for_each(|icon| self.icon(icon, file, &[], reader));
        }
        for zone in look.rows.iter().flatten().flatten() {
            self.zone(zone, Some(ZoneOf::Player), reader);
        }
    }

    fn check_figure(&self, figure: &PanelFigure, file: &LookFile, reader: &mut Reader) {
        let attributes = &self.all.attributes;
        if let Some(name) = &figure.attribute {
            self.attribute(name, "players", &names(&attributes.player, any), reader);
        }
        figure
            .zone
            .iter()
            .for_each(|zone| self.zone(zone, Some(ZoneOf::Player), reader));
        let is_player = |found: &Attribute| found.ty == AttributeType::Player;
        let owners = names(&attributes.space, is_player);
        let of_spaces = |name: &Name, known: &[&str], reader: &mut Reader| {
            let inside = name.value.strip_prefix("space.").unwrap_or(&name.value);
            self.attribute(&part(name, inside), "spaces", known, reader);
        };
        for name in figure.count.iter().chain(&figure.by) {
            of_spaces(name, &owners, reader);
        }
        if let Some(name) = &figure.sum {
            of_spaces(
                name,
                &names(&attributes.space, |found| found.ty == AttributeType::Int),
                reader,
            );
        }
        figure
            .icon
            .iter()
            .for_each(|icon| self.icon(icon, file, &[], reader));
    }

    fn check_track(&self, track: &Track, reader: &mut Reader) {
        for name in track.stock.iter().chain(&track.attribute) {
            let (of, inside) = name.value.split_once('.').unwrap_or(("", &name.value));
            let (who, declared) = match of {
                "player" => ("players", &self.all.attributes.player),
                _ => ("the game", &self.all.attributes.game),
            };
            self.attribute(&part(name, inside), who, &names(declared, any), reader);
        }
        if let Some(prices) = &track.prices {
            let known: Vec<&str> = self.all.tables.keys().map(String::as_str).collect();
            self.one_of(prices, "table", Code::UnknownWord, &known, reader);
        }
    }

    fn check_kind(
        &self,
        name: &Name,
        look: Option<&KindLook>,
        file: &LookFile,
        reader: &mut Reader,
    ) {
        let kinds: Vec<&str> = self
            .all
            .kinds
            .iter()
            .map(|kind| kind.name.as_str())
            .collect();
        self.one_of(name, "kind", Code::UnknownKind, &kinds, reader);
        let (Some(look), Some(kind)) = (
            look,
            self.all.kinds.iter().find(|kind| kind.name == name.value),
        ) else {
            return;
        };
        look.like
            .iter()
            .for_each(|like| self.one_of(like, "kind", Code::UnknownKind, &kinds, reader));
        let pieces = names(&self.all.attributes.piece, any);
        look.number
            .iter()
            .for_each(|name| self.attribute(name, "pieces", &pieces, reader));
        let lists = || [&look.face, &look.tile, &look.chip].into_iter().flatten();
        if let Some(beyond) = lists().find_map(|list| list.get(LINES_OF_A_CARD)) {
            let message = format!("a card shows at most {LINES_OF_A_CARD} things");
            reader.report(Diagnostic::new(Code::OutOfRange, message).at(&beyond.place));
        }
        let shown = lists().flatten();
        let single = [&look.big, &look.icon, &look.tint, &look.picture]
            .into_iter()
            .flatten();
        let corners = look
            .corner
            .iter()
            .flat_map(|corner| corner.left.iter().chain(&corner.right));
        for item in shown.chain(single).chain(corners) {
            self.item(item, kind, reader);
        }
        let icons = look
            .corner_icons
            .iter()
            .flat_map(|corner| corner.left.iter().chain(&corner.right));
        icons.for_each(|icon| self.icon(icon, file, &[], reader));
        for (field, icon) in each(&look.icons) {
            self.item(field, kind, reader);
            icon.iter()
                .for_each(|icon| self.icon(icon, file, &[], reader));
        }
        for (field, icons) in each(&look.row) {
            self.item(field, kind, reader);
            // Each is an icon, or a word that has one.
            let words: Vec<&str> = each(&file.icons)
                .map(|(word, _)| word.value.as_str())
                .collect();
            icons
                .into_iter()
                .flatten()
                .for_each(|icon| self.icon(icon, file, &words, reader));
        }
        each(&look.hide).for_each(|(field, _)| self.item(field, kind, reader));
        for (field, attribute) in each(&look.plus) {
            self.item(field, kind, reader);
            attribute
                .iter()
                .for_each(|name| self.attribute(name, "pieces", &pieces, reader));
        }
        for (attribute, icon) in each(&look.marks) {
            self.attribute(attribute, "pieces", &pieces, reader);
            icon.iter()
                .for_each(|icon| self.icon(icon, file, &["number", "word"], reader));
        }
    }

    /// What a card shows: `name`, `text`, a field, one of its members, or two of them together.
    fn item(&self, item: &Name, kind: &Kind, reader: &mut Reader) {
        let mut known = field_names(&kind.fields);
        known.extend(names(&self.all.attributes.piece, any));
        known.extend(["name", "text"]);
        for one in item.value.split(['*', '→']) {
            let (field, inside) = one.split_once('.').unwrap_or((one, ""));
            let what = format!("field of `{}`", kind.name);
            self.one_of(
                &part(item, field),
                &what,
                Code::UnknownField,
                &known,
                reader,
            );
            let found = kind.fields.iter().find(|found| found.name == field);
            if let (Some(found), false) = (found, inside.is_empty()) {
                self.member(&part(item, inside), &found.ty, reader);
            }
        }
    }

    /// Behind the dot: the number of one in a list, or something of a space.
    fn member(&self, name: &Name, ty: &FieldType, reader: &mut Reader) {
        let is_number = name.value.bytes().all(|digit| digit.is_ascii_digit());
        match ty {
            FieldType::Ints | FieldType::Words(_) | FieldType::Cards if is_number => {}
            FieldType::Space => {
                let what = "field of spaces";
                self.one_of(
                    name,
                    what,
                    Code::UnknownField,
                    &self.of_space(&["area", "name"]),
                    reader,
                );
            }
            FieldType::Card | FieldType::Area => {}
            _ => {
                let message = format!("nothing can be taken out of this field by `{}`", name.value);
                reader.report(Diagnostic::new(Code::UnknownField, message).at(&name.place));
            }
        }
    }

    /// The positions of the map that is played; those of the game's other maps are looked at when they are.
    pub fn check_positions(
        &self,
        id: &str,
        node: &Node,
        file: &PositionsFile,
        reader: &mut Reader,
    ) {
        let Some(map) = self.all.map.as_ref().filter(|map| map.id == id) else {
            return;
        };
        let spaces: BTreeSet<&str> = map.spaces.iter().map(|space| space.id.as_str()).collect();
        let areas: BTreeSet<&str> = map.areas.iter().map(|area| area.id.as_str()).collect();
        for (name, _) in each(&file.spaces) {
            self.among(name, "space", Code::UnknownSpace, &spaces, reader);
        }
        for (name, _) in each(&file.islands) {
            self.among(name, "space", Code::UnknownSpace, &spaces, reader);
        }
        for (name, _) in each(&file.areas) {
            self.among(name, "area", Code::UnknownArea, &areas, reader);
        }
        for (name, _) in each(&file.edges) {
            let ends = name.value.split_once(" - ");
            let ends = ends.map_or(vec![name.value.as_str()], |(a, b)| vec![a, b]);
            for end in ends {
                self.among(
                    &part(name, end),
                    "space",
                    Code::UnknownSpace,
                    &spaces,
                    reader,
                );
            }
        }
        for (name, _) in each(&file.zones) {
            self.zone(name, None, reader);
        }
        let placed: BTreeSet<&str> = each(&file.spaces)
            .map(|(name, _)| name.value.as_str())
            .collect();
        let ids = map.spaces.iter().map(|space| space.id.as_str());
        let missing: Vec<&str> = ids.filter(|id| !placed.contains(id)).collect();
        if let Some(first) = missing.first().filter(|_| !placed.is_empty()) {
            let message = format!(
                "{} of the spaces have no place; the first is `{first}`",
                missing.len()
            );
            reader.report(Diagnostic::new(Code::MissingKey, message).at(&node.place));
        }
    }
}
