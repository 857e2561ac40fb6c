//! A scenario as it is run: its position, what is to come, and what must hold, all names known.

use super::file::Ended;
use super::names::Saying;
use crate::content::file::Place;
use crate::content::read::reader::At;
use crate::model::board::Placement;
use crate::model::set::SpaceSet;
use crate::model::value::Val;
use ludoteca_vm::FnId;
use std::collections::BTreeMap;

/// A scenario whose names are all known.
#[derive(Debug, Clone)]
pub struct Scenario {
    pub title: At<String>,
    pub players: u8,
    pub seed: u64,
    pub setup: bool,
    pub calls: Vec<WrittenCall>,
    pub dice: BTreeMap<usize, (Place, Vec<i32>)>,
    pub shuffles: BTreeMap<u32, (Place, Vec<u32>)>,
    pub position: Laid,
    pub answers: Vec<At<Answer>>,
    pub expect: Expect,
}

/// A call as it is written, and what it starts.
#[derive(Debug, Clone)]
pub struct WrittenCall {
    pub written: At<String>,
    pub starts: Starts,
}

#[derive(Debug, Clone)]
pub enum Starts {
    Round,
    Function(FnId, Vec<Val>),
}

/// What lies on the table at the start.
#[derive(Debug, Clone, Default)]
pub struct Laid {
    pub sections: Vec<Placement>,
    pub keep: Option<SpaceSet>,
    pub order: Option<Vec<u8>>,
    pub start: Option<u8>,
    /// Of every space.
    pub everywhere: Vec<Saying>,
    pub values: Vec<SaidOf>,
    pub zones: Vec<(u32, Vec<LaidPiece>)>,
}

/// What is said of one thing: what it is called in the file, which it is, and the sayings.
#[derive(Debug, Clone)]
pub struct SaidOf {
    pub called: String,
    pub kind: u8,
    pub id: u32,
    pub sayings: Vec<Saying>,
}

#[derive(Debug, Clone)]
pub struct LaidPiece {
    pub card: u32,
    pub sayings: Vec<Saying>,
}

#[derive(Debug, Clone)]
pub struct Answer {
    pub seat: Option<u8>,
    pub prompt: Option<String>,
    pub gives: GivenAnswer,
}

#[derive(Debug, Clone)]
pub enum GivenAnswer {
    Choice(Vec<String>),
    /// Keys that must not be offered.
    Refusal(Vec<At<String>>),
}

/// What must hold at the end.
#[derive(Debug, Clone, Default)]
pub struct Expect {
    pub asked: Option<At<String>>,
    pub seat: Option<At<u8>>,
    pub options: Option<At<Vec<String>>>,
    pub offered: Vec<At<String>>,
    pub not_offered: Vec<At<String>>,
    pub log: Vec<At<String>>,
    pub not_log: Vec<At<String>>,
    pub ended: Option<At<Ended>>,
    pub winners: Option<At<Vec<u8>>>,
    pub order: Option<At<Vec<u8>>>,
    pub fault: Option<At<String>>,
    pub values: Vec<SaidOf>,
    pub zones: Vec<(At<String>, u32, Vec<LaidPiece>)>,
    pub sizes: Vec<(At<String>, u32, u32)>,
}
