//! What is bought: a price is a table `prices.<name>` whose keys are numbers that players have. Whatever leaves a purse between two decisions
//! and is so many times a price, exactly, was spent on that; of several such prices, on the one that buys the fewest things.

use super::Table;
use crate::content::definition::{AttributeType, Data, Definition};
use crate::model::value::handle;

/// The table that prices stand in.
const PRICES: &str = "prices";

/// Purses being watched.
#[derive(Debug, Clone, Default)]
pub struct Purchases {
    /// Each price, by the numbers of players that any price asks for.
    prices: Vec<Vec<i64>>,
    /// Places of those numbers among the attributes of players.
    attributes: Vec<usize>,
    /// What each seat had when it was last looked at.
    purses: Vec<i64>,
    /// How often each price was paid since [`Purchases::take`].
    bought: Vec<u64>,
}

/// The prices of a game, by name: what they ask of each number of players.
fn prices(definition: &Definition) -> Vec<(String, Vec<(usize, i64)>)> {
    let Some(Data::Table(all)) = definition.tables.get(PRICES) else {
        return Vec::new();
    };
    let attributes = &definition.attributes.player;
    let asked = |(name, amount): (&String, &Data)| {
        let is_number = |a: &_| attribute_named(a, name);
        let at = attributes.iter().position(is_number)?;
        match amount {
            Data::Int(amount) => Some((at, *amount)),
            _ => None,
        }
    };
    all.iter()
        .filter_map(|(name, price)| match price {
            Data::Table(price) => {
                let asked: Option<Vec<_>> = price.iter().map(asked).collect();
                let asked = asked?;
                let costs = asked.iter().any(|(_, amount)| *amount > 0);
                costs.then(|| (format!("{PRICES}.{name}"), asked))
            }
            _ => None,
        })
        .collect()
}

fn attribute_named(attribute: &crate::content::definition::Attribute, name: &str) -> bool {
    attribute.name == name && attribute.ty == AttributeType::Int
}

/// What the prices of a game are called, in their order.
pub fn price_names(definition: &Definition) -> Vec<String> {
    let names = prices(definition).into_iter().map(|(name, _)| name);
    names.collect()
}

impl Purchases {
    pub fn new(table: &Table) -> Purchases {
        let prices = prices(&table.game.definition);
        let mut attributes: Vec<usize> = prices
            .iter()
            .flat_map(|(_, asked)| asked.iter().map(|(at, _)| *at))
            .collect();
        attributes.sort_unstable();
        attributes.dedup();
        let amount = |asked: &[(usize, i64)], attribute: &usize| {
            let found = asked.iter().find(|(at, _)| at == attribute);
            found.map_or(0, |(_, amount)| *amount)
        };
        Purchases {
            bought: vec![0; prices.len()],
            prices: prices
                .iter()
                .map(|(_, asked)| attributes.iter().map(|a| amount(asked, a)).collect())
                .collect(),
            attributes,
            purses: Vec::new(),
        }
    }

    /// Forgets everything, for another match.
    pub fn clear(&mut self) {
        self.purses.clear();
        self.bought.fill(0);
    }

    /// Looks at the purses: between two looks there was one decision at most.
    pub fn look(&mut self, table: &Table) {
        if self.prices.is_empty() {
            return;
        }
        let seats = u32::from(table.players());
        let has = |seat: u32| {
            let of_seat = move |&at: &usize| i64::from(table.number(handle::PLAYER, at, seat, 0));
            self.attributes.iter().map(of_seat)
        };
        let now: Vec<i64> = (0..seats).flat_map(has).collect();
        let each = self.attributes.len();
        for (before, after) in self.purses.chunks(each).zip(now.chunks(each)) {
            let spent: Vec<i64> = before.iter().zip(after).map(|(b, a)| b - a).collect();
            let times = |price: &Vec<i64>| times_paid(price, &spent);
            let paid = self.prices.iter().map(times).enumerate();
            let fewest = paid
                .filter_map(|(price, times)| Some((times?, price)))
                .min();
            if let Some((times, price)) = fewest {
                self.bought[price] += times;
            }
        }
        self.purses = now;
    }

    /// How often each price was paid since the last time this was asked.
    pub fn take(&mut self) -> Vec<u64> {
        let empty = vec![0; self.bought.len()];
        std::mem::replace(&mut self.bought, empty)
    }
}

/// How many times a price was paid, if that is all that was spent.
fn times_paid(price: &[i64], spent: &[i64]) -> Option<u64> {
    let (first, amount) = price.iter().enumerate().find(|(_, amount)| **amount > 0)?;
    let times = spent[first] / amount;
    let exactly = price.iter().zip(spent).all(|(p, s)| p * times == *s);
    (times > 0 && exactly).then_some(times as u64)
}

#[cfg(test)]
mod tests {
    use super::times_paid;

    #[test]
    fn what_was_paid_is_so_many_times_a_price() {
        let unit = [0, 4, 1];
        assert_eq!(times_paid(&unit, &[0, 12, 3]), Some(3));
        assert_eq!(times_paid(&unit, &[0, 4, 1]), Some(1));
        // More was spent than that, something else, or nothing.
        assert_eq!(times_paid(&unit, &[2, 4, 1]), None);
        assert_eq!(times_paid(&unit, &[0, 8, 3]), None);
        assert_eq!(times_paid(&unit, &[0, -4, -1]), None);
        assert_eq!(times_paid(&[0, 0, 0], &[0, 0, 0]), None);
    }
}
