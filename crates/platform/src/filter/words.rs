//! A filter in words, for people.

use super::{Node, Path, Test};

impl Node {
    pub(super) fn words(&self) -> String {
        match self {
            Self::All(nodes) if nodes.is_empty() => "anything".to_owned(),
            Self::All(nodes) => joined(nodes, " and "),
            Self::Any(nodes) => joined(nodes, " or "),
            Self::Not(node) => match &**node {
                Self::Test(path, Test::Equals(value)) => format!("{} is not {value}", path.words()),
                Self::Test(path, Test::In(values)) => format!("{} is none of {}", path.words(), list(values)),
                node => format!("not ({})", node.words()),
            },
            Self::Test(path, test) => format!("{} {}", path.words(), test.words()),
        }
    }
}

fn joined(nodes: &[Node], between: &str) -> String {
    let one = |node: &Node| match node {
        Node::Any(nodes) | Node::All(nodes) if nodes.len() > 1 => format!("({})", node.words()),
        node => node.words(),
    };
    nodes.iter().map(one).collect::<Vec<_>>().join(between)
}

fn list(values: &[serde_json::Value]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl Path {
    fn words(&self) -> String {
        self.0.join(".")
    }
}

impl Test {
    /// Texts are in quotes as in JSON, so that nobody takes a value for a word of ours.
    fn words(&self) -> String {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        match self {
            Self::Equals(value) => format!("is {value}"),
            Self::StartsWith(text) => format!("begins with {}", quoted(text)),
            Self::EndsWith(text) => format!("ends with {}", quoted(text)),
            Self::Contains(value) => format!("contains {value}"),
            Self::Regex(pattern) => format!("matches {}", quoted(pattern.as_str())),
            Self::Gt(bound) => format!("is more than {bound}"),
            Self::Gte(bound) => format!("is at least {bound}"),
            Self::Lt(bound) => format!("is less than {bound}"),
            Self::Lte(bound) => format!("is at most {bound}"),
            Self::In(values) => format!("is one of {}", list(values)),
            Self::Exists(true) => "is given".to_owned(),
            Self::Exists(false) => "is not given".to_owned(),
        }
    }
}
