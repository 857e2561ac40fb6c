//! What comes and goes in a game, as numbers one can ask for: `paid(unit)`, `spent(resources)`, `gained(units)`, `lost(units@combat)`.

use crate::findings::FlowFinding;
use crate::record::Header;
use crate::statistics::Running;
use ludoteca::definition::Text;
use ludoteca::{Close, Language};
use std::collections::BTreeMap;

/// How numbers of prices are called, and of what was spent on them.
const PRICES: &str = "prices";
const SPENT: &str = "spent";

/// What is asked of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bearing {
    /// How often a price was paid.
    Paid,
    /// What of a number of players went for prices.
    Spent,
    Gained,
    Lost,
}

/// How much of a number comes or goes in a game, all players or spaces together: in all steps, or in one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flow {
    way: Bearing,
    /// Its name among those a run follows: `prices.unit`, `spent.resources`, `space.units`.
    number: String,
    /// The same as one types it: `unit`, `resources`, `units`.
    short: String,
    step: Option<String>,
    /// What is to be paid: of each price a number is asked for by, how much.
    prices: Vec<(String, i64)>,
}

impl Flow {
    /// What comparisons measure without being asked: each price, each number prices ask for, and losses of the board that have a name.
    pub fn usual(header: &Header) -> Vec<Flow> {
        let of_players = |flow: &Flow| flow.number.starts_with("player.");
        let all = Flow::of_all_steps(header).into_iter();
        all.filter(|flow| match flow.way {
            Bearing::Paid | Bearing::Spent => true,
            Bearing::Lost => !of_players(flow),
            Bearing::Gained => false,
        })
        .collect()
    }

    /// Every flow that has a name, in all steps together.
    fn of_all_steps(header: &Header) -> Vec<Flow> {
        let prices = header.prices();
        let mut all: Vec<Flow> = prices
            .iter()
            .map(|(price, _)| {
                Flow::new(
                    Bearing::Paid,
                    format!("{PRICES}.{price}"),
                    price,
                    Vec::new(),
                )
            })
            .collect();
        let mut materials: BTreeMap<&str, Vec<(String, i64)>> = BTreeMap::new();
        for (price, asked) in &prices {
            for (material, amount) in asked {
                let of = materials.entry(material).or_default();
                of.push((format!("{PRICES}.{price}"), *amount));
            }
        }
        for (material, prices) in materials {
            all.push(Flow::new(
                Bearing::Spent,
                format!("{SPENT}.{material}"),
                material,
                prices,
            ));
        }
        for key in &header.counted {
            let id = key.split_once('.').map_or(&**key, |(_, id)| id);
            let same = header
                .counted
                .iter()
                .filter(|other| other.ends_with(&format!(".{id}")));
            let short = if same.count() > 1 { key.as_str() } else { id };
            for way in [Bearing::Gained, Bearing::Lost] {
                all.push(Flow::new(way, key.clone(), short, Vec::new()));
            }
        }
        all
    }

    fn new(way: Bearing, number: String, short: &str, prices: Vec<(String, i64)>) -> Flow {
        Flow {
            way,
            number,
            short: short.to_string(),
            step: None,
            prices,
        }
    }

    /// The flow that is called so.
    pub fn named(header: &Header, name: &str) -> Option<Flow> {
        let (all, step) = match name.strip_suffix(')')?.split_once('@') {
            Some((all, step)) => (format!("{all})"), Some(step)),
            None => (name.to_string(), None),
        };
        let known = step.is_none_or(|step| header.names.steps().any(|known| known == step));
        let flows = Flow::of_all_steps(header).into_iter();
        let mut flows = flows.filter(|flow| known && flow.name() == all);
        flows.next().map(|flow| Flow {
            step: step.map(String::from),
            ..flow
        })
    }

    /// What flows may be called, in all steps and in each.
    pub fn names(header: &Header) -> Vec<String> {
        let all = Flow::of_all_steps(header);
        let steps: Vec<&str> = header.names.steps().collect();
        let mut names: Vec<String> = all.iter().map(Flow::name).collect();
        for flow in all {
            names.extend(steps.iter().map(|step| {
                let step = Some(step.to_string());
                Flow {
                    step,
                    ..flow.clone()
                }
                .name()
            }));
        }
        names
    }

    pub fn name(&self) -> String {
        let way = match self.way {
            Bearing::Paid => "paid",
            Bearing::Spent => "spent",
            Bearing::Gained => "gained",
            Bearing::Lost => "lost",
        };
        let step = self
            .step
            .as_ref()
            .map_or_else(String::new, |step| format!("@{step}"));
        format!("{way}({}{step})", self.short)
    }

    /// What a person reads.
    pub fn text(&self, header: &Header) -> Text {
        let names = &header.names;
        let said = |language: Language| {
            let of = match self.way {
                Bearing::Paid => names.price(&self.short, language).to_string(),
                Bearing::Spent => names.material(&self.short, language).to_string(),
                Bearing::Gained | Bearing::Lost => names.number(&self.number, language),
            };
            let way = match (self.way, language) {
                (Bearing::Paid, Language::Es) => "Compras",
                (Bearing::Paid, Language::En) => "Bought",
                (Bearing::Spent, Language::Es) => "Gastado",
                (Bearing::Spent, Language::En) => "Spent",
                (Bearing::Gained, Language::Es) => "Entra",
                (Bearing::Gained, Language::En) => "Comes",
                (Bearing::Lost, Language::Es) => "Se pierde",
                (Bearing::Lost, Language::En) => "Lost",
            };
            let step = self.step.as_ref();
            let step = step.map_or_else(String::new, |s| format!(", {}", names.step(s, language)));
            format!("{way}: {of}{step}")
        };
        Text {
            es: said(Language::Es),
            en: said(Language::En),
        }
    }

    /// How much of it there was in a game.
    pub fn value(&self, close: &Close) -> f64 {
        let in_step = |step: &str| self.step.as_ref().is_none_or(|wanted| wanted == step);
        let flows = close.flows.iter().filter(|flow| in_step(&flow.step));
        let amounts = flows.map(|flow| match self.way {
            Bearing::Spent => {
                let mut prices = self.prices.iter();
                let amount = prices.find(|(price, _)| *price == flow.attribute);
                amount.map_or(0.0, |(_, amount)| *amount as f64 * flow.gained as f64)
            }
            _ if flow.attribute != self.number => 0.0,
            Bearing::Lost => flow.lost as f64,
            Bearing::Paid | Bearing::Gained => flow.gained as f64,
        });
        amounts.sum()
    }

    /// What a run found of a flow that is called so, if it ever came to it.
    pub fn found<'a>(name: &str, flows: &'a [FlowFinding]) -> Option<(Bearing, &'a FlowFinding)> {
        let (way, of) = name.strip_suffix(')')?.split_once('(')?;
        let (of, step) = of.split_once('@').unwrap_or((of, ""));
        let (way, of) = match way {
            "paid" => (Bearing::Paid, format!("{PRICES}.{of}")),
            "spent" => (Bearing::Spent, format!("{SPENT}.{of}")),
            "gained" => (Bearing::Gained, of.to_string()),
            "lost" => (Bearing::Lost, of.to_string()),
            _ => return None,
        };
        let is_it = |flow: &&FlowFinding| {
            let short = flow.number.strip_prefix("player.");
            let short = short.or_else(|| flow.number.strip_prefix("space."));
            flow.step == step && (flow.number == of || short == Some(of.as_str()))
        };
        Some((way, flows.iter().find(is_it)?))
    }
}

/// Whether something is called like a flow.
pub fn is_flow(name: &str) -> bool {
    ["paid(", "spent(", "gained(", "lost("]
        .iter()
        .any(|way| name.starts_with(way))
}

/// Everything that comes and goes in a run, step by step and in all steps together.
#[derive(Debug, Clone, Default)]
pub struct Flows {
    games: u64,
    /// What each price asks for.
    prices: BTreeMap<String, Vec<(String, i64)>>,
    /// By number and step, which is empty of all steps together: what came and what went, a game.
    known: BTreeMap<(String, String), [Running; 2]>,
}

impl Flows {
    pub fn new(header: &Header) -> Flows {
        let prices = header.prices().into_iter();
        Flows {
            prices: prices
                .map(|(price, asked)| (format!("{PRICES}.{price}"), asked))
                .collect(),
            ..Flows::default()
        }
    }

    pub fn add(&mut self, close: &Close) {
        let mut moved: BTreeMap<(String, String), [f64; 2]> = BTreeMap::new();
        let mut note = |number: &str, step: &str, gained: f64, lost: f64| {
            for step in [step, ""] {
                let sums = moved
                    .entry((number.to_string(), step.to_string()))
                    .or_default();
                *sums = [sums[0] + gained, sums[1] + lost];
            }
        };
        for flow in &close.flows {
            let (gained, lost) = (flow.gained as f64, flow.lost as f64);
            note(&flow.attribute, &flow.step, gained, lost);
            for (material, amount) in self.prices.get(&flow.attribute).into_iter().flatten() {
                let number = format!("{SPENT}.{material}");
                note(&number, &flow.step, gained * *amount as f64, 0.0);
            }
        }
        for key in moved.keys() {
            if !self.known.contains_key(key) {
                // In the games before there was nothing of it.
                let mut none = Running::default();
                (0..self.games).for_each(|_| none.add(0.0));
                self.known.insert(key.clone(), [none.clone(), none]);
            }
        }
        for (key, both) in &mut self.known {
            let sums = moved.get(key).copied().unwrap_or_default();
            both.iter_mut()
                .zip(sums)
                .for_each(|(running, x)| running.add(x));
        }
        self.games += 1;
    }

    /// What came and went: in each step, and in all of them together.
    pub fn findings(&self) -> (Vec<FlowFinding>, Vec<FlowFinding>) {
        let of = |((number, step), both): (&(String, String), &[Running; 2])| FlowFinding {
            number: number.clone(),
            step: step.clone(),
            gained: both[0].estimate(),
            lost: both[1].estimate(),
        };
        let (together, apart): (Vec<_>, Vec<_>) = self
            .known
            .iter()
            .map(of)
            .partition(|flow| flow.step.is_empty());
        (apart, together)
    }
}
