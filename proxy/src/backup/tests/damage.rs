//! Files that are damaged, and payloads that a server cannot read.

use super::*;

/// Changes files of a backup, and returns the errors of `verify` and of a restore, which changes nothing.
async fn broken(change: impl FnOnce(&PathBuf)) -> String {
    let place = Place::start().await;
    place.back_up("game", "b").await.unwrap();
    change(&place.path("b"));
    let reason = verify(&place.path("b"), &Seen::default()).unwrap_err();
    assert_eq!(place.restore("b", Some("copy")).await.unwrap_err(), reason);
    assert_eq!(place.keys_of("copy"), Vec::<String>::new());
    reason
}

#[tokio::test(start_paused = true)]
async fn broken_files_are_found_before_anything_is_written() {
    let part = |folder: &PathBuf| folder.join(files::name(2));
    let reason = broken(|folder| {
        let mut bytes = fs::read(part(folder)).unwrap();
        bytes[20] ^= 1;
        fs::write(part(folder), bytes).unwrap();
    });
    assert!(
        reason
            .await
            .ends_with("part-0002.dump: the file is damaged: it does not have the hash of the manifest")
    );
    let reason = broken(|folder| {
        let bytes = fs::read(part(folder)).unwrap();
        fs::write(part(folder), &bytes[1..]).unwrap();
    });
    assert!(reason.await.contains("part-0002.dump: the file has "));
    assert!(
        broken(|folder| fs::remove_file(part(folder)).unwrap())
            .await
            .contains("part-0002.dump: No such file")
    );
    // A file of another part, or of another backup.
    let reason =
        broken(|folder| fs::copy(folder.join(files::name(1)), part(folder)).map(|_| ()).unwrap()).await;
    assert!(reason.contains("part-0002.dump: the file "), "{reason}");

    let edited = |from: &'static str, to: &'static str| {
        broken(move |folder| {
            let path = folder.join("manifest.json");
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains(from), "{text}");
            fs::write(&path, text.replace(from, to)).unwrap();
        })
    };
    let changed = "the manifest was changed: it does not have its checksum";
    for (from, to) in
        [("\"members\": 8", "\"members\": 9"), ("part-0001.dump", "../x"), ("\"game\"", "\"gone\"")]
    {
        assert!(edited(from, to).await.ends_with(changed), "{from}");
    }
    let later = edited("\"format\": 1", "\"format\": 2").await;
    assert!(later.ends_with("format 2 is not known: this program reads format 1"), "{later}");
    assert!(
        edited("\"board\"", "\"bored\"").await.contains("this is no manifest of a backup: unknown field")
    );
    let cut = broken(|folder| fs::write(folder.join("manifest.json"), "{\"format\": 1").unwrap()).await;
    assert!(cut.contains("this is no manifest of a backup"), "{cut}");
    let none = broken(|folder| fs::remove_file(folder.join("manifest.json")).unwrap()).await;
    assert!(none.ends_with("the folder is no backup, or the backup broke off before its end"), "{none}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_cannot_read_the_payload_says_so() {
    let place = Place::start().await;
    let mut manifest = place.back_up("game", "b").await.unwrap();
    // The payload of a later server: its RDB version is not known here.
    let path = place.path("b").join(files::name(2));
    let mut bytes = fs::read(&path).unwrap();
    let end = bytes.len() - 10;
    bytes[end..end + 2].copy_from_slice(&12_u16.to_le_bytes());
    fs::write(&path, &bytes).unwrap();
    manifest.files[2].blake3 = blake3::hash(&bytes).to_hex().to_string();
    manifest.files[2].rdb = 12;
    fs::write(place.path("b").join("manifest.json"), manifest.signed().text()).unwrap();
    let refused = place.restore("b", Some("copy")).await.unwrap_err();
    assert_eq!(
        refused,
        "part 2 of 4: ERR DUMP payload version or checksum are wrong: the backup is of unknown with RDB version 12, and \
         a server reads only payloads of its own and earlier versions: repeat the restore to go on, or DEL copy deletes \
         what is there"
    );
}
