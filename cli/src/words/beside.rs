//! What the crates beside the kernel say, in Spanish: packs, the lab, spreadsheets, print. What they found in somebody's file is shown as it is.

use super::errors::ForPeople;
use ludoteca::limits::{ISOLATED_MEMORY, ISOLATED_SECONDS, PRINTED_CARDS, PRINTED_LETTERS};
use ludoteca_lab::columns::BadCell;
use ludoteca_lab::goal::BadGoal;
use ludoteca_lab::parameter::BadParameter;
use ludoteca_lab::parts::NotARun;
use ludoteca_lab::results::ResultsError;
use ludoteca_lab::simulate::BrokenGame;
use ludoteca_lab::sweep::TooManyPoints;
use ludoteca_packs::PackError;
use ludoteca_packs::archive::ArchiveError;
use ludoteca_packs::fetch::FetchError;
use ludoteca_packs::isolate::Excess;
use ludoteca_packs::signature::{OtherFile, SignatureError};
use ludoteca_press::PressError;
use ludoteca_sheets::SheetError;

/// The end of a sentence that suggests something: `did you mean x?`, `there are a, b`.
fn suggested(hint: &str) -> String {
    hint.replace("did you mean ", "¿quizá ")
        .replace("there are ", "hay ")
        .replace("this game declares none", "este juego no declara ninguno")
}

impl ForPeople for PackError {
    fn in_spanish(&self) -> String {
        match self {
            PackError::File { path, what } => format!("{}: {what}", path.display()),
            PackError::NotAPack(why) => format!("esto no es un paquete: {why}"),
            PackError::Archive(error) => {
                format!("este archivo no es un paquete: {}", error.in_spanish())
            }
            PackError::Signature(error) => error.in_spanish(),
            PackError::Fetch(error) => error.in_spanish(),
            PackError::NoSolution(why) => format!("no hay versiones que encajen: {why}"),
            PackError::Index(what) => format!("el índice está dañado: {what}"),
            PackError::Unknown { name, meant } => {
                format!(
                    "el índice no tiene ningún paquete «{name}»{}",
                    suggested(meant)
                )
            }
            PackError::Published(version) => {
                format!("{version} ya está publicado, con otros archivos; dale otra versión")
            }
            PackError::Lock(what) => format!("el archivo de versiones fijadas: {what}"),
            PackError::NotInstalled { name, meant } => {
                format!(
                    "no hay ningún paquete «{name}» instalado{}",
                    suggested(meant)
                )
            }
            PackError::Touched { name, file } => {
                let which = match file {
                    Some(OtherFile::Changed(path)) => format!(": «{path}» se cambió"),
                    Some(OtherFile::Added(path)) => format!(": «{path}» se añadió"),
                    Some(OtherFile::Missing(path)) => format!(": «{path}» se quitó"),
                    None => String::new(),
                };
                format!(
                    "los archivos de «{name}» cambiaron después de instalarlo{which}; vuelve a añadirlo"
                )
            }
            PackError::Needed { name, by } => {
                format!("«{name}» no se puede quitar: {by} se basa en él")
            }
        }
    }
}

impl ForPeople for Excess {
    fn in_spanish(&self) -> String {
        match self {
            Excess::Time => format!("usó más de {ISOLATED_SECONDS} segundos de procesador"),
            Excess::Memory => format!("usó más de {} MiB de memoria", ISOLATED_MEMORY >> 20),
            Excess::Depth => "algo en él va más hondo de lo que se puede seguir".into(),
            Excess::Patience => "no acabó en el tiempo que se espera".into(),
            Excess::Signal(signal) => format!("no se pudo mirar (señal {signal})"),
            Excess::Unknown => "la mirada acabó de un modo desconocido".into(),
        }
    }
}

impl ForPeople for ArchiveError {
    fn in_spanish(&self) -> String {
        match self {
            ArchiveError::TooLarge => "es demasiado grande".into(),
            ArchiveError::Damaged(why) => format!("no se puede leer: {why}"),
            ArchiveError::TooMany => "tiene demasiados archivos".into(),
            ArchiveError::NotAFile(path) => {
                format!("«{path}» es un enlace o no es un archivo normal")
            }
            ArchiveError::Packed(path) => {
                format!("«{path}» está cifrado o comprimido de un modo que aquí no se lee")
            }
            ArchiveError::Lies(path) => format!("«{path}» es más grande de lo que dice"),
            ArchiveError::Doubled => "dos de sus archivos tienen el mismo nombre".into(),
            ArchiveError::Overlaps => "sus archivos se solapan".into(),
            ArchiveError::Stuffed => "tiene bytes que no son de ninguno de sus archivos".into(),
            ArchiveError::Disordered(path) => {
                format!("«{path}» no está en el orden de las rutas, con la firma al final")
            }
            ArchiveError::Rights(path) => {
                format!("«{path}» pide permisos que ningún archivo de un paquete tiene")
            }
            ArchiveError::Refused(why) => why.clone(),
        }
    }
}

impl ForPeople for SignatureError {
    fn in_spanish(&self) -> String {
        match self {
            SignatureError::Unreadable => "su firma no se puede leer".into(),
            SignatureError::Forged => {
                "su firma no es de la clave que nombra: alguien cambió la lista de archivos".into()
            }
            SignatureError::Changed(path) => {
                format!("«{path}» se cambió después de firmar el paquete")
            }
            SignatureError::Added(path) => {
                format!("«{path}» se añadió después de firmar el paquete")
            }
            SignatureError::Missing(path) => {
                format!("«{path}» se quitó después de firmar el paquete")
            }
        }
    }
}

impl ForPeople for FetchError {
    fn in_spanish(&self) -> String {
        match self {
            FetchError::Missing(from) => format!("{from}: no existe ese archivo"),
            FetchError::TooLarge(from) => format!("{from}: es demasiado grande"),
            FetchError::Failed(from, why) => format!("{from}: {why}"),
        }
    }
}

impl ForPeople for BadParameter {
    fn in_spanish(&self) -> String {
        match self {
            BadParameter::Unreadable(written) => format!(
                "«{written}»: se esperaba clave, clave=mín..máx o clave=mín..máx:paso, en números enteros"
            ),
            BadParameter::Unknown { key, hint } => format!(
                "«{key}» no es un parámetro con límites declarados; {}",
                suggested(hint)
            ),
            BadParameter::Outside {
                key,
                low,
                high,
                min,
                max,
            } => format!("«{key}» va de {low} a {high}; el juego declara de {min} a {max}"),
            BadParameter::TooMany { key, count } => {
                format!("«{key}» tiene {count} valores, demasiados: toma un paso más grande")
            }
            BadParameter::Twice(key) => format!("«{key}» está dos veces"),
        }
    }
}

impl ForPeople for BadGoal {
    fn in_spanish(&self) -> String {
        match self {
            BadGoal::Unreadable(written) => format!(
                "«{written}»: se esperaba medida>=número, medida<=número, medida=número o medida in mín..máx"
            ),
            BadGoal::Unknown { metric, hint } => {
                format!("no existe la medida «{metric}»{}", suggested(hint))
            }
        }
    }
}

impl ForPeople for TooManyPoints {
    fn in_spanish(&self) -> String {
        let TooManyPoints(points) = self;
        format!("la rejilla tiene {points} puntos, demasiados: toma pasos más grandes")
    }
}

impl ForPeople for NotARun {
    fn in_spanish(&self) -> String {
        match self {
            NotARun::Nothing => "no se nombra ningún resultado".into(),
            NotARun::File { path, error } => format!("{path}: {}", error.in_spanish()),
            NotARun::Others {
                first,
                second,
                what,
            } => format!("{first} y {second} no son partes de una misma serie: {what}"),
            NotARun::Odd { path, game } => format!(
                "{path}: la partida {game} está dos veces, o no es de esta parte de la serie"
            ),
        }
    }
}

impl ForPeople for ResultsError {
    fn in_spanish(&self) -> String {
        match self {
            ResultsError::Io(error) => error.in_spanish(),
            ResultsError::NotResults(why) => format!("esto no son resultados de partidas: {why}"),
            ResultsError::OtherRun => "son partidas de otra serie: el juego, su contenido, los ajustes, los jugadores, los bots, las semillas o el número de partidas son otros".into(),
            ResultsError::OutOfOrder(game) => {
                format!("la partida {game} no está en su sitio, o está dos veces")
            }
            ResultsError::Taken => "ahí se está guardando otra serie".into(),
            ResultsError::OtherFormat(layout) => {
                format!("está escrito en el formato {layout}, que esta versión no lee")
            }
            ResultsError::Cell(BadCell { column, found }) => {
                format!("la columna «{column}» dice «{found}»")
            }
            other => other.to_string(),
        }
    }
}

impl ForPeople for BrokenGame {
    fn in_spanish(&self) -> String {
        match self {
            BrokenGame::Rules { seed, error } => {
                format!(
                    "partida con la semilla {seed}, ronda {}: {error}",
                    error.round
                )
            }
            BrokenGame::Guest { seed, error } => format!(
                "partida con la semilla {seed}: {} dejó la mesa: {}",
                error.name, error.why
            ),
        }
    }
}

impl ForPeople for SheetError {
    fn in_spanish(&self) -> String {
        match self {
            SheetError::Unknown { name, meant, known } => format!(
                "no hay ninguna clase de cartas ni ninguna tabla «{name}»{}; {}",
                suggested(meant),
                match known.as_str() {
                    "" => "el juego no tiene".to_string(),
                    _ => format!("hay {known}"),
                }
            ),
            SheetError::Two(name) => format!(
                "«{name}» es una clase de cartas y una tabla: escribe `kind:{name}` o `table:{name}`"
            ),
            SheetError::Single(name) => {
                format!("«{name}» es un solo valor: `ludoteca explain` dice dónde está")
            }
            // What is wrong with files and cells is told as `check` tells it.
            SheetError::File(_) | SheetError::Cells(_) => self.to_string(),
        }
    }
}

impl ForPeople for PressError {
    fn in_spanish(&self) -> String {
        match self {
            PressError::UnknownKind { name, meant, known } => format!(
                "no hay ninguna clase de cartas «{name}»{}; hay {known}",
                suggested(meant)
            ),
            PressError::Nothing("nothing that is drawn differs") => {
                "no hay nada que imprimir: nada de lo que se dibuja cambia".into()
            }
            PressError::Nothing(_) => {
                "no hay nada que imprimir: el juego no tiene nada de esto".into()
            }
            PressError::TooMany => {
                format!("se imprimirían más de {PRINTED_CARDS} cartas; `--kind` elige entre ellas")
            }
            PressError::TooManyPages(most) => {
                format!(
                    "se imprimirían más de {most} páginas; `--kind` y `--only` eligen entre ellas"
                )
            }
            PressError::TooLarge => format!(
                "las páginas tendrían más de {} MiB; `--kind` y `--only` eligen entre ellas",
                PRINTED_LETTERS >> 20
            ),
            PressError::Page(why) => format!("no se pudo dibujar una página: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_in_spanish_too() {
        let unknown = BadParameter::Unknown {
            key: "prise".into(),
            hint: "did you mean `price`?".into(),
        };
        assert_eq!(
            unknown.in_spanish(),
            "«prise» no es un parámetro con límites declarados; ¿quizá `price`?"
        );
    }
}
