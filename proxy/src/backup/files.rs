//! The files of a backup: written so that a backup that broke off is never taken for a whole one, and checked before they
//! are used.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use super::Progress;
use super::manifest::{FILE, Manifest, PartFile, RootFile};

/// The name of the manifest while the backup is being made.
const UNFINISHED: &str = "manifest.json.unfinished";
/// The name of the file of the root's prizes.
pub const ROOT: &str = "root.prizes";
/// How many bytes are read at once to check a file.
const PIECE: usize = 1 << 20;

/// Returns the name of the file of a part.
pub fn name(part: u16) -> String {
    format!("part-{part:04}.dump")
}

/// A file as the manifest lists it.
#[derive(Clone, Copy)]
pub struct Listed<'a> {
    file: &'a str,
    bytes: u64,
    blake3: &'a str,
}

impl<'a> From<&'a PartFile> for Listed<'a> {
    fn from(PartFile { file, bytes, blake3, .. }: &'a PartFile) -> Self {
        Self { file, bytes: *bytes, blake3 }
    }
}

impl<'a> From<&'a RootFile> for Listed<'a> {
    fn from(RootFile { file, bytes, blake3 }: &'a RootFile) -> Self {
        Self { file, bytes: *bytes, blake3 }
    }
}

/// The folder of a backup that is being made. No other program writes there: the file `UNFINISHED` shows that the
/// folder is taken.
pub struct Folder {
    path: PathBuf,
    /// Whether the folder did not exist before.
    is_new: bool,
    /// Whether the files have been deleted. Writers share the lock, so no file appears after the deletion: when one part
    /// fails, other parts are still being written.
    is_discarded: RwLock<bool>,
}

impl Folder {
    /// Takes a folder for a backup.
    ///
    /// # Errors
    /// If the folder contains something, or cannot be written to.
    pub fn claim(path: &Path) -> Result<Self, String> {
        let wrong = |error| format!("{}: {error}", path.display());
        let is_new = match fs::read_dir(path) {
            Ok(mut entries) => {
                if entries.next().is_some() {
                    return Err(format!("{}: the folder is not empty", path.display()));
                }
                false
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // Members can be names of people, so other users of the machine cannot read the folder.
                DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(wrong)?;
                true
            }
            Err(error) => return Err(wrong(error)),
        };
        created(&path.join(UNFINISHED))?;
        Ok(Self { path: path.to_owned(), is_new, is_discarded: RwLock::new(false) })
    }

    /// Writes a file. Returns its length and its hash.
    ///
    /// # Errors
    /// If it cannot be written, or if the files have been deleted.
    pub fn write(&self, name: &str, payload: &[u8]) -> Result<(u64, String), String> {
        let path = self.path.join(name);
        let wrong = |error| format!("{}: {error}", path.display());
        let is_discarded = self.is_discarded.read().unwrap_or_else(PoisonError::into_inner);
        if *is_discarded {
            return Err(format!("{}: the backup has failed", path.display()));
        }
        let mut file = created(&path)?;
        file.write_all(payload).and_then(|()| file.sync_all()).map_err(wrong)?;
        Ok((length(payload), blake3::hash(payload).to_hex().to_string()))
    }

    /// Writes the manifest, after all parts. From now on, the folder is a backup.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(&self, manifest: &Manifest) -> Result<(), String> {
        let unfinished = self.path.join(UNFINISHED);
        let wrong = |error| format!("{}: {error}", unfinished.display());
        let write = || -> std::io::Result<()> {
            let mut file = OpenOptions::new().write(true).truncate(true).open(&unfinished)?;
            file.write_all(&manifest.text())?;
            file.sync_all()?;
            fs::rename(&unfinished, self.path.join(FILE))?;
            File::open(&self.path)?.sync_all()
        };
        write().map_err(wrong)
    }

    /// Deletes what was written for a backup of this number of parts. Waits for the files that are being written.
    pub fn discard(&self, parts: u16) {
        let mut is_discarded = self.is_discarded.write().unwrap_or_else(PoisonError::into_inner);
        *is_discarded = true;
        // The reason why the backup failed is reported; a file that cannot be deleted is found by the next backup.
        for name in (0..parts).map(name).chain([ROOT, UNFINISHED, FILE].map(str::to_owned)) {
            let _ = fs::remove_file(self.path.join(name));
        }
        if self.is_new {
            let _ = fs::remove_dir(&self.path);
        }
    }
}

fn created(path: &Path) -> Result<File, String> {
    let created = OpenOptions::new().write(true).create_new(true).open(path);
    created.map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads a file.
///
/// # Errors
/// If the file is missing or damaged.
pub fn read<'a>(folder: &Path, file: impl Into<Listed<'a>>) -> Result<Vec<u8>, String> {
    let file = file.into();
    let path = folder.join(file.file);
    let payload = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    check(&path, file, length(&payload), &blake3::hash(&payload))?;
    Ok(payload)
}

/// Checks all files against the manifest, without holding a whole file in memory.
///
/// # Errors
/// The first file that is missing or damaged.
pub fn verify(folder: &Path, manifest: &Manifest, progress: &impl Progress) -> Result<(), String> {
    progress.begins(manifest.files.len());
    let mut piece = vec![0; PIECE];
    let root = manifest.root.as_ref().map(Listed::from);
    for file in manifest.files.iter().map(Listed::from).chain(root) {
        let path = folder.join(file.file);
        let wrong = |error| format!("{}: {error}", path.display());
        let (mut content, mut hash) = (File::open(&path).map_err(wrong)?, blake3::Hasher::new());
        let mut bytes: u64 = 0;
        loop {
            let read = content.read(&mut piece).map_err(wrong)?;
            let read = piece.get(..read).unwrap_or_default();
            if read.is_empty() {
                break;
            }
            hash.update(read);
            bytes = bytes.saturating_add(length(read));
        }
        check(&path, file, bytes, &hash.finalize())?;
        progress.did(bytes);
    }
    Ok(())
}

fn check(path: &Path, file: Listed, bytes: u64, hash: &blake3::Hash) -> Result<(), String> {
    let shown = path.display();
    if bytes != file.bytes {
        return Err(format!("{shown}: the file has {bytes} bytes, and {} in the manifest", file.bytes));
    }
    if hash.to_hex().as_str() != file.blake3 {
        return Err(format!("{shown}: the file is damaged: it does not have the hash of the manifest"));
    }
    Ok(())
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::*;

    #[test]
    fn no_file_appears_after_the_deletion() {
        for _ in 0..50 {
            let place = tempfile::tempdir().expect("a folder");
            let folder = Folder::claim(&place.path().join("backup")).expect("a new folder");
            let start = Barrier::new(3);
            thread::scope(|scope| {
                for part in 0..2 {
                    let (folder, start) = (&folder, &start);
                    scope.spawn(move || {
                        start.wait();
                        folder.write(&name(part), b"payload")
                    });
                }
                start.wait();
                folder.discard(2);
            });
            assert!(!folder.path.exists());
            assert!(
                folder.write(&name(0), b"payload").expect_err("too late").ends_with("the backup has failed")
            );
        }
    }
}
