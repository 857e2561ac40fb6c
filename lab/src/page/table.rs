//! Tables of a page: heads above, a row of cells for each thing below.

use crate::numbers::{interval, value};
use crate::statistics::Estimate;
use maud::{Markup, Render, html};

pub fn table<R: AsRef<[Markup]>>(heads: &[&str], rows: impl IntoIterator<Item = R>) -> Markup {
    html! {
        div.wide { table {
            tr { @for head in heads { th { (head) } } }
            @for row in rows {
                tr { @for cell in row.as_ref() { td { (cell) } } }
            }
        } }
    }
}

/// A cell of plain text or a number.
pub fn cell(what: impl Render) -> Markup {
    html! { (what) }
}

/// A number that may be unknown.
pub fn cell_if(what: Option<impl Render>) -> Markup {
    html! { @if let Some(what) = what { (what) } }
}

/// A value with its interval, if it is known.
pub fn estimate(found: &Option<Estimate>, share: bool) -> Markup {
    cell(match found {
        Some(found) => format!("{} ({})", value(found.value, share), interval(found, share)),
        None => "-".to_string(),
    })
}
