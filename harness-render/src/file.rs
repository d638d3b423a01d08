//! A managed file.

/// A file for an administrator to place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ManagedFile {
    pub(crate) path: &'static str,
    bytes: Vec<u8>,
}

impl ManagedFile {
    pub(crate) const fn new(path: &'static str, bytes: Vec<u8>) -> Self {
        Self { path, bytes }
    }

    /// The absolute path on the target system, in that system's spelling.
    #[must_use]
    pub const fn path(&self) -> &str {
        self.path
    }

    /// The path below a directory that stands for the root of the target system, with `/`:
    /// `C:\Program Files\x` is `C/Program Files/x`.
    #[must_use]
    pub fn relative_path(&self) -> String {
        let path = self.path.replace('\\', "/").replacen(":/", "/", 1);
        path.trim_start_matches('/').to_owned()
    }

    /// The content.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The permission bits on systems that have them: everyone reads, only the superuser, who is
    /// to own the file, writes.
    #[must_use]
    pub const fn mode(&self) -> u32 {
        0o644
    }
}
