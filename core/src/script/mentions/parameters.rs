//! What the parameters of a game's own functions name, told from what their bodies hand them on to: `holds(p, card)` is given a card
//! because it counts cards of that name.

use super::locals::{among, parameters};
use super::rules::{Frame, LoudParts, given};
use super::{IN_TEXTS, Sort, Wants};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

/// A parameter: the function and its number, from 0.
type Parameter = (String, usize);

/// What is known of parameters.
#[derive(Debug, Clone, Default)]
pub struct Parameters {
    named: HashMap<Parameter, BTreeSet<Sort>>,
    /// Parameters that are handed on to those of other functions.
    links: HashSet<(Parameter, Parameter)>,
}

impl Parameters {
    /// What is named by the n-th parameter of a function, if that is known.
    pub fn of(&self, function: &str, n: usize) -> Option<Wants> {
        let sorts = self.named.get(&(function.to_string(), n))?;
        Some(Wants::Sorts(sorts.iter().copied().collect()))
    }

    /// Looks through one script.
    pub fn read(&mut self, parts: &LoudParts<'_>) {
        let declared = declared(parts);
        let mut open: Vec<Frame> = Vec::new();
        for (at, part) in parts.list.iter().enumerate() {
            let parameter = declared.get(&part.span.start);
            let frame = open.last().filter(|frame| frame.callee.is_some());
            let is_whole =
                matches!(parts.before(at), "(" | ",") && matches!(parts.said(at + 1), "," | ")");
            if let (Some(parameter), Some(frame), true) = (parameter, frame, is_whole) {
                self.handed(parameter, frame);
            }
            // `card.has(p)`: what stands before the dot is given too.
            if let (Some(parameter), "." | "?.", "(") =
                (parameter, parts.said(at + 1), parts.said(at + 3))
            {
                let callee = Some(parts.said(at + 2).to_string());
                self.handed(
                    parameter,
                    &Frame {
                        callee,
                        ..Frame::default()
                    },
                );
            }
            parts.follow(at, &mut open);
        }
    }

    fn handed(&mut self, parameter: &Parameter, to: &Frame) {
        let Some(callee) = &to.callee else { return };
        match given(callee, to.parameter()) {
            // Its forms want different things.
            Some(Wants::Sorts(sorts)) if sorts == IN_TEXTS => {}
            Some(Wants::Sorts(sorts) | Wants::Owned(sorts, _)) => self.add(parameter, sorts),
            Some(Wants::Of(sort, _)) => self.add(parameter, vec![sort]),
            _ => {
                let to = (callee.clone(), to.parameter());
                self.links.insert((parameter.clone(), to));
            }
        }
    }

    fn add(&mut self, parameter: &Parameter, sorts: Vec<Sort>) {
        self.named
            .entry(parameter.clone())
            .or_default()
            .extend(sorts);
    }

    /// What a parameter is handed on to be is what it is.
    pub fn hand_on(&mut self) {
        let mut given_by: HashMap<&Parameter, Vec<&Parameter>> = HashMap::new();
        for (from, to) in &self.links {
            given_by.entry(to).or_default().push(from);
        }
        // Whatever is new of one is looked at once, however long the way it is handed on.
        let mut news: Vec<Parameter> = self.named.keys().cloned().collect();
        while let Some(to) = news.pop() {
            let sorts = self.named.get(&to).cloned().unwrap_or_default();
            if sorts.is_empty() {
                continue;
            }
            for from in given_by.get(&to).into_iter().flatten() {
                let known = self.named.entry((*from).clone()).or_default();
                let before = known.len();
                known.extend(&sorts);
                if known.len() > before {
                    news.push((*from).clone());
                }
            }
        }
    }
}

/// Every place where a parameter of a function is used, by where it begins.
fn declared(parts: &LoudParts<'_>) -> HashMap<usize, Parameter> {
    let mut at_start: HashMap<usize, Parameter> = HashMap::new();
    for at in 0..parts.list.len() {
        if parts.before(at) != "fn" || parts.said(at + 1) != "(" {
            continue;
        }
        let names = parameters(parts, at + 2);
        for (number, name) in names.into_iter().enumerate() {
            let parameter = (parts.said(at).to_string(), number);
            at_start.insert(parts.list[name].span.start, parameter);
        }
    }
    let mut used = HashMap::new();
    for local in among(parts).into_iter().filter(|local| local.is_parameter) {
        let first = local.places.first().map(|place: &Range<usize>| place.start);
        let Some(parameter) = first.and_then(|start| at_start.get(&start)) else {
            continue;
        };
        used.extend(
            local
                .places
                .iter()
                .skip(1)
                .map(|place| (place.start, parameter.clone())),
        );
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_name_what_they_are_handed_on_to() {
        let mut found = Parameters::default();
        found.read(&LoudParts::new("fn holds(p, card) { count(p.hand, card) > 0 }\nfn may(p, what) { holds(p, what) }\nfn other(p, n) { n + 1 }"));
        found.hand_on();
        let card = Some(Wants::Sorts(vec![Sort::Card]));
        assert_eq!(found.of("holds", 1), card);
        assert_eq!(found.of("may", 1), card);
        assert_eq!((found.of("holds", 0), found.of("other", 1)), (None, None));
    }
}
