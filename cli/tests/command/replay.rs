//! Transcripts: good ones, and those that cannot be used.

use crate::support::Folder;
use insta::assert_snapshot;

/// A folder with the transcript of one short match.
fn with_match() -> Folder {
    let folder = Folder::with_game();
    let args = [
        "sim",
        "--bots",
        "random",
        "heap",
        "--only",
        "3",
        "--seed",
        "4",
        "--set",
        "heap=9",
        "--out",
        "match.transcript",
    ];
    let said = folder.heap(&args);
    assert_eq!(said.code, 0, "{}", said.all());
    folder
}

/// Changes the transcript and replays it.
fn changed(change: impl Fn(String) -> String) -> String {
    let folder = with_match();
    let text = folder.read("heap/match.transcript");
    folder.write("heap/match.transcript", &change(text));
    folder
        .heap(&["replay", "match.transcript", "--lang", "en"])
        .all()
}

#[test]
fn a_good_transcript() {
    assert_snapshot!(changed(|text| text));
}

#[test]
fn a_transcript_on_standard_output_is_the_same() {
    let folder = with_match();
    let said = folder.heap(&[
        "sim", "heap", "--bots", "random", "--only", "3", "--seed", "4", "--set", "heap=9",
    ]);
    assert_eq!(said.out, folder.read("heap/match.transcript"));
}

#[test]
fn a_replay_as_json() {
    let folder = with_match();
    let said = folder.heap(&["replay", "match.transcript", "--json", "--seat", "1"]);
    let report: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(
        (said.code, &report["valid"], &report["over"]),
        (0, &true.into(), &true.into())
    );
    assert_eq!(report["view"]["you"], 1);
}

#[test]
fn corrupt_transcripts() {
    let cases = [
        changed(|_| String::new()),
        changed(|_| "something else\n".into()),
        changed(|text| text.replace("players 2", "players two")),
        changed(|text| text.replace("players 2", "players 200")),
        changed(|text| text.replace("content ", "content zz")),
        changed(|text| text.replace("seed ", "sead ")),
        changed(|text| text.replace("p1 take", "p1take")),
        changed(|text| text.replace("p1 take", "p7 take")),
        changed(|text| text.replacen("p0 take", "p0 give", 1)),
        changed(|text| {
            text.replacen("p0 take 1", "p0 take 17", 1)
                .replacen("p0 take 2", "p0 take 17", 1)
                .replacen("p0 take 3", "p0 take 17", 1)
        }),
        changed(|text| text.replace("\nend\n", "\np0 take 1\nend\n")),
    ];
    assert_snapshot!(cases.join("\n"));
}

#[test]
fn a_match_that_is_not_over_gives_what_it_has() {
    let unfinished = |text: String| {
        let some = text.lines().count() - 3;
        let lines = text.lines().take(some);
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let whole_lines = changed(unfinished);
    let torn = changed(|text| format!("{}p1 ta", unfinished(text)));
    let too_much = changed(|text| format!("{}end\n", unfinished(text)));
    let older = changed(|text| text.replace("transcript 2", "transcript 1"));
    assert_snapshot!([whole_lines, torn, too_much, older].join("\n"));
}

#[test]
fn bytes_that_are_no_text() {
    let folder = with_match();
    std::fs::write(
        folder.inside("heap").join("match.transcript"),
        [0xff, 0xfe, 0x00],
    )
    .unwrap();
    let said = folder.heap(&["replay", "match.transcript"]);
    assert_eq!((said.code, said.out.as_str()), (1, ""));
}

#[test]
fn a_transcript_of_other_content() {
    let folder = with_match();
    folder.replace(
        "heap/scripts/heap/rules.rhai",
        "p.taken += count;",
        "p.taken += count * 2;",
    );
    let hash = |text: String| {
        let at = text.find("hash ").map(|at| at + 5);
        at.map_or(text.clone(), |at| {
            format!("{}[hash], now [hash]{}", &text[..at], &text[at + 38..])
        })
    };
    let refused = hash(folder.heap(&["replay", "match.transcript"]).all());
    let anyway = folder
        .heap(&["replay", "match.transcript", "--anyway"])
        .all();
    assert_snapshot!([refused, anyway].join("\n"));
}

#[test]
fn a_transcript_of_a_game_that_is_not_there() {
    let said = changed(|text| text.replace("game heap", "game haep"));
    assert!(
        said.starts_with("exit code 1") && said.contains("there is no game `haep`"),
        "{said}"
    );
}

#[test]
fn a_film_goes_forward_back_to_a_round_and_through_other_eyes() {
    let folder = with_match();
    let args = ["replay", "match.transcript", "--film", "--lang", "en"];
    let typed = "\n\n-\nround 2\nplayer 2\nend\n0\nbanana\nw log.txt\nq\n";
    let said = folder.heap_with(&args, typed);
    assert_eq!(said.code, 0, "{}", said.all());
    let places: Vec<&str> = said
        .out
        .lines()
        .filter(|line| line.starts_with("Answer "))
        .collect();
    assert_snapshot!(places.join("\n"));
    assert!(folder.read("heap/log.txt").contains("The game is over"));
}

/// Whatever is typed at a film, it goes on or ends; it never breaks.
#[test]
fn nonsense_at_a_film() {
    let folder = with_match();
    let args = ["replay", "match.transcript", "--film", "--lang", "es"];
    let words = [
        "+",
        "-",
        "+99999999999999999999",
        "ronda",
        "jugador 0",
        "jugador 9",
        "-7",
        "ñ",
        "?",
        "",
        "b",
        "l",
        "w",
    ];
    let mut luck = 7_u64;
    let mut typed = String::new();
    for _ in 0..300 {
        luck = luck
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        typed += words[(luck >> 33) as usize % words.len()];
        typed.push('\n');
    }
    assert_eq!(folder.heap_with(&args, &typed).code, 0);
}

/// The choices that cost most, and what would have been better, as people read them.
#[test]
fn a_review_names_what_would_have_been_better() {
    let folder = Folder::with_game();
    let file = "match.transcript";
    let sim = ["sim", "altered", "--bots", "random", "--seed", "4"];
    let said = folder.heap(&[&sim[..], &["--only", "0", "--out", file]].concat());
    assert_eq!(said.code, 0, "{}", said.all());
    let review = ["review", file, "--seat", "0", "--lines", "20"];
    let said = folder.heap(&[&review[..], &["--most", "2", "--lang", "en"]].concat());
    assert_eq!(said.code, 0, "{}", said.all());
    let marked = |line: &&str| line.contains("taken: ") && line.contains("better: ");
    assert_eq!(said.out.lines().filter(marked).count(), 2, "{}", said.out);
    assert!(
        !said.out.contains('_'),
        "keys are for programs: {}",
        said.out
    );
}
