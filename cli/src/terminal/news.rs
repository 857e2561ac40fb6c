//! Lines of the log that one seat hears and the others do not. Several people at one terminal read them each alone: once something was
//! whispered, the machine is passed on.

use super::Screen;
use super::page::wrap;
use crate::words::language;

impl Screen<'_> {
    /// What a seat has heard since it chose last that others at this terminal must not read.
    pub(super) fn private_news(&self, seat: u8) -> Vec<String> {
        let since = self.heard.get(seat as usize).copied().unwrap_or(0);
        let pen = self.pen();
        let own = self.session.events_of_its_own(since, seat, language());
        own.filter_map(|(_, event)| pen.line(&event)).collect()
    }

    /// The last lines of a match that is over: what the last who looked has not seen yet, and what the others were told alone. Nobody has
    /// anything to hide any more.
    pub(super) fn last_news(&self, people: &[u8]) -> Vec<String> {
        let Some(last) = self.looking.or(people.first().copied()) else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        for &seat in people.iter().filter(|&&seat| seat != last) {
            let name = self.player_name(seat);
            for line in self.private_news(seat) {
                lines.extend(wrap(&format!("{name}: {line}"), 2));
            }
        }
        lines.extend(self.news(last));
        lines
    }

    /// What was taken back has not happened: what comes in its place is news again.
    pub(super) fn rewind(&mut self) {
        let told = self.session.told();
        self.heard.iter_mut().for_each(|at| *at = told.min(*at));
    }
}
