//! Functions that nothing calls: neither the kernel, nor the manifest, nor a card, nor another function, nor a scenario. In a layer over
//! others such a function was probably to replace one, and changes nothing.

use super::slips::{CALLED, at_function};
use crate::content::definition::{Data, Definition, FieldValue};
use crate::content::diagnostic::{Code, Diagnostic, nearest};
use crate::content::file::Files;
use crate::content::library::Library;
use crate::content::outline;
use crate::table::game::Game;
use ludoteca_vm::FunctionInfo;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn unused(game: &Game, library: &Library, files: &Files) -> Vec<Diagnostic> {
    let definition = &game.definition;
    let own = |f: &&FunctionInfo| !f.is_prelude && !f.is_closure && f.path.ends_with(".rhai");
    let all: Vec<&FunctionInfo> = game.program.functions().filter(own).collect();
    // Libraries serve other games too, but what lies over one must change something.
    let is_rule = |f: &FunctionInfo| f.unit == definition.id;
    let lowest = |unit: &str| {
        let layers = all.iter().filter(|f| f.unit == unit).map(|f| f.layer);
        layers.min().unwrap_or(0)
    };
    let named = Named::of(definition);
    let mut namesakes: BTreeMap<(&str, &str), Vec<&FunctionInfo>> = BTreeMap::new();
    for f in &all {
        namesakes.entry((&f.unit, &f.name)).or_default().push(f);
    }
    let namesake = |f: &FunctionInfo| namesake(&namesakes, f);
    // What lies over a namesake that takes another number of parameters was to replace it, whatever else says its name.
    let below = |f: &FunctionInfo| {
        let other = namesake(f).is_some_and(|other| other.layer < f.layer);
        other && !named.functions.contains(f.name.as_str())
    };
    let called: BTreeSet<(&str, usize)> = match all.iter().any(|f| below(f)) {
        true => {
            let scripts = files.iter().filter(|file| file.path.ends_with(".rhai"));
            scripts
                .flat_map(|file| outline::calls(&file.text))
                .collect()
        }
        false => BTreeSet::new(),
    };
    let missed =
        |f: &FunctionInfo| below(f) && !called.contains(&(f.name.as_str(), f.params.len()));
    let is_led_to = |f: &FunctionInfo| f.mentioned || named.words.contains(f.name.as_str());
    let mut doubtful = all.clone();
    doubtful.retain(|f| !f.replaces && !named.calls(f) && (!is_led_to(f) || missed(f)));
    // What a variant or an overlay no longer calls is still called without it.
    let as_it_is = definition.selection.is_empty() && !all.iter().any(|f| f.replaces);
    doubtful.retain(|f| is_rule(f) && as_it_is || f.layer > lowest(&f.unit));
    if doubtful.is_empty() {
        return Vec::new();
    }
    let run = library.run_in_scenarios(&definition.id, |text| called_in(text).collect());
    doubtful.retain(|f| !run.contains(f.name.as_str()));
    let of_the_kernel: Vec<_> = CALLED
        .iter()
        .filter(|(name, _)| !all.iter().any(|other| other.name == *name))
        .collect();
    // What a function that replaces none may have been meant to be: one of the layers below, or one that the kernel calls.
    let nearest_below = |f: &FunctionInfo| {
        let lies_over = f.layer > lowest(&f.unit);
        let below = all
            .iter()
            .filter(|other| lies_over && other.layer < f.layer && other.unit == f.unit);
        let kernel = of_the_kernel
            .iter()
            .filter(|(_, counts)| counts.contains(&f.params.len()));
        let below = below.map(|other| other.name.as_str());
        let candidates: BTreeSet<&str> = below.chain(kernel.map(|(name, _)| *name)).collect();
        nearest(&f.name, candidates)
    };
    let told = |(number, f): (usize, &FunctionInfo)| {
        let (name, takes) = (&f.name, parameters(f.params.len()));
        let other = namesake(f);
        let is_compared = other.is_none() && number < COMPARED;
        let near = is_compared.then(|| nearest_below(f)).flatten();
        // What is called like nothing below may be new, and only wait for somebody who calls it.
        let was_meant = other.is_some() || near.is_some();
        let problem = match was_meant && f.layer > lowest(&f.unit) {
            true => Diagnostic::new(
                Code::ChangesNothing,
                format!(
                    "the function `{name}` with {takes} changes nothing: it replaces none, and nothing calls it"
                ),
            ),
            false => {
                let message = format!("nothing calls the function `{name}`");
                Diagnostic::new(Code::UnusedFunction, message)
            }
        };
        let problem = at_function(problem, f, files);
        if let Some(other) = other {
            let takes = parameters(other.params.len());
            return problem.help(format!("`{name}` takes {takes}"));
        }
        if let Some(near) = near {
            return problem.meant(name, near);
        }
        let rest = all.iter().map(|other| other.name.as_str());
        let rest = rest.filter(|other| is_compared && other != name);
        match nearest(name, rest) {
            // What is called already may still be what was to be changed.
            Some(near) => problem.help(format!("call it, or remove it; there is also `{near}`")),
            None => problem.help("call it, or remove it"),
        }
    };
    doubtful.into_iter().enumerate().map(told).collect()
}

/// A function of the same name that takes another number of parameters.
fn namesake<'f>(
    all: &BTreeMap<(&str, &str), Vec<&'f FunctionInfo>>,
    f: &FunctionInfo,
) -> Option<&'f FunctionInfo> {
    let same_name = all.get(&(f.unit.as_str(), f.name.as_str()))?;
    let other = |other: &&&FunctionInfo| other.params.len() != f.params.len();
    same_name.iter().find(other).copied()
}

/// So many functions are held against the names of all others for one that was meant: of more nobody reads.
const COMPARED: usize = 100;

/// The functions a text calls at the beginning of a string, as scenarios do: `"turn(p0)"`.
fn called_in(text: &str) -> impl Iterator<Item = &str> {
    let strings = text.match_indices('"').map(|(at, _)| &text[at + 1..]);
    strings.filter_map(|rest| {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
        rest[end..].starts_with('(').then_some(&rest[..end])
    })
}

fn parameters(count: usize) -> String {
    match count {
        0 => "no parameters".into(),
        1 => "1 parameter".into(),
        count => format!("{count} parameters"),
    }
}

/// Functions that are called by what is no script.
struct Named<'d> {
    /// With so many parameters.
    exactly: BTreeSet<(&'d str, usize)>,
    /// With as many as whoever calls them gives.
    functions: BTreeSet<&'d str>,
    /// Words of cards and tables, any of which may be what a rule calls.
    words: BTreeSet<&'d str>,
}

impl Named<'_> {
    fn of(definition: &Definition) -> Named<'_> {
        let mut exactly: BTreeSet<(&str, usize)> = BTreeSet::new();
        for (name, counts) in CALLED {
            exactly.extend(counts.iter().map(|count| (*name, *count)));
        }
        for phase in &definition.phases {
            exactly.insert((&phase.step.name, phase.each_player as usize));
        }
        for metric in &definition.metrics {
            exactly.insert((&metric.function.name, metric.of_player as usize));
        }
        exactly.extend(definition.invariants.iter().map(|named| (&*named.name, 0)));
        for check in definition
            .kinds
            .iter()
            .filter_map(|kind| kind.check.as_ref())
        {
            exactly.insert((&check.name, 1));
        }
        for word in &definition.phrase_words {
            exactly.insert((&word.function.name, word.parameters()));
        }
        let (mut functions, mut words) = (BTreeSet::new(), BTreeSet::new());
        let map = definition.map.iter();
        let of_map = map.flat_map(|map| {
            let spaces = map.spaces.iter().flat_map(|space| &space.fields);
            spaces.chain(map.areas.iter().flat_map(|area| &area.fields))
        });
        let cards = definition.cards.iter().flat_map(|card| &card.fields);
        for value in cards.chain(of_map) {
            match value {
                FieldValue::Function(named) => drop(functions.insert(named.name.as_str())),
                FieldValue::String(text) => drop(words.insert(text.as_str())),
                FieldValue::Table(data) => texts(data, &mut words),
                _ => {}
            }
        }
        words.extend(definition.words.iter().map(String::as_str));
        definition
            .tables
            .values()
            .for_each(|data| texts(data, &mut words));
        Named {
            exactly,
            functions,
            words,
        }
    }

    fn calls(&self, function: &FunctionInfo) -> bool {
        self.exactly
            .contains(&(function.name.as_str(), function.params.len()))
            || self.functions.contains(function.name.as_str())
    }
}

fn texts<'d>(data: &'d Data, found: &mut BTreeSet<&'d str>) {
    match data {
        Data::Text(text) => drop(found.insert(text)),
        Data::List(items) => items.iter().for_each(|item| texts(item, found)),
        Data::Table(entries) => entries.values().for_each(|item| texts(item, found)),
        Data::Bool(_) | Data::Int(_) => {}
    }
}
