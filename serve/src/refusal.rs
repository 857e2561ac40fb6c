//! Why something is not done, as sentences people read on their page, in both languages, with a stable name for programs.

use crate::kernel::{AnswerError, Diagnostic, Language, NotTaken, bearable};
use serde_json::{Value as Json, json};

/// Something was asked that cannot be done; nothing has changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{en}")]
pub struct Refusal {
    pub code: &'static str,
    pub es: String,
    pub en: String,
    /// What is wrong with content, if that is why.
    pub diagnostics: Vec<Json>,
}

impl Refusal {
    pub fn new(code: &'static str, es: impl Into<String>, en: impl Into<String>) -> Refusal {
        Refusal {
            code,
            es: es.into(),
            en: en.into(),
            diagnostics: Vec::new(),
        }
    }

    pub fn text(&self, language: Language) -> &str {
        match language {
            Language::Es => &self.es,
            Language::En => &self.en,
        }
    }

    /// The body of an answer over HTTP.
    pub fn json(&self, language: Language) -> Json {
        let mut error =
            json!({ "code": self.code, "text": self.text(language), "es": self.es, "en": self.en });
        if !self.diagnostics.is_empty() {
            error["diagnostics"] = json!(self.diagnostics);
        }
        json!({ "error": error })
    }

    pub fn bad_request(why: impl std::fmt::Display) -> Refusal {
        Refusal::new(
            "bad-request",
            format!("No se entiende el pedido: {why}."),
            format!("This cannot be understood: {why}."),
        )
    }

    pub fn unknown_key() -> Refusal {
        Refusal::new(
            "unknown-key",
            "Este enlace no lleva a ninguna partida de este servidor.",
            "This link leads to no match of this server.",
        )
    }

    pub fn unknown_game(game: &str) -> Refusal {
        Refusal::new(
            "unknown-game",
            format!("No hay ningún juego «{game}»."),
            format!("There is no game “{game}”."),
        )
    }

    pub fn content(diagnostics: &[Diagnostic]) -> Refusal {
        let listed: Vec<Json> = bearable(diagnostics).iter().map(diagnostic).collect();
        let first = diagnostics
            .iter()
            .find(|d| d.is_error())
            .map_or_else(String::new, |d| format!(": {}", d.message));
        Refusal {
            diagnostics: listed,
            ..Refusal::new(
                "content",
                format!("El contenido del juego tiene errores{first}."),
                format!("The content of the game has errors{first}."),
            )
        }
    }

    pub fn not_asked() -> Refusal {
        Refusal::new(
            "not-asked",
            "Ahora no te toca elegir.",
            "You have nothing to choose now.",
        )
    }

    pub fn not_kept() -> Refusal {
        Refusal::new(
            "not-kept",
            "No se pudo guardar en el disco; no cuenta.",
            "It could not be put on disk; it does not count.",
        )
    }

    pub fn not_allowed(es: &str, en: &str) -> Refusal {
        Refusal::new("not-allowed", es, en)
    }
}

impl From<NotTaken> for Refusal {
    fn from(error: NotTaken) -> Refusal {
        let NotTaken::Answer(error) = error else {
            return Refusal::not_kept();
        };
        let en = format!("{error}.");
        match error {
            AnswerError::NotAsked(_) => Refusal::not_asked(),
            AnswerError::UnknownOption { key, .. } => Refusal::new(
                "unknown-option",
                format!("«{key}» no está entre las opciones."),
                en,
            ),
            AnswerError::WrongCount { found, .. } => Refusal::new(
                "wrong-count",
                format!("No se pueden elegir {found} opciones."),
                en,
            ),
            AnswerError::MustStay => Refusal::new(
                "must-stay",
                "De este juego no se va nadie antes del final.",
                en,
            ),
            AnswerError::Twice(key) => {
                Refusal::new("twice", format!("«{key}» está dos veces."), en)
            }
        }
    }
}

/// A diagnostic as the page shows it.
pub fn diagnostic(found: &Diagnostic) -> Json {
    let mut told = json!({
        "code": found.code.to_string(),
        "severity": if found.is_error() { "error" } else { "warning" },
        "message": found.message,
        "help": found.help,
        "file": null, "line": null, "column": null, "source": null,
    });
    if let Some(label) = &found.at {
        let place = &label.place;
        let (line, column) = place.file.position(place.span.start);
        told["file"] = json!(place.file.shown);
        if !place.is_top() {
            told["line"] = json!(line);
            told["column"] = json!(column);
            told["source"] = json!(place.file.text.lines().nth(line - 1));
        }
    }
    told
}
