//! What the screen shows: the table if it changed, the news right above the question, the question, its options; and all of it so that
//! nothing needed is scrolled away.

use super::describe::{SeenView, tags};
use super::log::Pen;
use super::page::{across, down, fitted, wrap};
use super::{Screen, board, help, hint, options};
use crate::output::outln;
use crate::words::{language, quoted, say, word};
use ludoteca::definition::{Data, Definition};
use ludoteca::{About, Language, Offer, Offered, Session, Shown, View};

/// Lines an answer to `?` may have before the question is shown again below it.
const SHORT: usize = 8;
/// Lines a board may have at most, however large the screen is.
const PICTURE_LINES: usize = 40;
/// A part of the screen that options, and news, have in any case.
const PART: usize = 4;

/// The table as a seat saw it last, so that it is shown again when it changed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Looked {
    board: Vec<String>,
    rest: Vec<String>,
}

/// A table to be shown.
pub(super) struct TableLines {
    /// The board as a list, which says whether it changed.
    pub board: Vec<String>,
    /// Everything else.
    pub rest: Vec<String>,
    /// The game's own lines about the board, for who sees no picture of it.
    pub listed: Vec<String>,
    /// Whether a picture has its place above the game's own lines.
    pub pictured: bool,
}

impl TableLines {
    /// Whether there is no board to show, drawn or listed.
    fn is_bare(&self) -> bool {
        self.board.is_empty() || (!self.pictured && self.listed.is_empty())
    }

    /// What somebody sees, or who only watches: the game's own lines if it has some, else everything; `whole` for everything in any case.
    pub fn of(session: &mut Session, viewer: Option<u8>, pen: Pen, whole: bool) -> TableLines {
        let own = viewer.and_then(|seat| session.table_view(seat, language()));
        let own_board = viewer.and_then(|seat| session.map_view(seat, language()));
        let seen = seen(session, viewer, pen);
        let squares = board::has_squares(&seen);
        let all = whole || own.is_none();
        let listed = match &own_board {
            Some(lines) if !lines.is_empty() => {
                lines.iter().flat_map(|line| fitted(line)).collect()
            }
            _ if all && !squares => board::list(&seen, &[]),
            _ => Vec::new(),
        };
        let pictured = squares || all || own_board.is_some();
        let mut rest = Vec::new();
        if all {
            rest.extend(seen.game());
            rest.extend((0..seen.table.players()).flat_map(|player| seen.player(player)));
        }
        let own = own.unwrap_or_default();
        rest.extend(own.iter().flat_map(|line| fitted(line)));
        if let Some(seat) = viewer.filter(|_| !all) {
            rest.extend(seen.player(seat));
        }
        let board = match pictured {
            true => board::list(&seen, &[]),
            false => Vec::new(),
        };
        TableLines {
            board,
            rest,
            listed,
            pictured,
        }
    }
}

impl Screen<'_> {
    pub(super) fn pen(&self) -> Pen {
        Pen::of(&self.session)
    }

    /// What has happened since a seat chose last, as it may hear it.
    pub(super) fn news(&self, seat: u8) -> Vec<String> {
        let since = self.heard.get(seat as usize).copied().unwrap_or(0);
        let pen = self.pen();
        let heard = self.session.events(since, self.ears(seat), language());
        let lines = heard.filter_map(|(_, event)| pen.line(&event));
        lines.flat_map(|line| wrap(&line, 2)).collect()
    }

    /// Whose ears are at the screen: with several people only where each takes the machine alone.
    fn ears(&self, seat: u8) -> Option<u8> {
        let alone = self.session.only_one_outside() == Some(seat);
        (alone || self.is_handed_over()).then_some(seat)
    }

    /// As much of the table as there is room for, if it changed since the seat looked; where something stays away, how to see it.
    /// Who chooses places sees the board first, who chooses anything else the rest.
    fn changed_table(&mut self, offer: &Offer, room: Option<usize>) -> Vec<String> {
        let seat = offer.seat;
        let pen = self.pen();
        let table = TableLines::of(&mut self.session, Some(seat), pen, false);
        let before = self.looked.get(&seat).cloned().unwrap_or_default();
        let mut room = room.unwrap_or(usize::MAX);
        let mut now = before.clone();
        let (mut drawn, mut rest) = (Vec::new(), Vec::new());
        let places = !offer.spaces().is_empty();
        for part in if places { [0, 1] } else { [1, 0] } {
            if part == 0 && table.board != before.board {
                drawn = self.board_in(&table, offer, room);
                if !drawn.is_empty() || table.is_bare() {
                    now.board.clone_from(&table.board);
                }
            } else if part == 1 && table.rest != before.rest && table.rest.len() < room {
                rest.clone_from(&table.rest);
                now.rest.clone_from(&table.rest);
            }
            room = room.saturating_sub(drawn.len() + rest.len());
        }
        drawn.extend(rest);
        if now.board != table.board || now.rest != table.rest {
            let more = word!("b muestra la mesa entera", "b shows the whole table");
            drawn.push(self.paint.faint(&format!("({more})")));
        }
        self.looked.insert(seat, now);
        drawn
    }

    /// The board in so many lines, drawn if it can be, else listed; nothing if there is no room.
    fn board_in(&self, table: &TableLines, offer: &Offer, room: usize) -> Vec<String> {
        let seen = self.seen(offer.seat);
        // The map does not show where areas end: who chooses one reads what is said of them.
        let areas = |item: &Offered| matches!(item.about, About::Area { .. });
        let picture = match table.pictured && !offer.options.iter().any(areas) {
            true => board::picture(
                &seen,
                &offer.spaces(),
                room.saturating_sub(1).min(PICTURE_LINES),
            ),
            false => None,
        };
        let lines = picture.unwrap_or_else(|| table.listed.clone());
        match lines.len() < room {
            true => lines,
            false => Vec::new(),
        }
    }

    /// Everything somebody needs who is asked.
    pub(super) fn show(&mut self, offer: &Offer, with_table: bool) {
        let question = self.question(offer);
        let news = self.news(offer.seat);
        let Some(rows) = down() else {
            let table = match with_table {
                true => self.changed_table(offer, None),
                false => Vec::new(),
            };
            self.show_parts(
                table,
                &news,
                &question,
                options::page(offer, self.page, None),
            );
            return;
        };
        // A rule above, the line one types in below.
        let free = rows.saturating_sub(question.len() + 2);
        let part = (free / PART).max(3);
        let wanted = options::page(offer, self.page, Some(free)).len();
        let (few_options, few_news) = (wanted.min(part), news.len().min(part));
        let table = match with_table {
            true => {
                let room = free.saturating_sub(few_options + few_news);
                self.changed_table(offer, Some(room))
            }
            false => Vec::new(),
        };
        let left = free.saturating_sub(table.len() + few_options + few_news);
        let for_options = wanted.min(few_options + left);
        let left = left.saturating_sub(for_options - few_options);
        let for_news = news.len().min(few_news + left);
        let options = options::page(offer, self.page, Some(for_options.max(1)));
        let hidden = news.len() - for_news;
        let mut shown = Vec::new();
        if hidden > 0 {
            let hidden = hidden + 1;
            let text = say!(
                "… {hidden} líneas antes; l las muestra",
                "… {hidden} lines before; l shows them"
            );
            shown.push(self.paint.faint(&text));
        }
        let first = news.len() - for_news + (hidden > 0) as usize;
        shown.extend(news.into_iter().skip(first));
        self.show_parts(table, &shown, &question, options);
    }

    fn show_parts(
        &self,
        table: Vec<String>,
        news: &[String],
        question: &[String],
        options: Vec<String>,
    ) {
        outln!("{}", self.paint.faint(&"─".repeat(across())));
        let lines = table.iter().chain(news).chain(question);
        lines.for_each(|line| outln!("{line}"));
        options.iter().for_each(|line| outln!("{line}"));
    }

    /// Whose turn it is and why, the question, how many are wanted.
    fn question(&self, offer: &Offer) -> Vec<String> {
        let round = self.session.round();
        let when = match round {
            0 => String::new(),
            _ => say!("Ronda {round} · ", "Round {round} · "),
        };
        let pen = self.pen();
        let name = pen
            .paint
            .seat(&pen.colors, offer.seat, &self.player_name(offer.seat));
        let title = self.paint.strong(&format!("{when}{} · ", self.step()));
        let mut lines = vec![format!("{title}{name}")];
        let text = wrap(&offer.text, 2);
        lines.extend(text.iter().map(|line| self.paint.strong(line)));
        lines.extend(help::how_many(offer.min, offer.max).map(|wanted| format!("({wanted})")));
        lines
    }

    /// What the running step is called.
    pub(super) fn step(&self) -> String {
        step_now(&self.session)
    }

    /// The whole table, in any case.
    pub(super) fn show_whole_table(&mut self, offer: &Offer) {
        let pen = self.pen();
        let table = TableLines::of(&mut self.session, Some(offer.seat), pen, true);
        let room = down().map_or(40, |rows| rows.saturating_sub(2));
        let seen = self.seen(offer.seat);
        let picture = board::picture(&seen, &offer.spaces(), room);
        let mut lines = picture.unwrap_or(table.listed);
        lines.extend(table.rest);
        self.tell(&lines);
    }

    /// Lines, a screen at a time; whether there were enough of them to push the question away.
    pub(super) fn tell(&mut self, lines: &[String]) -> bool {
        let screen = down().map_or(usize::MAX, |rows| rows.saturating_sub(1).max(2));
        let mut pages = lines.chunks(screen).peekable();
        while let Some(page) = pages.next() {
            page.iter().for_each(|line| outln!("{line}"));
            if pages.peek().is_some() {
                let more = word!("— Intro sigue, q lo deja — ", "— Enter goes on, q stops — ");
                match self.lines.read(more, Default::default()) {
                    Some(line) if line.trim().is_empty() => continue,
                    // Whoever has read enough may answer at once.
                    Some(line) if line.trim() != "q" => self.lines.keep(line),
                    _ => {}
                }
                break;
            }
        }
        lines.len() > SHORT
    }

    /// What there is to know of something; whether it pushed the question away.
    pub(super) fn explain(&mut self, offer: &Offer, what: &str) -> bool {
        let seen = self.seen(offer.seat);
        let found = if what.is_empty() {
            let whose = self.session.now.as_ref().and_then(|now| now.seat);
            let whose = whose.map(|seat| format!(", {}", self.player_name(seat)));
            let step = format!("{}{}", self.step(), whose.unwrap_or_default());
            let mut lines = help::choice(&seen, offer, &step);
            if self.session.game().calls.evaluate.is_some() {
                lines.extend(self.hint(offer, hint::A_GLANCE, || true));
            }
            Some(lines)
        } else {
            help::thing(&seen, offer, what)
        };
        self.tell_found(found, what)
    }

    pub(super) fn rules(&mut self, offer: &Offer, topic: &str) -> bool {
        let found = help::rules(&self.seen(offer.seat), topic);
        let asked = match topic {
            "" => word!("reglas", "rules"),
            topic => topic,
        };
        self.tell_found(found, asked)
    }

    fn tell_found(&mut self, found: Option<Vec<String>>, asked: &str) -> bool {
        match found {
            Some(lines) => self.tell(&lines),
            None => {
                let asked = quoted(asked);
                outln!(
                    "{}",
                    say!(
                        "no hay nada que se llame {asked}",
                        "there is nothing called {asked}"
                    )
                );
                false
            }
        }
    }

    pub(super) fn seen(&self, seat: u8) -> SeenView<'_> {
        seen(&self.session, Some(seat), self.pen())
    }
}

/// A session as somebody sees it, with what is needed to put it into words.
pub fn seen(session: &Session, viewer: Option<u8>, pen: Pen) -> SeenView<'_> {
    let view = session.view(viewer, language());
    let table = session.table();
    let words = color_words(&view, &table.game.definition);
    SeenView {
        table,
        view,
        language: language(),
        paint: pen.paint,
        colors: pen.colors,
        tags: tags(&words),
        words,
    }
}

/// What a player is called, with the colour it has in the game.
pub fn called(session: &Session, seat: u8) -> String {
    let name = session.player_name(seat, language());
    let view = session.view(None, language());
    let colors = color_words(&view, &session.game().definition);
    match colors.get(seat as usize).cloned().flatten() {
        Some(color) => format!("{name} ({})", color.to_lowercase()),
        None => name,
    }
}

/// What each seat's colour is called, in a game that has them.
fn color_words(view: &View, definition: &Definition) -> Vec<Option<String>> {
    let players = match &definition.look.said {
        Data::Table(look) => look.get("players"),
        _ => None,
    };
    let attribute = match players {
        Some(Data::Table(players)) => players.get("color"),
        _ => None,
    };
    let color = |player: &ludoteca::view::PlayerView| {
        let Some(Data::Text(attribute)) = attribute else {
            return None;
        };
        match player.attributes.get(attribute)? {
            Shown::Name(word) => {
                let text = definition.texts.option.get(word);
                Some(text.map_or(word.clone(), |text| language().of(text).to_string()))
            }
            _ => None,
        }
    };
    view.players.iter().map(color).collect()
}

/// What the running step of a match is called.
pub fn step_now(session: &Session) -> String {
    match &session.now {
        None => say!("Preparación", "Setup"),
        Some(now) => step_name(&session.game().definition, &now.function, language()),
    }
}

/// What a step is called: its phase's text, its own, or its function's name.
pub fn step_name(definition: &Definition, function: &str, language: Language) -> String {
    let phase = definition
        .phases
        .iter()
        .find(|phase| phase.step.name == function);
    let text = phase
        .and_then(|phase| phase.text.as_ref())
        .or_else(|| definition.texts.step.get(function));
    text.map_or_else(
        || function.replace('_', " "),
        |text| language.of(text).to_string(),
    )
}
