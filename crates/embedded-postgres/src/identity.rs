//! The user that PostgreSQL runs as. It refuses to run as root, so root has to switch to another user.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, lchown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::sys::signal::Signal;
use nix::unistd::{Gid, Pid, Uid, User, getegid, geteuid, getppid};

use crate::StartError;

/// `nobody`, who has a passwd entry on every system; `initdb` needs one.
#[cfg(target_os = "linux")]
const NOBODY: u32 = 65534;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Identity {
    /// The current user.
    Ourselves,
    /// Root switches to this user.
    User { uid: Uid, gid: Gid },
    /// For the system the current user, who owns the files and has access to them; inside a user namespace `nobody`.
    /// This is for root's folders without access for other users, and for user ids without a passwd entry.
    Namespaced,
}

/// The identities to try for `data_dir`, in order. The owner of an existing cluster comes first, because its files
/// belong to that user.
///
/// # Errors
/// Fails if the cluster belongs to a user that we cannot become.
pub(crate) fn candidates(data_dir: &Path, cluster: Option<&Path>) -> Result<Vec<Identity>, StartError> {
    let owner = match cluster {
        Some(cluster) => Some(fs::metadata(cluster).map_err(StartError::folder(cluster))?),
        None => None,
    };

    if !geteuid().is_root() {
        if let (Some(cluster), Some(owner)) = (cluster, &owner)
            && owner.uid() != geteuid().as_raw()
        {
            return Err(StartError::ForeignCluster { cluster: cluster.to_owned(), owner: owner.uid() });
        }
        let is_known = matches!(User::from_uid(geteuid()), Ok(Some(_)));
        return Ok(if is_known || cluster.is_some() {
            vec![Identity::Ourselves]
        } else {
            vec![Identity::Namespaced, Identity::Ourselves]
        });
    }

    let mut candidates = Vec::new();
    if let Some(owner) = owner {
        candidates.push(if owner.uid() == 0 {
            Identity::Namespaced
        } else {
            Identity::User { uid: Uid::from_raw(owner.uid()), gid: Gid::from_raw(owner.gid()) }
        });
    }
    let servants = ["postgres", "nobody"].into_iter().filter_map(|name| User::from_name(name).ok().flatten());
    candidates.extend(servants.map(Identity::from));
    candidates.push(Identity::Namespaced);
    // Root in the private home of a user: the root of a namespace has no access there, but the owner has.
    let neighbour =
        data_dir.ancestors().filter_map(|folder| fs::metadata(folder).ok()).find(|folder| folder.uid() != 0);
    let neighbour = neighbour.and_then(|folder| User::from_uid(Uid::from_raw(folder.uid())).ok().flatten());
    candidates.extend(neighbour.map(Identity::from));
    Ok(candidates)
}

impl From<User> for Identity {
    fn from(user: User) -> Self {
        Self::User { uid: user.uid, gid: user.gid }
    }
}

impl Identity {
    /// The owner that this identity's files must have.
    pub(crate) fn owner(&self) -> (Uid, Gid) {
        match self {
            Self::Ourselves | Self::Namespaced => (geteuid(), getegid()),
            Self::User { uid, gid } => (*uid, *gid),
        }
    }

    /// Changes the owner of one file or folder to this identity; never follows a symbolic link.
    pub(crate) fn own(&self, path: &Path) -> io::Result<()> {
        let (uid, gid) = self.owner();
        if fs::symlink_metadata(path)?.uid() == uid.as_raw() {
            return Ok(());
        }
        lchown(path, Some(uid.as_raw()), Some(gid.as_raw()))
    }

    /// Changes the owner of a whole tree to this identity.
    pub(crate) fn own_tree(&self, path: &Path) -> io::Result<()> {
        if fs::symlink_metadata(path)?.is_dir() {
            for entry in fs::read_dir(path)? {
                self.own_tree(&entry?.path())?;
            }
        }
        self.own(path)
    }

    /// Whether this system allows this identity at all, and the identity can enter `folder`.
    pub(crate) fn can_enter(&self, folder: &Path) -> bool {
        self.succeeds(Path::new("/bin/sh"), &["-c", ":"], folder)
    }

    /// Whether this identity can run `program`.
    pub(crate) fn can_run(&self, program: &Path) -> bool {
        self.succeeds(program, &["--version"], Path::new("/"))
    }

    fn succeeds(&self, program: &Path, arguments: &[&str], folder: &Path) -> bool {
        self.command(program, folder, Signal::SIGKILL).is_ok_and(|mut command| {
            let outcome = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
            match outcome {
                Ok(status) => status.success(),
                Err(error) => {
                    tracing::debug!(identity = ?self, program = %program.display(), %error, "cannot run as this user");
                    false
                }
            }
        })
    }

    /// A command that runs as this identity in `folder`. It has a process group of its own, so that Ctrl-C reaches only
    /// us. Its environment is empty, because ours has secrets and `PG…` variables. It receives `at_our_end` when the
    /// thread that spawns it ends (Linux only).
    pub(crate) fn command(&self, program: &Path, folder: &Path, at_our_end: Signal) -> io::Result<Command> {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", "/usr/bin:/bin").env("LC_ALL", "C").stdin(Stdio::null()).process_group(0);
        if let Self::User { uid, gid } = self {
            command.uid(uid.as_raw()).gid(gid.as_raw());
        }
        let preparation = Preparation {
            namespace: matches!(self, Self::Namespaced).then(NamespaceMaps::new),
            folder: CString::new(folder.as_os_str().as_bytes())?,
            owner: Pid::this(),
            at_our_end,
        };
        prepare_with(&mut command, preparation);
        Ok(command)
    }
}

/// The work of the child between fork and exec, after std changed its user: a change of user clears the parent-death
/// signal. All memory is allocated beforehand.
struct Preparation {
    namespace: Option<NamespaceMaps>,
    folder: CString,
    owner: Pid,
    at_our_end: Signal,
}

struct NamespaceMaps {
    #[cfg(target_os = "linux")]
    uid: String,
    #[cfg(target_os = "linux")]
    gid: String,
}

#[expect(unsafe_code, reason = "std has no safe way to run code between fork and exec")]
fn prepare_with(command: &mut Command, preparation: Preparation) {
    // SAFETY: `Preparation::run` only makes system calls. It neither allocates nor locks, and uses no file descriptor
    // except those that it opens itself.
    unsafe {
        command.pre_exec(move || preparation.run());
    }
}

impl Preparation {
    fn run(&self) -> io::Result<()> {
        if let Some(maps) = &self.namespace {
            maps.enter()?;
        }
        nix::sys::stat::umask(nix::sys::stat::Mode::from_bits_truncate(0o077));
        self.end_with_owner()?;
        nix::unistd::chdir(self.folder.as_c_str())?;
        Ok(())
    }

    #[cfg(target_os = "linux")]
    fn end_with_owner(&self) -> io::Result<()> {
        nix::sys::prctl::set_pdeathsig(self.at_our_end)?;
        // The parent died before the signal was set: nothing would ever end this child.
        if getppid() != self.owner {
            return Err(nix::errno::Errno::ESRCH.into());
        }
        Ok(())
    }

    #[cfg(not(target_os = "linux"))]
    fn end_with_owner(&self) -> io::Result<()> {
        let _ = self.at_our_end;
        if getppid() != self.owner {
            return Err(nix::errno::Errno::ESRCH.into());
        }
        Ok(())
    }
}

#[cfg(target_os = "linux")]
impl NamespaceMaps {
    fn new() -> Self {
        Self { uid: format!("{NOBODY} {} 1", geteuid()), gid: format!("{NOBODY} {} 1", getegid()) }
    }

    fn enter(&self) -> io::Result<()> {
        nix::sched::unshare(nix::sched::CloneFlags::CLONE_NEWUSER)?;
        // The kernel accepts a group map from an unprivileged process only after this.
        overwrite(c"/proc/self/setgroups", "deny")?;
        overwrite(c"/proc/self/uid_map", &self.uid)?;
        overwrite(c"/proc/self/gid_map", &self.gid)
    }
}

#[cfg(target_os = "linux")]
fn overwrite(path: &std::ffi::CStr, text: &str) -> io::Result<()> {
    use nix::fcntl::{OFlag, open};
    let file = open(path, OFlag::O_WRONLY | OFlag::O_CLOEXEC, nix::sys::stat::Mode::empty())?;
    nix::unistd::write(&file, text.as_bytes())?;
    Ok(())
}

#[cfg(not(target_os = "linux"))]
impl NamespaceMaps {
    fn new() -> Self {
        Self {}
    }

    fn enter(&self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
