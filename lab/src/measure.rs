//! What can be measured in a single game: the lab's own measures and those the game declares.

use crate::drama;
use crate::flow::Flow;
use crate::record::{ContentItem, DeclaredMetric, Header, OPTION, Record};
use crate::statistics::Running;
use crate::weighing::Weighed;
use ludoteca::definition::Text;
use std::collections::BTreeSet;

/// Something every game of a run has one number of, or, in some games, none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Measure {
    /// How much of the game a seat won.
    Wins(u8),
    /// A side won.
    SideWins(String),
    /// Somebody won: of a game that is won or lost by all.
    Won,
    /// How much of it the seats of a bot won, a seat.
    BotWins(String),
    /// How much of it the seat that began won.
    FirstWins,
    Rounds,
    Decisions,
    /// Options per decision.
    Options,
    /// Share of decisions with a single option.
    Forced,
    /// Score of the first over the second.
    Margin,
    /// The round limit ended it.
    Limit,
    /// Several share the first place.
    Tie,
    LeadChanges,
    /// Who led after so many eighths won.
    LeaderWins(u8),
    /// How much is decided at half-time.
    Decisiveness,
    /// The part of the game after which whoever won led alone.
    DecidedAt,
    /// The winner was behind at half-time and at three quarters.
    Comeback,
    /// Whoever led at a quarter led to the end.
    Runaway,
    /// Choices of others between two of one's own.
    Downtime,
    /// Somebody who could not win any more sat between two who could.
    Kingmaking,
    /// Choices that make no difference, of those that were weighed.
    Indifferent,
    /// What comes or goes, is paid or spent.
    Flow(Flow),
    /// A metric the game declares; of a metric of players, the sum over them.
    Declared(usize, String),
}

impl Measure {
    /// Everything that can be measured in games with this header.
    pub fn all(header: &Header) -> Vec<Measure> {
        let mut all: Vec<Measure> = (0..header.players).map(Measure::Wins).collect();
        all.extend(
            header
                .sides
                .iter()
                .map(|(name, _)| Measure::SideWins(name.clone())),
        );
        if header.cooperative {
            all.push(Measure::Won);
        }
        if header.seats_compete() {
            all.push(Measure::FirstWins);
        }
        let bots: BTreeSet<&String> = header.bots.iter().collect();
        if bots.len() > 1 {
            all.extend(bots.into_iter().map(|bot| Measure::BotWins(bot.clone())));
        }
        all.extend([
            Measure::Rounds,
            Measure::Decisions,
            Measure::Options,
            Measure::Forced,
            Measure::Margin,
            Measure::Limit,
            Measure::LeadChanges,
            Measure::LeaderWins(2),
            Measure::LeaderWins(4),
            Measure::LeaderWins(6),
            Measure::Downtime,
            Measure::Indifferent,
        ]);
        if header.seats_compete() && header.players > 1 {
            all.extend([Measure::DecidedAt, Measure::Comeback, Measure::Runaway]);
            all.push(Measure::Decisiveness);
            if header.players > 2 {
                all.push(Measure::Kingmaking);
            }
        }
        if header.seats_compete() {
            all.push(Measure::Tie);
        }
        let declared = header.metrics.iter().enumerate();
        all.extend(declared.map(|(n, metric)| Measure::Declared(n, metric.name.clone())));
        all.extend(Flow::usual(header).into_iter().map(Measure::Flow));
        all
    }

    /// What is measured only if it is asked for by its name.
    pub fn named(header: &Header, name: &str) -> Option<Measure> {
        let mut all = Measure::all(header).into_iter();
        let flow = || Flow::named(header, name).map(Measure::Flow);
        all.find(|measure| measure.name() == name).or_else(flow)
    }

    /// Everything one may ask for.
    pub fn names(header: &Header) -> Vec<String> {
        let mut names: Vec<String> = Measure::all(header).iter().map(Measure::name).collect();
        let flows = Flow::names(header).into_iter();
        let others: Vec<String> = flows.filter(|flow| !names.contains(flow)).collect();
        names.extend(others);
        names
    }

    pub fn name(&self) -> String {
        match self {
            Measure::Wins(seat) => format!("wins_p{seat}"),
            Measure::SideWins(side) => format!("wins_{side}"),
            Measure::Won => "won".into(),
            Measure::BotWins(bot) => format!("wins_{bot}"),
            Measure::FirstWins => "first_wins".into(),
            Measure::Rounds => "rounds".into(),
            Measure::Decisions => "decisions".into(),
            Measure::Options => "options".into(),
            Measure::Forced => "forced".into(),
            Measure::Margin => "margin".into(),
            Measure::Limit => "limit".into(),
            Measure::Tie => "ties".into(),
            Measure::LeadChanges => "lead_changes".into(),
            Measure::LeaderWins(2) => "lead_quarter".into(),
            Measure::LeaderWins(4) => "lead_half".into(),
            Measure::LeaderWins(6) => "lead_three_quarters".into(),
            Measure::LeaderWins(eighths) => format!("lead_{eighths}"),
            Measure::Decisiveness => "decisiveness".into(),
            Measure::DecidedAt => "decided_at".into(),
            Measure::Comeback => "comebacks".into(),
            Measure::Runaway => "runaways".into(),
            Measure::Downtime => "downtime".into(),
            Measure::Kingmaking => "kingmaking".into(),
            Measure::Indifferent => "indifferent".into(),
            Measure::Flow(flow) => flow.name(),
            Measure::Declared(_, name) => name.clone(),
        }
    }

    /// What a person reads.
    pub fn text(&self, header: &Header) -> Text {
        let text = |es: &str, en: &str| Text {
            es: es.to_string(),
            en: en.to_string(),
        };
        match self {
            Measure::Wins(seat) => text(
                &format!("Victorias del asiento p{seat}"),
                &format!("Wins of seat p{seat}"),
            ),
            Measure::BotWins(bot) => text(
                &format!("Victorias de {bot}, por asiento"),
                &format!("Wins of {bot}, a seat"),
            ),
            Measure::SideWins(side) => {
                let named = header.sides.iter().find(|(name, _)| name == side);
                let (es, en) = named.map_or((side, side), |(_, text)| (&text.es, &text.en));
                text(&format!("Victorias: {es}"), &format!("Wins: {en}"))
            }
            Measure::Won => text("Partidas ganadas", "Games won"),
            Measure::FirstWins => text("Victorias de quien empieza", "Wins of whoever begins"),
            Measure::Rounds => text("Rondas", "Rounds"),
            Measure::Decisions => text("Decisiones", "Decisions"),
            Measure::Options => text("Opciones por decisión", "Options a decision"),
            Measure::Forced => text("Decisiones forzadas", "Forced decisions"),
            Measure::Margin => text("Ventaja del primero", "Margin of the first"),
            Measure::Limit => text("Llegan al límite de rondas", "Hit the round limit"),
            Measure::Tie => text("Primer puesto compartido", "First place shared"),
            Measure::LeadChanges => text("Cambios de líder", "Lead changes"),
            Measure::LeaderWins(eighths) => {
                let (es, en) = match eighths {
                    2 => ("un cuarto", "a quarter"),
                    4 => ("la mitad", "half"),
                    _ => ("tres cuartos", "three quarters"),
                };
                text(
                    &format!("Gana quien va primero a {es}"),
                    &format!("The leader at {en} wins"),
                )
            }
            Measure::Decisiveness => text("Decidido a la mitad", "Decided at half-time"),
            Measure::DecidedAt => text(
                "Parte de la partida tras la que ya gana quien gana",
                "Part of the game after which its winner leads",
            ),
            Measure::Comeback => text("Remontadas", "Comebacks"),
            Measure::Runaway => text("Escapadas", "Runaway leaders"),
            Measure::Downtime => text(
                "Espera: decisiones ajenas entre dos propias",
                "Wait: choices of others between two of one's own",
            ),
            Measure::Kingmaking => text(
                "Puede decidir quien ya no gana",
                "Who cannot win may decide who does",
            ),
            Measure::Indifferent => text("Decisiones que dan igual", "Choices that do not matter"),
            Measure::Flow(flow) => flow.text(header),
            Measure::Declared(n, name) => header
                .metrics
                .get(*n)
                .map_or_else(|| text(name, name), |metric| named_after(metric, header)),
        }
    }

    /// Whether it is a share, between 0 and 1.
    pub fn is_share(&self) -> bool {
        matches!(
            self,
            Measure::Wins(_)
                | Measure::SideWins(_)
                | Measure::Won
                | Measure::BotWins(_)
                | Measure::FirstWins
                | Measure::Forced
                | Measure::Limit
                | Measure::Tie
                | Measure::LeaderWins(_)
                | Measure::Decisiveness
                | Measure::DecidedAt
                | Measure::Comeback
                | Measure::Runaway
                | Measure::Kingmaking
                | Measure::Indifferent
        )
    }

    /// Whether a single game only says yes or no to it: such shares have Wilson intervals, and no extremes.
    pub fn is_yes_or_no(&self) -> bool {
        let parts = [
            Measure::Forced,
            Measure::Decisiveness,
            Measure::DecidedAt,
            Measure::Indifferent,
        ];
        self.is_share() && !parts.contains(self)
    }

    /// Those that speak of chances: without a scale there are none.
    const OF_CHANCES: [Measure; 2] = [Measure::Decisiveness, Measure::Kingmaking];

    pub fn needs_scale(&self) -> bool {
        Measure::OF_CHANCES.contains(self)
    }

    /// The same of what somebody asks for.
    pub fn needs_scale_by_name(name: &str) -> bool {
        Measure::OF_CHANCES.iter().any(|m| m.name() == name)
    }

    /// Its number in a game, if that game has one.
    pub fn value(&self, header: &Header, record: &Record) -> Option<f64> {
        let yes = |answer: Option<bool>| answer.map(|yes| yes as u8 as f64);
        let scale = header.scale.map(f64::from);
        let ratio =
            |part: u64| (record.decisions > 0).then(|| part as f64 / record.decisions as f64);
        match self {
            Measure::Wins(seat) => Some(record.won(*seat)),
            Measure::BotWins(bot) => {
                let seats = (0..record.bots.len()).filter(|&seat| *record.bots[seat] == **bot);
                let (count, won) = seats.fold((0, 0.0), |(count, won), seat| {
                    (count + 1, won + record.won(seat as u8))
                });
                (count > 0).then(|| won / count as f64)
            }
            Measure::SideWins(side) => Some((record.side.as_ref() == Some(side)) as u8 as f64),
            Measure::Won => Some(!record.winners.is_empty() as u8 as f64),
            Measure::FirstWins => Some(record.won(record.first)),
            Measure::Rounds => Some(record.rounds as f64),
            Measure::Decisions => Some(record.decisions as f64),
            Measure::Options => ratio(record.options),
            Measure::Forced => ratio(record.forced),
            Measure::Margin => margin(&record.scores).map(|margin| margin as f64),
            Measure::Limit => Some((record.reason == "round-limit") as u8 as f64),
            Measure::Tie => Some((record.winners.len() > 1) as u8 as f64),
            Measure::LeadChanges => record.close.as_ref().map(|close| close.lead_changes as f64),
            Measure::LeaderWins(eighths) => {
                let close = record.close.as_ref()?;
                let leader = close
                    .leaders
                    .get(*eighths as usize - 1)
                    .copied()
                    .flatten()?;
                Some(record.won(leader))
            }
            Measure::Decisiveness => drama::decisiveness(record, scale?),
            Measure::DecidedAt => drama::decided_at(record),
            Measure::Comeback => yes(drama::is_comeback(record)),
            Measure::Runaway => yes(drama::is_runaway(record)),
            Measure::Downtime => drama::downtime(record),
            Measure::Kingmaking => yes(drama::is_kingmaking(record, scale?)),
            Measure::Indifferent => {
                let Weighed { choices, alike } = record.weighed;
                (choices > 0).then(|| f64::from(alike) / f64::from(choices))
            }
            Measure::Flow(flow) => Some(flow.value(record.close.as_ref()?)),
            Measure::Declared(n, _) => {
                let numbers = record.metrics.get(*n)?;
                Some(numbers.iter().map(|&number| number as f64).sum())
            }
        }
    }
}

/// Whether nothing ever came or went of what is measured, on all sides: such a number is none of the game's.
pub fn is_still<'a>(measure: &Measure, sides: impl IntoIterator<Item = &'a Running>) -> bool {
    let none = |side: &Running| side.count > 0 && side.min == 0.0 && side.max == 0.0;
    matches!(measure, Measure::Flow(_)) && sides.into_iter().all(none)
}

/// A metric's text; of one that counts the uses of a card, with the word for it: a card may be called like anything else.
fn named_after(metric: &DeclaredMetric, header: &Header) -> Text {
    let card = metric.name.strip_prefix("used_");
    let is_card = |item: &ContentItem| item.kind != OPTION && Some(item.id.as_str()) == card;
    match header.items.iter().any(is_card) {
        false => metric.text.clone(),
        true => Text {
            es: format!("{} (carta)", metric.text.es),
            en: format!("{} (card)", metric.text.en),
        },
    }
}

fn margin(scores: &[i64]) -> Option<i64> {
    let mut sorted = scores.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    Some(sorted.first()? - sorted.get(1)?)
}
