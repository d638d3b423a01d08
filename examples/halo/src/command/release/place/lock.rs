//! One build at a time for one directory.

use std::ffi::OsString;
use std::fs::File;
use std::io;

use super::directory::Directory;

/// A lock that ends with the process, at the latest.
pub(super) struct Lock<'d> {
    parent: &'d Directory,
    name: OsString,
    /// Locked until it is closed.
    _file: File,
}

impl<'d> Lock<'d> {
    /// Waits until no other build has the lock.
    pub(super) fn take(parent: &'d Directory, name: OsString) -> io::Result<Self> {
        loop {
            let file = parent.open_or_create(&name)?;
            if !file.metadata()?.is_file() {
                return Err(io::Error::other("it is no regular file"));
            }
            lock(&file)?;
            // Whoever had it has removed it, and the next may have made a new one.
            if parent.identity_of(&name)? == Some(Directory::identity_of_file(&file)?) {
                return Ok(Self {
                    parent,
                    name,
                    _file: file,
                });
            }
        }
    }
}

impl Lock<'_> {
    /// Removes it; it ends in any case.
    pub(super) fn release(self) -> io::Result<()> {
        self.parent.remove_file(&self.name)
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        // One that stays is taken by the next build.
        let _ = self.parent.remove_file(&self.name);
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
