//! What a search remembers of the lines it has tried: a tree of choices. Options are known by their looks, so that tables which look the
//! same to whoever is asked share their experience.

use super::options::{self, Candidate, mix};
use crate::model::streams::Stream;
use crate::play::matches::{BrokenRule, Match};

/// What a choice takes of the memory, and what a seat that is asked there takes beside its options, in options.
const WEIGHT_OF_A_NODE: usize = 4;
const WEIGHT_OF_A_BANDIT: usize = 5;

/// Options of a choice that are tried at first, and how many more with the root of the visits.
const AT_FIRST: f64 = 2.0;
const WIDER: f64 = 0.7;
/// How much an option that was seldom tried is worth trying.
const CURIOSITY: f64 = 0.35;

/// An option somebody may take.
#[derive(Debug, Clone)]
struct Edge {
    looks: u64,
    visits: u32,
    /// How often it could have been taken.
    offered: u32,
    /// Chances of whoever chooses, summed up.
    sum: f64,
}

/// What one seat may choose at a node, and what came of it.
#[derive(Debug, Clone)]
struct Bandit {
    seat: u8,
    visits: u32,
    /// In the order in which they are tried first.
    edges: Vec<Edge>,
}

/// A choice; several seats may be asked at once.
#[derive(Debug, Clone, Default)]
struct Node {
    bandits: Vec<Bandit>,
    /// Where answers lead, by their looks and what is asked then.
    children: Vec<(u64, u32)>,
    /// Luck had a part in some line that came here from the root at once.
    lucky: bool,
}

impl Node {
    fn weight(&self) -> usize {
        let of = |bandit: &Bandit| WEIGHT_OF_A_BANDIT + bandit.edges.len();
        WEIGHT_OF_A_NODE + self.bandits.iter().map(of).sum::<usize>()
    }
}

/// A choice somebody made on the way down.
#[derive(Debug, Clone, Copy)]
pub struct Taken {
    node: u32,
    bandit: u16,
    edge: u32,
}

/// The most tried option of a choice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Likeliest {
    pub seat: u8,
    pub looks: u64,
    /// Out of one, how often it was taken.
    pub share: f64,
}

/// Choices below the root.
#[derive(Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// What it takes of the memory, and may take, in options.
    weight: usize,
    most: usize,
    /// The least and the most chances seen, for each seat: what is much and what is little depends on the position.
    spread: Vec<(f64, f64)>,
}

/// The node before anything was answered.
pub const ROOT: u32 = 0;

impl Tree {
    pub fn new(players: u8, most: usize) -> Tree {
        Tree {
            nodes: vec![Node::default()],
            weight: WEIGHT_OF_A_NODE,
            most,
            spread: vec![(f64::MAX, f64::MIN); players as usize],
        }
    }

    pub fn players(&self) -> u8 {
        self.spread.len() as u8
    }

    /// No more can be remembered; lines go on by habit.
    pub fn is_full(&self) -> bool {
        self.weight >= self.most
    }

    /// The node to which answers of these looks lead, now that `ahead` stands at the next choice; and whether it is new.
    pub fn follow(&mut self, node: u32, looks: u64, ahead: &Match) -> (u32, bool) {
        let key = child_key(looks, ahead);
        if let Some(child) = self.child(node, key) {
            return (child, false);
        }
        let new = self.nodes.len() as u32;
        self.nodes.push(Node::default());
        self.weight += WEIGHT_OF_A_NODE;
        self.nodes[node as usize].children.push((key, new));
        (new, true)
    }

    fn child(&self, node: u32, key: u64) -> Option<u32> {
        let children = &self.nodes.get(node as usize)?.children;
        let found = children.iter().find(|(known, _)| *known == key)?;
        Some(found.1)
    }

    /// Luck had a part on the way to a node.
    pub fn note_luck(&mut self, node: u32) {
        self.nodes[node as usize].lucky = true;
    }

    /// What is remembered from an answer of these looks on, now that `asked` stands at the next choice; nothing if luck had a part before it.
    pub fn under(mut self, looks: u64, asked: &Match) -> Option<Tree> {
        let root = self.child(ROOT, child_key(mix(0, looks), asked))?;
        if self.nodes[root as usize].lucky {
            return None;
        }
        let mut nodes = vec![std::mem::take(&mut self.nodes[root as usize])];
        let mut at = 0;
        while at < nodes.len() {
            let mut children = std::mem::take(&mut nodes[at].children);
            for (_, child) in &mut children {
                let below = std::mem::take(&mut self.nodes[*child as usize]);
                *child = nodes.len() as u32;
                nodes.push(below);
            }
            nodes[at].children = children;
            at += 1;
        }
        Some(Tree {
            weight: nodes.iter().map(Node::weight).sum(),
            most: self.most,
            nodes,
            spread: self.spread,
        })
    }

    /// How often a seat took an option of these looks at the root, and its chances then, summed up.
    pub fn found(&self, seat: u8, looks: u64) -> Option<(u32, f64)> {
        let mut bandits = self.nodes[ROOT as usize].bandits.iter();
        let bandit = bandits.find(|bandit| bandit.seat == seat)?;
        let edge = bandit.edges.iter().find(|edge| edge.looks == looks)?;
        Some((edge.visits, edge.sum))
    }

    /// What a seat takes at a node: something new while there is little experience, then what has served it best.
    pub fn choose(
        &mut self,
        node: u32,
        ahead: &mut Match,
        seat: u8,
        luck: &mut Stream,
    ) -> Result<Option<(Candidate, Taken)>, BrokenRule> {
        let mut listed = options::candidates(ahead, seat, luck, None);
        if listed.is_empty() {
            return Ok(None);
        }
        let bandits = &mut self.nodes[node as usize].bandits;
        let at = match bandits.iter().position(|bandit| bandit.seat == seat) {
            Some(at) => at,
            None => {
                self.weight += WEIGHT_OF_A_BANDIT;
                bandits.push(Bandit {
                    seat,
                    visits: 0,
                    edges: Vec::new(),
                });
                bandits.len() - 1
            }
        };
        let known = |listed: &[Candidate], edges: &[Edge]| {
            listed
                .iter()
                .all(|c| edges.iter().any(|e| e.looks == c.looks))
        };
        if !known(&listed, &bandits[at].edges) {
            order(&mut listed, ahead, seat, luck)?;
        }
        let bandit = &mut self.nodes[node as usize].bandits[at];
        self.weight += bandit.meet(&listed);
        let spread = self.spread[seat as usize];
        let Some(edge) = bandit.select(&listed, spread) else {
            return Ok(None);
        };
        let looks = bandit.edges[edge].looks;
        let candidate = listed.into_iter().find(|c| c.looks == looks);
        let taken = Taken {
            node,
            bandit: at as u16,
            edge: edge as u32,
        };
        Ok(candidate.map(|candidate| (candidate, taken)))
    }

    /// Whoever chose on the way learns what came of it.
    pub fn learn(&mut self, path: &[Taken], chances: &[f64]) {
        for (spread, &chance) in self.spread.iter_mut().zip(chances) {
            *spread = (spread.0.min(chance), spread.1.max(chance));
        }
        for taken in path {
            let bandit = &mut self.nodes[taken.node as usize].bandits[taken.bandit as usize];
            bandit.visits += 1;
            let edge = &mut bandit.edges[taken.edge as usize];
            edge.visits += 1;
            edge.sum += chances[bandit.seat as usize];
        }
    }

    /// What is most often answered at the choice to which an answer leads, and the node of that choice.
    pub fn likeliest(&self, node: u32, looks: u64, ahead: &Match) -> Option<(u32, Likeliest)> {
        let child = self.child(node, child_key(looks, ahead))?;
        let bandit = self.nodes[child as usize].bandits.first()?;
        let edge = bandit.edges.iter().max_by_key(|edge| edge.visits)?;
        let likeliest = Likeliest {
            seat: bandit.seat,
            looks: edge.looks,
            share: edge.visits as f64 / bandit.visits.max(1) as f64,
        };
        (edge.visits > 0).then_some((child, likeliest))
    }
}

/// By what the choice that follows an answer is found: the looks of the answer, what is asked then, and whom.
fn child_key(looks: u64, ahead: &Match) -> u64 {
    let asked = ahead.choice().map_or(0, |choice| {
        let seats = choice.asks.iter().map(|ask| ask.seat as u64);
        seats.fold(choice.prompt as u64 + 1, mix)
    });
    mix(looks, asked)
}

impl Bandit {
    /// Options not met before are noted; says how many.
    fn meet(&mut self, listed: &[Candidate]) -> usize {
        let before = self.edges.len();
        for candidate in listed {
            match self.edges.iter_mut().find(|e| e.looks == candidate.looks) {
                Some(edge) => edge.offered += 1,
                None => self.edges.push(Edge {
                    looks: candidate.looks,
                    visits: 0,
                    offered: 1,
                    sum: 0.0,
                }),
            }
        }
        self.edges.len() - before
    }

    fn select(&self, listed: &[Candidate], spread: (f64, f64)) -> Option<usize> {
        let offered = |edge: &Edge| listed.iter().any(|c| c.looks == edge.looks);
        let wide = (AT_FIRST + WIDER * (self.visits as f64).sqrt()) as usize;
        let range = (spread.1 - spread.0).max(1e-9);
        let mut open = 0;
        let mut best: Option<(f64, usize)> = None;
        for (n, edge) in self.edges.iter().enumerate().filter(|(_, e)| offered(e)) {
            if edge.visits == 0 {
                if open < wide {
                    return Some(n);
                }
                continue;
            }
            open += 1;
            let mean = (edge.sum / edge.visits as f64 - spread.0) / range;
            let doubt = (libm::log(edge.offered as f64 + 1.0) / edge.visits as f64).sqrt();
            let worth = mean + CURIOSITY * doubt;
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, n));
            }
        }
        best.map(|(_, n)| n)
    }
}

/// What the game prefers comes first; what it says nothing of, in random order.
fn order(
    listed: &mut [Candidate],
    ahead: &mut Match,
    seat: u8,
    luck: &mut Stream,
) -> Result<(), BrokenRule> {
    luck.shuffle(listed);
    if let Some(weights) = options::weights(ahead, seat)? {
        let weight = |c: &Candidate| options::weight(&weights, c);
        listed.sort_by_key(|candidate| std::cmp::Reverse(weight(candidate)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::size_of;

    /// What an option takes, with the room that lists keep free: `REMEMBERED_OPTIONS` of them are 100 MB.
    const BYTES: usize = 50;
    /// What comes with a piece of memory that is asked for.
    const HEADER: usize = 16;
    /// Items a list has room for as soon as it has one.
    const FEWEST: usize = 4;

    #[test]
    fn a_tree_takes_no_more_than_it_is_weighed() {
        assert!(2 * size_of::<Edge>() <= BYTES);
        let first_child = FEWEST * size_of::<(u64, u32)>() + HEADER;
        assert!(2 * size_of::<Node>() + first_child <= WEIGHT_OF_A_NODE * BYTES);
        let lists = FEWEST * (size_of::<Bandit>() + size_of::<Edge>()) + 2 * HEADER;
        assert!(lists <= (WEIGHT_OF_A_BANDIT + 1) * BYTES);
    }
}
