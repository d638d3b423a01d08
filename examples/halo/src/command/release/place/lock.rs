//! One build at a time for one directory.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;

use super::directory::Directory;

/// A lock that ends with the process, at the latest.
///
/// Its file is removed only while it is locked and still has its name: that of another build, or of anybody
/// else, is never removed.
pub(super) struct Lock<'d> {
    parent: &'d Directory,
    name: OsString,
    /// Locked until it is closed.
    file: File,
    is_removed: bool,
}

impl<'d> Lock<'d> {
    /// Waits until no other build has the lock.
    pub(super) fn take(parent: &'d Directory, name: &OsStr) -> io::Result<Self> {
        loop {
            let file = parent.open_or_create(name)?;
            if !file.metadata()?.is_file() {
                return Err(io::Error::other("it is no regular file"));
            }
            lock(&file)?;
            let lock = Self {
                parent,
                name: name.to_owned(),
                file,
                is_removed: false,
            };
            // Whoever had it has removed it, and the next may have made a new one.
            if lock.has_its_name()? {
                return if lock.is_empty()? {
                    Ok(lock)
                } else {
                    Err(io::Error::other(
                        "there is something in it, so no build made it",
                    ))
                };
            }
        }
    }

    /// Whether other builds still wait for this one: nobody removed the file, or put another in its place.
    pub(super) fn has_its_name(&self) -> io::Result<bool> {
        let named = self.parent.identity_of(&self.name)?;
        Ok(named == Some(Directory::identity_of_file(&self.file)?))
    }

    fn is_empty(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.len() == 0)
    }

    /// Removes it; it ends in any case.
    pub(super) fn release(mut self) -> io::Result<()> {
        self.remove()
    }

    /// Once: afterwards the name is another's.
    fn remove(&mut self) -> io::Result<()> {
        if !self.is_removed && self.has_its_name()? && self.is_empty()? {
            self.parent.remove_file(&self.name)?;
        }
        self.is_removed = true;
        Ok(())
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        // One that stays is taken by the next build.
        let _ = self.remove();
    }
}

fn lock(file: &File) -> io::Result<()> {
    loop {
        match file.lock() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            locked => return locked,
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{Directory, Lock, OsStr};

    /// A directory of this test alone, and the lock in it.
    fn place(test: &str) -> (PathBuf, Directory, PathBuf) {
        let name = format!("halo-lock-{test}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).unwrap();
        let directory = Directory::open(&path).unwrap();
        let lock = path.join("lock");
        (path, directory, lock)
    }

    fn take(directory: &Directory) -> Lock<'_> {
        Lock::take(directory, OsStr::new("lock")).unwrap()
    }

    /// Another build's, or anybody's.
    #[test]
    fn what_took_the_place_of_a_lock_is_not_removed() {
        let (path, directory, file) = place("replaced");
        type End = fn(Lock<'_>);
        let ends: [End; 2] = [|lock| drop(lock), |lock| lock.release().unwrap()];
        for end in ends {
            for content in ["", "mine"] {
                let lock = take(&directory);
                fs::remove_file(&file).unwrap();
                assert!(!lock.has_its_name().unwrap());
                fs::write(&file, content).unwrap();
                assert!(!lock.has_its_name().unwrap());
                end(lock);
                assert_eq!(fs::read_to_string(&file).unwrap(), content);
                fs::remove_file(&file).unwrap();
            }
            end(take(&directory));
            assert!(!file.exists());
            let lock = take(&directory);
            fs::write(&file, "mine").unwrap();
            end(lock);
            assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
            fs::remove_file(&file).unwrap();
        }
        fs::remove_dir_all(path).unwrap();
    }

    /// However the end of one and the beginning of the next fall together.
    #[test]
    fn one_at_a_time_has_the_lock() {
        let (path, directory, file) = place("turns");
        let holders = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let lock = take(&directory);
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::yield_now();
                        holders.fetch_sub(1, Ordering::SeqCst);
                        lock.release().unwrap();
                    }
                });
            }
        });
        assert!(!file.exists());
        fs::remove_dir_all(path).unwrap();
    }
}
