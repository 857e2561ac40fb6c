//! What was looked at last, kept ready: whoever goes through very many variants does not keep a whole game of each.

use std::collections::VecDeque;
use std::sync::Arc;

/// Things by game and variant; what was looked at last comes last.
pub struct Visited<T> {
    most: usize,
    kept: VecDeque<(VisitedPlace, Arc<T>)>,
}

/// A game and a variant of it.
pub type VisitedPlace = (String, String);

impl<T> Visited<T> {
    pub fn new(most: usize) -> Visited<T> {
        Visited {
            most,
            kept: VecDeque::new(),
        }
    }

    /// What was kept, if it still is. It is what was looked at last now.
    pub fn again(&mut self, place: &VisitedPlace) -> Option<Arc<T>> {
        let at = self.kept.iter().position(|(of, _)| of == place)?;
        let found = self.kept.remove(at)?;
        let kept = found.1.clone();
        self.kept.push_back(found);
        Some(kept)
    }

    /// Keeps something in place of what nobody has looked at for longest.
    pub fn keep(&mut self, place: VisitedPlace, found: Arc<T>) {
        self.kept.retain(|(of, _)| *of != place);
        self.kept.push_back((place, found));
        while self.kept.len() > self.most {
            self.kept.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_looks_at_any_more_goes_first() {
        let place = |variant: usize| ("fort".to_string(), format!("v{variant}"));
        let mut visited = Visited::new(3);
        for variant in 0..100 {
            visited.keep(place(variant), Arc::new(variant));
            assert!(visited.again(&place(0)).is_some(), "it is looked at again");
            assert!(visited.kept.len() <= 3);
        }
        assert!(visited.again(&place(98)).is_some());
        assert!(visited.again(&place(99)).is_some());
        assert!(visited.again(&place(97)).is_none());
        visited.keep(place(0), Arc::new(7));
        assert_eq!(visited.again(&place(0)).as_deref(), Some(&7));
        assert_eq!(visited.kept.len(), 3);
    }
}
