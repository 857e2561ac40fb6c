// What the server and the page say to each other, as types. Nothing here runs.

/** @typedef {{ es: string, en: string }} Text */
/** @typedef {"es" | "en"} Lang */
/** @typedef {Record<string, any>} Values */

/**
 * @typedef {object} About  What on the table something is.
 * @property {"space"|"edge"|"area"|"piece"|"card"|"zone"|"player"|"amount"|"word"|"dice"|"yes"|"no"|"several"} kind
 * @property {string} [space]
 * @property {string} [from]
 * @property {string} [to]
 * @property {string} [area]
 * @property {number|string} [key]
 * @property {string} [card]
 * @property {string} [zone]
 * @property {number} [seat]
 * @property {number} [amount]
 * @property {string} [word]
 * @property {About[]} [of]
 */

/** @typedef {{ key: string, label: string, note?: string, about?: About }} Option */
/**
 * @typedef {object} Offer
 * @property {number} ask
 * @property {number} seat
 * @property {string} prompt
 * @property {string} text
 * @property {number} min
 * @property {number} max
 * @property {[number, number]} [amount]
 * @property {boolean} [together]
 * @property {Option[]} options
 */

/** @typedef {{ key: number, card: string, name: string, owner?: number, [attribute: string]: any }} Piece */
/** @typedef {{ count: number, back?: string, pieces?: (Piece | null)[] }} Zone */
/** @typedef {{ zones?: Record<string, Zone>, [attribute: string]: any }} Owner  A game, a player or a space with its attributes. */
/** @typedef {{ you: number | null, order: number[], game: Owner, players: Owner[], spaces: Record<string, Owner> }} View */

/** @typedef {string | { text: string, about?: About }} Part */
/** @typedef {{ n: number, parts: Part[], round?: number, seat?: number | null, step?: string }} Line */
/** @typedef {{ event: string, [field: string]: any }} Event */
/** @typedef {{ seat: number, name: string | null, color: string | null, who: string, here: boolean, doing: string }} Seat */
/** @typedef {{ seat: number | null, name: string, text: string, at: number }} Said */
/** @typedef {{ rule: string, may: boolean, why: string | null, wish: { seat: number, waits_for: number[] } | null }} Undo */
/** @typedef {{ code: string, severity: string, message: string, file: string | null, line: number | null, column: number | null, source: string | null, help: string | null }} Diagnostic */
/** @typedef {{ text: string, diagnostics: Diagnostic[] }} Problem */
/** @typedef {{ ranking: { seat: number, place: number, score: number[] }[], reason: string, text: string, rounds: number }} End */
/** @typedef {{ round: number, step: string | null, seat: number | null, text: string | null }} Now */
/** @typedef {{ seat: number, prompt: string, keys: string[], labels: Text[], share: number }} Reply */
/** @typedef {{ key: string | null, value: number, low: number, high: number, certain: boolean, visits: number, best: boolean, reply: Reply | null }} Belief */
/** @typedef {{ seat: number, ask: number, done: boolean, progress: number, lines: number, calibrated: boolean, options: Belief[] }} Hint */

/**
 * @typedef {object} State  Everything a window knows of its match.
 * @property {string} match
 * @property {string} declaration
 * @property {Lang} lang
 * @property {number} n
 * @property {number | null} you
 * @property {number[]} mine
 * @property {View} view
 * @property {Values | null} [figures]
 * @property {Now} now
 * @property {Offer[]} offers
 * @property {Seat[]} seats
 * @property {Line[]} log
 * @property {boolean} log_more
 * @property {Said[] | null} chat
 * @property {Undo} undo
 * @property {{ download: boolean, hint: boolean }} may
 * @property {End | null} end
 * @property {{ changed: boolean, text: string, kept: number, of: number, still_there: boolean } | null} content
 * @property {Problem | null} problem
 * @property {{ seats: { seat: number, key: string }[], watch: string } | null} links
 */

/** @typedef {{ at: number, before: number | null, after: number | null, now: number, view: View, events: Event[], round: number, step: any, figures?: Values | null }} Past */

/** @typedef {{ name: string, type: string, words?: string[], per?: string, per_words?: string[], start?: any, min?: number, max?: number, visible?: string, text?: Text | null }} Attribute */
/** @typedef {{ name: string, type: string, words?: string[], text?: Text | null }} Field */
/** @typedef {{ kind: string, copies: number, name: Text, text: Text | null, fields: Values }} Card */
/** @typedef {{ name: Text, area: string | null, at: [number, number] | null, section: string | null, square: [number, number] | null, fields: Values }} Space */

/**
 * @typedef {object} BoardMap
 * @property {string} id
 * @property {Text} title
 * @property {boolean} assembled
 * @property {{ space: Field[], edge: Field[], area: Field[] }} fields
 * @property {Record<string, Space>} spaces
 * @property {{ between: [string, string], fields: Values }[]} edges
 * @property {Record<string, { name: Text, fields: Values }>} areas
 * @property {{ cells: string, columns: number, rows: number, leaning?: boolean } | null} [grid]  Rows are counted from the bottom.
 * @property {Record<string, { name: Text, columns: number, rows: number, squares: (string | null)[] }>} sections
 */

/**
 * @typedef {object} Declaration
 * @property {string} id
 * @property {string} game
 * @property {Text} title
 * @property {Text} summary
 * @property {[number, number]} players
 * @property {{ game: Attribute[], player: Attribute[], space: Attribute[], piece: Attribute[] }} attributes
 * @property {{ name: string, of: string, visible: string, sorted: string | null, text: Text | null }[]} zones
 * @property {Record<string, { text: Text | null, fields: Field[] }>} kinds
 * @property {Record<string, Card>} cards
 * @property {BoardMap | null} map
 * @property {Record<string, { text: Text | null, told: boolean, faces: number[] }>} dice
 * @property {{ step: string, text: Text | null, each_player: boolean }[]} phases
 * @property {Record<string, Record<string, Text>>} texts
 * @property {Values} parameters
 * @property {Values} tables
 * @property {Values} look
 * @property {Values | null} positions
 */

/** @typedef {{ fill: string, ink: string, shape: string, edge?: string }} SeatColor */

export {};
