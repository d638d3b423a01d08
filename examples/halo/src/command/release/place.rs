//! The directory of a release, whole or not at all, and nothing outside it.
//!
//! A build is made beside the directory, brought to the disk, and exchanged with what stands there. Until
//! then that stays, and afterwards only what its manifest lists is removed.

mod directory;
mod listed;
mod lock;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

pub(super) use directory::MODE;
use directory::{Directory, Identity, Kind, open_or_make};
use listed::Listed;
use lock::Lock;

use crate::out::shown;

/// Says that a build is one, and what it has.
const MANIFEST: &str = "manifest.json";

/// The mode of the manifest.
const MANIFEST_MODE: u32 = 0o644;

/// The file that makes a directory a policy.
const ORGANISATION: &str = "halos.yaml";

/// What a policy repository has at its top.
const POLICY: [&str; 4] = [ORGANISATION, "profiles", "units", "tests"];

const NOT_PUT: &str = "the build could not be put there";

pub(super) type Done = Result<(), Failure>;

/// Why the build does not stand there, or what else was not done.
pub(super) struct Failure {
    pub(super) problem: String,
    pub(super) help: String,
}

impl Failure {
    fn new(problem: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            problem: problem.into(),
            help: help.into(),
        }
    }

    /// A step that failed while what stands there stayed as it was.
    fn untouched(step: &str) -> impl Fn(io::Error) -> Self {
        move |error| {
            let help = match error.kind() {
                io::ErrorKind::ResourceBusy | io::ErrorKind::CrossesDevices => {
                    "a mount point cannot be replaced: name a directory below it"
                }
                _ => "nothing that stands there was changed",
            };
            Self::new(format!("{step}: {error}"), help)
        }
    }
}

/// A file of a build, at a path with `/`.
pub(super) struct Content<'a> {
    pub(super) path: String,
    pub(super) bytes: &'a [u8],
    pub(super) mode: u32,
}

/// Puts a build where nothing or an empty directory stands; with `force`, also where an earlier build does.
/// One build after the other, should there be several.
pub(super) fn put(out: &Path, force: bool, files: &[Content<'_>], manifest: &[u8]) -> Done {
    let Some(name) = out.file_name() else {
        return Err(Failure::new(
            "no name of a directory",
            "name the directory itself, as in `--out release`",
        ));
    };
    let above = match out.parent() {
        Some(above) if above != Path::new("") => above,
        _ => Path::new("."),
    };
    // Before anything is made, the directories above included.
    require_outside_of_policies(above, name)?;
    let parent = open_or_make(above).map_err(Failure::untouched("the directory above"))?;
    let site = Site {
        lock: beside(name, "lock"),
        new: beside(name, "new"),
        old: beside(name, "old"),
        name,
        parent,
    };
    let lock = Lock::take(&site.parent, &site.lock);
    let lock = lock.map_err(Failure::untouched(&format!(
        "the lock {} beside it",
        shown(Path::new(&site.lock))
    )))?;
    site.recover()?;
    let earlier = site.earlier(force)?;
    let new = site.build(files, manifest)?;
    site.exchange(&new, earlier, &lock)?;
    lock.release().map_err(|error| {
        Failure::new(
            format!(
                "the build is whole and in place, but the lock {} beside it could not be removed: {error}",
                shown(Path::new(&site.lock))
            ),
            "remove it; the next build does as well",
        )
    })
}

/// Refuses what would be the file or a directory of a policy, or lie anywhere below one.
fn require_outside_of_policies(above: &Path, name: &OsStr) -> Done {
    let failed = Failure::untouched("the directory above");
    let way = resolved(above).map_err(&failed)?.join(name);
    for directory in way.ancestors().skip(1) {
        let rest = way.strip_prefix(directory).ok();
        let first = rest.and_then(|rest| rest.components().next());
        let is_policy_place = first.is_some_and(|first| {
            let first = first.as_os_str();
            POLICY.iter().any(|place| first.eq_ignore_ascii_case(place))
        });
        if is_policy_place && is_there(&directory.join(ORGANISATION)).map_err(&failed)? {
            return Err(Failure::new(
                format!("it would be part of the policy in {}", shown(directory)),
                "name a directory outside the policy",
            ));
        }
    }
    Ok(())
}

/// A path without links, as far as it leads to what is there.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    for there in path.ancestors() {
        match there.canonicalize() {
            Ok(found) => {
                let rest = path.strip_prefix(there).unwrap_or(Path::new(""));
                return Ok(found.join(rest));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::NotFound.into())
}

fn is_there(path: &Path) -> io::Result<bool> {
    match path.symlink_metadata() {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// `.release.halo-new` beside `release`.
fn beside(name: &OsStr, what: &str) -> OsString {
    let mut beside = OsString::from(".");
    beside.push(name);
    beside.push(format!(".halo-{what}"));
    beside
}

/// The directory above, and the names in it that a build uses.
struct Site<'n> {
    parent: Directory,
    name: &'n OsStr,
    lock: OsString,
    /// Where the build is made, and where the earlier one is after the exchange.
    new: OsString,
    /// Where the earlier one is after an exchange in two steps.
    old: OsString,
}

/// A build that stands there.
struct Earlier {
    directory: Directory,
    listed: Listed,
}

/// A build that is whole, and on the disk.
struct New {
    identity: Identity,
    directory: Directory,
    listed: Listed,
}

impl Site<'_> {
    /// Ends what a build that was killed left: an exchange in two steps, and what stands beside.
    fn recover(&self) -> Done {
        let failed = Failure::untouched("what an earlier build left beside it");
        if self.parent.kind(self.name).map_err(&failed)?.is_none()
            && self.parent.kind(&self.old).map_err(&failed)? == Some(Kind::Directory)
        {
            self.parent.rename(&self.old, self.name).map_err(&failed)?;
            self.parent.sync().map_err(&failed)?;
        }
        for left in [&self.new, &self.old] {
            self.clear(left)?;
        }
        Ok(())
    }

    /// Whether what stands there is a build with everything that its manifest lists, or is nothing.
    fn stands_whole(&self) -> io::Result<bool> {
        match self.parent.kind(self.name)? {
            None => return Ok(true),
            Some(Kind::Directory) => {}
            Some(_) => return Ok(false),
        }
        let directory = self.parent.enter(self.name)?;
        match Listed::read(&directory)? {
            Some(listed) => listed.is_whole(&directory),
            None => Ok(directory.names()?.is_empty()),
        }
    }

    /// Removes a directory that a build of ours left, unless there is more in it than that.
    fn clear(&self, left: &OsStr) -> Done {
        let failed = Failure::untouched("what an earlier build left beside it");
        let foreign = |name: &str| {
            Failure::new(
                format!(
                    "{} beside it is no build that was cut short{name}",
                    shown(Path::new(left))
                ),
                "look at it and remove it; nothing was changed",
            )
        };
        match self.parent.kind(left).map_err(&failed)? {
            None => return Ok(()),
            Some(Kind::Directory) => {}
            Some(_) => return Err(foreign("")),
        }
        let directory = self.parent.enter(left).map_err(&failed)?;
        // Its manifest is the first file of a build, so it may be cut short only where nothing else is.
        let read = Listed::read(&directory).map_err(&failed)?;
        let is_whole = match &read {
            Some(listed) => listed.is_whole(&directory).map_err(&failed)?,
            None => false,
        };
        let listed = read.unwrap_or_else(Listed::manifest);
        if let Some(stranger) = listed.stranger(&directory).map_err(&failed)? {
            return Err(foreign(&format!(
                ": no manifest lists {}",
                shown(Path::new(&stranger))
            )));
        }
        // No build leaves it so, but a file system without locks or a hand may: then this is the last one.
        if is_whole && !self.stands_whole().map_err(&failed)? {
            let left = shown(Path::new(left));
            return Err(Failure::new(
                format!("it is no whole build, and {left} beside it is one"),
                format!("put {left} in its place, or remove it; nothing was changed"),
            ));
        }
        listed.remove_from(&directory).map_err(&failed)?;
        self.parent.remove_directory(left).map_err(&failed)
    }

    /// The build that stands there and may be replaced, if anything stands there.
    fn earlier(&self, force: bool) -> Result<Option<Earlier>, Failure> {
        let failed = Failure::untouched("the directory could not be read");
        match self.parent.kind(self.name).map_err(&failed)? {
            None => return Ok(None),
            Some(Kind::Directory) => {}
            Some(Kind::Link) => {
                return Err(Failure::new(
                    "it is a link",
                    "name the directory itself: a build replaces the directory, and follows no link",
                ));
            }
            Some(Kind::File | Kind::Other) => {
                return Err(Failure::new("it is no directory", "name a new directory"));
            }
        }
        let directory = self.parent.enter(self.name).map_err(&failed)?;
        let names = directory.names().map_err(&failed)?;
        if names.is_empty() {
            return Ok(None);
        }
        // Many a source tree has a directory `tests`.
        for place in POLICY.iter().filter(|place| **place != "tests") {
            if names.iter().any(|name| name.eq_ignore_ascii_case(place)) {
                return Err(Failure::new(
                    format!("`{place}` stands there: it is a policy's directory"),
                    "name a directory of its own for the build",
                ));
            }
        }
        if !force {
            return Err(Failure::new(
                "the directory is not empty",
                "name a new one, or replace an earlier build with `--force`",
            ));
        }
        let read = Listed::read(&directory).map_err(&failed)?;
        let no_build = read.is_none();
        let listed = read.unwrap_or_default();
        match listed.stranger(&directory).map_err(&failed)? {
            None => Ok(Some(Earlier { directory, listed })),
            Some(stranger) => {
                let stranger = shown(Path::new(&stranger));
                Err(Failure::new(
                    if no_build {
                        format!(
                            "{stranger} stands there, and no manifest says that a build wrote it"
                        )
                    } else {
                        format!("{stranger} stands there, and the manifest does not list it")
                    },
                    "move it away, or name a new directory: `--force` replaces only what a build wrote",
                ))
            }
        }
    }

    /// Makes the build beside the directory.
    fn build(&self, files: &[Content<'_>], manifest: &[u8]) -> Result<New, Failure> {
        let failed = Failure::untouched("the build could not be written");
        let directory = self.parent.make(&self.new).map_err(&failed)?;
        let mut listed = Listed::manifest();
        let written = write(&directory, &mut listed, files, manifest);
        match written.and_then(|()| directory.identity()) {
            Ok(identity) => Ok(New {
                identity,
                directory,
                listed,
            }),
            Err(error) => {
                self.discard(&directory, &listed);
                Err(failed(error))
            }
        }
    }

    /// Removes what was made of a build, if it has not got the name. What stays is removed by the next.
    fn discard(&self, directory: &Directory, listed: &Listed) {
        let is_beside = match (self.parent.identity_of(&self.new), directory.identity()) {
            (Ok(beside), Ok(made)) => beside == Some(made),
            _ => false,
        };
        if is_beside && listed.remove_from(directory).is_ok() {
            let _ = self.parent.remove_directory(&self.new);
        }
    }

    /// Gives the build its name. What had the name has it until then.
    fn exchange(&self, new: &New, earlier: Option<Earlier>, lock: &Lock<'_>) -> Done {
        let put = self.require_alone(new, lock).and_then(|()| match &earlier {
            Some(earlier) => self.take_the_place(new, earlier).map(Some),
            // An empty directory is replaced; one in which something stands by now is not.
            None => match self.parent.rename(&self.new, self.name) {
                Ok(()) => Ok(None),
                Err(error) => Err(Failure::untouched(NOT_PUT)(error)),
            },
        });
        let at = match put {
            Ok(at) => at,
            Err(failure) => {
                self.discard(&new.directory, &new.listed);
                return Err(failure);
            }
        };
        self.settle(new)?;
        let (Some(earlier), Some(at)) = (earlier, at) else {
            return Ok(());
        };
        let left = |error: io::Error| {
            Failure::new(
                format!(
                    "the build is whole and in place, but the earlier one, now {} beside it, could \
                     not be removed: {error}",
                    shown(Path::new(at))
                ),
                "the next build removes it, if nothing was added to it",
            )
        };
        earlier
            .listed
            .remove_from(&earlier.directory)
            .map_err(left)?;
        self.parent.remove_directory(at).map_err(left)
    }

    /// Nobody took the lock away, or put something else in place of what was made.
    fn require_alone(&self, new: &New, lock: &Lock<'_>) -> Done {
        let failed = Failure::untouched(NOT_PUT);
        if !lock.has_its_name().map_err(&failed)? {
            return Err(failed(io::Error::other(
                "its lock was removed, so another build may have begun",
            )));
        }
        match self.parent.identity_of(&self.new).map_err(&failed)? {
            Some(found) if found == new.identity => Ok(()),
            _ => Err(failed(io::Error::other(
                "something else took the place of the build",
            ))),
        }
    }

    /// Exchanges the build with the earlier one; the name by which that goes afterwards.
    fn take_the_place(&self, new: &New, earlier: &Earlier) -> Result<&OsStr, Failure> {
        let failed = Failure::untouched(NOT_PUT);
        if self
            .parent
            .exchange(&self.new, self.name)
            .map_err(&failed)?
        {
            let are_these = || {
                let earlier = Some(earlier.directory.identity()?);
                Ok(self.parent.identity_of(&self.new)? == earlier
                    && self.parent.identity_of(self.name)? == Some(new.identity))
            };
            return match are_these() {
                Ok(true) => Ok(&self.new),
                found => {
                    // Whatever took the place of either gets its own back.
                    let back = self.parent.exchange(&self.new, self.name);
                    let why = found.err().unwrap_or_else(|| {
                        io::Error::other(
                            "something else took the place of the build or of the earlier one",
                        )
                    });
                    Err(match back {
                        Ok(_) => failed(why),
                        Err(_) => Failure::new(
                            format!("{NOT_PUT}: {why}"),
                            format!(
                                "what stood there is now {} beside it",
                                shown(Path::new(&self.new))
                            ),
                        ),
                    })
                }
            };
        }
        self.parent.rename(self.name, &self.old).map_err(&failed)?;
        if let Err(error) = self.parent.rename(&self.new, self.name) {
            return Err(match self.parent.rename(&self.old, self.name) {
                Ok(()) => failed(error),
                Err(_) => Failure::new(
                    format!("{NOT_PUT}: {error}"),
                    format!(
                        "the earlier build is now {} beside it, and the next build puts it back",
                        shown(Path::new(&self.old))
                    ),
                ),
            });
        }
        Ok(&self.old)
    }

    /// Looks whether it is the build that has the name now, and brings the name to the disk.
    fn settle(&self, new: &New) -> Done {
        let problem = match self.parent.identity_of(self.name) {
            Ok(Some(identity)) if identity == new.identity => match self.parent.sync() {
                Ok(()) => return Ok(()),
                Err(error) => format!(
                    "the build is whole and in place, but may not outlive a power cut: {error}"
                ),
            },
            Ok(_) => "something else took the place of the build".to_owned(),
            Err(error) => format!("the build was put there and could not be looked at: {error}"),
        };
        Err(Failure::new(
            problem,
            "build again; look at who else writes to the directory above",
        ))
    }
}

/// Writes the files of a build into a directory that nobody else may enter, and brings them to the disk.
fn write(
    root: &Directory,
    listed: &mut Listed,
    files: &[Content<'_>],
    manifest: &[u8],
) -> io::Result<()> {
    // The first, so that what is left of a build that was killed is known by it.
    write_file(root, OsStr::new(MANIFEST), manifest, MANIFEST_MODE)?;
    root.sync()?;
    let mut made: BTreeMap<&str, Directory> = BTreeMap::new();
    for file in files {
        if !listed.add_file(&file.path) {
            return Err(io::Error::other("a file outside the build"));
        }
        let (above, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        let ends = above.match_indices('/').map(|(end, _)| end);
        for end in ends.chain([above.len()]) {
            let (path, _) = above.split_at_checked(end).unwrap_or_default();
            if path.is_empty() || made.contains_key(path) {
                continue;
            }
            let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
            let parent = made.get(parent).unwrap_or(root);
            made.insert(path, parent.make(OsStr::new(name))?);
        }
        let parent = made.get(above).unwrap_or(root);
        write_file(parent, OsStr::new(name), file.bytes, file.mode)?;
    }
    for directory in made.values().chain([root]) {
        directory.set_mode(MODE)?;
        directory.sync()?;
    }
    Ok(())
}

fn write_file(parent: &Directory, name: &OsStr, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut file: File = parent.create(name)?;
    file.write_all(bytes)?;
    Directory::set_mode_of_file(&file, mode)?;
    file.sync_all()
}
