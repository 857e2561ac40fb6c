// A small game, for the examples of the façade: two run to five steps.
ludoteca::PackSource::memory(
    "example",
    [
        (
            "scripts/race/game.toml",
            r#"
            title = { es = "Carrera", en = "Race" }
            version = "1.0.0"
            summary = { es = "A cinco pasos.", en = "To five steps." }
            players = [2, 2]
            [attributes.player]
            steps = { type = "int", min = 0 }
            [[phases]]
            step = "turn"
            each = "player"
            "#,
        ),
        (
            "scripts/race/rules.rhai",
            r#"
            fn turn(p) {
                let n = choose_amount(p, "run", 1, 3);
                p.steps += n;
                say("ran", #{ player: p, steps: n });
                if p.steps >= 5 { end_game(); }
            }
            fn score(p) { p.steps }
            "#,
        ),
        (
            "cards/race/text.toml",
            r#"
            [prompt]
            run = { es = "¿Cuánto corres?", en = "How far do you run?" }
            [log]
            ran = { es = "{player} corre {steps}.", en = "{player} runs {steps}." }
            "#,
        ),
    ],
)
