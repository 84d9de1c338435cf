//! What the clients of all languages need.

use minijinja::Environment;

use crate::model::{Call, Form, Parameter, Part};

/// Returns the settings of all templates.
pub fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    environment
}

/// Returns the parameters that a call gives at their places, and those that it names. Those that each call has are first.
pub fn placed_and_named(call: &Call) -> (Vec<&Parameter>, Vec<&Parameter>) {
    let parameters = call.parameters.iter();
    let mut parameters: Vec<_> =
        parameters.filter(|parameter| !matches!(parameter.form, Form::Word(_))).collect();
    parameters.sort_by_key(|parameter| !parameter.required);
    parameters.into_iter().partition(|parameter| !parameter.by_name)
}

/// Returns the words and the parts of all options that are rules, each once.
pub fn rules(calls: &[Call]) -> Vec<(&str, &[Part])> {
    let mut rules: Vec<(&str, &[Part])> = Vec::new();
    for parameter in calls.iter().flat_map(|call| &call.parameters) {
        if let Form::Rules(word, parts, _) = &parameter.form
            && !rules.iter().any(|(known, _)| known == word)
        {
            rules.push((word, parts));
        }
    }
    rules
}

/// Returns `a, b, c`.
pub fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
