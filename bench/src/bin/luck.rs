//! Writes the numbers of streams as bytes, without end, for a battery of tests that reads them: `luck stream`, `luck seeds` or `luck names`.

use ludoteca::Stream;
use std::io::{BufWriter, Write, stdout};

fn main() -> std::io::Result<()> {
    let which = std::env::args().nth(1).unwrap_or_default();
    let mut out = BufWriter::with_capacity(1 << 16, stdout().lock());
    let mut put = |number: u64| out.write_all(&number.to_le_bytes());
    match which.as_str() {
        // One long stream.
        "stream" => {
            let mut stream = Stream::new(1, "die.d6");
            loop {
                put(stream.seed())?;
            }
        }
        // The first number of each of consecutive seeds.
        "seeds" => {
            for seed in 0.. {
                put(Stream::new(seed, "die.d6").seed())?;
            }
        }
        // The first four numbers of many streams of each seed, one after the other.
        "names" => {
            for seed in 0.. {
                for name in [
                    "die.d6",
                    "die.move",
                    "zone.deck.0",
                    "zone.deck.1",
                    "seat.0",
                    "seat.1",
                    "general",
                ] {
                    let mut stream = Stream::new(seed, name);
                    for _ in 0..4 {
                        put(stream.seed())?;
                    }
                }
            }
        }
        other => eprintln!("expected `stream`, `seeds` or `names`, found `{other}`"),
    }
    Ok(())
}
