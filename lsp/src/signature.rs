//! The parameters of the call one is writing.

use crate::describe::head;
use crate::desk::Desk;
use crate::page::Page;
use lsp_types::{
    Documentation, ParameterInformation, ParameterLabel, Position, SignatureHelp,
    SignatureInformation, Uri,
};
use ludoteca::{
    mentions::{Sort, cursor},
    reference,
};

pub fn signature(desk: &mut Desk, uri: &Uri, position: Position) -> Option<SignatureHelp> {
    let page = Page::open(desk, uri).filter(Page::is_script)?;
    let frame = cursor::call_at(&page.text, page.byte(position))?;
    let callee = frame.callee.clone()?;
    let mut signatures: Vec<SignatureInformation> = Vec::new();
    if let Some(known) = &page.known {
        let names = known.mentions.names.iter().enumerate();
        let own = names.filter(|(_, name)| name.sort == Sort::Function && name.id == callee);
        for mention in own.flat_map(|(number, _)| known.mentions.definitions(number)) {
            let (label, doc) = head(&mention.place.file.text, mention.place.span.start);
            let inside = label
                .split_once('(')
                .map_or("", |(_, rest)| rest.trim_end_matches(')'));
            let parameters = inside
                .split(',')
                .map(|p| (p.trim().to_string(), String::new()));
            let parameters: Vec<_> = parameters.filter(|(name, _)| !name.is_empty()).collect();
            signatures.push(told(label, &doc, parameters));
        }
    }
    if signatures.is_empty() {
        for function in reference().functions.iter().filter(|f| f.name == callee) {
            let parameters = function.parameters.iter();
            let parameters = parameters
                .map(|p| (p.name.to_string(), p.accepts.clone()))
                .collect();
            signatures.push(told(function.signature(), function.doc, parameters));
        }
    }
    if signatures.is_empty() {
        return None;
    }
    let active = frame.parameter();
    let fits = |s: &SignatureInformation| {
        s.parameters
            .as_ref()
            .is_some_and(|list| list.len() > active)
    };
    let chosen = signatures.iter().position(fits).unwrap_or(0);
    Some(SignatureHelp {
        signatures,
        active_signature: Some(chosen as u32),
        active_parameter: Some(active as u32),
    })
}

fn told(label: String, doc: &str, parameters: Vec<(String, String)>) -> SignatureInformation {
    let parameter = |(name, accepts): (String, String)| ParameterInformation {
        label: ParameterLabel::Simple(name),
        documentation: (!accepts.is_empty()).then_some(Documentation::String(accepts)),
    };
    SignatureInformation {
        label,
        documentation: (!doc.is_empty()).then(|| Documentation::String(doc.to_string())),
        parameters: Some(parameters.into_iter().map(parameter).collect()),
        active_parameter: None,
    }
}
