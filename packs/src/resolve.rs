//! Which versions of which packs go together; if none do, why not, in sentences.

use crate::fetch::Whereabouts;
use crate::index::{Release, Versions, versions};
use crate::kernel::{BASE, KERNEL};
use crate::{PackError, Result};
use pubgrub::{
    DefaultStringReporter, OfflineDependencyProvider, PubGrubError, Ranges, Reporter, resolve,
};
use semver::{Comparator, Op, Version, VersionReq};
use std::collections::BTreeMap;

type Provider = OfflineDependencyProvider<String, Ranges<Version>>;

/// What is wished for, at the root of every resolution.
const WISH: &str = "what you ask for";
/// Packs an answer may be made of.
const MOST_PACKS: usize = 500;

/// A pack that is there already: its version, and what it builds on.
#[derive(Debug, Clone)]
pub struct Present {
    pub version: Version,
    pub builds_on: BTreeMap<String, VersionReq>,
}

/// A version to fetch.
pub type Chosen = BTreeMap<String, Release>;

/// The versions that fulfil the wishes: of the index, or those that are there already and keep on fitting. The newest that fit.
pub fn choose(
    wishes: &BTreeMap<String, VersionReq>,
    present: &BTreeMap<String, Present>,
    index: &Whereabouts,
) -> Result<Chosen> {
    let mut known: BTreeMap<String, Versions> = BTreeMap::new();
    let mut waiting: Vec<String> = wishes.keys().cloned().collect();
    while let Some(name) = waiting.pop() {
        if name == BASE || known.contains_key(&name) {
            continue;
        }
        if known.len() >= MOST_PACKS {
            return Err(PackError::NoSolution(format!(
                "more than {MOST_PACKS} packs would be needed"
            )));
        }
        let found = versions(index, &name)?;
        if found.all.is_empty() && !present.contains_key(&name) {
            return Err(PackError::Unknown(name));
        }
        waiting.extend(
            found
                .all
                .iter()
                .flat_map(|release| release.builds_on.keys().cloned()),
        );
        known.insert(name, found);
    }
    for (name, wanted) in wishes {
        if let Some(found) = known.get(name).filter(|_| !present.contains_key(name)) {
            fitting(name, wanted, found)?;
        }
    }
    let solution = solve(wishes, present, &known)?;
    let mut chosen = Chosen::new();
    for (name, version) in solution {
        let there = present
            .get(&name)
            .is_some_and(|present| present.version == version);
        let release = known
            .get(&name)
            .and_then(|all| all.all.iter().find(|r| r.number == version));
        if let Some(release) = release.filter(|_| !there) {
            chosen.insert(name, release.clone());
        }
    }
    Ok(chosen)
}

/// Whether any version is what is wished for; if not, what there is instead.
fn fitting(name: &str, wanted: &VersionReq, found: &Versions) -> Result<()> {
    let kernel = kernel();
    let fits = |release: &&Release| ranges(wanted).contains(&release.number);
    let why = match found.all.iter().rfind(fits) {
        Some(_)
            if found
                .all
                .iter()
                .filter(fits)
                .any(|r| r.kernel.matches(&kernel)) =>
        {
            return Ok(());
        }
        Some(release) => format!(
            "{name} {} is for ludoteca {}, and this is {kernel}",
            release.number, release.kernel
        ),
        None => {
            let there: Vec<String> = found.all.iter().map(|r| r.number.to_string()).collect();
            let there = there.join(", ");
            format!("the index has {name} {there}, and nothing that fits `{wanted}`")
        }
    };
    Err(PackError::NoSolution(why))
}

fn kernel() -> Version {
    Version::parse(KERNEL).unwrap_or(Version::new(0, 0, 0))
}

fn solve(
    wishes: &BTreeMap<String, VersionReq>,
    present: &BTreeMap<String, Present>,
    known: &BTreeMap<String, Versions>,
) -> Result<Vec<(String, Version)>> {
    let kernel = kernel();
    let mut provider = Provider::new();
    provider.add_dependencies(BASE.to_string(), kernel.clone(), []);
    for (name, there) in present {
        provider.add_dependencies(name.clone(), there.version.clone(), needs(&there.builds_on));
    }
    for (name, versions) in known {
        // Versions for another kernel are as good as not there.
        for release in versions.all.iter().filter(|r| r.kernel.matches(&kernel)) {
            provider.add_dependencies(
                name.clone(),
                release.number.clone(),
                needs(&release.builds_on),
            );
        }
    }
    // What is there must go on working beside what comes.
    let kept = present
        .iter()
        .filter(|(name, _)| !wishes.contains_key(*name))
        .map(|(name, _)| (name.clone(), Ranges::full()));
    let wanted: Vec<_> = needs(wishes).into_iter().chain(kept).collect();
    let root = Version::new(0, 0, 0);
    provider.add_dependencies(WISH.to_string(), root.clone(), wanted);
    match resolve(&provider, WISH.to_string(), root) {
        Ok(found) => Ok(found
            .into_iter()
            .filter(|(name, _)| name != WISH && name != BASE)
            .collect()),
        Err(PubGrubError::NoSolution(mut why)) => {
            why.collapse_no_versions();
            let why = DefaultStringReporter::report(&why).replace(&format!("{WISH} 0.0.0"), WISH);
            Err(PackError::NoSolution(why))
        }
        Err(other) => Err(PackError::NoSolution(other.to_string())),
    }
}

fn needs(builds_on: &BTreeMap<String, VersionReq>) -> Vec<(String, Ranges<Version>)> {
    builds_on
        .iter()
        .map(|(name, wanted)| (name.clone(), ranges(wanted)))
        .collect()
}

/// A requirement as sets of versions.
fn ranges(wanted: &VersionReq) -> Ranges<Version> {
    let all = wanted.comparators.iter().map(range);
    all.fold(Ranges::full(), |so_far, next| so_far.intersection(&next))
}

fn range(comparator: &Comparator) -> Ranges<Version> {
    let Comparator {
        op,
        major,
        minor,
        patch,
        pre,
    } = comparator;
    let mut least = Version::new(*major, minor.unwrap_or(0), patch.unwrap_or(0));
    least.pre = pre.clone();
    // The first version that differs in the last number that was written.
    let beyond = match (minor, patch) {
        (None, _) => Version::new(major.saturating_add(1), 0, 0),
        (Some(minor), None) => Version::new(*major, minor.saturating_add(1), 0),
        (Some(minor), Some(patch)) => Version::new(*major, *minor, patch.saturating_add(1)),
    };
    match op {
        Op::Exact if patch.is_some() => Ranges::singleton(least),
        Op::Greater if patch.is_some() => Ranges::strictly_higher_than(least),
        Op::Greater => Ranges::higher_than(beyond),
        Op::GreaterEq => Ranges::higher_than(least),
        Op::Less => Ranges::strictly_lower_than(least),
        Op::LessEq if patch.is_some() => Ranges::lower_than(least),
        Op::LessEq => Ranges::strictly_lower_than(beyond),
        Op::Tilde if patch.is_some() => Ranges::between(
            least,
            Version::new(*major, minor.unwrap_or(0).saturating_add(1), 0),
        ),
        Op::Caret => Ranges::between(least, compatible(*major, *minor, *patch)),
        _ => Ranges::between(least, beyond),
    }
}

/// The first version that need not be compatible any more.
fn compatible(major: u64, minor: Option<u64>, patch: Option<u64>) -> Version {
    match (major, minor, patch) {
        (0, Some(0), Some(patch)) => Version::new(0, 0, patch.saturating_add(1)),
        (0, Some(minor), _) => Version::new(0, minor.saturating_add(1), 0),
        (major, ..) => Version::new(major.saturating_add(1), 0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sets say the same of every version as the requirement itself.
    #[test]
    fn sets_and_requirements_agree() {
        let wanted = [
            "^1",
            "^1.2",
            "^1.2.3",
            "^0.2",
            "^0.0.3",
            "~1",
            "~1.2",
            "~1.2.3",
            "=1",
            "=1.2",
            "=1.2.3",
            ">1",
            ">1.2",
            ">=1.2.3",
            "<1.2",
            "<=1",
            "<=1.2.3",
            "*",
            "1.*",
            "1.2.*",
            ">=0.1, <0.3",
            "0",
            "^0",
        ];
        for written in wanted {
            let wanted = VersionReq::parse(written).expect(written);
            for n in 0..400 {
                let version = Version::new(n / 100, n / 20 % 5, n % 5);
                assert_eq!(
                    ranges(&wanted).contains(&version),
                    wanted.matches(&version),
                    "{version} and {written}"
                );
            }
        }
    }
}
