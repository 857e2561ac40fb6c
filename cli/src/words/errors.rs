//! What the kernel and the system say, in the reader's language. In English an error or a change speaks for itself; here is what it says in
//! Spanish. Rules that break and mistakes in content are for authors, and stay as they are.

use super::language;
use ludoteca::keep::Unusable;
use ludoteca::pack::BASE;
use ludoteca::{
    AnswerError, Bot, BotError, Change, JournalError, Language, NotKept, Stopped, Story,
    Transcript, TranscriptError, What,
};
use std::io::{self, ErrorKind};

/// Something people are told who play or change games.
pub trait ForPeople {
    fn in_spanish(&self) -> String;
}

/// It in the reader's language.
pub fn told<T: ForPeople + ToString>(something: &T) -> String {
    match language() {
        Language::En => something.to_string(),
        Language::Es => something.in_spanish(),
    }
}

impl ForPeople for AnswerError {
    fn in_spanish(&self) -> String {
        match self {
            AnswerError::NotAsked(seat) => {
                format!("el jugador {} no tiene nada que elegir ahora", seat + 1)
            }
            AnswerError::UnknownOption { key, suggestion } => {
                let hint = suggestion.as_ref();
                let hint = hint.map_or(String::new(), |near| format!("; ¿quizá «{near}»?"));
                format!("«{key}» no está entre las opciones{hint}")
            }
            AnswerError::WrongCount { expected, found } => {
                format!("hay que elegir {expected} de las opciones, no {found}")
            }
            AnswerError::Twice(key) => format!("«{key}» está dos veces"),
            AnswerError::MustStay => "nadie puede dejar este juego antes del final".into(),
        }
    }
}

impl ForPeople for BotError {
    fn in_spanish(&self) -> String {
        match self {
            BotError::Unknown { name, suggestion } => {
                let hint = suggestion.as_ref();
                let hint = hint.map_or(String::new(), |near| format!("; ¿quizá «{near}»?"));
                let bots = Bot::FORMS.map(|form| format!("«{form}»")).join(", ");
                format!("no hay ningún bot «{name}»{hint}; los bots son {bots}")
            }
            BotError::HowMuch { name, example } => {
                format!("«{name}» no dice cuánto: escribe «{example}»")
            }
            BotError::TooMuch { name, most, what } => {
                let what = match *what {
                    "lines" => "líneas",
                    "threads" => "hilos",
                    other => other,
                };
                format!("«{name}» pide más de lo que hace un bot: como mucho {most} {what}")
            }
        }
    }
}

impl ForPeople for TranscriptError {
    fn in_spanish(&self) -> String {
        match self {
            TranscriptError::NotATranscript => format!(
                "no es una partida guardada: tendría que empezar por «{}»",
                Transcript::TITLE
            ),
            TranscriptError::OtherVersion { found } => format!(
                "la partida es de la versión {found}, con otros dados y otras barajas; este programa juega la versión {} y no puede repetirla",
                Transcript::VERSION
            ),
            TranscriptError::Line { line, message } => format!("línea {line}: {message}"),
            TranscriptError::NotOver { answers } => format!(
                "el archivo dice que la partida acabó tras {answers} respuestas; según las reglas no es así"
            ),
            TranscriptError::OtherGame { expected, found } => {
                format!("la partida es de «{found}», no de «{expected}»")
            }
            TranscriptError::OtherContent { expected, found } => format!(
                "la partida se jugó con otro contenido (huella {found:016x}, ahora {expected:016x}); `--anyway` la juega hasta donde llegue"
            ),
            TranscriptError::OtherQuestion {
                number,
                seat,
                asked,
                found_seat,
                found,
            } => format!(
                "respuesta {number}: el juego pregunta «{asked}» al jugador {}, y en el archivo responde el jugador {} a «{found}»",
                seat + 1,
                found_seat + 1
            ),
            TranscriptError::Answer { number, error } => {
                format!("respuesta {number}: {}", error.in_spanish())
            }
            TranscriptError::TooLong { number } => {
                format!("respuesta {number}: la partida ya había acabado")
            }
            TranscriptError::Broken(broken) => broken.to_string(),
        }
    }
}

impl ForPeople for JournalError {
    fn in_spanish(&self) -> String {
        match self {
            JournalError::SomethingElse => {
                "ahí hay un archivo que no es una partida guardada; no se ha tocado".into()
            }
            JournalError::Taken => "ahí se está guardando otra partida".into(),
            JournalError::TooLarge => "no es una partida guardada: es demasiado grande".into(),
            JournalError::NotText => "no es una partida guardada: no es texto UTF-8".into(),
            JournalError::Transcript(error) => error.in_spanish(),
            JournalError::Io(error) => error.in_spanish(),
        }
    }
}

impl ForPeople for NotKept {
    fn in_spanish(&self) -> String {
        format!(
            "{}: la respuesta no se pudo guardar: {}; el archivo tiene todas las anteriores",
            self.path.display(),
            self.error.in_spanish()
        )
    }
}

impl ForPeople for Stopped {
    fn in_spanish(&self) -> String {
        match self {
            Stopped::Broken(broken) => broken.to_string(),
            Stopped::Bot(error) => {
                format!(
                    "un bot dio una respuesta que nadie ofrecía: {}",
                    error.in_spanish()
                )
            }
            Stopped::NotKept(error) => error.in_spanish(),
        }
    }
}

impl ForPeople for Change {
    fn in_spanish(&self) -> String {
        let key = &self.key;
        match (self.what, &self.left, &self.right) {
            (What::Value, Some(a), Some(b)) => format!("{key}: {a} pasa a {b}"),
            (What::Value, None, Some(b)) => format!("{key}: nuevo, {b}"),
            (What::Value, Some(a), None) => format!("{key}: quitado, era {a}"),
            (What::Value, None, None) => key.clone(),
            (What::Function, None, _) => self.with_lines(&format!("fn {key}: nueva")),
            (What::Function, _, None) => self.with_lines(&format!("fn {key}: quitada")),
            (What::Function, ..) => self.with_lines(&format!("fn {key}: otra")),
            (What::Script, None, _) => self.with_lines(&format!("{key}: añadido")),
            (What::Script, _, None) => self.with_lines(&format!("{key}: quitado")),
            (What::Script, ..) => self.with_lines(&format!("{key}: otras constantes o imports")),
        }
    }
}

/// A change of rules shows its lines below.
trait WithLines {
    fn with_lines(&self, title: &str) -> String;
}

impl WithLines for Change {
    fn with_lines(&self, title: &str) -> String {
        let mut told = title.to_string();
        for line in self.to_string().lines().skip(1) {
            let skipped = line.strip_prefix(SKIPPED).and_then(|rest| {
                let (count, what) = rest.split_once(' ')?;
                (what == "line" || what == "lines").then_some(count)
            });
            match skipped {
                Some("1") => told += &format!("\n{SKIPPED}1 línea"),
                Some(count) => told += &format!("\n{SKIPPED}{count} líneas"),
                None => told += &format!("\n{line}"),
            }
        }
        told
    }
}

/// What stands before the number of lines of rules that are left out.
const SKIPPED: &str = "      .. ";

impl ForPeople for Story {
    fn in_spanish(&self) -> String {
        let told = self.told.iter().map(|told| {
            let from = match told.from.as_str() {
                BASE => "la base",
                from => from,
            };
            // The command line is where the reader has just typed it.
            let place = match told.place.is_empty() || told.from.starts_with("--") {
                true => String::new(),
                false => format!(" ({})", told.place),
            };
            format!("{} de {from}{place}", told.value)
        });
        let told: Vec<String> = told.collect();
        format!("{}: {}", self.key, told.join(", en vez de "))
    }
}

/// What there is to know of a value beside where it comes from, a line each.
pub fn details(story: &Story) -> Vec<String> {
    if language() == Language::En {
        return story.details();
    }
    let range = story.range.map(|(min, max)| format!("de {min} a {max}"));
    let said: Vec<String> = range.into_iter().chain(story.meaning.clone()).collect();
    let readers: Vec<String> = story
        .read_by
        .iter()
        .map(|reader| format!("{} ({})", reader.function, reader.place))
        .collect();
    let mut lines = Vec::new();
    if !said.is_empty() {
        lines.push(said.join("; "));
    }
    if !readers.is_empty() {
        lines.push(format!("lo leen {}", readers.join(", ")));
    }
    lines
}

impl ForPeople for Unusable {
    fn in_spanish(&self) -> String {
        match self {
            Unusable::NotPlain => "no es un archivo corriente".into(),
            Unusable::TooLarge(most) => format!("tiene más de {} MiB", most >> 20),
            Unusable::NobodyReads => "nadie lee de esa tubería".into(),
        }
    }
}

impl ForPeople for io::Error {
    fn in_spanish(&self) -> String {
        let inside = self.get_ref().and_then(|why| why.downcast_ref());
        if let Some(why) = inside {
            return Unusable::in_spanish(why);
        }
        let said = match self.kind() {
            ErrorKind::NotFound => "no existe el archivo o la carpeta",
            ErrorKind::PermissionDenied => "no hay permiso",
            ErrorKind::AlreadyExists => "ya existe",
            ErrorKind::IsADirectory => "es una carpeta",
            ErrorKind::NotADirectory => "no es una carpeta",
            ErrorKind::StorageFull => "no queda sitio en el disco",
            ErrorKind::FileTooLarge => "el archivo sería demasiado grande",
            ErrorKind::ReadOnlyFilesystem => "en ese disco no se puede escribir",
            ErrorKind::InvalidFilename | ErrorKind::InvalidInput => "ese nombre no vale",
            ErrorKind::InvalidData => "no es texto UTF-8",
            ErrorKind::AddrInUse => "esa dirección ya está en uso",
            _ => return self.to_string(),
        };
        match self.raw_os_error() {
            Some(code) => format!("{said} (error {code} del sistema)"),
            None => said.into(),
        }
    }
}
