//! Texts with braces, and the little grammar that plain braces cannot do: number, gender, articles, lists.
//!
//! | written | gives |
//! |---|---|
//! | `{x}` | what fills it, as it is |
//! | `{n\|una carta\|# cartas}` | the form for one, or for another number; `#` is the number; with three forms the first is for none |
//! | `{x\|visto\|vista}` | of a thing: masculine or feminine in Spanish (with four also their plurals), singular or plural in English |
//! | `{the x}` `{The x}` | with the article its name has; `de el` and `a el` become `del` and `al` |
//! | `{a x}` `{A x}` | with the article for one of many |
//! | `{and x}` `{or x}` | several things as a list: `a, b y c` |
//! | `{lower x}` `{upper x}` | its first letter small, or large |

use super::definition::{Article, Language};
use std::borrow::Cow;

/// A text in pieces: what stands there, and the braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextPiece<'t> {
    Text(&'t str),
    Brace(Brace<'t>),
}

/// One brace of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Brace<'t> {
    /// What it names.
    pub name: &'t str,
    /// As it is written, with its braces.
    pub written: &'t str,
    manner: Manner<'t>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner<'t> {
    Plain,
    /// Forms to choose from, as written between bars.
    Forms(&'t str),
    The,
    One,
    And,
    Or,
    Lower,
    Upper,
    /// A manner whose first letter is large.
    UpperThe,
    UpperOne,
}

/// What a brace is filled with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filling<'f> {
    Number(i64),
    /// A name, and the articles it has.
    Noun(&'f str, Option<&'f Article>),
    /// Several things, and how they are written as a row.
    Several(Vec<&'f str>, &'f str),
}

/// Takes a text apart at its braces; a brace that is not closed is text.
pub fn pieces(template: &str) -> impl Iterator<Item = TextPiece<'_>> {
    let mut rest = template;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let open = rest
            .find('{')
            .filter(|&open| rest[open..].contains('}'))
            .unwrap_or(rest.len());
        if open > 0 {
            let (before, after) = rest.split_at(open);
            rest = after;
            return Some(TextPiece::Text(before));
        }
        let end = rest.find('}').map_or(rest.len(), |at| at + 1);
        let (written, after) = rest.split_at(end);
        rest = after;
        Some(TextPiece::Brace(Brace::new(written)))
    })
}

/// The names in the braces of a text.
pub fn names(template: &str) -> impl Iterator<Item = &str> {
    pieces(template).filter_map(|piece| match piece {
        TextPiece::Brace(brace) => Some(brace.name),
        TextPiece::Text(_) => None,
    })
}

impl<'t> Brace<'t> {
    fn new(written: &'t str) -> Brace<'t> {
        let inside = &written[1..written.len() - 1];
        let brace = |name, manner| Brace {
            name,
            written,
            manner,
        };
        if let Some((name, forms)) = inside.split_once('|') {
            return brace(name, Manner::Forms(forms));
        }
        let Some((word, name)) = inside.split_once(' ') else {
            return brace(inside, Manner::Plain);
        };
        let manner = match word {
            "the" => Manner::The,
            "The" => Manner::UpperThe,
            "a" => Manner::One,
            "A" => Manner::UpperOne,
            "and" => Manner::And,
            "or" => Manner::Or,
            "lower" => Manner::Lower,
            "upper" => Manner::Upper,
            _ => return brace(inside, Manner::Plain),
        };
        brace(name, manner)
    }

    /// What a reader gets for it.
    pub fn filled(&self, with: &Filling<'_>, language: Language) -> String {
        match self.manner {
            Manner::Plain => with.plain().into_owned(),
            Manner::Forms(forms) => {
                let forms: Vec<&str> = forms.split('|').collect();
                let form = forms.get(with.form(forms.len(), language));
                form.map_or("", |form| form)
                    .replace('#', with.plain().as_ref())
            }
            Manner::The => with.definite(language),
            Manner::UpperThe => upper(&with.definite(language)),
            Manner::One => with.indefinite(language),
            Manner::UpperOne => upper(&with.indefinite(language)),
            Manner::And => with.list(["y", "e", "and"], language),
            Manner::Or => with.list(["o", "u", "or"], language),
            Manner::Lower => lower(&with.plain()),
            Manner::Upper => upper(&with.plain()),
        }
    }
}

impl Filling<'_> {
    fn plain(&self) -> Cow<'_, str> {
        match self {
            Filling::Number(number) => number.to_string().into(),
            Filling::Noun(name, _) => (*name).into(),
            Filling::Several(_, row) => (*row).into(),
        }
    }

    /// Which of so many forms fits, from 0.
    fn form(&self, forms: usize, language: Language) -> usize {
        let count = match self {
            Filling::Number(number) => *number,
            // Equal ones stand together: `Wolf ×2` are two.
            Filling::Several(members, _) => {
                let alike = members.iter().filter(|member| member.contains(" ×"));
                (members.len() + alike.count()) as i64
            }
            Filling::Noun(_, article) => {
                let spanish = article.and_then(|article| article.es.as_deref());
                let feminine = usize::from(matches!(spanish, Some("la" | "las")));
                let plural = usize::from(matches!(spanish, Some("los" | "las")));
                return match (language, forms) {
                    (Language::En, _) => plural,
                    (Language::Es, 4..) => feminine + 2 * plural,
                    (Language::Es, _) => feminine,
                };
            }
        };
        match (forms, count) {
            (3.., 0) => 0,
            (3.., 1) => 1,
            (3.., _) => 2,
            (_, 1) => 0,
            _ => 1,
        }
    }

    fn definite(&self, language: Language) -> String {
        let article = match self {
            Filling::Noun(_, Some(article)) => article.of(language),
            _ => None,
        };
        match article {
            Some(article) => format!("{article} {}", self.plain()),
            None => self.plain().into_owned(),
        }
    }

    fn indefinite(&self, language: Language) -> String {
        let name = self.plain();
        let spanish = match self {
            Filling::Noun(_, Some(article)) => article.es.as_deref(),
            _ => None,
        };
        let article = match (language, spanish) {
            (Language::Es, Some("el")) => "un",
            (Language::Es, Some("la")) => "una",
            (Language::Es, Some("los")) => "unos",
            (Language::Es, Some("las")) => "unas",
            (Language::En, Some("los" | "las")) | (Language::Es, _) => return name.into_owned(),
            (Language::En, _) if name.starts_with(is_vowel) => "an",
            (Language::En, _) => "a",
        };
        format!("{article} {name}")
    }

    /// `a, b y c`. In Spanish `y` becomes `e` before an i, and `o` becomes `u` before an o.
    fn list(&self, [spanish, changed, english]: [&str; 3], language: Language) -> String {
        let Filling::Several(members, _) = self else {
            return self.plain().into_owned();
        };
        let Some((last, first)) = members.split_last().filter(|(_, first)| !first.is_empty())
        else {
            return members.concat();
        };
        let sound = last.trim_start_matches(['h', 'H']).to_lowercase();
        let same = match spanish {
            "y" => sound.starts_with(['i', 'í']) && !sound.starts_with("ie"),
            _ => sound.starts_with(['o', 'ó']),
        };
        let joint = match language {
            Language::En => english,
            Language::Es if same => changed,
            Language::Es => spanish,
        };
        format!("{} {joint} {last}", first.join(", "))
    }
}

/// A name that begins with `el`, behind `de` or `a`: Spanish draws them together. Gives how much of the text before stays, to which `l ` is
/// added, and the name without its article.
pub fn contracted<'n>(before: &str, name: &'n str, language: Language) -> Option<(usize, &'n str)> {
    let rest = name
        .strip_prefix("el ")
        .filter(|_| language == Language::Es)?;
    let bare = before.strip_suffix(' ')?;
    let preposition = bare.rsplit(|c: char| !c.is_alphabetic()).next()?;
    matches!(preposition, "de" | "De" | "a" | "A").then_some((bare.len(), rest))
}

fn upper(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_lowercase().chain(letters).collect()
    })
}

fn is_vowel(letter: char) -> bool {
    "aeiouAEIOU".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(template: &str, filling: &Filling<'_>, language: Language) -> String {
        let mut told = String::new();
        for piece in pieces(template) {
            match piece {
                TextPiece::Text(text) => told.push_str(text),
                TextPiece::Brace(brace) => {
                    let name = brace.filled(filling, language);
                    match contracted(&told, &name, language) {
                        Some((before, rest)) => {
                            told.truncate(before);
                            told += &format!("l {rest}");
                        }
                        None => told.push_str(&name),
                    }
                }
            }
        }
        told
    }

    #[test]
    fn sentences_read_as_people_write_them() {
        use Language::{En, Es};
        let article = |es: &str, en: Option<&str>| Article {
            es: Some(es.into()),
            en: en.map(String::from),
        };
        let (congo, islands, plant) = (
            article("el", None),
            article("las", Some("the")),
            article("la", None),
        );
        let noun = |name, article| Filling::Noun(name, Some(article));
        let cases = [
            (
                "{n|una carta|# cartas}",
                Filling::Number(1),
                Es,
                "una carta",
            ),
            ("{n|una carta|# cartas}", Filling::Number(3), Es, "3 cartas"),
            ("{n|none|one card|# cards}", Filling::Number(0), En, "none"),
            (
                "{n|none|one card|# cards}",
                Filling::Number(1),
                En,
                "one card",
            ),
            (
                "sale de {the x}.",
                noun("Congo", &congo),
                Es,
                "sale del Congo.",
            ),
            ("va a {the x}.", noun("Congo", &congo), Es, "va al Congo."),
            (
                "ataca {the x}.",
                noun("Congo", &congo),
                Es,
                "ataca el Congo.",
            ),
            (
                "leaves {the x}.",
                noun("Congo", &congo),
                En,
                "leaves Congo.",
            ),
            (
                "{The x} {x|falls|fall}.",
                noun("Philippines", &islands),
                En,
                "The Philippines fall.",
            ),
            (
                "{The x} {x|caído|caída|caídos|caídas}",
                noun("Filipinas", &islands),
                Es,
                "Las Filipinas caídas",
            ),
            ("{a x}", noun("central", &plant), Es, "una central"),
            ("{A x}", noun("oil plant", &plant), En, "An oil plant"),
            (
                "{and x}",
                Filling::Several(vec!["agua", "hilo"], "agua, hilo"),
                Es,
                "agua e hilo",
            ),
            (
                "{or x}",
                Filling::Several(vec!["a", "b", "oro"], ""),
                Es,
                "a, b u oro",
            ),
            (
                "{and x}",
                Filling::Several(vec!["a", "b", "c"], ""),
                En,
                "a, b and c",
            ),
            (
                "{and x} {x|goes|go}",
                Filling::Several(vec!["Wolf ×2"], ""),
                En,
                "Wolf ×2 go",
            ),
            (
                "{and x} {x|goes|go}",
                Filling::Several(vec!["Wolf"], ""),
                En,
                "Wolf goes",
            ),
            ("{x}", Filling::Several(vec!["a", "b"], "a, b"), Es, "a, b"),
            (
                "{lower x} {upper x}",
                Filling::Noun("Ñandú", None),
                Es,
                "ñandú Ñandú",
            ),
            ("{", Filling::Number(1), Es, "{"),
        ];
        for (template, filling, language, wanted) in cases {
            assert_eq!(told(template, &filling, language), wanted, "{template}");
        }
        assert_eq!(
            names("{a} {the b} {c|d|e} {odd one}").collect::<Vec<_>>(),
            ["a", "b", "c", "odd one"]
        );
    }
}
