//! What is open for a seat: which places of the fixed list its options have.

/// Options one after the other whose places are one after the other, too: a row of numbers is one run, however long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    option: u32,
    place: u32,
    len: u32,
}

/// What is open for a seat, in places of the list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenActions {
    /// In the order of the options. An option that has no place is in none of them.
    runs: Vec<Run>,
    /// How many options have a place.
    count: u32,
    /// Places that were taken away again.
    closed: Vec<u32>,
    /// Places for whatever has none of its own that are in use.
    pub(super) others: u32,
}

impl OpenActions {
    /// So many options from this one on have the places from this one on; the mask says so.
    pub(super) fn add(&mut self, mask: &mut [i8], option: u32, place: u32, len: u32) {
        if len == 0 {
            return;
        }
        if let Some(marks) = mask.get_mut(place as usize..(place + len) as usize) {
            marks.fill(1);
        }
        self.count += len;
        match self.runs.last_mut() {
            Some(last) if last.option + last.len == option && last.place + last.len == place => {
                last.len += len;
            }
            _ => self.runs.push(Run { option, place, len }),
        }
    }

    /// The option at a place.
    pub fn option(&self, place: u32) -> Option<u32> {
        let holds = |run: &&Run| place.wrapping_sub(run.place) < run.len;
        let found = self.runs.iter().find(holds)?;
        (!self.closed.contains(&place)).then(|| found.option + (place - found.place))
    }

    /// Takes the place of an option away.
    pub fn close(&mut self, option: u32, mask: &mut [i8]) {
        let holds = |run: &&Run| option.wrapping_sub(run.option) < run.len;
        let Some(found) = self.runs.iter().find(holds) else {
            return;
        };
        let place = found.place + (option - found.option);
        if !self.closed.contains(&place) {
            self.closed.push(place);
            if let Some(mark) = mask.get_mut(place as usize) {
                *mark = 0;
            }
        }
    }

    /// How many places are open.
    pub fn len(&self) -> u32 {
        self.count - self.closed.len() as u32
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The `n`-th open place, in the order of the options.
    pub fn nth(&self, mut n: u32) -> Option<u32> {
        for run in &self.runs {
            let places = run.place..run.place + run.len;
            if self.closed.is_empty() {
                if n < run.len {
                    return Some(run.place + n);
                }
                n -= run.len;
                continue;
            }
            for place in places.filter(|place| !self.closed.contains(place)) {
                if n == 0 {
                    return Some(place);
                }
                n -= 1;
            }
        }
        None
    }

    /// Nothing is open any more, and the mask says so.
    pub fn clear(&mut self, mask: &mut [i8]) {
        for run in &self.runs {
            let marks = mask.get_mut(run.place as usize..(run.place + run.len) as usize);
            if let Some(marks) = marks {
                marks.fill(0);
            }
        }
        self.runs.clear();
        self.count = 0;
        self.closed.clear();
        self.others = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Options 0 to 2 at 10 to 12, option 3 at 40, and nothing for option 4; option 5 at 2.
    fn opened(mask: &mut [i8]) -> OpenActions {
        let mut open = OpenActions::default();
        open.add(mask, 0, 10, 2);
        open.add(mask, 2, 12, 1);
        open.add(mask, 3, 40, 1);
        open.add(mask, 5, 2, 1);
        open
    }

    #[test]
    fn options_and_places_lead_to_each_other() {
        let mask = &mut [0; 50];
        let mut open = opened(mask);
        let places = |open: &OpenActions| (0..open.len()).map(|n| open.nth(n)).collect::<Vec<_>>();
        assert_eq!(places(&open), [10, 11, 12, 40, 2].map(Some));
        let options = [10, 11, 12, 40, 2].map(|place| open.option(place));
        assert_eq!(options, [0, 1, 2, 3, 5].map(Some));
        assert_eq!([0, 9, 13, 39].map(|place| open.option(place)), [None; 4]);
        open.close(1, mask);
        open.close(1, mask);
        open.close(4, mask);
        assert_eq!(places(&open), [10, 12, 40, 2].map(Some));
        assert_eq!((open.option(11), open.nth(4)), (None, None));
        let marked: Vec<usize> = (0..50).filter(|&place| mask[place] == 1).collect();
        assert_eq!(marked, [2, 10, 12, 40]);
    }

    #[test]
    fn nothing_is_left_of_what_was_open() {
        let mask = &mut [0; 50];
        let mut open = opened(mask);
        open.clear(mask);
        assert_eq!((&open, open.is_empty()), (&OpenActions::default(), true));
        assert_eq!(mask, &[0; 50]);
    }
}
