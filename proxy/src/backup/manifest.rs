//! The manifest of a backup: what was backed up, as of when, and the size and the hash of each file. It is written last,
//! so a folder without a manifest is no backup.

use std::fs;
use std::path::Path;

use leaderboard_core::parts::Parts;
use serde::{Deserialize, Serialize};

use super::files;

/// The version of the format. It is increased when an earlier program cannot read the new format.
const FORMAT: u32 = 1;
/// The name of the file.
pub const FILE: &str = "manifest.json";

/// What a backup contains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of the format.
    pub format: u32,
    /// The program that made the backup, with its version.
    pub made_by: String,
    /// The server of the board's root, with its version.
    pub server: String,
    /// The version of the module there; 0 if the server does not show it.
    pub module: u64,
    /// The key of the board.
    pub board: String,
    /// The number of parts; 0 for a plain board.
    pub parts: u16,
    /// The incarnation of the root and of each part.
    pub incarnation: u64,
    /// The number of the rules.
    pub revision: u64,
    /// The hash of the rules.
    pub rules_hash: u64,
    /// The options of LB.CREATE that make a root with these rules; empty for a plain board.
    pub rules: Vec<String>,
    /// The earliest moment at which a part was dumped, by the clock of this part, in ms.
    pub from: u64,
    /// The latest moment at which a part was dumped, in ms.
    pub to: u64,
    /// The number of members of all parts.
    pub members: u64,
    /// The files, in the order of the parts.
    pub files: Vec<PartFile>,
    /// The file of the root's prizes, if the board is over parts and has prizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<RootFile>,
    /// The BLAKE3 hash of this manifest, computed while this field is empty.
    pub checksum: String,
}

/// The file of one part. It contains the answer to `DUMP`, as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartFile {
    /// The number of the part, from 0.
    pub part: u16,
    /// The name of the file.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// The BLAKE3 hash of its content.
    pub blake3: String,
    /// The RDB version of the payload. Servers that know only earlier versions refuse it.
    pub rdb: u16,
    /// The moment of the dump by the board's clock, in ms.
    pub now: u64,
    /// The moment of the part's last write, in ms; 0 if there was none.
    pub last: u64,
    /// The number of its members.
    pub members: u64,
}

/// The file of a root with prizes. It contains the prize tables, the winners, and who has claimed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RootFile {
    /// The name of the file.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// The BLAKE3 hash of its content.
    pub blake3: String,
}

/// The part of all formats that says which format it is.
#[derive(Deserialize)]
struct Format {
    format: u32,
}

/// What is known of the board before its parts are dumped.
pub struct About {
    /// The server, with its version, and the version of the module.
    pub server: (String, u64),
    /// The key of the board.
    pub board: String,
    /// The number of parts; `None` for a plain board.
    pub parts: Option<Parts>,
    /// The incarnation, the number of the rules, and the hash of the rules.
    pub numbers: [u64; 3],
    /// The rules as options of LB.CREATE.
    pub rules: Vec<String>,
}

impl Manifest {
    /// Returns the manifest of a backup with these files.
    pub fn of(about: About, mut files: Vec<PartFile>, root: Option<RootFile>) -> Self {
        files.sort_unstable_by_key(|file| file.part);
        let moments = || files.iter().map(|file| file.now);
        let [incarnation, revision, rules_hash] = about.numbers;
        let manifest = Self {
            format: FORMAT,
            made_by: concat!("leaderboard-gateway ", env!("CARGO_PKG_VERSION")).to_owned(),
            server: about.server.0,
            module: about.server.1,
            board: about.board,
            parts: about.parts.map_or(0, Parts::count),
            incarnation,
            revision,
            rules_hash,
            rules: about.rules,
            from: moments().min().unwrap_or_default(),
            to: moments().max().unwrap_or_default(),
            members: files.iter().fold(0, |sum, file| sum.saturating_add(file.members)),
            files,
            root,
            checksum: String::new(),
        };
        manifest.signed()
    }

    /// Returns the manifest with its checksum.
    pub(super) fn signed(self) -> Self {
        Self { checksum: self.sum(), ..self }
    }

    /// Returns the text of the file.
    pub fn text(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec_pretty(self).unwrap_or_default();
        text.push(b'\n');
        text
    }

    /// Reads and checks the manifest of a backup.
    ///
    /// # Errors
    /// If it does not exist, has another format, or was changed.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let path = folder.join(FILE);
        let shown = path.display();
        let text = fs::read(&path).map_err(|error| {
            format!("{shown}: {error}: the folder is no backup, or the backup broke off before its end")
        })?;
        let wrong = |error| format!("{shown}: this is no manifest of a backup: {error}");
        let Format { format } = serde_json::from_slice(&text).map_err(wrong)?;
        if format != FORMAT {
            return Err(format!("{shown}: format {format} is not known: this program reads format {FORMAT}"));
        }
        let manifest: Self = serde_json::from_slice(&text).map_err(wrong)?;
        if manifest.sum() != manifest.checksum {
            return Err(format!("{shown}: the manifest was changed: it does not have its checksum"));
        }
        manifest.check().map_err(|reason| format!("{shown}: {reason}"))?;
        Ok(manifest)
    }

    /// Returns the number of parts; `None` for a plain board.
    pub fn spread(&self) -> Option<Parts> {
        Parts::new(self.parts, "parts").ok()
    }

    /// Returns a number that names the restore of this backup into a board: the same number for each repetition.
    pub fn request(&self, board: &[u8]) -> u64 {
        let mut hash = blake3::Hasher::new();
        hash.update(self.checksum.as_bytes()).update(board);
        let first = hash.finalize().as_bytes().first_chunk().copied().unwrap_or_default();
        (u64::from_le_bytes(first) >> 1).max(1)
    }

    /// Returns the number of bytes of all payloads.
    pub fn bytes(&self) -> u64 {
        let root = self.root.iter().map(|root| root.bytes);
        self.files.iter().map(|file| file.bytes).chain(root).fold(0, u64::saturating_add)
    }

    fn sum(&self) -> String {
        let unsigned = Self { checksum: String::new(), ..self.clone() };
        blake3::hash(&unsigned.text()).to_hex().to_string()
    }

    fn check(&self) -> Result<(), String> {
        let wanted = match (self.parts, self.spread()) {
            (0, _) => 1,
            (_, Some(parts)) => parts.count(),
            (number, None) => return Err(format!("{number} is no number of parts")),
        };
        let are_all = self.files.len() == usize::from(wanted);
        let are_right =
            (0..).zip(&self.files).all(|(part, file)| file.part == part && file.file == files::name(part));
        let is_root_right = self.root.as_ref().is_none_or(|root| root.file == files::ROOT && self.parts > 0);
        if !is_root_right {
            return Err("it names a file of prizes that is not that of a board over parts".to_owned());
        }
        if are_all && are_right { Ok(()) } else { Err(format!("it does not list {wanted} parts in order")) }
    }
}
