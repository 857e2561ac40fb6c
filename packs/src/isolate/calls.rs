//! What a confined process may not ask of the system, whoever it runs as: other processes, connections of any kind, and the ways round both.

use libc::{c_long, *};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter_all_threads,
};
use std::collections::BTreeMap;

/// Refused. Threads are made by `clone`, which is looked at more closely.
const BARRED: &[c_long] = &[
    // Other programs and processes, and hands laid on those that run.
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_process_madvise,
    SYS_pidfd_open,
    SYS_pidfd_getfd,
    SYS_pidfd_send_signal,
    // Connections: TCP, UDP and all others begin with a socket.
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    // The same by another way.
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    // Another view of the system, or a change of it.
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_sethostname,
];

/// Calls that only older machines have.
#[cfg(target_arch = "x86_64")]
const BARRED_HERE: &[c_long] = &[SYS_fork, SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const BARRED_HERE: &[c_long] = &[];

/// Bars the calls above for every thread of this process, for good.
pub fn bar() -> Result<(), String> {
    let mut barred: BTreeMap<i64, Vec<SeccompRule>> = BARRED
        .iter()
        .chain(BARRED_HERE)
        .map(|call| (*call, Vec::new()))
        .collect();
    barred.insert(SYS_clone, vec![no_thread().map_err(|e| e.to_string())?]);
    // What it would make stands in memory, which a filter cannot read: as if there were none, so that threads are made with `clone`.
    let unknown = BTreeMap::from([(SYS_clone3, Vec::new())]);
    for (calls, error) in [(unknown, ENOSYS), (barred, EPERM)] {
        let filter = filter(calls, error).map_err(|error| error.to_string())?;
        apply_filter_all_threads(&filter).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// A `clone` that makes something else than a thread of this process.
fn no_thread() -> Result<SeccompRule, seccompiler::BackendError> {
    let thread = CLONE_THREAD as u64;
    let without = SeccompCondition::new(
        0,
        SeccompCmpArgLen::Qword,
        SeccompCmpOp::MaskedEq(thread),
        0,
    )?;
    SeccompRule::new(vec![without])
}

fn filter(
    calls: BTreeMap<i64, Vec<SeccompRule>>,
    error: c_int,
) -> Result<BpfProgram, seccompiler::BackendError> {
    let machine = TargetArch::try_from(std::env::consts::ARCH)?;
    let refused = SeccompAction::Errno(error.unsigned_abs());
    SeccompFilter::new(calls, SeccompAction::Allow, refused, machine)?.try_into()
}
