//! What a process gives up between fork and exec. Nothing of it can be taken back.

use std::io;

use landlock::{
    ABI, Access as _, AccessFs, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset, RulesetAttr as _,
    RulesetCreated, RulesetCreatedAttr as _, Scope,
};
use rustix::{
    process::{Gid, Resource, Rlimit, Uid, getrlimit, setrlimit},
    thread::{
        CapabilitySet, CapabilitySets, set_capabilities, set_no_new_privs, set_thread_groups,
        set_thread_res_gid, set_thread_res_uid,
    },
};

use crate::{
    policy::{Layer, Limits, Policy},
    syscalls::Filters,
};

/// Where everybody may write: they are the sandbox's own.
const OWN: [&str; 2] = ["/tmp", "/dev/shm"];
/// Devices that may be written. A shared mapping of `/dev/zero` would be memory that no limit counts.
const OWN_DEVICES: [&str; 2] = ["/dev/null", "/dev/full"];

/// The size of core dumps, in bytes. With 0, a handler of core dumps outside would still be started.
const CORE: u64 = 1;

/// The walls, made before the fork as far as possible.
pub(crate) struct Walls {
    limits: Option<Limits>,
    /// The user to become. `None` if the process has no other one.
    user: Option<u32>,
    seccomp: Option<Filters>,
    landlock: bool,
    write: Vec<std::path::PathBuf>,
}

impl Walls {
    pub(crate) fn new(policy: &Policy, user: Option<u32>) -> Result<Self, String> {
        // A limit of 0 that was inherited cannot be raised.
        if takes_core_dumps() && getrlimit(Resource::Core).maximum.is_some_and(|most| most < CORE) {
            let text = "a program outside takes core dumps, and their limit of 0 (LimitCORE, ulimit -c) does not stop it. \
                        Allow 1 byte, or take `|` out of kernel.core_pattern";
            return Err(text.to_owned());
        }
        let seccomp = policy
            .has(Layer::Seccomp)
            .then(|| Filters::new(policy.network, policy.limits.counts_reserved))
            .transpose()?;
        Ok(Self {
            limits: policy.has(Layer::Limits).then(|| policy.limits.clone()),
            user: user.filter(|_| policy.has(Layer::User)),
            seccomp,
            landlock: policy.has(Layer::Landlock),
            write: policy.write.clone(),
        })
    }

    /// Becomes the user of the program, without capabilities.
    pub(crate) fn become_its_user(&self) -> Result<(), String> {
        let Some(user) = self.user else { return Ok(()) };
        become_user(user).map_err(|error| format!("another user: {error}"))
    }

    /// Gives up everything else, in the order in which it is possible.
    pub(crate) fn raise(&self) -> Result<(), String> {
        let text = |what: &str, error: io::Error| format!("{what}: {error}");
        if let Some(limits) = &self.limits {
            limit(limits).map_err(|error| text("limits", error))?;
        }
        set_no_new_privs(true).map_err(|error| text("no_new_privs", error.into()))?;
        if self.landlock {
            self.restrict_files().map_err(|error| format!("Landlock: {error}"))?;
        }
        if let Some(filters) = &self.seccomp {
            filters.apply().map_err(|error| format!("seccomp: {error}"))?;
        }
        Ok(())
    }

    /// Reading and running everywhere in the new root, writing in few places. Version 2 of Landlock must be there; what
    /// newer ones add is taken where it is: mounts and namespaces hold the same.
    fn restrict_files(&self) -> Result<(), landlock::RulesetError> {
        let reading = AccessFs::from_read(ABI::V5) | AccessFs::IoctlDev;
        let mut rules: RulesetCreated = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(ABI::V2))?
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(ABI::V5))?
            .scope(Scope::from_all(ABI::V6))?
            .create()?;
        let mut allow = |path: &std::path::Path, access| match PathFd::new(path) {
            Ok(place) => (&mut rules).add_rule(PathBeneath::new(place, access)).map(|_| ()),
            // What is not there needs no rule.
            Err(_) => Ok(()),
        };
        allow(std::path::Path::new("/"), reading)?;
        for path in OWN.iter().map(std::path::Path::new).chain(self.write.iter().map(AsRef::as_ref)) {
            allow(path, AccessFs::from_all(ABI::V5))?;
        }
        for path in OWN_DEVICES.map(std::path::Path::new) {
            allow(path, AccessFs::from_file(ABI::V5))?;
        }
        rules.restrict_self().map(|_| ())
    }
}

/// Whether core dumps are given to a program outside.
fn takes_core_dumps() -> bool {
    ["/proc", "/old/proc"].iter().any(|proc| {
        let pattern = std::fs::read(format!("{proc}/sys/kernel/core_pattern"));
        pattern.is_ok_and(|pattern| pattern.starts_with(b"|"))
    })
}

fn limit(limits: &Limits) -> io::Result<()> {
    let memory = if limits.counts_reserved { Resource::As } else { Resource::Data };
    let most = [
        (memory, limits.memory),
        (Resource::Nproc, limits.processes),
        (Resource::Nofile, limits.open_files),
        (Resource::Fsize, limits.file),
        (Resource::Core, CORE),
        (Resource::Rtprio, 0),
        (Resource::Nice, 0),
        (Resource::Sigpending, 1_024),
        (Resource::Memlock, 64 << 10),
        (Resource::Msgqueue, 0),
    ];
    for (resource, most) in most.into_iter().chain(limits.cpu_seconds.map(|most| (Resource::Cpu, most))) {
        // What was inherited may be less, and cannot be raised.
        let most = getrlimit(resource).maximum.map_or(most, |inherited| most.min(inherited));
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

/// Becomes a user for good, without capabilities.
pub(crate) fn become_user(user: u32) -> io::Result<()> {
    let (uid, gid) = (Uid::from_raw(user), Gid::from_raw(user));
    // In a user namespace, groups cannot be given up, and none but its own has a meaning.
    let _ = set_thread_groups(&[]);
    set_thread_res_gid(gid, gid, gid)?;
    set_thread_res_uid(uid, uid, uid)?;
    give_up_capabilities()
}

/// Gives up every capability for good.
pub(crate) fn give_up_capabilities() -> io::Result<()> {
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    Ok(set_capabilities(None, sets)?)
}
