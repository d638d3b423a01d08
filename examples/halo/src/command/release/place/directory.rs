//! A directory, and what stands in it.

#[cfg_attr(unix, path = "directory/unix.rs")]
#[cfg_attr(not(unix), path = "directory/portable.rs")]
mod system;

use std::io;
use std::path::Path;

pub(super) use system::{Directory, Identity};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Directory,
    Link,
    Other,
}

/// What the directories of a build may be used for by others: looked into.
pub(in crate::command::release) const MODE: u32 = 0o755;

/// Opens a directory, links followed; makes it, and those above it, where they are missing. What is made
/// is on the disk when this returns.
pub(super) fn open_or_make(path: &Path) -> io::Result<Directory> {
    match Directory::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        opened => return opened,
    }
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::NotFound.into());
    };
    let above = if above.as_os_str().is_empty() {
        Directory::open(Path::new("."))?
    } else {
        open_or_make(above)?
    };
    match above.make(name) {
        Ok(made) => {
            made.set_mode(MODE)?;
            above.sync()?;
            Ok(made)
        }
        // Another build made it in the meantime.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => above.enter(name),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::ffi::OsStr;
    use std::fs;

    use super::Directory;

    /// In two steps there would be a moment without either.
    #[test]
    fn two_names_are_exchanged_at_once() {
        let name = format!("halo-exchange-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        for name in ["one", "other"] {
            fs::create_dir_all(path.join(name).join(name)).unwrap();
        }
        let directory = Directory::open(&path).unwrap();
        let exchanged = directory.exchange(OsStr::new("one"), OsStr::new("other"));
        assert!(exchanged.unwrap());
        assert!(path.join("one/other").exists() && path.join("other/one").exists());
        // Neither is replaced, and neither is made.
        let exchanged = directory.exchange(OsStr::new("one"), OsStr::new("absent"));
        assert!(exchanged.is_err());
        assert!(path.join("one/other").exists());
        fs::remove_dir_all(path).unwrap();
    }
}
