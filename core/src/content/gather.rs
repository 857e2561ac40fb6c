//! The files of one game gathered from all layers and merged path by path; what only repeats what is there is told once.

use super::definition::ScriptFile;
use super::diagnostic::Diagnostic;
use super::file::{File, Files};
use super::merge::{Adding, merge};
use super::pack::{LayerFile, Picture};
use super::path::{Part, Role, role};
use super::read::rulebook::Rulebooks;
use super::repeats;
use super::tree::Node;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The files of one game in all layers, merged.
#[derive(Default)]
pub(super) struct Gathered {
    pub merged: BTreeMap<String, Node>,
    pub scripts: Vec<ScriptFile>,
    pub libraries: BTreeMap<String, Vec<ScriptFile>>,
    pub rulebooks: Rulebooks,
    pub files: Files,
    pub pictures: BTreeMap<String, Picture>,
    pub problems: Vec<Diagnostic>,
    /// The latest file of each path.
    texts: BTreeMap<String, Arc<File>>,
}

impl Gathered {
    pub fn add(&mut self, game: &str, path: &str, item: &LayerFile, layer: u32) {
        if self.repeats(game, path, item) {
            return;
        }
        let script = || ScriptFile {
            path: item.file.shown.clone(),
            text: item.file.text.clone(),
            layer,
        };
        match role(path) {
            Role::Library(name) => {
                let name = format!("lib/{name}");
                self.libraries.entry(name).or_default().push(script());
            }
            Role::Game(of, Part::Script) if of == game => self.scripts.push(script()),
            Role::Game(of, Part::Picture(name)) if of == game => {
                self.problems.extend(item.problems().iter().cloned());
                let picture = item.picture.clone();
                self.pictures
                    .extend(picture.map(|picture| (name.to_string(), picture)));
                return;
            }
            Role::Game(of, Part::Rulebook(language)) if of == game => {
                self.problems.extend(item.problems().iter().cloned());
                self.rulebooks.add(language, item.file.clone());
            }
            Role::Game(of, _) if of == game => self.overlay(path, item),
            _ => return,
        }
        self.files.insert(item.file.clone());
    }

    /// Whether a file is the very one of a lower layer, which is told once.
    fn repeats(&mut self, game: &str, path: &str, item: &LayerFile) -> bool {
        let of_game = match role(path) {
            Role::Library(_) => true,
            Role::Game(of, _) => of == game,
            _ => false,
        };
        if !of_game || item.file.text.trim().is_empty() {
            return false;
        }
        let before = self.texts.insert(path.to_string(), item.file.clone());
        let Some(before) = before.filter(|before| before.text == item.file.text) else {
            return false;
        };
        self.problems.push(repeats::whole(&item.file, &before));
        true
    }

    /// Functions that replace one of the same words.
    pub fn repeated_functions(&mut self) {
        let of_unit = |scripts: &[ScriptFile]| -> Vec<(Arc<File>, u32)> {
            let files = scripts.iter();
            files
                .filter_map(|script| Some((self.files.get(&script.path)?.clone(), script.layer)))
                .collect()
        };
        let layered = |files: &[ScriptFile]| files.iter().any(|file| file.layer != files[0].layer);
        let mut found = Vec::new();
        if layered(&self.scripts) {
            found.extend(repeats::functions(&of_unit(&self.scripts)));
        }
        for files in self.libraries.values().filter(|files| layered(files)) {
            found.extend(repeats::functions(&of_unit(files)));
        }
        self.problems.append(&mut found);
    }

    /// The look, and the positions of each map: they are no rules, and stand beside the root.
    pub fn take_looks(&mut self, game: &str) -> (Option<Node>, BTreeMap<String, Node>) {
        let look = self.merged.remove(&format!("looks/{game}/look.toml"));
        let mut positions = BTreeMap::new();
        self.merged.retain(|path, node| match role(path) {
            Role::Game(_, Part::Positions(map)) => {
                positions.insert(map.to_string(), node.clone());
                false
            }
            _ => true,
        });
        (look, positions)
    }

    fn overlay(&mut self, path: &str, item: &LayerFile) {
        self.problems.extend(item.problems().iter().cloned());
        let Some(tree) = item.tree() else { return };
        match self.merged.get_mut(path) {
            Some(base) => overlay(base, item, tree, &mut self.problems),
            None => {
                self.merged.insert(path.to_string(), Node::clone(tree));
            }
        }
    }
}

/// Changes what is there by a file of a later layer. A file that repeats it is told once.
pub(super) fn overlay(
    base: &mut Node,
    item: &LayerFile,
    tree: &Node,
    problems: &mut Vec<Diagnostic>,
) {
    let is_empty = tree.table().is_some_and(|table| table.is_empty());
    if base.same(tree) && !is_empty {
        return problems.push(repeats::whole(&item.file, &base.place.file));
    }
    let mut found = Vec::new();
    merge(base, tree, "", Adding::Allowed, &mut found);
    problems.extend(repeats::once(&item.file, found));
}
