// What the page itself says, in both languages. What a game says comes from the game.

/** @typedef {import("./types.js").Lang} Lang */

/** @type {Record<string, [string, string]>} Spanish, English. */
const WORDS = {
  ludoteca: ["Ludoteca", "Ludoteca"],
  play: ["Jugar", "Play"],
  goOn: ["Seguir", "Go on"],
  goOnWith: ["Partidas en curso", "Matches to go on with"],
  over: ["Terminadas", "Finished"],
  isOver: ["terminada", "finished"],
  games: ["Juegos", "Games"],
  players: ["Jugadores", "Players"],
  playersFromTo: ["de {0} a {1} jugadores", "{0} to {1} players"],
  playersExactly: ["{0} jugadores", "{0} players"],
  variantsCount: ["{0} variantes", "{0} variants"],
  oneVariant: ["1 variante", "1 variant"],
  seats: ["Asientos", "Seats"],
  seat: ["Asiento {0}", "Seat {0}"],
  you: ["tú", "you"],
  me: ["Yo", "Me"],
  byLink: ["Alguien, con un enlace", "Somebody, by link"],
  bot: ["Bot: {0}", "Bot: {0}"],
  nobody: ["Nadie", "Nobody"],
  variants: ["Variantes", "Variants"],
  settingsOf: ["Cambiar números del juego", "Change numbers of the game"],
  seed: ["Semilla", "Seed"],
  any: ["cualquiera", "any"],
  badSeed: ["La semilla es un número entero de 0 o más.", "The seed is a whole number of 0 or more."],
  undoFree: ["libre", "free"],
  undoConsent: ["si los demás aceptan", "if the others agree"],
  undoNone: ["no", "no"],
  chat: ["Charla", "Chat"],
  withChat: ["con charla", "with chat"],
  language: ["Idioma", "Language"],
  start: ["Empezar con {0} jugadores", "Start with {0} players"],
  starting: ["Empezando…", "Starting…"],
  loadTranscript: ["Abrir una partida guardada", "Open a saved match"],
  loadTranscriptHelp: ["El archivo que se descargó de una partida: se sigue donde quedó, o se mira si terminó.", "The file downloaded from a match: it goes on where it was, or is watched if it is over."],
  forget: ["Quitar de la lista", "Take off the list"],
  yourTurn: ["Te toca", "Your turn"],
  round: ["Ronda {0}", "Round {0}"],
  ago: ["hace {0}", "{0} ago"],
  minutes: ["{0} min", "{0} min"],
  hours: ["{0} h", "{0} h"],
  days: ["{0} días", "{0} days"],
  justNow: ["ahora mismo", "just now"],
  cannotPlay: ["No se puede jugar: sus archivos tienen errores.", "Cannot be played: its files have errors."],
  close: ["Cerrar", "Close"],
  undo: ["Deshacer", "Undo"],
  hint: ["Pista", "Hint"],
  menu: ["Menú", "Menu"],
  options: ["Opciones", "Options"],
  yours: ["Lo tuyo", "Yours"],
  log: ["Crónica", "Log"],
  choose: ["Elegir", "Choose"],
  chosen: ["Elegido: {0}", "Chosen: {0}"],
  chosenNone: ["Elige en el tablero o en la lista.", "Choose on the board or in the list."],
  severalOf: ["{0} de {1}", "{0} of {1}"],
  none: ["Ninguno", "None"],
  atLeast: ["al menos {0}", "at least {0}"],
  upTo: ["hasta {0}", "up to {0}"],
  exactly: ["exactamente {0}", "exactly {0}"],
  only: ["Solo lo de {0}", "Only about {0}"],
  all: ["Todas", "All"],
  amount: ["Cantidad", "Amount"],
  less: ["Menos", "Less"],
  more: ["Más", "More"],
  isAsked: ["le toca elegir", "is choosing"],
  thinking: ["piensa", "is thinking"],
  hasChosen: ["ya ha elegido en secreto", "has chosen in secret"],
  out: ["fuera del juego", "out of the game"],
  away: ["desconectado", "not connected"],
  freeSeat: ["asiento libre", "free seat"],
  waitFor: ["Esperando a {0}", "Waiting for {0}"],
  youChose: ["Ya has elegido en secreto.", "You have chosen in secret."],
  together: ["En secreto: nadie ve tu elección hasta que todos hayan elegido.", "In secret: nobody sees your choice until all have chosen."],
  asksYou: ["En el turno de {0}", "In the turn of {0}"],
  rules: ["Reglas", "Rules"],
  gameOver: ["Fin de la partida", "The game is over"],
  place: ["{0}.º", "{0}."],
  wins: ["Gana {0}", "{0} wins"],
  win: ["Ganan {0}", "{0} win"],
  and: ["y", "and"],
  replay: ["Ver de nuevo", "Replay"],
  history: ["Historia", "History"],
  moment: ["Momento {0} de {1}", "Moment {0} of {1}"],
  lookingBack: ["Mirando atrás: la partida no cambia.", "Looking back: the match does not change."],
  toNow: ["Al presente", "To the present"],
  earlier: ["Antes", "Earlier"],
  later: ["Después", "Later"],
  toStart: ["Al principio", "To the start"],
  pause: ["Pausa", "Pause"],
  speed: ["Velocidad", "Speed"],
  speedSlow: ["despacio", "slow"],
  speedNormal: ["normal", "normal"],
  speedFast: ["rápido", "fast"],
  speedOnce: ["de una vez", "at once"],
  botsSpeed: ["Bots", "Bots"],
  faster: ["Más rápido", "Faster"],
  share: ["Compartir este momento", "Share this moment"],
  copied: ["Enlace copiado", "Link copied"],
  copy: ["Copiar", "Copy"],
  copyBy: ["Copia este enlace:", "Copy this link:"],
  download: ["Descargar la partida", "Download the match"],
  downloadNot: ["La partida se puede descargar cuando termine.", "The match can be downloaded when it is over."],
  invite: ["Invitar", "Invite"],
  inviteHelp: ["Quien tenga el enlace de un asiento juega en él: dáselo solo a esa persona.", "Whoever has the link of a seat plays on it: give it to that person only."],
  watchLink: ["Para mirar", "To watch"],
  watching: ["Estás mirando", "You are watching"],
  sitDown: ["Siéntate a la mesa", "Sit down at the table"],
  yourName: ["Tu nombre", "Your name"],
  yourColor: ["Tu color", "Your colour"],
  sit: ["Sentarme", "Sit down"],
  notNow: ["Ahora no", "Not now"],
  changeName: ["Nombre y color", "Name and colour"],
  everything: ["Todo lo que hay en la mesa", "Everything on the table"],
  theme: ["Aspecto", "Appearance"],
  themeAuto: ["como el sistema", "like the system"],
  themeLight: ["claro", "light"],
  themeDark: ["oscuro", "dark"],
  confirm: ["Confirmar cada elección", "Confirm each choice"],
  keys: ["Teclas", "Keys"],
  keysHelp: ["1 a 9, 0, a, b…: elegir esa opción · Intro: confirmar · Esc: ver todas las opciones · Ctrl+Z: deshacer · ← →: pasos de la historia", "1 to 9, 0, a, b…: choose that option · Enter: confirm · Esc: show all options · Ctrl+Z: undo · ← →: steps of the history"],
  lobby: ["Vestíbulo", "Lobby"],
  older: ["Líneas anteriores", "Earlier lines"],
  say: ["Decir", "Say"],
  sayPlaceholder: ["Una línea a los demás", "A line to the others"],
  chatOff: ["La charla está apagada en esta partida.", "Chat is switched off in this match."],
  connecting: ["Conectando…", "Connecting…"],
  lost: ["Conexión perdida; se intenta de nuevo…", "Connection lost; trying again…"],
  noLink: ["Este enlace no abre ninguna partida. Puede que falte un trozo.", "This link opens no match. A part of it may be missing."],
  tooMany: ["Hay demasiadas ventanas abiertas con este enlace.", "Too many windows are open with this link."],
  noServer: ["El servidor no responde.", "The server does not answer."],
  hintThinking: ["La pista piensa: {0} %", "The hint is thinking: {0} %"],
  chanceToWin: ["probabilidad de ganar", "chance to win"],
  ranks: ["de mejor a peor", "from best to worst"],
  best: ["la mejor para el bot", "the bot's choice"],
  winsForCertain: ["gana seguro", "sure win"],
  losesForCertain: ["pierde seguro", "sure loss"],
  visits: ["{0} visitas", "{0} visits"],
  willAnswer: ["{0} responderá «{1}»", "{0} will answer “{1}”"],
  hidden: ["{0} ocultas", "{0} hidden"],
  leftOut: ["{0} no se abre: {1}", "{0} is not opened: {1}"],
  noneThere: ["nada", "none"],
  nothingAsked: ["Ahora no hay nada que elegir.", "There is nothing to choose now."],
  reloaded: ["Los archivos del juego han cambiado", "The files of the game have changed"],
  keptAnswers: ["se conservan {0} de {1} respuestas", "{0} of {1} answers are kept"],
  problem: ["Un archivo tiene errores: siguen las reglas anteriores", "A file has errors: the rules from before go on"],
  mended: ["Arreglado.", "Mended."],
  goOnOld: ["Seguir como empezó", "Go on as it began"],
  replayNew: ["Rehacer con lo nuevo", "Replay on the new content"],
  wishUndo: ["{0} quiere deshacer su última elección.", "{0} wants to take back the last choice."],
  wishMine: ["Has pedido deshacer: falta que los demás acepten.", "You asked to take back: the others have to agree."],
  agree: ["De acuerdo", "Agree"],
  revealed: ["No se puede deshacer: ya se ha visto algo nuevo.", "Cannot be undone: something new was seen."],
  "nothing-to-undo": ["No hay nada que deshacer.", "There is nothing to undo."],
  "not-allowed": ["En esta mesa no se deshace.", "Nothing is taken back at this table."],
  zoomIn: ["Acercar", "Zoom in"],
  zoomOut: ["Alejar", "Zoom out"],
  zoomAll: ["Ver todo", "Show all"],
  board: ["Tablero", "Board"],
  dice: ["Dados", "Dice"],
  read: ["Leer", "Read"],
  offered: ["Para elegir", "To choose from"],
  white: ["blanco", "white"],
  black: ["negro", "black"],
  red: ["rojo", "red"],
  blue: ["azul", "blue"],
  yellow: ["amarillo", "yellow"],
  green: ["verde", "green"],
  orange: ["naranja", "orange"],
  purple: ["morado", "purple"],
  watch: ["Mirar", "Watch"],
  yourSeats: ["Tus asientos", "Your seats"],
  stockNext: ["sig.", "next"],
  yes: ["Sí", "Yes"],
  no: ["No", "No"],
};

/** @type {Lang} */
let lang = "en";

/** The language of the page: what was chosen before, else the browser's. */
export function firstLang() {
  const kept = remembered("lang");
  if (kept === "es" || kept === "en") return (lang = kept);
  for (const wanted of navigator.languages ?? [navigator.language]) {
    const short = wanted.slice(0, 2).toLowerCase();
    if (short === "es" || short === "en") return (lang = short);
  }
  return (lang = "en");
}

/** @param {Lang} next */
export function setLang(next) {
  lang = next;
  document.documentElement.lang = next;
  remember("lang", next);
}

export const currentLang = () => lang;

/** @param {string} key @param {...(string | number)} values */
export function w(key, ...values) {
  const both = WORDS[key];
  const text = both ? both[lang === "es" ? 0 : 1] : key;
  return text.replace(/\{(\d)\}/g, (_, n) => String(values[Number(n)] ?? ""));
}

/** What a game wrote in both languages. @param {import("./types.js").Text | null | undefined} text */
export const t = text => (text ? text[lang] ?? text.en ?? text.es ?? "" : "");

/** Settings of this browser. A browser that keeps nothing still plays. @param {string} name */
export function remembered(name) {
  try {
    return localStorage.getItem(`ludoteca.${name}`);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
export function remember(name, value) {
  try {
    localStorage.setItem(`ludoteca.${name}`, value);
  } catch {
    // Nothing is kept then; the page goes on.
  }
}
