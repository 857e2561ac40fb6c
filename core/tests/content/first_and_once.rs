//! What is wrong is said first and once: for each mistake exactly the messages that belong to it, in order, and nothing that only follows.

use crate::fixture::*;
use ludoteca::{Library, PackSource, render_all};

const RULES_PATH: &str = "scripts/fair/rules.rhai";

const LIVELY: &str = r#"fn setup() {}
fn turn(p) {
    if choose_yes(p, "buy.stall") && affordable(p, PRICES.stall) {
        settle_bill(p, PRICES.stall);
    }
    if owns_card(p, "churros") && choose_yes(p, "sell") {
        p.money += PRICES.stall.coins;
    }
    if choose_yes(p, "rest") { return; }
    let place = choose_or(p, "visit", spaces(), "stop");
    if place != () { place.visits[p] += 1; }
}
fn affordable(p, price) { p.money >= price.coins }
fn settle_bill(p, price) { p.money -= price.coins + price.helpers; }
fn owns_card(p, stall) { p.hand.pieces.some(|piece| piece.id == stall) }
fn score(p) { p.money + INCOME[0] }
fn metric_money(p) { p.money }
fn throw_rings() {}
fn no_effect() {}
"#;

const BUILDS: &str = r#"name = "extra"
version = "1.0.0"
authors = ["Ana"]
licence = "CC0-1.0"
kernel = ">=0.1, <0.2"
[builds_on]
base = "*"
"#;

/// What a variant says of itself.
const HEAD: &str = "title = { es = \"Barata\", en = \"Cheap\" }\nsummary = { es = \"Barata.\", en = \"Cheap.\" }\n";

/// The texts of lively rules.
fn texts() -> String {
    let more = "sell = { es = \"¿Vendes?\", en = \"Do you sell?\" }\nrest = { es = \"¿Descansas?\", en = \"Do you rest?\" }\n\n[option]";
    with(TEXT, "[option]", more)
}

/// The fair with lively rules, some files changed, and some gone (those with nothing in them).
fn lively(changed: &[(&str, &str)]) -> PackSource {
    let text = texts();
    let mut files = vec![(RULES_PATH, LIVELY), ("cards/fair/text.toml", &*text)];
    files.retain(|(path, _)| changed.iter().all(|(other, _)| other != path));
    files.extend(changed);
    let kept = FILES.iter();
    let kept = kept.filter(|(path, _)| files.iter().all(|(other, _)| other != path));
    let all = kept.chain(&files).copied();
    PackSource::memory("base", all.filter(|(_, text)| !text.is_empty()))
}

/// The lively fair with one piece of its rules replaced.
fn ruled(old: &str, new: &str) -> Vec<PackSource> {
    vec![lively(&[(RULES_PATH, &with(LIVELY, old, new))])]
}

/// With one piece of another file replaced.
fn spoiled(path: &str, old: &str, new: &str) -> Vec<PackSource> {
    let known = FILES.iter().find(|(known, _)| *known == path);
    let (_, text) = known.expect("a file of the fair");
    vec![lively(&[(path, &with(text, old, new))])]
}

/// Without a file.
fn without(path: &str) -> Vec<PackSource> {
    vec![lively(&[(path, "")])]
}

/// With a pack over it that builds on it.
fn overlaid(files: &[(&str, &str)]) -> Vec<PackSource> {
    let mut all = vec![("pack.toml", BUILDS)];
    all.extend(files);
    vec![lively(&[]), over("extra", &all)]
}

/// Everything `check` says about these packs is this, each line with its piece.
#[track_caller]
fn says(packs: &[PackSource], wanted: &[&str]) {
    let found = Library::open(packs).0.check(None);
    let told: Vec<String> = found.iter().map(|one| one.to_string()).collect();
    let fits = told.len() == wanted.len()
        && told
            .iter()
            .zip(wanted)
            .all(|(line, piece)| line.contains(piece));
    assert!(
        fits,
        "wanted {wanted:#?}, told {told:#?}\n{}",
        render_all(&found, false)
    );
}

macro_rules! said {
    ($($name:ident: $packs:expr => $wanted:expr;)*) => {
        $(#[test]
        fn $name() {
            says(&$packs, &$wanted);
        })*
    };
}

said! {
    nothing_where_nothing_is_wrong: [lively(&[])] => [];

    a_function_nothing_calls: ruled("fn score(p)", "fn bonus(p) { p.money += 1; }\nfn score(p)")
        => ["W012 unused-function: nothing calls the function `bonus`"];
    a_misspelt_function_of_the_game_itself: ruled("fn score(p)", "fn afordable(p, price) { true }\nfn score(p)")
        => ["nothing calls the function `afordable`; call it, or remove it; there is also `affordable`"];
    a_function_that_only_calls_itself: ruled("fn score(p)", "fn again(p) { again(p); }\nfn score(p)")
        => ["nothing calls the function `again`"];
    a_misspelt_function_of_an_overlay: overlaid(&[("scripts/fair/extra.rhai", "fn afordable(p, price) { true }\n")])
        => ["E020 changes-nothing: the function `afordable` with 2 parameters changes nothing: it replaces none, and nothing calls it; did you mean `affordable`?"];
    an_overlay_with_another_number_of_parameters: overlaid(&[("scripts/fair/extra.rhai", "fn affordable(p) { true }\n")])
        => ["the function `affordable` with 1 parameter changes nothing: it replaces none, and nothing calls it; `affordable` takes 2 parameters"];
    an_overlay_with_another_number_of_parameters_of_what_a_word_names_too: [ruled("fn score(p)", "fn cheer(p) { p.money += 1; }\nfn score(p)").remove(0), over("extra", &[("pack.toml", BUILDS), ("scripts/fair/extra.rhai", "fn cheer(p, q) { p.money += q.money; }\nfn affordable(p, price) { if p.money == 0 { cheer(p); } \"cheer\" != \"\" }\n")])]
        => ["the function `cheer` with 2 parameters changes nothing: it replaces none, and nothing calls it; `cheer` takes 1 parameter"];
    an_overlay_with_another_number_of_parameters_that_is_called: [ruled("fn score(p)", "fn cheer(p) { p.money += 1; }\nfn score(p)").remove(0), over("extra", &[("pack.toml", BUILDS), ("scripts/fair/extra.rhai", "fn cheer(p, q) { p.money += q.money; cheer(p); }\nfn affordable(p, price) { cheer(p, (|a, b| p).call(p, p)); \"cheer\" != \"\" }\n")])]
        => [];
    an_overlay_with_the_same_functions: overlaid(&[("scripts/fair/extra.rhai", "fn affordable(p, price) {\n  p.money >= price.coins\n}\nfn settle_bill(p, price) { p.money -= price.coins + price.helpers; }\n")])
        => ["the function `affordable` changes nothing", "the function `settle_bill` changes nothing"];
    an_overlay_with_a_function_whose_comment_alone_is_another: [ruled("fn affordable", "/// Whether a player has the coins.\nfn affordable").remove(0), over("extra", &[("pack.toml", BUILDS), ("scripts/fair/extra.rhai", "// Mine.\nfn affordable(p, price) { p.money >= /* so many */ price.coins }\n")])]
        => ["the function `affordable` changes nothing"];
    a_misspelt_row_of_an_overlay: [lively(&[("cards/fair/tables.toml", &format!("{TABLES}[prices.tent]\ncoins = 1\nhelpers = 1\n[prices.cart]\ncoins = 2\nhelpers = 1\n[prices.booth]\ncoins = 2\nhelpers = 1\n"))]), over("extra", &[("pack.toml", BUILDS), ("cards/fair/tables.toml", "[prices.crt]\ncoins = 3\n")])]
        => ["W001 similar-key: `prices.crt` is new, but looks like `cart`; if you want to change `cart`, write `cart`"];
    an_overlay_with_a_function_of_its_own: overlaid(&[("scripts/fair/extra.rhai", "fn zigzag(p) { p.money > 9 }\n")])
        => ["W012 unused-function: nothing calls the function `zigzag`; call it, or remove it"];
    an_overlay_that_replaces_a_function_is_right: overlaid(&[("scripts/fair/extra.rhai", "fn affordable(p, price) { rich(p) }\nfn rich(p) { p.money > 9 }\n")])
        => [];

    a_name_on_two_lines: spoiled("cards/fair/stalls.toml", "en = \"Ring toss\"", "en = \"Ring\\ntoss\"")
        => ["E035 unreadable-text: the text has the character '\\n'; it is one line"];
    a_pack_whose_authors_say_more: [lively(&[]), over("extra", &[("pack.toml", &with(BUILDS, "authors = [\"", "authors = [\"Me\\n  signed by \", \"")), ("cards/fair/tables.toml", "prices.stall.coins = 9\n")])]
        => ["E035 unreadable-text: the text has the character '\\n'; it is one line"];
    a_key_of_a_pack_that_is_called_otherwise_now: [lively(&[]), over("extra", &[("pack.toml", &with(BUILDS, "licence = ", "license = ")), ("cards/fair/tables.toml", "prices.stall.coins = 9\n")])]
        => ["E005 unknown-key: unknown key `license` of a pack; write `licence`; `ludoteca fix` can do this"];
    a_misspelt_card_of_an_overlay: overlaid(&[("cards/fair/stalls.toml", "[cards.churos]\ncopies = 2\n")])
        => ["E022 nothing-to-change: there is no `churos` to change, and it has not all that a new one needs; did you mean `churros`?"];
    a_misspelt_key_of_an_overlay: overlaid(&[("scripts/fair/game.toml", "round_limt = 4\n")])
        => ["E005 unknown-key: unknown key `round_limt` of the manifest; did you mean `round_limit`?"];
    a_variant_that_is_no_toml: [lively(&[("variants/fair/cheap.toml", &format!("{HEAD}[set]\n\"price = 3\n"))])]
        => ["E002 bad-syntax: this text is opened and not closed"];
    a_variant_that_sets_nothing: [lively(&[("variants/fair/cheap.toml", HEAD)])]
        => ["W018 empty-variant: the variant `cheap` changes nothing yet; write under `[set]` what differs"];
    a_variant_with_files_alone: [lively(&[("variants/fair/cheap/variant.toml", HEAD), ("variants/fair/cheap.toml", ""), ("variants/fair/cheap/scripts/fair/more.rhai", "fn score(p) { p.money }\n")])]
        => [];
    a_decimal_number_among_others: spoiled("scripts/fair/game.toml", "[ranges]", "[dice]\nround = { faces = [0, 2.5], text = { es = \"Dado\", en = \"Die\" } }\n\n[ranges]\n\"dice.round.faces\" = { min = 0, max = 3 }")
        => ["E008 decimal-number: expected a whole number, found the decimal number 2.5"];
    a_missing_comma_after_a_number: spoiled("scripts/fair/game.toml", "start = 5, min = 0", "start = 5 min = 0")
        => ["E002 bad-syntax: expected a comma between two values"];
    a_missing_comma_after_a_flag: spoiled("scripts/fair/game.toml", "{ type = \"card\", optional = true }", "{ optional = true type = \"card\" }")
        => ["E002 bad-syntax: expected a comma between two values"];
    a_card_with_a_name_that_is_no_id: spoiled("cards/fair/stalls.toml", "[cards.churros]", "[cards.Churros]")
        => ["E009 bad-name: `Churros` is not an id"];
    an_empty_manifest: [lively(&[("scripts/fair/game.toml", "# Later.\n")])]
        => ["E006 missing-key: the manifest has neither a title nor players: is it empty?"];
    a_table_that_is_not_there: spoiled("cards/fair/tables.toml", "[prices.stall]\ncoins = 4\nhelpers = 1\n", "")
        => ["E037 lost-together: there is no `prices`, which "];
    a_word_that_is_put_on_a_list: ruled("fn score(p)", "fn more(p) { let wares = []; wares.push(\"churos\"); wares += [\"rest\"]; wares.len() }\nfn evaluate(p) { more(p) }\nfn score(p)")
        => ["W019 similar-word: `churos` is the name of nothing; did you mean `churros`?"];
    a_word_that_rules_keep_for_themselves: ruled("fn score(p)", "fn evaluate(p) { let kept = #{ churos: 1 }; kept[\"churos\"] }\nfn score(p)")
        => [];
    a_misspelt_word_at_the_beginning_of_a_statement: ruled("fn score(p)", "fn evaluate(p) { lett kept = 1; kept }\nfn score(p)")
        => ["expecting `;` to terminate this statement; did you mean `let`?"];

    a_text_that_is_not_closed: spoiled("cards/fair/stalls.toml", "en = \"Ring toss\" }", "en = \"Ring toss }")
        => ["E002 bad-syntax: this text is opened and not closed"];
    a_table_in_a_line_that_is_not_closed: spoiled("cards/fair/stalls.toml", "en = \"Ring toss\" }", "en = \"Ring toss\"")
        => ["E002 bad-syntax: this `{` is opened and not closed"];
    a_table_in_the_last_line_that_is_not_closed: spoiled("cards/fair/stalls.toml", "tags = [\"food\"]", "tags = { a = [\"food\"]")
        => ["this `{` is opened and not closed"];
    a_list_that_is_not_closed: spoiled("cards/fair/tables.toml", "[2, 3, 5]", "[2, 3, 5")
        => ["E002 bad-syntax: this `[` is opened and not closed"];
    a_bracket_that_is_not_closed_after_another_mistake: spoiled("cards/fair/tables.toml", "income = [2, 3, 5]", "much = 3 4\nincome = [2, 3, 5")
        => ["tables.toml", "this `[` is opened and not closed"];
    a_missing_comma_in_a_list: spoiled("cards/fair/tables.toml", "[2, 3, 5]", "[2 3, 5]")
        => ["E002 bad-syntax: expected a comma between two values"];
    a_merge_in_content: spoiled("cards/fair/tables.toml", "coins = 4\n", "<<<<<<< HEAD\ncoins = 4\n=======\ncoins = 5\n>>>>>>> other\n")
        => ["E002 bad-syntax: a merge left two versions in this file"];
    a_merge_in_rules: ruled("fn score(p)", "<<<<<<< HEAD\n=======\n>>>>>>> other\nfn score(p)")
        => ["syntax: a merge left two versions in this file"];
    an_attribute_of_an_unknown_type: spoiled("scripts/fair/game.toml", "visits = { type = \"int\"", "visits = { type = \"intt\"")
        => ["E013 unknown-word: unknown attribute type `intt`; did you mean `int`?"];
    a_word_of_another_language: ruled("fn score(p)", "fn rich(p) { if p.money > 9 and p.money < 99 { return; } }\nfn score(p)")
        => ["syntax: expecting `{` to start a statement block; `and` is written `&&` in rules"];
    a_missing_semicolon: ruled("fn score(p)", "fn rich(p) {\n  let x = 1\n  let y = 2;\n}\nfn score(p)")
        => ["lacks a `;` at its end"];
    a_variant_whose_name_is_none: [lively(&[("variants/fair/My Variant.toml", "title = { es = \"a\", en = \"b\" }\nsummary = { es = \"a\", en = \"b\" }\n[set]\nvisits_a_turn = 4\n")])]
        => ["E009 bad-name: `My Variant` is not a name for a variant"];
    cards_in_a_file_that_nothing_reads: [lively(&[("cards/fair/stalls.toml", ""), ("cards/fair/stalls.tml", CARDS)])]
        => ["E004 unread-file: nothing reads this file", "unknown card `churros`"];

    a_brace_in_the_text_of_an_option: [lively(&[("cards/fair/text.toml", &with(&texts(), "es = \"Terminar\"", "es = \"Terminar, {who}\""))])]
        => ["E051 stray-brace: nothing fills `{who}` in a text of [option]: players would read it as it stands"];

    lost_texts: without("cards/fair/text.toml")
        => ["E037 lost-together: 1 option and 4 prompts lost their texts together: is a file missing?"];
    lost_texts_of_words_in_lists: [lively(&[("cards/fair/text.toml", ""), (RULES_PATH, &with(LIVELY, "    let place", "    if choose(p, \"visit\", [\"eat\", \"ride\"]) == \"eat\" { return; }\n    let place"))])]
        => ["E037 lost-together: 3 options and 4 prompts lost their texts together: is a file missing?"];
    lost_texts_of_actions: [lively(&[("cards/fair/text.toml", ""), (RULES_PATH, &with(LIVELY, "    let place", "    if choose_action(p, \"act\", #{ eat: (), ride: () }).action == \"eat\" { return; }\n    let place"))])]
        => ["E037 lost-together: "];
    a_lost_rulebook: [lively(&[("scripts/fair/rulebook.es.md", "# La feria {#goal}\n\nGana quien más tiene.\n\n## Turnos {#turns}\n\nUno tras otro.\n")])]
        => ["E010 missing-translation: there is no English rulebook: is a file missing?; it is scripts/fair/rulebook.en.md"];
    a_function_that_is_not_there_in_several_places: ruled("fn score(p) {", "fn score(p) { jubilate(p); jubilate(p); if p.money > 3 { jubilate(p); }")
        => ["unknown-function: unknown function `jubilate`; 3 places name it"];
    lost_tables: without("cards/fair/tables.toml")
        => ["E037 lost-together: 3 values that are named are not there: is a file missing?"];
    lost_cards: without("cards/fair/stalls.toml")
        => ["W013 no-cards: there are no cards of the kind `stall`", "unknown card `churros`"];
    lost_cards_that_several_rules_name: [lively(&[("cards/fair/stalls.toml", ""), (RULES_PATH, &with(LIVELY, "fn score(p) {", "fn score(p) { if owns_card(p, \"ring_toss\") || owns_card(p, \"lemonade\") { return 1; }"))])]
        => ["E037 lost-together: there are no cards of the kind `stall`, and 3 cards that are named are not there: is a file missing?"];
    a_kind_whose_cards_an_overlay_took_out: overlaid(&[("cards/fair/stalls.toml", "[cards]\ndelete = [\"churros\", \"ring_toss\"]\n")])
        => ["unknown card `churros`"];
    lost_rules: without(RULES_PATH) => ["the game `fair` has no rules"];
    some_lost_rules: ruled("fn affordable(p, price) { p.money >= price.coins }\nfn settle_bill(p, price) { p.money -= price.coins + price.helpers; }\nfn owns_card(p, stall) { p.hand.pieces.some(|piece| piece.id == stall) }\n", "")
        => ["E037 lost-together: 3 functions that are called are not there: is a file missing?"];
    some_lost_rules_of_which_one_looks_like_a_slip: [lively(&[(RULES_PATH, &with(&with(LIVELY, "fn affordable(p, price) { p.money >= price.coins }\nfn settle_bill(p, price) { p.money -= price.coins + price.helpers; }\nfn owns_card(p, stall) { p.hand.pieces.some(|piece| piece.id == stall) }\n", ""), "fn score(p) {", "fn score(p) { scor(p);"))])]
        => ["E037 lost-together: 4 functions that are called are not there: is a file missing?"];
    a_lost_map: without("maps/fair/village.toml")
        => ["unknown map `village`; is a file missing? it is maps/fair/village.toml"];
    a_lost_map_whose_fields_rules_read: [lively(&[("maps/fair/village.toml", ""), (RULES_PATH, &with(LIVELY, "fn score(p) {", "fn score(p) { if spaces_where(\"shade\", true).is_empty() { return 0; }"))])]
        => ["unknown map `village`"];
    a_lost_manifest: without("scripts/fair/game.toml")
        => ["there is no game `fair`, because there is no scripts/fair/game.toml, so nothing reads this file and 5 others of it"];

    a_copy_of_the_game: [lively(&[]), over("copy", &[("scripts/fair/game.toml", MANIFEST), (RULES_PATH, LIVELY), ("cards/fair/tables.toml", TABLES), ("cards/fair/stalls.toml", CARDS), ("maps/fair/village.toml", MAP)])]
        => ["this file repeats the base"; 5];
    a_copy_with_some_changes: [lively(&[]), over("copy", &[("cards/fair/stalls.toml", &with(CARDS, "cost = 2", "cost = 5")), (RULES_PATH, &with(LIVELY, "+ INCOME[0]", "+ INCOME[1]"))])]
        => ["of its values are there already", "of its functions are there already, word for word"];

    a_price_with_decimals: spoiled("cards/fair/tables.toml", "coins = 4", "coins = 3.5")
        => ["tables.toml:4:9: E008 decimal-number: expected a whole number, found the decimal number 3.5"];
    a_price_in_words: spoiled("cards/fair/tables.toml", "coins = 4", "coins = \"four\"")
        => ["tables.toml:4:9: E007 wrong-type: `prices.stall.coins` is not a number"];
    a_list_that_lacks_an_entry: [lively(&[("scripts/fair/game.toml", &with(MANIFEST, "[ranges]\n", "[ranges]\n\"income.1\" = { min = 1, max = 9 }\n\"income.2\" = { min = 1, max = 9 }\n")), ("cards/fair/tables.toml", &with(TABLES, "[2, 3, 5]", "[2]"))])]
        => ["tables.toml:1:10: E006 missing-key: several places name `income.2`, and `income` has 1 entry, counted from 0; is an entry missing?"];
    a_misspelt_row_of_a_table: spoiled("cards/fair/tables.toml", "[prices.stall]", "[prices.stal]")
        => ["tables.toml:3:9: E005 unknown-key: nothing reads `prices.stal`, and several places name `prices.stall`; did you mean `stall`?"];
    a_row_without_a_column: [lively(&[("cards/fair/tables.toml", "income = [2, 3, 5]\n[prices.stall]\nhelpers = 1\n[prices.tent]\ncoins = 1\nhelpers = 1\n"), ("variants/fair/cheap.toml", "title = { es = \"a\", en = \"b\" }\nsummary = { es = \"a\", en = \"b\" }\n[set]\n\"prices.stall.coins\" = 3\n")])]
        => ["tables.toml:2:9: E006 missing-key: `prices.stall` lacks `coins`, which other rows of `prices` have"];
    a_row_without_a_column_that_nothing_names: [lively(&[("cards/fair/tables.toml", &format!("{TABLES}[prices.tent]\ncoins = 1\nhelpers = 1\n[prices.wheel]\ncoins = 2\n[prices.booth]\ncoins = 2\nhelpers = 1\n"))])]
        => ["tables.toml:9:9: W014 odd-value: `prices.wheel` lacks `helpers`, which all other rows of `prices` have"];
    a_misspelt_column_that_a_rule_reads: spoiled("cards/fair/tables.toml", "coins = 4", "conis = 4")
        => ["tables.toml:4:1: E005 unknown-key: nothing reads `prices.stall.conis`, and several places name `prices.stall.coins`; did you mean `coins`?"];
    a_misspelt_column_of_one_row_of_many: [lively(&[("cards/fair/tables.toml", &format!("{}[prices.tent]\ncoins = 1\nhelpers = 1\n[prices.wheel]\ncoins = 2\nhelpers = 1\n[prices.booth]\ncoins = 2\nhelpers = 1\n", with(TABLES, "coins = 4", "conis = 4")))])]
        => ["tables.toml:4:1: E005 unknown-key: nothing reads `prices.stall.conis`"];
    a_row_that_one_rule_misspells: ruled("settle_bill(p, PRICES.stall)", "settle_bill(p, PRICES.stal)")
        => ["rules.rhai:4:31: unknown-key: `PRICES` has no key `stal` here; did you mean `stall`?"];
    a_parameter_in_words: spoiled("scripts/fair/game.toml", "value = 3", "value = \"three\"")
        => ["E007 wrong-type: expected a whole number, found a string"];
    a_misspelt_key_of_an_attribute: spoiled("scripts/fair/game.toml", "start = 5, min = 0", "strat = 5, min = 0")
        => ["unknown key `strat`"];
    a_missing_comma: spoiled("cards/fair/stalls.toml", "es = \"Aros\", en", "es = \"Aros\" en")
        => ["E002 bad-syntax"];

    a_brace_that_is_not_closed: ruled("        settle_bill(p, PRICES.stall);\n    }\n", "        settle_bill(p, PRICES.stall);\n")
        => ["rules.rhai:3:66: syntax: this `{` is opened and not closed"];
    the_brace_of_a_function_that_is_not_closed: ruled("    if place != () { place.visits[p] += 1; }\n}\n", "    if place != () { place.visits[p] += 1; }\n")
        => ["rules.rhai:2:12: syntax: this `{` is opened and not closed"];
    a_parenthesis_that_is_not_closed: ruled("affordable(p, PRICES.stall) {", "affordable(p, PRICES.stall {")
        => ["this `(` is opened and not closed"];
    a_brace_too_many: ruled("fn affordable(p, price) { p.money >= price.coins }", "fn affordable(p, price) { p.money >= price.coins }\n}")
        => ["this `}` closes nothing"];
    the_last_brace_is_missing: ruled("fn no_effect() {}", "fn no_effect() {")
        => ["this `{` is opened and not closed"];

    a_card_through_a_function_of_ones_own: ruled("owns_card(p, \"churros\")", "owns_card(p, \"churos\")")
        => ["unknown-name: unknown card `churos`; did you mean `churros`?"];
    a_prompt_through_a_function_of_ones_own: [lively(&[(RULES_PATH, &agreeing())])]
        => ["unknown-name: unknown prompt `rset`; did you mean `rest`?"];
    a_word_that_may_be_meant: [lively(&[(RULES_PATH, &with(&with(LIVELY, "owns_card(p, \"churros\")", "owns_card(p, \"churos\")"), "piece.id == stall)", "piece.id == stall) || [stall].len == 0"))])]
        => ["unknown card `churos`"];

    a_prompt_without_its_english: [lively(&[("cards/fair/text.toml", &helped("buy.stall = { es = \"¿Compras un puesto?\", en = \"Do you buy a stall?\" }", "buy.stall = { es = \"¿Compras un puesto?\" }"))])]
        => ["E010 missing-translation: the English text is missing"];
    a_language_under_another_name: [lively(&[("cards/fair/text.toml", &helped("en = \"Do you buy a stall?\"", "n = \"Do you buy a stall?\""))])]
        => ["E005 unknown-key: unknown key `n` of a text; expected `es` or `en`"];
    a_decimal_number_in_a_file_that_others_call: [lively(&apart("price.coins }", "price.coins * 0.5 }"))]
        => ["refused-float: numbers with a decimal point are not supported"];
    a_function_that_is_there_twice: [lively(&apart("\n", "\nfn affordable(p, price) { true }\n"))]
        => ["duplicate: function `affordable` with 2 parameters is defined twice"];
    a_function_after_the_word_of_another_language: [lively(&apart("fn affordable", "fun affordable"))]
        => ["`fun` is written `fn` in rules"];
    a_function_after_a_whole_word_of_another_language: [lively(&apart("fn affordable", "function affordable"))]
        => ["`function` is written `fn` in rules"];
    a_comment_that_is_not_closed: [lively(&apart("fn affordable", "/* Who can pay.\nfn affordable"))]
        => ["prices.rhai:1:1: syntax: this `/*` is opened and not closed; a comment that begins with `/*` ends with `*/`"];
    a_comment_in_a_comment_that_is_not_closed: [lively(&apart("fn affordable", "/* Who /* can */ pay.\nfn affordable"))]
        => ["prices.rhai:1:1: syntax: this `/*` is opened and not closed"];
    a_sign_of_a_comment_in_a_text: ruled("choose_yes(p, \"rest\")", "choose_yes(p, \"rest\") && \"/*\" != \"\"")
        => [];

    a_misspelt_brace_of_one_language: [lively(&telling("{who} paga {sum}", "{who} pays {smu}", "who: p, sum: 1"))]
        => ["text.toml:13:53: unknown-key: no detail of a call fills `{smu}` of the text `paid`; did you mean `sum`?"];
    a_misspelt_brace_of_both_languages: [lively(&telling("{who} paga {smu}", "{who} pays {smu}", "who: p, sum: 1"))]
        => ["text.toml:13:28: unknown-key: no detail of a call fills `{smu}` of the text `paid`; did you mean `sum`?"];
    a_misspelt_detail_of_a_call: [lively(&telling("{who} paga {sum}", "{who} pays {sum}", "who: p, smu: 1"))]
        => ["the text `paid` has `{sum}`, which the details of this call do not fill; is `smu` meant to be `sum`?"];

    an_overlay_called_like_a_variable: [ruled("let place = choose_or(p, \"visit\", spaces(), \"stop\");\n    if place", "let afordable = choose_or(p, \"visit\", spaces(), \"stop\");\n    let place = afordable;\n    if place").remove(0), over("extra", &[("pack.toml", BUILDS), ("scripts/fair/extra.rhai", "fn afordable(p, price) { true }\n")])]
        => ["the function `afordable` with 2 parameters changes nothing: it replaces none, and nothing calls it; did you mean `affordable`?"];
    a_misspelt_table: [lively(&upkeep("[upkep]\nenergy = 1\n"))]
        => ["tables.toml:6:2: E005 unknown-key: nothing reads the table `upkep`, and several places name `upkeep`; did you mean `upkeep`?"];
    a_table_without_the_value_that_all_name: [lively(&upkeep("[upkeep]\n"))]
        => ["tables.toml:6:2: E006 missing-key: `upkeep` lacks `energy`, which several places name"];
    a_parameter_that_cannot_be_read: [lively(&[("scripts/fair/game.toml", &with(MANIFEST, "visits_a_turn = {", "at_random = { type = \"bool\" value = false, text = { es = \"a\", en = \"b\" } }\nvisits_a_turn = {")), (RULES_PATH, &with(LIVELY, "fn score(p) {", "fn score(p) { if AT_RANDOM { return 0; }"))])]
        => ["E002 bad-syntax"];
    a_header_that_is_not_closed: spoiled("scripts/fair/game.toml", "[ranges]\n", "[ranges\n")
        => ["E002 bad-syntax: unclosed table, expected `]`"];
    an_attribute_of_an_unknown_type_that_a_call_names: [lively(&[("scripts/fair/game.toml", &with(MANIFEST, "owner = \"player\"", "owner = \"plyer\"")), (RULES_PATH, &with(LIVELY, "fn score(p) {", "fn score(p) { if with_value(\"owner\", ()).is_empty() { return 0; }"))])]
        => ["unknown attribute type `plyer`; did you mean `player`?"];
    a_list_with_a_range_of_which_one_entry_is_a_text: spoiled("scripts/fair/game.toml", "[ranges]", "[dice]\nround = { faces = [0, \"2\"], text = { es = \"Dado\", en = \"Die\" } }\n\n[ranges]\n\"dice.round.faces\" = { min = 0, max = 3 }")
        => ["E007 wrong-type: expected a whole number, found a string; write 2, without quotes"];
    a_misspelt_table_of_a_variant: [lively(&[("variants/fair/cheap.toml", &with(CHEAP, "[set]", "[sets]"))])]
        => ["unknown key `sets` of a variant; did you mean `set`?"];
    a_card_that_took_the_name_of_another: spoiled("cards/fair/stalls.toml", "[cards.churros]", "[cards.ring_toss]")
        => ["E003 duplicate-id: `ring_toss` is there twice"];
    a_lost_manifest_with_scenarios: [lively(&[("scripts/fair/game.toml", ""), ("tests/scenarios/fair/a.toml", SCENARIO), ("tests/scenarios/fair/b.toml", SCENARIO)])]
        => ["there is no game `fair`, because there is no scripts/fair/game.toml"];
    a_row_of_a_board_that_is_gone: [lively(&sections(SECTIONS_SCENARIO))]
        => ["section `d` has 1 row, the others 2; spaces are named that it does not have: is a row missing?"];
    a_section_with_other_rows: [lively(&sections(""))]
        => ["W014 odd-value: section `d` has 1 row, the others 2"];
    a_value_of_one_row_that_nothing_reads: [lively(&[("cards/fair/tables.toml", &format!("{TABLES}[prices.tent]\ncoins = 1\nhelpers = 1\n[prices.wheel]\ncoins = 2\nhelpers = 1\ngold = 2\n[prices.booth]\ncoins = 2\nhelpers = 1\n"))])]
        => ["W014 odd-value: `prices.wheel` has `gold`, which no other row of `prices` has; nothing reads it"];

    a_word_without_quotes: spoiled("cards/fair/tables.toml", "coins = 4", "coins = four")
        => ["E002 bad-syntax: `four` is no value; words stand in quotes: \"four\""];
    a_number_in_quotes: spoiled("cards/fair/stalls.toml", "copies = 3", "copies = \"3\"")
        => ["E007 wrong-type: expected a whole number, found a string; write 3, without quotes"];
    a_text_in_single_quotes: ruled("owns_card(p, \"churros\")", "owns_card(p, 'churros')")
        => ["rules.rhai:6:21: syntax: a text stands between `\"` and `\"`; write `\"churros\"`"];
    a_text_in_curly_quotes: ruled("owns_card(p, \"churros\")", "owns_card(p, “churros”)")
        => ["rules.rhai:6:21: syntax: a text stands between `\"` and `\"`; write `\"churros\"`"];
    a_map_without_its_sign: ruled("fn score(p)", "fn evaluate(p) { keeps({ player: p, sum: 1 }) }\nfn keeps(m) { m.sum }\nfn score(p)")
        => ["syntax: a map begins with `#{`; write `#{`"];
    a_sign_of_equality_too_few: ruled("fn score(p)", "fn evaluate(p) { p.hand.len() = 0 }\nfn score(p)")
        => ["this cannot be assigned to: what a call gives has no name; to compare write `==`"];
    a_misspelt_attribute_of_a_call: ruled("fn score(p)", "fn evaluate(p) { with_value(spaces(), \"onwer\", p).len }\nfn score(p)")
        => ["unknown-name: unknown attribute", ];
    a_variable_without_let: ruled("fn score(p)", "fn evaluate(p) {\n    times = 3;\n    if p.money > times { times = 4; }\n    times\n}\nfn score(p)")
        => ["unknown-variable: unknown variable `times`; a new variable begins with `let`: `let times = ..`"];
    a_function_without_its_brace: ruled("fn affordable(p, price) { p.money >= price.coins }", "fn affordable(p, price)\n    p.money >= price.coins\n}")
        => ["syntax: this `fn` lacks the `{` after it"];
    a_condition_without_its_brace: ruled("    if choose_yes(p, \"rest\") { return; }", "    if choose_yes(p, \"rest\")\n        return;\n    }")
        => ["syntax: this `if` lacks the `{` after it"];

    a_space_without_borders: spoiled("maps/fair/village.toml", "\"bridge - mill\" = { steps = 3 }\n", "")
        => ["W015 isolated-space: nothing borders the space `mill`"];
    the_odd_one_of_many_rows: [lively(&[("maps/fair/board.toml", &with(BOARD, "rows = [\"..\", \". \"]", "rows = [\".\", \"..\", \"..\", \"..\"]"))])]
        => ["expected 2 squares, found 1"];
    the_odd_one_of_a_column: [lively(&[("cards/fair/tables.toml", &format!("{TABLES}[prices.tent]\ncoins = 1\nhelpers = 1\n[prices.wheel]\ncoins = 2\nhelpers = \"two\"\n[prices.booth]\ncoins = 2\nhelpers = 1\n"))])]
        => ["W014 odd-value: `prices.wheel.helpers` is a string, and in all other rows `helpers` is a whole number"];
}

/// The texts with help for two prompts, one piece replaced.
fn helped(old: &str, new: &str) -> String {
    let help = "\n[help.prompt]\nbuy.stall = { es = \"Dan dinero.\", en = \"They give money.\" }\nrest = { es = \"No pasa nada.\", en = \"Nothing happens.\" }\n";
    format!("{}{help}", with(&texts(), old, new))
}

type Files = Vec<(&'static str, &'static str)>;

/// Texts that live as long as the test: a file is named by what it holds.
fn kept(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// The rules with one function in a file of its own, of which a piece is replaced.
fn apart(old: &str, new: &str) -> Files {
    let own = "fn affordable(p, price) { p.money >= price.coins }\n";
    let rules = kept(with(LIVELY, own, ""));
    let apart = kept(with(own, old, new));
    vec![(RULES_PATH, rules), ("scripts/fair/prices.rhai", apart)]
}

/// A line of the log in both languages, and a call that tells it with these details.
fn telling(es: &str, en: &str, details: &str) -> Files {
    let log = format!(
        "other = {{ es = \"{{sum}}\", en = \"{{sum}}\" }}\npaid = {{ es = \"{es}\", en = \"{en}\" }}\n"
    );
    let text = kept(format!("{}\n[log]\n{log}", texts()));
    let call = format!(
        "fn turn(p) {{\n    say(\"other\", #{{ sum: 1 }});\n    say(\"paid\", #{{ {details} }});\n"
    );
    let rules = kept(with(LIVELY, "fn turn(p) {\n", &call));
    vec![("cards/fair/text.toml", text), (RULES_PATH, rules)]
}

/// A table that a range, a rule and two texts name.
fn upkeep(table: &str) -> Files {
    let ranged = "[ranges]\n\"upkeep.energy\" = { min = 0, max = 3 }\n";
    let manifest = kept(with(MANIFEST, "[ranges]\n", ranged));
    let text = kept(helped("", "").replace("No pasa nada.", "Come {upkeep.energy}."));
    let rules = kept(with(
        LIVELY,
        "fn score(p) {",
        "fn score(p) { if p.money < UPKEEP.energy { return 0; }",
    ));
    let tables = kept(format!("{TABLES}{table}"));
    vec![
        ("scripts/fair/game.toml", manifest),
        ("cards/fair/text.toml", text),
        (RULES_PATH, rules),
        ("cards/fair/tables.toml", tables),
    ]
}

const SCENARIO: &str = "game = \"fair\"\n[[scenario]]\ntitle = \"one\"\nplayers = 2\nrun = [\"turn(p0)\"]\n[scenario.expect.players.0]\nmoney = 5\n";

/// What a scenario says of a space that a shorter section has not.
const SECTIONS_SCENARIO: &str = "[scenario.state.spaces.d_a2]\nowner = \"p0\"\n";

/// A board of four sections, one of which is shorter.
fn sections(scenario: &str) -> Files {
    let section = |id: &str, rows: &str| {
        format!("[sections.{id}]\nname = {{ es = \"{id}\", en = \"{id}\" }}\nrows = [{rows}]\n")
    };
    let board: String = ["a", "b", "c"]
        .map(|id| section(id, "\"..\", \"..\""))
        .concat();
    let legend = "title = { es = \"Tablero\", en = \"Board\" }\n[legend]\n\".\" = {}\n";
    let map = kept(format!("{legend}{board}{}", section("d", "\"..\"")));
    let manifest = kept(with(MANIFEST, "map = \"village\"", "map = \"sections\""));
    let cards = kept(with(CARDS, "near = \"square\"\n", ""));
    let mut files = vec![
        ("scripts/fair/game.toml", manifest),
        ("maps/fair/sections.toml", map),
        ("cards/fair/stalls.toml", cards),
    ];
    if !scenario.is_empty() {
        let scenarios =
            SCENARIO.replace("[scenario.expect", &format!("{scenario}[scenario.expect"));
        files.push(("tests/scenarios/fair/a.toml", kept(scenarios)));
    }
    files
}

/// Rules that ask through a function of their own, and misspell what they ask.
fn agreeing() -> String {
    let rules = with(LIVELY, "choose_yes(p, \"rest\")", "agrees(p, \"rset\")");
    format!("{rules}fn agrees(p, prompt) {{ choose_yes(p, prompt) }}\n")
}

/// Of a file full of mistakes the first are told, and the rest are counted behind them.
#[test]
fn very_many_mistakes_of_syntax_are_counted_after_those_that_are_told() {
    let wrong: String = (0..300).map(|n| format!("much{n} = 1 2\n")).collect();
    let text = format!("{TABLES}{wrong}");
    let found = Library::open(&[lively(&[("cards/fair/tables.toml", &text)])])
        .0
        .check(None);
    let counts =
        |one: &ludoteca::Diagnostic| one.to_string().contains("more mistakes in this file");
    assert_eq!(
        found.iter().position(counts),
        Some(found.len() - 1),
        "{found:#?}"
    );
    assert!(found.len() > 1, "{found:#?}");
}

#[test]
fn a_folder_that_is_no_pack() {
    let told = ludoteca::no_pack("my-games").to_string();
    assert!(
        told.starts_with("W016 no-pack: my-games has no pack.toml, so it is no pack; "),
        "{told}"
    );
}

/// Of a hundred of one kind twenty are shown, and the rest counted.
#[test]
fn many_of_a_kind_are_counted() {
    let card = |n: usize| {
        format!("[cards.stall_{n}]\nname = {{ es = \"P\", en = \"S\" }}\ncost = true\ntags = []\n")
    };
    let cards: String = (0..100).map(card).collect();
    let packs = [lively(&[(
        "cards/fair/more.toml",
        &format!("kind = \"stall\"\n{cards}"),
    )])];
    let seen = render_all(&Library::open(&packs).0.check(None), false);
    assert_eq!(seen.matches("E007 wrong-type").count(), 21, "{seen}");
    assert!(seen.ends_with("and 80 more of E007 wrong-type"), "{seen}");
}
