//! Pages as files: PDF with its fonts inside and texts that can be found, and PNG.

use crate::PressError;
use crate::paper::Page;
use krilla::Document;
use krilla::geom::Size;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt, SvgSettings};
use ludoteca_draw::font::FONTS;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Options, Tree, fontdb::Database};
use std::sync::{Arc, OnceLock};

/// Points in a tenth of a millimetre.
const POINTS: f64 = 72.0 / 254.0;
const CREATOR: &str = concat!("ludoteca ", env!("CARGO_PKG_VERSION"));

/// Our own fonts and no others: a page is the same on every machine.
fn fonts() -> Arc<Database> {
    static DATABASE: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut fonts = Database::new();
        FONTS
            .iter()
            .for_each(|font| fonts.load_font_data(font.to_vec()));
        fonts.set_sans_serif_family("Noto Sans");
        Arc::new(fonts)
    };
    DATABASE.get_or_init(load).clone()
}

fn tree(page: &Page) -> Result<Tree, PressError> {
    let options = Options {
        fontdb: fonts(),
        font_family: "Noto Sans".into(),
        // Nothing outside of the page is ever read.
        image_href_resolver: usvg::ImageHrefResolver {
            resolve_data: usvg::ImageHrefResolver::default_data_resolver(),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    Tree::from_str(&page.svg(), &options).map_err(|error| PressError::Page(error.to_string()))
}

/// All pages as one document.
pub fn pdf(pages: &[Page], title: &str) -> Result<Vec<u8>, PressError> {
    let failed = |what: String| PressError::Page(what);
    let mut document = Document::new();
    for page in pages {
        let (w, h) = (page.size.0 * POINTS, page.size.1 * POINTS);
        let no_size = || failed(format!("{w} by {h} points"));
        let settings = PageSettings::from_wh(w as f32, h as f32).ok_or_else(no_size)?;
        let size = Size::from_wh(w as f32, h as f32).ok_or_else(no_size)?;
        let tree = tree(page)?;
        let mut sheet = document.start_page_with(settings);
        let mut surface = sheet.surface();
        let drawn = surface.draw_svg(&tree, size, SvgSettings::default());
        surface.finish();
        sheet.finish();
        drawn.ok_or_else(|| failed(page.title.clone()))?;
    }
    let metadata = Metadata::new()
        .title(title.to_string())
        .creator(CREATOR.to_string());
    document.set_metadata(metadata);
    document
        .finish()
        .map_err(|error| failed(format!("{error:?}")))
}

/// One page as a picture of so many dots an inch.
pub fn png(page: &Page, dots: u32) -> Result<Vec<u8>, PressError> {
    let tree = tree(page)?;
    let scale = f64::from(dots) / 254.0;
    let (w, h) = ((page.size.0 * scale).round(), (page.size.1 * scale).round());
    let failed = || PressError::Page(format!("{w} by {h} dots"));
    let mut dots = Pixmap::new(w as u32, h as u32).ok_or_else(failed)?;
    let size = tree.size();
    let transform = Transform::from_scale(w as f32 / size.width(), h as f32 / size.height());
    resvg::render(&tree, transform, &mut dots.as_mut());
    dots.encode_png()
        .map_err(|error| PressError::Page(error.to_string()))
}
