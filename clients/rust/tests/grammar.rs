//! Tests that the client has exactly the commands and options that the module describes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// An option that the client does not have, because it requests `PACKED` pages instead.
const ANOTHER_FORM: &str = "FLAT";

type Words = BTreeSet<String>;

/// Returns the names of the commands and the words of their options, from the description of the module.
fn described() -> (Words, Words) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.json");
    let description: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let commands = description["commands"].as_array().unwrap().iter();
    // Commands that only servers and gateways send, and those for people who look after boards over parts.
    let not_for_clients =
        |command: &Value| command["internal"] == true || command["over_parts"] == "by-gateway";
    let commands: Vec<_> = commands.filter(|command| !not_for_clients(command)).collect();
    let options = commands.iter().flat_map(|command| command["options"].as_array().unwrap());
    // Some options only a gateway sends.
    let options = options.filter(|option| option["hidden"] != true && option["by_gateway"] != true);
    let words = options.flat_map(|option| option["words"].as_array().unwrap()).map(text);
    let words = words.filter(|word| word != ANOTHER_FORM).collect();
    (commands.iter().map(|command| text(&command["name"])).collect(), words)
}

/// Returns the source text of the client.
fn source() -> String {
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    paths.filter(|path| path.is_file()).map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// Returns the strings that follow any of these beginnings in the source.
fn behind(source: &str, beginnings: &[&str]) -> Words {
    let strings = |beginning| source.split(beginning).skip(1).filter_map(|rest: &str| rest.split('"').next());
    beginnings.iter().flat_map(|beginning| strings(*beginning)).map(str::to_owned).collect()
}

#[test]
fn all_commands_and_no_others() {
    let names = behind(&source(), &["on(\"", "new(\""]);
    let names: Words = names.into_iter().filter(|name| name.starts_with("LB.")).collect();
    assert_eq!(names, described().0);
}

#[test]
fn all_options_and_no_others() {
    let words = behind(&source(), &["option(\"", "flag(\"", "counted(\""]);
    let words: Words = words.into_iter().filter(|word| word.chars().all(char::is_uppercase)).collect();
    assert_eq!(words, described().1);
}
