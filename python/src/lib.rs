//! The Python package's engine: what `import ludoteca` stands on. The package's own words are in `ludoteca/*.py`; here is only what must
//! be fast or must be the kernel's.

mod asked;
mod content;
mod door;
mod env;
mod kernel;
mod lab;
mod picture;
mod session;
mod turns;

use pyo3::prelude::*;

#[pymodule]
mod _engine {
    #[pymodule_export]
    use super::asked::Asked;
    #[pymodule_export]
    use super::content::{Content, Rules, installed};
    #[pymodule_export]
    use super::env::{Env, Many};
    #[pymodule_export]
    use super::lab::{Compared, Run, Swept, Tuned};
    #[pymodule_export]
    use super::lab::{
        compare, compared, joined, joined_table, run, run_header, sweeps, table_header, tune,
    };
    #[pymodule_export]
    use super::session::SeatedMatch;

    #[pymodule_export]
    use super::session::{header, is_bot};

    use super::door;
    use pyo3::prelude::*;

    /// Breaks on purpose, so that tests see what becomes of a fault.
    #[pyfunction]
    fn rehearse_fault(py: Python<'_>, released: bool) -> PyResult<()> {
        match released {
            true => door::released(py, || panic!("a rehearsal")),
            false => door::guarded(|| panic!("a rehearsal")),
        }
    }

    #[pymodule_init]
    fn add_exceptions(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("ContentError", py.get_type::<door::ContentError>())?;
        module.add("IllegalChoice", py.get_type::<door::IllegalChoice>())?;
        module.add("BrokenRule", py.get_type::<door::RulesBroke>())?;
        module.add("Fault", py.get_type::<door::Fault>())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
