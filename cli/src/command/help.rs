//! `ludoteca help`: a command, or a topic of the documents, which the command carries with it.

use crate::arguments::{Arguments, Help};
use crate::output::{Failure, Outcome, outln, write_out};
use crate::words::{help::in_language, language, say, word};
use clap::CommandFactory;
use ludoteca::{Language, explained, nearest};

/// A topic: its name, what it is about in Spanish and English, and the page.
type Topic = (&'static str, [&'static str; 2], &'static str);

macro_rules! topics {
    ($($name:literal $es:literal $en:literal $path:literal,)*) => {
        const TOPICS: &[Topic] = &[$(($name, [$es, $en], include_str!(concat!("../../../", $path)))),*];
    };
}

topics! {
    "authoring" "un juego paso a paso" "a game step by step" "docs/authoring.md",
    "formats" "qué puede contener cada archivo" "what each file may hold" "docs/formats.md",
    "designing" "cambiar un juego y ver qué hace" "changing a game and seeing what it does" "docs/designing.md",
    "editors" "los juegos en tu editor" "games in your editor" "docs/editors.md",
    "paper" "en papel y en hojas de cálculo" "on paper and in spreadsheets" "docs/print.md",
    "studies" "preguntas a los juegos y sus respuestas" "questions to the games, and their answers" "docs/studies.md",
    "style" "cómo se escriben las reglas" "how rules should read" "scripts/STYLE.md",
    "lab" "simular, comparar, ajustar" "simulating, comparing, tuning" "docs/lab.md",
    "bots" "quién juega cuando no juega nadie" "who plays when nobody does" "docs/bots.md",
    "packs" "conseguir, hacer y compartir paquetes" "getting, making and sharing packs" "docs/packs.md",
    "looks" "cómo se dibuja un juego" "how a game is drawn" "docs/looks.md",
    "terminal" "jugar en la terminal" "playing at the terminal" "docs/terminal.md",
    "table" "jugar en el navegador" "playing in the browser" "docs/table.md",
    "genres" "cómo se escribe cada clase de juego" "how each kind of game is written" "docs/genres.md",
    "luck" "de dónde salen los dados y las barajas" "where dice and shuffles come from" "docs/luck.md",
    "protocol" "para programas que juegan" "for programs that play" "docs/protocol.md",
    "python" "el paquete de Python" "the Python package" "docs/python.md",
    "keeping" "qué se promete de lo guardado" "what is promised about saved files" "docs/keeping.md",
    "errors" "cada error por su código" "every mistake by its code" "docs/errors/README.md",
}

pub fn run(help: &Help) -> Outcome {
    let mut command = in_language(Arguments::command());
    let Some(topic) = &help.topic else {
        write_out(format_args!("{}", command.render_help()));
        outln!();
        outln!(
            "{}",
            word!(
                "Temas, para `ludoteca help TEMA`:",
                "Topics, for `ludoteca help TOPIC`:"
            )
        );
        for (name, [es, en], _) in TOPICS {
            let about = match language() {
                Language::Es => es,
                Language::En => en,
            };
            outln!("  {name:10} {about}");
        }
        return Ok(());
    };
    if let Some(page) = TOPICS.iter().find(|(name, ..)| name == topic) {
        outln!("{}", page.2.trim_end());
        if command.find_subcommand(topic).is_some() {
            let also = say!(
                "`ludoteca {topic} --help` es sobre la orden",
                "`ludoteca {topic} --help` is about the command"
            );
            outln!("\n{also}");
        }
        return Ok(());
    }
    if let Some(page) = explained::page(topic) {
        outln!("{}", page.plain().trim_end());
        return Ok(());
    }
    command.build();
    if let Some(found) = command.find_subcommand_mut(topic) {
        write_out(format_args!("{}", found.render_long_help()));
        return Ok(());
    }
    let commands: Vec<String> = command
        .get_subcommands()
        .map(|one| one.get_name().to_string())
        .collect();
    let known = commands
        .iter()
        .map(String::as_str)
        .chain(TOPICS.iter().map(|(name, ..)| *name));
    let hint = match nearest(topic, known) {
        Some(near) => say!("¿quizá «{near}»?", "did you mean `{near}`?"),
        None => say!(
            "`ludoteca help` muestra las órdenes y los temas",
            "`ludoteca help` lists commands and topics"
        ),
    };
    Err(Failure::Usage(say!(
        "no hay ninguna orden ni tema «{topic}»; {hint}",
        "there is no command and no topic `{topic}`; {hint}"
    )))
}
