//! Every limit, once. The table in `docs/formats.md` says the same; a test compares.

use ludoteca_vm::Limits;

/// A limit, as people read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// What is limited.
    pub of: &'static str,
    pub most: u64,
    /// Whether bytes are counted.
    pub bytes: bool,
}

macro_rules! limits {
    (@bytes) => { false };
    (@bytes bytes) => { true };
    ($($(#[$why:meta])* $of:literal $name:ident: $type:ty = $most:expr $(, $bytes:ident)?;)*) => {
        $(
            $(#[$why])*
            pub const $name: $type = $most;
        )*

        /// All of them, in the order of the document.
        pub const ALL: &[Limit] = &[
            $(Limit { of: $of, most: $name as u64, bytes: limits!(@bytes $($bytes)?) },)*
        ];
    };
}

limits! {
    /// Far more than any real file has: a pack must not be able to fill the memory.
    "a file of content" LARGEST_FILE: u64 = 4 << 20, bytes;
    /// A pack is text and a few pictures.
    "a pack" LARGEST_PACK: u64 = 32 << 20, bytes;
    /// Each takes many times the memory that its letters take, and each may be wrong.
    "names, values and signs of a TOML file" MOST_WORDS: usize = 400_000;
    "names, values and signs of all TOML files of a pack" MOST_WORDS_OF_A_PACK: usize = 2_000_000;
    /// It is read before anything else is known of a pack, and shown to whoever installs it.
    "`pack.toml`" LARGEST_FACTS: usize = 64 << 10, bytes;
    /// The promise is ten seconds; looking at the games it stands beside takes some more.
    "seconds of the processor for looking at an unknown pack" ISOLATED_SECONDS: u64 = 12;
    /// The promise is a gigabyte; the program itself and the base take some of it.
    "memory for looking at an unknown pack" ISOLATED_MEMORY: u64 = 1 << 30, bytes;
    /// A game is loaded once for each variant and for each way its scenarios play it: many of a large one would never end.
    "all a game's variants, and all ways its scenarios play it, when they are checked" CHECKED_BYTES: usize = 80 << 20, bytes;
    /// Nobody reads more of it; the rest is let go.
    "what a look at an unknown pack may say" ISOLATED_WORDS: u64 = 16 << 20, bytes;
    /// A server that sends on and on would keep whoever asks.
    "addresses a web server may send on to" MOST_REDIRECTS: u32 = 5;
    /// An index is a stranger's: so much of it is read.
    "a list of versions in an index, and `ludoteca.lock`" LARGEST_LIST: usize = 1 << 20, bytes;
    "versions of one pack that an index lists" MOST_VERSIONS: usize = 1000;
    "packs that are looked up in an index for one answer" MOST_PACKS: usize = 500;
    "versions, and what they build on, that are looked at for one answer" MOST_NEEDS: usize = 50_000;
    /// Which versions go together may take for ever to find out.
    "seconds for finding out which versions go together" RESOLVING_SECONDS: u64 = 5;
    /// A page loads every picture it shows.
    "a picture of a look" LARGEST_PICTURE: u64 = 1 << 20, bytes;
    /// A card has room for few, and every copy is drawn.
    "things a card shows" LINES_OF_A_CARD: usize = 50;
    /// Each is drawn on its own.
    "cards that are printed at once" PRINTED_CARDS: usize = 10_000;
    /// Each is set, and written as a file of its own or kept until the whole document is written.
    "pages that are printed at once" PRINTED_PAGES: usize = 2000;
    /// On every part of a board lies the whole of it.
    "pages that are printed at once, as they are drawn" PRINTED_LETTERS: usize = 128 << 20, bytes;
    /// Each dot of a page is painted.
    "pages that are printed as pictures at once" PRINTED_PICTURES: usize = 100;
    /// A workbook is an archive: this is what it may unpack to.
    "a spreadsheet" LARGEST_SHEET: u64 = 32 << 20, bytes;
    /// Each takes memory, and one cell far out would make room for all that lie before it.
    "cells of a spreadsheet, empty ones before others too" MOST_CELLS: usize = 300_000;
    /// An outline is drawn as one path.
    "letters of an outline in a file of positions" LONGEST_OUTLINE: usize = 2000;
    /// A pack must not be able to keep the loader busy with its folders.
    "files of a pack" MOST_FILES: usize = 10_000;
    /// Folders in a circle would never end.
    "folders inside each other in a pack" DEEPEST_FOLDER: usize = 8;
    /// To find the first place the file is read once more, and nobody reads so many messages.
    "tables written twice in a file of which the first place is told" MOST_REPEATED: usize = 20;
    /// Each message shows a part of a file, and nobody reads so many.
    "mistakes that are told at once" MOST_TOLD: usize = 100;
    /// Programs want more of them than people.
    "mistakes that a program is told at once" MOST_LISTED: usize = 1000;
    /// Each is written anew, and the games are examined with all of them.
    "places of a name that is given another one" MOST_RENAMED: usize = 10_000;
    /// Each takes many times the memory of its letters.
    "names of a game and their places, as an editor is told of them" LARGEST_INDEX: usize = 64 << 20, bytes;
    /// Nobody looks at more of them, and each takes many times its letters on the way to the editor.
    "places, folds, lenses and symbols of a file, and words to write next, that an editor is told" MOST_SHOWN: usize = 10_000;
    "words of a file that an editor is told the colour of" MOST_COLOURED: usize = 100_000;
    /// After twenty of a kind one more says nothing new.
    "mistakes of one kind that are told at once" MOST_OF_A_KIND: usize = 20;
    /// A line without end would be drawn for every mistake in it.
    "a line of a file that is shown with a mistake" LONGEST_SHOWN: usize = 2000, bytes;
    /// Files may be full of names that are nearly others.
    "pairs of letters that are compared to guess what was meant, each time content is looked at" GUESSES: u64 = 200_000_000;
    /// Nobody reads on.
    "what `diff` and `fix` show" LONGEST_LISTING: usize = 1 << 20, bytes;
    /// Nobody reads so many, and each takes memory.
    "mistakes of a game that are counted" MOST_COUNTED: usize = 50_000;
    /// It is drawn, and printed sheet by sheet.
    "width and height of a board" LARGEST_BOARD: i64 = 20_000;
    /// Each is held against what the game declares.
    "values of a look, or of a file of positions" LARGEST_LOOK: usize = 50_000;
    /// Each is a row of the state, of the view and of the page.
    "zones of a match" MOST_ZONES: u64 = 20_000;
    /// Each is told to whoever looks at the table.
    "numbers of a match" MOST_NUMBERS: u64 = 500_000;
    /// Each has a number in the scripts.
    "attributes, zones, kinds, phases, words, metrics, invariants or fields that a game declares" MOST_DECLARED: usize = 2_000;
    /// Few letters of a declaration are a value of every card and of every border: each takes memory, and is read whenever a game is loaded.
    "values of all cards, spaces, borders and areas of a game, those that are left out too" MOST_VALUES: usize = 400_000;
    /// A game is loaded once for each variant and for each way its scenarios play it.
    "values of all games of a pack, each as often as it is loaded to be checked" CHECKED_VALUES: usize = 3_000_000;
    /// A kind whose cards hold cards of the same kind by default would never end.
    "cards that are written inside each other" DEEPEST_CARD: usize = 10;
    /// A word that has itself by default would never end.
    "effects and conditions inside each other, those that words have by default too" DEEPEST_PHRASE: usize = 30;
    /// It is laid out for screens and paper, word by word, and its braces may be filled with as much again.
    "a rulebook" LARGEST_RULEBOOK: usize = 250_000, bytes;
    /// Each is looked for among the others.
    "topics of a rulebook" MOST_TOPICS: usize = 1000;
    /// They are compiled, with all that is shared, whenever a game is loaded.
    "the scripts of a game" LARGEST_RULES: usize = 4 << 20, bytes;
    /// Each takes a hundred times its letters while it is compiled.
    "words and signs of the scripts of a game" MOST_SIGNS: usize = 1_000_000;
    /// Every function is checked against every other that calls it.
    "functions of the scripts of a game" MOST_FUNCTIONS: usize = 10_000;
    /// Every name is held against all of them.
    "functions and closures before a name of a script, of all names of a game's scripts" MOST_LOOKUPS: u64 = ludoteca_vm::MOST_LOOKUPS;
    /// Trying every way of cutting takes long for keys that nobody writes.
    "a setting's key" LONGEST_KEY: usize = 1000, bytes;
    /// Names may have dots in them, and tables may be such that every way of cutting a key leads somewhere.
    "what is looked up of the ways to cut a setting's key" WAYS_OF_CUTTING: usize = 5000, bytes;

    /// Of a list of players each takes half a byte of a value.
    "players of a game" MOST_PLAYERS: u8 = 16;
    /// A match must end, also where bots never find the end of the rules.
    "rounds of a match whose game does not say `round_limit`" ROUND_LIMIT: u32 = 1000;
    /// A set of spaces is sixteen words of bits at most.
    "spaces of a map" MOST_SPACES: usize = 1024;
    /// Each is drawn.
    "edges of a map" MOST_EDGES: usize = 10_000;
    /// Columns are letters.
    "columns of a section" MOST_COLUMNS: usize = 26;
    /// Rows are numbers of two digits.
    "rows of a section" MOST_ROWS: usize = 99;
    /// Each is a number of its own for whatever has the attribute.
    "counters of an attribute with `per = ..`" MOST_COUNTERS: u32 = 100;
    /// Each copy is a piece.
    "copies of a card" MOST_COPIES: i64 = 10_000;

    /// Pieces made during play stay in the box when they leave: a script that makes them without end is stopped here.
    "pieces of a match" MOST_PIECES: usize = 20_000;
    /// A script that throws without end would fill the memory.
    "dice thrown at once" MOST_DICE: usize = 255;
    /// Far more than any match has: a script that notes without end must not fill the memory.
    "boards a match has noted" NOTED_POSITIONS: usize = 10_000;
    /// A waiting step is a row of fixed size.
    "values given to a step that waits" STEP_ARGUMENTS: usize = 4;
    /// A step that asks for two more would fill the memory.
    "steps that wait" WAITING_STEPS: usize = 10_000;
    /// A state is copied for every look ahead: it must stay small.
    "the state of a match" LARGEST_STATE: usize = 64 << 20, bytes;
    /// Whoever looks ahead keeps several such steps, on every thread.
    "values and letters that a step keeps in its variables while somebody chooses" LARGEST_MEMORY: usize = 200_000;
    /// What a step carries and what fills the braces of a text is kept, copied and shown.
    "values and letters that a step carries or that fill a text" LARGEST_DETAILS: usize = 10_000;
    /// An option has a key that people type.
    "values and letters of an option" LARGEST_OPTION: usize = 500;
    /// Options are counted in a machine's word, ways out beside them.
    "options of a choice" MOST_OPTIONS: u32 = 1_000_000_000;
    /// Each is shown with its key, its label and what it is about.
    "options of a choice that are not numbers in a row" LISTED_OPTIONS: u32 = 20_000;
    /// Nobody reads on.
    "what people read for an option or a detail" LONGEST_LABEL: usize = 1000, bytes;
    /// Ties are broken long before.
    "numbers of a score" LONGEST_SCORE: usize = 100;
    /// A step that says more floods whoever reads.
    "lines that people are shown between two choices" MOST_LINES: usize = 10_000;
    /// All of them go to everybody who looks.
    "letters of these lines" MOST_LETTERS: usize = 2 << 20, bytes;
    /// Each is kept, shown and sent to everybody who looks.
    "events of a step that somebody is told" MOST_EVENTS: usize = 200_000;
    /// They are kept until somebody has looked.
    "these events" LARGEST_TELLING: usize = 32 << 20, bytes;
    /// A round that takes more steps does not end: steps ask for each other.
    "steps of a round" STEPS_IN_A_ROUND: u32 = 100_000;

    /// A step that uses more runs away.
    "operations of a step" OPERATIONS: u64 = 5_000_000;
    /// Steps that each keep to their budget must not go on for ever together.
    "operations of a match" OPERATIONS_OF_A_MATCH: u64 = 10_000_000_000;
    /// Steps and rounds that do nothing take time as well.
    "operations that beginning a step or a round counts as" OPERATIONS_OF_BEGINNING: u64 = 2_000;
    /// A run shares them among its matches: each may use as much as falls to it.
    "operations of all matches of a run" OPERATIONS_OF_A_RUN: u64 = 1_000_000_000_000;
    /// Less than this falls to no match, however long the run is.
    "operations of a match in a long run" OPERATIONS_IN_A_RUN: u64 = 200_000_000;
    /// Nobody asks such a match anything between its steps, so it needs less than one that people play.
    "operations of a match in a short run" OPERATIONS_IN_A_SHORT_RUN: u64 = 800_000_000;
    /// Each scenario is a match of its own, and there may be thousands.
    "operations of all scenarios that are run together" OPERATIONS_OF_SCENARIOS: u64 = 600_000_000;
    /// Each mutant is played on all scenarios that reach it, and a game may have very many of both.
    "operations of all mutants that are tried, and of compiling them" OPERATIONS_OF_MUTANTS: u64 = 400_000_000_000;
    /// What a bot tries out on one imagined table.
    "operations of a look ahead" OPERATIONS_OF_A_LOOK: u64 = 100_000_000;
    /// A bot looks ahead many times, for each of its lines anew.
    "operations of a decision of a bot, on each thread it thinks on" OPERATIONS_OF_A_DECISION: u64 = 300_000_000;
    "operations more for each line it is to think" OPERATIONS_OF_A_LINE: u64 = 3_000_000;
    /// Each is a question with a budget of its own, and many are asked in a row.
    "operations of all notes of a choice, of all checks of cards, of all invariants after a step, of all metrics of a match" OPERATIONS_OF_ALL: u64 = 5_000_000;
    /// A function that calls itself without end is stopped here.
    "calls inside each other" CALL_DEPTH: u32 = 100;
    /// Strings that grow in a loop would fill the memory.
    "a string in a script" LONGEST_STRING: usize = 20_000, bytes;
    /// Arrays that grow in a loop would fill the memory.
    "items of an array in a script" LONGEST_ARRAY: usize = 20_000;
    /// Maps that grow in a loop would fill the memory.
    "entries of a map in a script" LARGEST_MAP: usize = 10_000;
    /// What is nested deeper cannot be copied and compared without a deep stack.
    "arrays and maps inside each other" DEEPEST_VALUE: u16 = 50;

    /// A program must not be able to fill the memory with one line.
    "a line that a program sends" LONGEST_LINE: u64 = 1 << 20, bytes;
    /// Far more than any match: a file must not be able to fill the memory.
    "a saved match" LARGEST_SAVE: u64 = 64 << 20, bytes;
    /// Each takes many times the memory that its letters take.
    "words of the answers of a saved match" MOST_ANSWERS: usize = 2_000_000;
    /// A setting is read like a file of content.
    "a line of a saved match before its answers" LONGEST_HEAD: usize = 16 << 10, bytes;
    /// Each is a change of the whole game, or is looked for among what is there.
    "variants, settings and packs that a saved match names" MOST_NAMED: usize = 1000;
    /// Nobody reads on: what a message repeats of a file is cut there.
    "letters of a name or a value that a message repeats" LONGEST_REPEATED: usize = 100;
    /// A message names what it is about; one that repeats a whole file is cut.
    "letters of a message" LONGEST_MESSAGE: usize = 2000;
    /// Beyond, only the ends are told.
    "numbers of a choice that are listed one by one" LISTED_NUMBERS: u32 = 2_000;
    /// A position may be large; what is further back is played again when somebody goes there.
    "positions a match keeps for taking back" KEPT_POSITIONS: usize = 16;

    /// Each holds a whole game, and the same game in its base form.
    "variants that a workbench keeps ready" MOST_VISITED: usize = 8;
    /// Each step is a whole text.
    "texts that a workbench remembers for taking back" LARGEST_PAST: usize = 32 << 20, bytes;

    /// Beyond, steps are too small to tell apart.
    "values of a parameter that are tried" VARIED_VALUES: i128 = 1000;
    /// Each point is a whole run.
    "points of a sweep" SWEEP_POINTS: usize = 400;
    /// More than any machine has cores would only cost.
    "threads of a run" MOST_THREADS: u64 = 1024;
    /// It names the cards of the game: a file must not be able to fill the memory.
    "the first line of results as CSV" LONGEST_HEADER: u64 = 64 << 20, bytes;

    /// Nobody waits for more.
    "lines of thought for an answer of a bot" LINES_OF_THOUGHT: u32 = 10_000_000;
    /// Each has a tree of its own.
    "threads of a thinking bot" THINKING_THREADS: u32 = 256;
    /// An hour: nobody waits longer.
    "milliseconds a bot thinks about an answer" LONGEST_THOUGHT: u32 = 3_600_000;
    /// Fifty bytes each: 100 MB. A position is counted as several.
    "options a thinking bot remembers, on all its threads together" REMEMBERED_OPTIONS: usize = 2_000_000;
}

/// What one step of a match may use, for the machine that runs it.
pub const fn of_a_step() -> Limits {
    Limits {
        operations: OPERATIONS,
        call_depth: CALL_DEPTH,
        string: LONGEST_STRING,
        array: LONGEST_ARRAY,
        map: LARGEST_MAP,
        nesting: DEEPEST_VALUE,
    }
}

impl Limit {
    /// The number as people write it: `20,000`, `4 MiB`.
    pub fn shown(&self) -> String {
        if self.bytes && self.most.is_multiple_of(1 << 20) {
            return format!("{} MiB", self.most >> 20);
        }
        let digits = self.most.to_string();
        let mut shown = String::new();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                shown.push(',');
            }
            shown.push(digit);
        }
        if self.bytes {
            shown.push_str(" bytes");
        }
        shown
    }
}
