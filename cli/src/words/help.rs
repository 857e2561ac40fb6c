//! The help of the command in the reader's language. English stands where the arguments are declared; the table here says the same in
//! Spanish, and a test finds what is missing or left over.

use super::language;
use clap::{Arg, Command};
use ludoteca::Language;

/// The command line as it is read and explained.
pub fn in_language(mut command: Command) -> Command {
    if language() == Language::En {
        return command;
    }
    command.build();
    in_spanish(command)
}

fn in_spanish(mut command: Command) -> Command {
    let usage = command.render_usage().to_string();
    let usage = spanish_usage(usage.trim_start_matches("Usage:").trim());
    let about = command.get_about().map(ToString::to_string);
    let about = about.map_or(String::new(), |text| of(&text).to_string());
    let shown = |arg: &&Arg| !arg.is_hide_set();
    let mut parts = vec![about, format!("Uso: {usage}")];
    let places = ["{subcommands}", "{positionals}", "{options}"];
    let has = [
        command.has_subcommands(),
        command.get_positionals().any(|arg| shown(&arg)),
        true,
    ];
    for ((title, place), has) in ["Órdenes", "Argumentos", "Opciones"]
        .into_iter()
        .zip(places)
        .zip(has)
    {
        if has {
            parts.push(format!("{title}:\n{place}"));
        }
    }
    parts.retain(|part| !part.is_empty());
    let names: Vec<String> = command
        .get_subcommands()
        .map(|sub| sub.get_name().to_string())
        .collect();
    for name in names {
        command = command.mut_subcommand(name, in_spanish);
    }
    let about = command
        .get_about()
        .map(|text| of(&text.to_string()).to_string());
    if let Some(about) = about {
        command = command.about(about);
    }
    command
        .mut_args(argument)
        .override_usage(usage)
        .help_template(format!("{}\n", parts.join("\n\n")))
}

/// An argument's help with what it is if it is left out, which is otherwise said in English.
fn argument(arg: Arg) -> Arg {
    let mut help = arg.get_help().map_or(String::new(), ToString::to_string);
    help = of(&help).to_string();
    let takes = arg.get_action().takes_values();
    let default: Vec<String> = arg
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy().into_owned())
        .filter(|value| takes && !value.is_empty())
        .collect();
    if !default.is_empty() {
        help += &format!(" [si no se dice: {}]", default.join(","));
    }
    let possible: Vec<String> = arg
        .get_possible_values()
        .iter()
        .filter(|value| takes && !value.is_hide_set())
        .map(|value| value.get_name().to_string())
        .collect();
    if !possible.is_empty() {
        help += &format!(" [valores: {}]", possible.join(", "));
    }
    if let Some(variable) = arg.get_env() {
        help += &format!(" [variable: {}]", variable.to_string_lossy());
    }
    let name = match arg.get_value_names() {
        Some([name]) => spanish_name(name),
        None if takes => spanish_name(&arg.get_id().as_str().to_uppercase()),
        _ => None,
    };
    let arg = match name {
        Some(name) => arg.value_name(name),
        None => arg,
    };
    arg.help(help)
        .hide_default_value(true)
        .hide_possible_values(true)
        .hide_env(true)
}

/// A usage line with its own words in Spanish.
pub fn spanish_usage(usage: &str) -> String {
    let word = |word: &str| {
        let inside = word.trim_matches(['[', ']', '<', '>', '.']);
        match spanish_name(inside) {
            Some(name) => word.replace(inside, name),
            None => word.to_string(),
        }
    };
    let words: Vec<String> = usage.split(' ').map(word).collect();
    words.join(" ")
}

fn spanish_name(name: &str) -> Option<&'static str> {
    let found = NAMES.iter().find(|(english, _)| *english == name);
    found.map(|(_, spanish)| *spanish)
}

fn of(english: &str) -> &str {
    let found = TEXTS.iter().find(|(text, _)| *text == english);
    found.map_or(english, |(_, spanish)| spanish)
}

/// What stands for a value.
const NAMES: &[(&str, &str)] = &[
    ("OPTIONS", "OPCIONES"),
    ("COMMAND", "ORDEN"),
    ("GAME", "JUEGO"),
    ("FILE", "ARCHIVO"),
    ("FILES", "ARCHIVOS"),
    ("FILE.html", "ARCHIVO.html"),
    ("FILE.toml", "ARCHIVO.toml"),
    ("NAME", "NOMBRE"),
    ("KEY", "CLAVE"),
    ("KEY=VALUE", "CLAVE=VALOR"),
    ("KEY[=LO..HI[:STEP]]", "CLAVE[=MÍN..MÁX[:PASO]]"),
    ("TOPIC", "TEMA"),
    ("TARGET", "QUÉ"),
    ("WHAT", "QUÉ"),
    ("DIR", "CARPETA"),
    ("FOLDER", "CARPETA"),
    ("CONTENT", "CARPETAS"),
    ("PLAYERS", "N"),
    ("SEATS", "QUIÉNES"),
    ("BOTS", "BOTS"),
    ("BOT", "BOT"),
    ("SEED", "SEMILLA"),
    ("LANG", "LENGUA"),
    ("HOST", "DIRECCIÓN"),
    ("PORT", "PUERTO"),
    ("PATH", "RUTA"),
    ("ORIGIN", "ORIGEN"),
    ("LEFT", "UNA"),
    ("RIGHT", "OTRA"),
    ("GAMES", "N"),
    ("JOBS", "N"),
    ("GOALS", "METAS"),
    ("BATCH", "N"),
    ("SIZE", "TAMAÑO"),
    ("METRIC", "MEDIDA"),
    ("INDEX", "ÍNDICE"),
    ("PACK", "PAQUETE"),
    ("TEXT", "TEXTO"),
    ("AT", "DIRECCIÓN"),
    ("WHEN", "CUÁNDO"),
    ("PATHS", "RUTAS"),
    ("KIND", "CLASE"),
    ("TABLE", "TABLA"),
    ("ONLY", "QUÉ"),
    ("PAPER", "PAPEL"),
    ("FORMAT", "FORMATO"),
    ("DOTS", "PUNTOS"),
    ("SKILLS", "BOTS"),
    ("REPORT.json", "INFORME.json"),
];

/// English, Spanish: a line for each, as a table is read.
#[rustfmt::skip]
const TEXTS: &[(&str, &str)] = &[
    ("Board and card games as text files: check them, play them, simulate them", "Juegos de mesa y de cartas como archivos de texto: comprobarlos, jugarlos, simularlos"),
    ("Print help", "Muestra esta ayuda"),
    ("Print version", "Muestra la versión"),
    ("Folders with more content, in order; each changes what came before", "Carpetas con más contenido, en orden; cada una cambia lo anterior"),
    ("Plays with exactly the packs of ludoteca.lock, or not at all", "Juega exactamente con los paquetes de ludoteca.lock, o no juega"),
    ("The language of texts: es or en; that of the locale if left out", "La lengua de los textos: es o en; si no se dice, la del sistema"),
    ("Colours: auto (on a terminal, unless NO_COLOR is set), always or never", "Colores: auto (en una terminal, salvo que NO_COLOR esté puesta), always (siempre) o never (nunca)"),
    ("The games and variants there are", "Los juegos y variantes que hay"),
    ("Validates content and says everything that is wrong", "Comprueba el contenido y dice todo lo que está mal"),
    ("Plays one match: people at this terminal, bots, programs", "Juega una partida: personas en esta terminal, bots, programas"),
    ("The table in the browser: plays matches on pages of this machine, or of others", "La mesa en el navegador: partidas en páginas de esta máquina, o de otras"),
    ("The rulebook of a game, or a topic of it", "El reglamento de un juego, o un tema suyo"),
    ("Plays many games with bots and reports", "Juega muchas partidas con bots e informa"),
    ("Plays the same games on two sides and says what differs", "Juega las mismas partidas a dos lados y dice en qué se diferencian"),
    ("Plays many games for each value of a parameter", "Juega muchas partidas con cada valor de un parámetro"),
    ("Searches parameters for a stated goal", "Busca parámetros para una meta dada"),
    ("Lets bots play each other, from the weakest to the strongest", "Hace jugar a los bots entre sí, del más flojo al más fuerte"),
    ("Fits the scale from a game's opinion of a position to chances of winning, and says how much it knows", "Ajusta la escala entre lo que el juego opina de una posición y la probabilidad de ganar, y dice cuánto sabe"),
    ("Shows which choices of a saved match cost most, and what would have been better", "Muestra qué elecciones de una partida costaron más, y qué habría sido mejor"),
    ("Reports on results that were written before", "Informa de resultados escritos antes"),
    ("Counts the ways to make so many moves, exactly", "Cuenta exactamente de cuántas maneras se pueden hacer tantas jugadas"),
    ("Runs scenarios", "Pasa los escenarios"),
    ("On every save: what is wrong, which scenarios hold, and what the change does to many games", "Cada vez que se guarda: qué está mal, qué escenarios se cumplen y qué hace el cambio en muchas partidas"),
    ("Shows a saved match as a film, or its whole log, and verifies it", "Muestra una partida guardada como una película, o su crónica entera, y la verifica"),
    ("Starts a game, a variant or a pack that already passes `check`", "Empieza un juego, una variante o un paquete que ya pasa `check`"),
    ("Where a value comes from, what it means and which rules read it; or what a mistake is, by its code", "De dónde sale un valor, qué significa y qué reglas lo leen; o qué es un error, por su código"),
    ("A file of the content as it is read, also one that is built in", "Un archivo del contenido tal como se lee, también de los incluidos"),
    ("The files of a game as a folder, to read or to start from", "Los archivos de un juego como carpeta, para leerlos o para partir de ellos"),
    ("What two variants of a game change", "Qué cambian dos variantes de un juego"),
    ("Cards and tables as spreadsheets, out of the files and back", "Cartas y tablas como hojas de cálculo, de los archivos y de vuelta"),
    ("Cards, boards, tokens and rules on paper", "Cartas, tableros, fichas y reglas en papel"),
    ("Packs by others: gets, shows, makes, signs and publishes them", "Paquetes ajenos: los trae, muestra, hace, firma y publica"),
    ("An index of packs, which is plain files in a folder", "Un índice de paquetes: simples archivos en una carpeta"),
    ("Writes what renamed words are called now, and shows what it changes", "Escribe cómo se llaman ahora las palabras que cambiaron, y muestra lo que cambia"),
    ("What scripts may use", "Lo que pueden usar las reglas"),
    ("JSON Schemas of the files, for editors", "Los JSON Schema de los archivos, para editores"),
    ("Puts blanks and indentation of rules and content in order; what they mean stays", "Ordena los espacios y las sangrías de reglas y contenido; lo que significan queda igual"),
    ("The language server: editors start it and speak with it over standard input and output", "El servidor de lenguaje: los editores lo arrancan y hablan con él por la entrada y la salida estándar"),
    ("What is installed, which packs are read, and where things lie", "Qué está instalado, qué paquetes se leen y dónde está cada cosa"),
    ("What a shell completes: ludoteca completions bash > FILE", "Lo que completa una shell: ludoteca completions bash > ARCHIVO"),
    ("The manual", "El manual"),
    ("A command, or a topic of the documents", "Una orden, o un tema de los documentos"),
    ("How many games on each side", "Cuántas partidas a cada lado"),
    ("What to compare with: a variant, or `base`; what it was when watching began if left out", "Con qué se compara: una variante, o `base`; si no se dice, con lo que había al empezar a mirar"),
    ("A path such as cards/GAME/tables.toml; a game lists its files", "Una ruta como cards/JUEGO/tables.toml; un juego muestra sus archivos"),
    ("The folder to write, which must not be there yet", "La carpeta que se escribe, que no debe existir aún"),
    ("Makes it a game of your own, under this id, in a pack that passes `check`", "Lo hace un juego propio, con este nombre, en un paquete que pasa `check`"),
    ("bash, elvish, fish, powershell or zsh", "bash, elvish, fish, powershell o zsh"),
    ("Writes a page for each command into a folder", "Escribe en una carpeta una página por orden"),
    ("A command or a topic; all of them are listed if left out", "Una orden o un tema; si no se dice, se muestran todos"),
    ("Files or folders; the pack one stands in if left out", "Archivos o carpetas; si no se dice, el paquete en el que estés"),
    ("Changes nothing, and fails if something is not in order", "No cambia nada, y falla si algo no está en orden"),
    ("Writes the cards of a kind, or a table, as a spreadsheet", "Escribe las cartas de una clase, o una tabla, como hoja de cálculo"),
    ("Writes an edited spreadsheet into the game's files, or as a variant", "Lleva una hoja editada a los archivos del juego, o la escribe como variante"),
    ("A kind of cards, or a table", "Una clase de cartas, o una tabla"),
    ("The file, .csv or .xlsx; without it the sheet goes to standard output", "El archivo, .csv o .xlsx; si no se dice, la hoja va a la salida estándar"),
    ("The sheet, .csv or .xlsx", "La hoja, .csv o .xlsx"),
    ("Writes the changes as a variant of this name, and leaves the game as it is", "Escribe los cambios como variante con este nombre, y deja el juego como está"),
    ("Says what would change, and changes nothing", "Dice lo que cambiaría, y no cambia nada"),
    ("Only the cards of this kind", "Solo las cartas de esta clase"),
    ("Only what differs from a variant, several joined by `+`, or `base`", "Solo lo que difiere de una variante, de varias unidas por `+`, o de `base`"),
    ("Only these: cards, boards, tokens, rules; all if left out", "Solo esto: cards (cartas), boards (tableros), tokens (fichas), rules (reglas); si no se dice, todo"),
    ("The paper", "El papel"),
    ("Draws on the page what each seat could expect along game I of the run (from 0), by a search from its own seat", "Dibuja en la página lo que cada asiento podía esperar a lo largo de la partida I de la serie (desde 0), según una búsqueda desde su propio asiento"),
    ("Plays game I of --take alone (from 0) and writes both ways as transcripts", "Juega sola la partida I de --take (desde 0) y escribe las dos formas como transcripciones"),
    ("The folder for the transcripts of --only; this one if left out", "La carpeta para las transcripciones de --only; esta si se omite"),
    ("By the ending of the file if left out", "Si no se dice, por la terminación del archivo"),
    ("Dots an inch of a PNG", "Puntos por pulgada de un PNG"),
    ("The file; pictures are one file a page, numbered", "El archivo; las imágenes son un archivo por página, numerados"),
    ("One JSON object on standard output", "Un objeto JSON por la salida estándar"),
    ("A game, or the folder of a pack; everything if left out", "Un juego, o la carpeta de un paquete; si no se dice, todo"),
    ("Looks at it in a process of its own, which may use little and write nothing", "Lo mira en un proceso aparte, que puede gastar poco y no escribe nada"),
    ("The game's id; `ludoteca list` shows them", "El nombre del juego; `ludoteca list` los muestra"),
    ("Variants to apply, in order", "Variantes que se aplican, en orden"),
    ("A value to change: prices.unit.resources=3", "Un valor que se cambia: prices.unit.resources=3"),
    ("A topic by its id, its title or the beginning of one; everything if left out", "Un tema por su nombre, su título o el principio de uno; si no se dice, todo"),
    ("The game's id; `ludoteca list` shows them. Left out, a match that was begun goes on", "El nombre del juego; `ludoteca list` los muestra. Si no se dice, sigue una partida empezada"),
    ("How many players; the fewest the game allows if left out", "Cuántos jugadores; si no se dice, los menos que el juego permite"),
    ("Who sits where, or one for all: human, random, policy, greedy, rollout:100, search:100, search:2s; with --stdio also remote", "Quién se sienta dónde, o uno para todos: human, random, policy, greedy, rollout:100, search:100, search:2s; con --stdio también remote"),
    ("The same seed and answers give the same match; any if left out", "La misma semilla y las mismas respuestas dan la misma partida; si no se dice, cualquiera"),
    ("Goes on with a saved match", "Sigue una partida guardada"),
    ("Keeps the match here; in a folder of yours if left out", "Guarda aquí la partida; si no se dice, en una carpeta tuya"),
    ("Shows the whole log when only bots play, or writes the log of any match to a file", "Muestra la crónica entera cuando solo juegan bots, o escribe en un archivo la de cualquier partida"),
    ("Lines of JSON instead of a terminal, for programs; see docs/protocol.md", "Líneas de JSON en vez de terminal, para programas; véase docs/protocol.md"),
    ("The table in the browser instead of a terminal; opens the page", "La mesa en el navegador en vez de la terminal; abre la página"),
    ("The folder matches are kept in; one of the user's own if left out", "La carpeta donde se guardan las partidas; si no se dice, una del usuario"),
    ("The address to listen at; 0.0.0.0 opens it to other machines", "La dirección en la que escucha; 0.0.0.0 la abre a otras máquinas"),
    ("The port; 0 takes any that is free", "El puerto; 0 toma uno que esté libre"),
    ("What comes before all addresses, behind a server that passes requests on", "Lo que va delante de todas las direcciones, detrás de un servidor intermedio"),
    ("Another address the page is reached at, if a server passes requests on: https://example.org", "Otra dirección por la que se llega a la página, si hay un servidor intermedio: https://example.org"),
    ("Reads edited files into running matches", "Lleva los archivos editados a las partidas en curso"),
    ("Edits the games of this folder on a page: the workbench", "Edita en una página los juegos de esta carpeta: el taller"),
    ("What one must have to edit, where other machines are let in; left out, one that nobody can guess is made", "Lo que hay que tener para editar, si se deja entrar a otras máquinas; si no se dice, se hace uno que nadie puede adivinar"),
    ("Does not count how often one address asks, for measuring", "No cuenta cuántas veces pide una misma dirección, para medir"),
    ("Takes the files of the page from this folder instead of those built in", "Toma los archivos de la página de esta carpeta en vez de los incluidos"),
    ("A game, a scenario file or a folder; all scenarios below tests/scenarios if left out", "Un juego, un archivo de escenarios o una carpeta; si no se dice, todos los de tests/scenarios"),
    ("Says which lines of a game's rules no scenario runs, and which of them random games do", "Dice qué líneas de las reglas no pasa ningún escenario, y cuáles de ellas pasan las partidas al azar"),
    ("Changes one number, comparison or call of a game's rules at a time and lists the changes no scenario notices", "Cambia cada vez un número, una comparación o una llamada de las reglas y lista los cambios que ningún escenario nota"),
    ("Tries so many of the changes only", "Prueba solo tantos de los cambios"),
    ("Draws the sample", "Sortea la muestra"),
    ("Threads; one for each core if left out", "Hilos; si no se dice, uno por núcleo"),
    ("How many moves", "Cuántas jugadas"),
    ("Starts from a position in the notation of the game's players, which its `read_position` reads", "Empieza en una posición en la notación del juego, que lee su `read_position`"),
    ("Starts from the position of a scenario file's first scenario", "Empieza en la posición del primer escenario de un archivo"),
    ("Counts for each first move as well", "Cuenta también por cada primera jugada"),
    ("Of what is left to luck", "La de lo que queda al azar"),
    ("The transcript", "La partida guardada"),
    ("Plays it on other content as far as it goes", "La juega con otro contenido hasta donde llegue"),
    ("From this seat's eyes, counted from 0; its last view with --json", "Con los ojos de este asiento, contando desde 0; con --json, lo último que ve"),
    ("The whole log instead of the film, on the screen or in a file", "La crónica entera en vez de la película, en pantalla o en un archivo"),
    ("Only this seat's choices; those of people if left out, everybody's if there are none", "Solo las elecciones de este asiento; si no se dice, las de personas, o las de todos si no las hay"),
    ("Lines of thought for each choice", "Líneas que se piensan en cada elección"),
    ("How many choices are shown", "Cuántas elecciones se muestran"),
    ("The smallest game that plays, with a scenario; a pack of its own unless made inside one", "El juego más pequeño que se puede jugar, con un escenario; un paquete propio, salvo dentro de otro"),
    ("Its id: lower case letters, digits and `-`", "Su nombre: letras minúsculas, cifras y `-`"),
    ("Where the folder goes", "Dónde va la carpeta"),
    ("A variant of a game, in one file", "Una variante de un juego, en un archivo"),
    ("The pack it goes into", "El paquete al que va"),
    ("Sets what `tune` found: what it wrote with --json", "Pone lo que halló `tune`: lo que escribió con --json"),
    ("A pack of your own: a folder to put games and changes into", "Un paquete propio: una carpeta para juegos y cambios"),
    ("Its name: lower case letters, digits and `-`", "Su nombre: letras minúsculas, cifras y `-`"),
    ("A value, a table or a part of a name: prices.unit, max_attacks, unit; left out where the first is a code such as E011", "Un valor, una tabla o parte de un nombre: prices.unit, max_attacks, unit; no se dice cuando lo primero es un código como E011"),
    ("The game's id", "El nombre del juego"),
    ("A variant, several joined by `+`, or `base`", "Una variante, varias unidas por `+`, o `base`"),
    ("What to compare it with", "Con qué se compara"),
    ("What this game declares, instead of what all may use", "Lo que declara este juego, en vez de lo que todos pueden usar"),
    ("Definitions for editors that know Rhai (.d.rhai)", "Definiciones para editores que conocen Rhai (.d.rhai)"),
    ("One of them; their names if left out", "Uno de ellos; si no se dice, sus nombres"),
    ("Writes all of them into a folder", "Los escribe todos en una carpeta"),
    ("How many games", "Cuántas partidas"),
    ("A bot for each seat, or one for all: random, policy, greedy, rollout:100, search:100", "Un bot por asiento, o uno para todos: random, policy, greedy, rollout:100, search:100"),
    ("A bot for each seat, or one for all: random, policy, greedy, rollout:100, search:100; if left out, greedy if it plays the games in ten minutes, else policy, else random", "Un bot por asiento, o uno para todos: random, policy, greedy, rollout:100, search:100; si no se dice, greedy si juega las partidas en diez minutos; si no, policy; si no, random"),
    ("The first game's seed; the others follow", "La semilla de la primera partida; las demás siguen"),
    ("Threads; all cores if left out. The result does not depend on it", "Hilos; si no se dice, todos los núcleos. El resultado no depende de ello"),
    ("Looks closely (lead, content, steps) at every Nth game, 0 for none; every game if left out, every twentieth when all bots are random", "Mira de cerca (ventaja, contenido, pasos) una de cada N partidas, 0 para ninguna; si no se dice, todas, o una de cada veinte si todos los bots son random"),
    ("A page with pictures, in one file that opens offline", "Una página con gráficos, en un archivo que se abre sin red"),
    ("How it is written on standard output: text, md (Markdown, to paste somewhere) or json", "Cómo se escribe en la salida estándar: text (texto), md (Markdown, para pegarlo en otro sitio) o json"),
    ("Moves the bots on by one seat from game to game", "Corre a los bots un asiento de partida en partida"),
    ("Plays game I of the run alone (from 0) and writes its transcript", "Juega solo la partida I de la serie (desde 0) y la escribe"),
    ("Where the games go, a row each: a file .parquet or .csv, or a folder for the run in parts; with --only, where the transcript goes (standard output if left out)", "Adónde van las partidas, una por fila: un archivo .parquet o .csv, o una carpeta para la serie por partes; con --only, adónde va la partida (si no se dice, a la salida estándar)"),
    ("Goes on with the run whose games are in --out, or beside it if it was killed; a run that was never begun is begun", "Sigue la serie cuyas partidas están en --out, o a su lado si se interrumpió; si no estaba empezada, la empieza"),
    ("Plays part I of N of the run (from 1); `report` joins the parts", "Juega la parte I de N de la serie (desde 1); `report` junta las partes"),
    ("Plays a few games and says how long all would take", "Juega unas pocas partidas y dice cuánto tardarían todas"),
    ("Plays a few games and says how long the search would take", "Juega unas pocas partidas y dice cuánto tardaría la búsqueda"),
    ("The measure --until watches; one that is measured only if asked for, such as lost(units@combat_turn), is compared too", "La medida que mira --until; una que solo se mide si se pide, como lost(units@combat_turn), también se compara"),
    ("Plays a few games and says how long all would take, and how exactly they would tell", "Juega unas pocas partidas y dice cuánto tardarían todas, y con qué exactitud informarían"),
    ("Draws on the page what each seat could expect along game I of the run (from 0), by a search from its own seat", "Dibuja en la página lo que cada asiento podía esperar a lo largo de la partida I de la serie (desde 0), por una búsqueda hecha desde él"),
    ("Asks the game's invariants after every step", "Pregunta los invariantes del juego tras cada paso"),
    ("Remembers nothing of a game but who won: how fast it is played without the lab", "No recuerda de una partida más que quién ganó: cuán rápido se juega sin el laboratorio"),
    ("A pack that only one side has: one for the second side, or one for each", "Un paquete que solo tiene un lado: uno para el segundo, o uno para cada uno"),
    ("The size for which the number of games needed is told: of a share as it is, of anything else as a part of its mean", "El tamaño para el que se dicen las partidas necesarias: el de una proporción tal cual, el de lo demás como parte de su media"),
    ("Stops as soon as a difference of this size in --metric is settled either way; -n is then the most games played", "Para en cuanto se decide si hay una diferencia de este tamaño en --metric; -n es entonces el máximo de partidas"),
    ("Asks at each of these skills, from the weakest to the strongest: random,policy,greedy,search:200. Without a second side, compares them with the weakest", "Pregunta con cada una de estas destrezas, de la más floja a la más fuerte: random,policy,greedy,search:200. Sin segundo lado, las compara con la más floja"),
    ("What a card or an option is worth, or each of a kind: every game is played twice, and where a seat may first take it, it does so once and goes without the other time", "Lo que vale una carta o una opción, o cada una de una clase: cada partida se juega dos veces y, donde un asiento puede tomarla por primera vez, una vez la toma y la otra se queda sin ella"),
    ("Plays a few games and says what all of them could show, and how long they would take", "Juega unas pocas partidas y dice qué podrían mostrar todas, y cuánto tardarían"),
    ("What is varied, and over what: prices.unit.resources=2..6:1; the declared range if left out", "Qué se varía y entre qué: prices.unit.resources=2..6:1; si no se dice, el margen declarado"),
    ("The measures shown; the most telling ones if left out", "Las medidas que se muestran; si no se dice, las más elocuentes"),
    ("What may be changed, and between what: prices.unit.resources=2..6; the declared range if left out", "Qué se puede cambiar y entre qué: prices.unit.resources=2..6; si no se dice, el margen declarado"),
    ("What is wanted: \"seat_balance>=0.95, rounds in 8..12, unused(cards)=0\"", "Lo que se quiere: \"seat_balance>=0.95, rounds in 8..12, unused(cards)=0\""),
    ("Games for each setting that is tried", "Partidas por cada ajuste que se prueba"),
    ("Games for each of the best settings afterwards, on fresh seeds; as many as a quarter of the search if left out", "Partidas después con cada uno de los mejores ajustes, con otras semillas; si no se dice, una cuarta parte de la búsqueda"),
    ("Writes the best settings as a variant", "Escribe los mejores ajustes como variante"),
    ("Results that `sim --out` wrote: one run, its parts, or a folder of them", "Resultados que escribió `sim --out`: una serie, sus partes o una carpeta con ellas"),
    ("From the weakest to the strongest; each plays the one before it", "Del más flojo al más fuerte; cada uno juega contra el anterior"),
    ("Games of each pair", "Partidas de cada pareja"),
    ("How many players; the fewest the game allows if left out. The stronger bot has half of the seats", "Cuántos jugadores; si no se dice, los menos que el juego permite. El bot más fuerte ocupa la mitad de los asientos"),
    ("The first seed; each is played from every seat", "La primera semilla; cada una se juega desde todos los asientos"),
    ("The bot that plays against itself", "El bot que juega contra sí mismo"),
    ("Fits the numbers of this table of the game, such as `opinion`, to who won, instead of the scale", "Ajusta a quién ganó los números de esta tabla del juego, por ejemplo `opinion`, en vez de la escala"),
    ("Writes what was found where bots read it: the scale into the game's manifest, fitted numbers into its tables", "Escribe lo hallado donde lo leen los bots: la escala en el manifiesto del juego, los números ajustados en sus tablas"),
    ("Checks a pack, shows what it brings and changes, asks, and installs it for you", "Comprueba un paquete, muestra qué trae y qué cambia, pregunta y lo instala"),
    ("The packs that are installed", "Los paquetes instalados"),
    ("Takes a pack away", "Quita un paquete"),
    ("Its name", "Su nombre"),
    ("Looks in the index for newer versions", "Busca versiones nuevas en el índice"),
    ("What is known of a pack", "Lo que se sabe de un paquete"),
    ("The name of an installed pack, or one of the index", "El nombre de un paquete instalado, o de uno del índice"),
    ("Makes one file of a pack's folder, the same bytes on every machine", "Hace un archivo de la carpeta de un paquete, igual byte por byte en toda máquina"),
    ("Signs a pack file with your key, which is made when it is first needed", "Firma un archivo de paquete con tu clave, que se crea la primera vez"),
    ("The pack file", "El archivo del paquete"),
    ("Your key, and the keys of the packs you have", "Tu clave, y las de los paquetes que tienes"),
    ("Adds a pack to an index in a folder", "Añade un paquete a un índice de una carpeta"),
    ("The folder of the index", "La carpeta del índice"),
    ("The pack file, or the folder of a pack; where you stand if left out", "El archivo o la carpeta de un paquete; si no se dice, donde estés"),
    ("Writes ludoteca.lock: the packs this folder plays with", "Escribe ludoteca.lock: los paquetes con los que juega esta carpeta"),
    ("A pack file, a folder, an address, or a name in the index: NAME or NAME@REQUIREMENT", "Un archivo de paquete, una carpeta, una dirección, o un nombre del índice: NOMBRE o NOMBRE@REQUISITO"),
    ("Asks nothing: yes to everything but a changed key", "No pregunta nada: sí a todo, menos a una clave que cambió"),
    ("Installs it though it is signed by another key than before", "Lo instala aunque lo firme otra clave que antes"),
    ("The pack; all if left out", "El paquete; si no se dice, todos"),
    ("The index: a folder or an address", "El índice: una carpeta o una dirección"),
    ("The folder of the pack; where you stand if left out", "La carpeta del paquete; si no se dice, donde estés"),
    ("The file to write; NAME-VERSION.ludo if left out", "El archivo que se escribe; si no se dice, NOMBRE-VERSIÓN.ludo"),
    ("Signs it with your key", "Lo firma con tu clave"),
    ("Gives an index away to whoever asks; any other web server does as well", "Sirve un índice a quien lo pida; cualquier otro servidor web vale igual"),
    ("Where to listen", "Dónde escucha"),
    ("The folder of a pack, or a file; where you stand if left out", "La carpeta de un paquete, o un archivo; si no se dice, donde estés"),
    ("Shows what would change, and changes nothing", "Muestra lo que cambiaría, y no cambia nada"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Arguments;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    /// Every text of the help, whatever it is about.
    fn texts(command: &Command, found: &mut BTreeSet<String>) {
        found.extend(command.get_about().map(ToString::to_string));
        let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
        found.extend(shown.filter_map(|arg| Some(arg.get_help()?.to_string())));
        for sub in command.get_subcommands() {
            texts(sub, found);
        }
    }

    #[test]
    fn all_help_is_there_in_spanish_and_nothing_is_left_over() {
        let mut command = Arguments::command();
        command.build();
        let mut found = BTreeSet::new();
        texts(&command, &mut found);
        let known: BTreeSet<String> = TEXTS
            .iter()
            .map(|(english, _)| english.to_string())
            .collect();
        let missing: Vec<&String> = found.difference(&known).collect();
        assert!(missing.is_empty(), "no Spanish for {missing:#?}");
        let left: Vec<&String> = known.difference(&found).collect();
        assert!(left.is_empty(), "nobody says {left:#?}");
    }

    #[test]
    fn the_whole_help_in_spanish_has_no_english_of_the_reader() {
        let mut command = Arguments::command();
        command.build();
        let mut command = in_spanish(command);
        let mut whole = String::new();
        fn collect(command: &mut Command, whole: &mut String) {
            whole.push_str(&command.render_help().to_string());
            for sub in command.get_subcommands_mut() {
                collect(sub, whole);
            }
        }
        collect(&mut command, &mut whole);
        for word in [
            "Usage",
            "Options",
            "Commands",
            "Arguments",
            "[default",
            "[env",
            "[possible",
            "Print ",
            "OPTIONS",
        ] {
            assert!(!whole.contains(word), "{word} in\n{whole}");
        }
    }
}
