//! Which versions of which packs go together; if none do, why not, in sentences.

use crate::fetch::Whereabouts;
use crate::index::{Release, Versions, versions};
use crate::kernel::{BASE, KERNEL, MOST_NEEDS, MOST_PACKS, RESOLVING_SECONDS};
use crate::{PackError, Result};
use pubgrub::{
    DefaultStringReporter, Dependencies, DependencyProvider, OfflineDependencyProvider,
    PackageResolutionStatistics, PubGrubError, Ranges, Reporter, resolve,
};
use semver::{Comparator, Op, Version, VersionReq};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

type Provider = OfflineDependencyProvider<String, Ranges<Version>>;

/// What is wished for, at the root of every resolution.
const WISH: &str = "what you ask for";

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
    let mut needs = 0;
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
            let known = crate::index::known(index);
            return Err(PackError::unknown(&name, known.iter().map(String::as_str)));
        }
        needs += found
            .all
            .iter()
            .map(|r| 1 + r.builds_on.len())
            .sum::<usize>();
        if needs > MOST_NEEDS {
            return Err(PackError::NoSolution(format!(
                "more than {MOST_NEEDS} versions and what they build on would have to be looked at"
            )));
        }
        let foundations = found.all.iter().flat_map(|r| r.builds_on.keys());
        waiting.extend(foundations.cloned());
        known.insert(name, found);
    }
    for (name, wanted) in wishes {
        if let Some(found) = known.get(name).filter(|_| !present.contains_key(name)) {
            fitting(name, wanted, found)?;
        }
    }
    let patience = Duration::from_secs(RESOLVING_SECONDS);
    let solution = solve(wishes, present, &known, patience)?;
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
    patience: Duration,
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
    let bounded = Bounded {
        inner: provider,
        until: Instant::now() + patience,
    };
    match resolve(&bounded, WISH.to_string(), root) {
        Ok(found) => Ok(found
            .into_iter()
            .filter(|(name, _)| name != WISH && name != BASE)
            .collect()),
        Err(PubGrubError::NoSolution(mut why)) => {
            why.collapse_no_versions();
            let why = DefaultStringReporter::report(&why).replace(&format!("{WISH} 0.0.0"), WISH);
            Err(PackError::NoSolution(why))
        }
        Err(PubGrubError::ErrorInShouldCancel(too_long)) => {
            Err(PackError::NoSolution(too_long.to_string()))
        }
        Err(other) => Err(PackError::NoSolution(other.to_string())),
    }
}

/// Versions that can be had, for as long as anybody waits: an index may be made so that the answer takes years.
struct Bounded {
    inner: Provider,
    until: Instant,
}

#[derive(Debug, thiserror::Error)]
#[error("which versions go together could not be found out within {RESOLVING_SECONDS} seconds")]
struct TooLong;

impl DependencyProvider for Bounded {
    type P = String;
    type V = Version;
    type VS = Ranges<Version>;
    type Priority = <Provider as DependencyProvider>::Priority;
    type M = String;
    type Err = TooLong;

    fn prioritize(
        &self,
        package: &String,
        range: &Ranges<Version>,
        conflicts: &PackageResolutionStatistics,
    ) -> Self::Priority {
        self.inner.prioritize(package, range, conflicts)
    }

    fn choose_version(
        &self,
        package: &String,
        range: &Ranges<Version>,
    ) -> std::result::Result<Option<Version>, TooLong> {
        let Ok(chosen) = self.inner.choose_version(package, range);
        Ok(chosen)
    }

    fn get_dependencies(
        &self,
        package: &String,
        version: &Version,
    ) -> std::result::Result<Dependencies<String, Ranges<Version>, String>, TooLong> {
        let Ok(found) = self.inner.get_dependencies(package, version);
        Ok(found)
    }

    fn should_cancel(&self) -> std::result::Result<(), TooLong> {
        match Instant::now() < self.until {
            true => Ok(()),
            false => Err(TooLong),
        }
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

    fn listed(number: u64, builds_on: &[(String, String)]) -> Release {
        let wanted = |(name, wanted): &(String, String)| {
            (name.clone(), VersionReq::parse(wanted).expect(wanted))
        };
        Release {
            number: Version::new(number, 0, 0),
            hash: String::new(),
            kernel: VersionReq::STAR,
            key: None,
            builds_on: builds_on.iter().map(wanted).collect(),
        }
    }

    /// Twelve pigeons, eleven holes, a version of each for each of the other: whoever wants to know tries them all.
    #[test]
    fn an_answer_that_takes_years_is_not_waited_for() {
        let (pigeons, holes) = (12, 11);
        let mut known = BTreeMap::new();
        let only = |name: String, of: u64| vec![(name, format!("={of}.0.0"))];
        for pigeon in 1..=pigeons {
            let all = (1..=holes).map(|hole| listed(hole, &only(format!("hole{hole}"), pigeon)));
            let all = all.collect();
            known.insert(format!("pigeon{pigeon}"), Versions { all });
        }
        for hole in 1..=holes {
            let all = (1..=pigeons).map(|pigeon| listed(pigeon, &[])).collect();
            known.insert(format!("hole{hole}"), Versions { all });
        }
        let wishes = (1..=pigeons).map(|n| (format!("pigeon{n}"), VersionReq::STAR));
        let patience = Duration::from_millis(50);
        let answer = solve(&wishes.collect(), &BTreeMap::new(), &known, patience);
        let why = answer.expect_err("there is none").to_string();
        assert!(why.contains("could not be found out"), "{why}");
    }

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
