//! From a definition to a game: scripts are compiled against everything the game declares.

use super::names::interface;
use crate::content::definition::{Definition, FieldValue, Named, ScriptFile};
use crate::table::Table;
use crate::table::game::{Game, KernelCalls};
use crate::table::lexicon::Lexicon;
use ludoteca_vm::{FnId, Program, Script, Unit};
use std::sync::Arc;

/// Something the manifest or a card names is not in the scripts.
#[derive(Debug, Clone)]
pub struct MissingFunction {
    pub named: Named,
    /// How many parameters it must have, if that is known.
    pub parameters: Option<usize>,
    pub suggestion: Option<String>,
}

/// What keeps a definition from becoming a game.
#[derive(Debug, Clone, Default)]
pub struct Refused {
    pub scripts: Vec<ludoteca_vm::Diagnostic>,
    pub missing: Vec<MissingFunction>,
}
impl Game {
    /// Compiles the scripts of a definition against everything it declares.
    pub fn new(definition: Definition) -> Result<Arc<Game>, Refused> {
        Self::with_options(definition, &ludoteca_vm::Options::default())
    }

    pub fn with_options(
        definition: Definition,
        options: &ludoteca_vm::Options,
    ) -> Result<Arc<Game>, Refused> {
        let mut lexicon = Lexicon::new(&definition);
        let interface = interface(&definition, &mut lexicon);
        let sources = |files: &[ScriptFile]| {
            let source = |f: &ScriptFile| Script {
                path: f.path.clone(),
                text: f.text.clone(),
                layer: f.layer,
            };
            files.iter().map(source).collect::<Vec<_>>()
        };
        let main = Unit {
            name: definition.id.clone(),
            sources: sources(&definition.scripts),
        };
        let libraries: Vec<Unit> = definition
            .libraries
            .iter()
            .map(|(name, files)| Unit {
                name: name.clone(),
                sources: sources(files),
            })
            .collect();
        let program =
            ludoteca_vm::compile(&main, &libraries, &interface, options).map_err(|scripts| {
                Refused {
                    scripts,
                    missing: Vec::new(),
                }
            })?;
        let calls = find_calls(&definition, &program).map_err(|missing| Refused {
            scripts: Vec::new(),
            missing,
        })?;
        lexicon.bind_functions(&definition, &program);
        Ok(Game::assemble(
            definition,
            Arc::new(program),
            lexicon,
            calls,
        ))
    }

    /// A game of the same rules with other numbers, for whoever looks up its names: its rules are not compiled anew, so they are not to be
    /// played with. None if its rules are others.
    pub fn to_be_read(definition: Definition, like: &Game) -> Option<Arc<Game>> {
        let known = &like.definition;
        if definition.scripts != known.scripts || definition.libraries != known.libraries {
            return None;
        }
        let mut lexicon = Lexicon::new(&definition);
        interface(&definition, &mut lexicon);
        let program = like.program.clone();
        lexicon.bind_functions(&definition, &program);
        Some(Game::assemble(
            definition,
            program,
            lexicon,
            like.calls.clone(),
        ))
    }
}

fn find_calls(
    definition: &Definition,
    program: &Program<Table>,
) -> Result<KernelCalls, Vec<MissingFunction>> {
    let mut missing = Vec::new();
    let mut names: Vec<String> = program.functions().map(|f| f.name.to_string()).collect();
    names.sort();
    let mut find = |named: &Named, parameters: usize| {
        program
            .function(&named.name, parameters)
            .unwrap_or_else(|| {
                let suggestion = ludoteca_vm::nearest(&named.name, &names).map(str::to_string);
                missing.push(MissingFunction {
                    named: named.clone(),
                    parameters: Some(parameters),
                    suggestion,
                });
                FnId(0)
            })
    };
    let phases = definition
        .phases
        .iter()
        .map(|phase| find(&phase.step, phase.each_player as usize))
        .collect();
    let metrics = definition
        .metrics
        .iter()
        .map(|metric| find(&metric.function, metric.of_player as usize))
        .collect();
    let invariants = definition
        .invariants
        .iter()
        .map(|named| find(named, 0))
        .collect();
    for word in &definition.phrase_words {
        find(&word.function, word.parameters());
    }
    let checks = definition
        .kinds
        .iter()
        .map(|kind| kind.check.as_ref().map(|named| find(named, 1)))
        .collect();
    for card in &definition.cards {
        for value in &card.fields {
            if let FieldValue::Function(named) = value
                && !names.contains(&named.name)
            {
                let suggestion = ludoteca_vm::nearest(&named.name, &names).map(str::to_string);
                missing.push(MissingFunction {
                    named: named.clone(),
                    parameters: None,
                    suggestion,
                });
            }
        }
    }
    if !missing.is_empty() {
        return Err(missing);
    }
    Ok(KernelCalls {
        setup: program.function("setup", 0),
        score: program.function("score", 1),
        evaluate: program.function("evaluate", 1),
        prefer: program.function("prefer", 3),
        imagine: program.function("imagine", 1),
        left: program.function("left", 1),
        ended: program.function("ended", 0),
        read_position: program.function("read_position", 1),
        phases,
        metrics,
        checks,
        invariants,
        note_option: program.function("note_option", 3),
        table_view: program.function("table_view", 1),
        figures: program.function("figures", 0),
        table_view_for_prompt: program.function("table_view", 2),
        map_view: program.function("map_view", 1),
        map_view_for_prompt: program.function("map_view", 2),
    })
}
