// Risk mini in plain JavaScript, with typed arrays and nothing allocated per decision.
// `risk.mjs verify N` prints totals, `risk.mjs bench SECONDS` prints games and CPU seconds as JSON.

const COLUMNS = 7, ROWS = 6, SIDES = 3, ROUNDS = 30, ATTACKS = 10, SQUARES = COLUMNS * ROWS;

const NEIGHBOURS = Array.from({ length: SQUARES }, (_, square) => {
  const row = Math.floor(square / COLUMNS), column = square % COLUMNS;
  const around = [[row - 1, column], [row, column - 1], [row, column + 1], [row + 1, column]];
  return Uint8Array.from(around.filter(([r, c]) => r >= 0 && r < ROWS && c >= 0 && c < COLUMNS).map(([r, c]) => r * COLUMNS + c));
});

function sfc32(seed) {
  let a = 0x9e3779b9 | 0, b = 0x243f6a88 | 0, c = seed | 0, counter = 1;
  const below = (n) => {
    const drawn = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + drawn) | 0;
    return Math.floor(((drawn >>> 0) * n) / 4294967296);
  };
  for (let i = 0; i < 12; i++) below(1);
  return below;
}

const owner = new Uint8Array(SQUARES), armies = new Int32Array(SQUARES), dealt = new Uint8Array(SQUARES);
const from = new Uint8Array(200), to = new Uint8Array(200);
const strike = new Int32Array(3), guard = new Int32Array(3);
let below, decisions, round;

function roll(dice, hand) {
  for (let i = 0; i < dice; i++) {
    const shown = 1 + below(6);
    let at = i;
    while (at > 0 && hand[at - 1] < shown) { hand[at] = hand[at - 1]; at--; }
    hand[at] = shown;
  }
}

function borders(side, wanted) {
  let count = 0;
  for (let a = 0; a < SQUARES; a++) {
    if (owner[a] !== side || armies[a] < 2) continue;
    const around = NEIGHBOURS[a];
    for (let i = 0; i < around.length; i++) {
      if ((owner[around[i]] === side) === wanted) { from[count] = a; to[count] = around[i]; count++; }
    }
  }
  return count;
}

function squaresOf(side) {
  let count = 0;
  for (let s = 0; s < SQUARES; s++) if (owner[s] === side) from[count++] = s;
  return count;
}

function choose(count) { decisions++; return below(count); }

function battle(side, a, b) {
  const attackers = Math.min(3, armies[a] - 1), defenders = Math.min(3, armies[b]);
  roll(attackers, strike);
  roll(defenders, guard);
  for (let i = 0; i < Math.min(attackers, defenders); i++) armies[strike[i] > guard[i] ? b : a]--;
  if (armies[b] > 0) return false;
  owner[b] = side;
  const moved = 1 + choose(Math.min(3, armies[a] - 1));
  armies[a] -= moved;
  armies[b] = moved;
  return squaresOf(side) === SQUARES;
}

function turn(side) {
  const count = squaresOf(side);
  if (count === 0) return false;
  for (let i = Math.max(3, count >> 1); i > 0; i--) {
    const options = squaresOf(side);
    armies[from[choose(options)]]++;
  }
  for (let i = 0; i < ATTACKS; i++) {
    const options = borders(side, false), picked = choose(options + 1);
    if (picked === options) break;
    if (battle(side, from[picked], to[picked])) return true;
  }
  const options = borders(side, true), picked = choose(options + 1);
  if (picked < options) {
    const a = from[picked], b = to[picked], moved = 1 + choose(armies[a] - 1);
    armies[a] -= moved;
    armies[b] += moved;
  }
  return false;
}

function play(draw) {
  below = draw;
  decisions = 0;
  for (let s = 0; s < SQUARES; s++) { dealt[s] = s; armies[s] = 2; }
  for (let i = SQUARES - 1; i > 0; i--) { const j = below(i + 1), kept = dealt[i]; dealt[i] = dealt[j]; dealt[j] = kept; }
  for (let k = 0; k < SQUARES; k++) owner[dealt[k]] = k % SIDES;
  for (round = 1; ; round++) {
    for (let side = 0; side < SIDES; side++) if (turn(side)) return;
    if (round === ROUNDS) return;
  }
}

function winner() {
  let best = 0, most = -1, strongest = -1;
  for (let side = 0; side < SIDES; side++) {
    let squares = 0, strength = 0;
    for (let s = 0; s < SQUARES; s++) if (owner[s] === side) { squares++; strength += armies[s]; }
    if (squares > most || (squares === most && strength > strongest)) { best = side; most = squares; strongest = strength; }
  }
  return best;
}

const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };

if (process.argv[2] === "verify") {
  const games = Number(process.argv[3]);
  let digest = 0, total = 0;
  for (let seed = 1; seed <= games; seed++) {
    play(sfc32(seed));
    total += decisions;
    for (let s = 0; s < SQUARES; s++) digest = (Math.imul(digest, 31) + owner[s] * 1000 + armies[s]) | 0;
    digest = (Math.imul(digest, 31) + winner()) | 0;
    digest = (Math.imul(digest, 31) + decisions) | 0;
  }
  console.log(JSON.stringify({ games, decisions: total, hash: (digest >>> 0).toString(16).padStart(8, "0") }));
} else {
  const seconds = Number(process.argv[3]);
  let seed = 0;
  const warm = cpu();
  while (cpu() - warm < Math.min(1, seconds)) play(sfc32(++seed));
  const start = cpu();
  let games = 0, total = 0;
  while (cpu() - start < seconds) { play(sfc32(++seed)); winner(); games++; total += decisions; }
  console.log(JSON.stringify({ games, decisions: total, cpu: cpu() - start }));
}
