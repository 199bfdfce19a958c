//! Input of commands: files, stdin, parameters and secret values.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    time::Duration,
};

use api::Plain;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use jiff::{Span, SpanRelativeTo};
use model::{EffectClass, Mode, OpenTo, Risk, RiskBand, Role, RunStatus, SessionKind};
use serde_json::{Map, Value};

use crate::{console::Console, error::Error};

/// More than the gateway accepts; it keeps a wrong file from filling the memory.
const MAX_PARAMS_BYTES: usize = 4 << 20;
const MAX_SECRET_BYTES: usize = 64 << 10;

/// Source of a secret value, which must not be an argument.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
pub struct ValueSource {
    /// Read the value from this file instead of stdin
    #[arg(long, value_name = "FILE")]
    from_file: Option<PathBuf>,
    /// Read the value from this environment variable instead of stdin
    #[arg(long, value_name = "NAME")]
    from_env: Option<String>,
}

impl ValueSource {
    /// The value, without the one line feed that `echo` and editors add.
    pub(crate) fn read(&self, console: &mut Console) -> Result<Plain, Error> {
        let bytes = match (&self.from_file, &self.from_env) {
            (Some(path), _) => read_file(path, MAX_SECRET_BYTES)?,
            (None, Some(name)) => environment(name)
                .ok_or_else(|| Error::usage(format!("environment variable {name} is not set")))?
                .into_bytes(),
            (None, None) if console.input_is_terminal => {
                return Err(Error::usage(
                    "a value typed on a terminal would be visible. Pipe it to stdin, or use --from-file or --from-env",
                ));
            }
            (None, None) => console.read(MAX_SECRET_BYTES)?,
        };
        let text = String::from_utf8(bytes).map_err(|_| Error::usage("the value is not UTF-8"))?;
        let value = without_line_end(&text);
        if value.is_empty() {
            return Err(Error::usage("the value is empty"));
        }
        Ok(Plain(value.to_owned()))
    }
}

pub(crate) fn environment(name: &str) -> Option<String> {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the client: it has no platform::config, and a token must not be an argument"
    )]
    std::env::var(name).ok()
}

pub(crate) fn token_from_environment() -> Option<Plain> {
    environment("COUNTERSIGN_TOKEN").map(|token| Plain(token.trim().to_owned()))
}

/// The token in a file, without surrounding whitespace.
pub(crate) fn token_from_file(path: &Path) -> Result<Plain, Error> {
    let bytes = read_file(path, MAX_SECRET_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|_| Error::usage("the token file is not UTF-8"))?;
    Ok(Plain(text.trim().to_owned()))
}

fn without_line_end(text: &str) -> &str {
    text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text))
}

/// Reads a file, or stdin for `-`.
pub(crate) fn read_path(path: &Path, cap: usize, console: &mut Console) -> Result<Vec<u8>, Error> {
    if path == Path::new("-") { console.read(cap) } else { read_file(path, cap) }
}

/// The lines of a file, or of stdin for `-`, each with its end; none longer than `cap`.
pub(crate) fn open_lines(
    path: &Path,
    cap: usize,
    console: &mut Console,
) -> Result<impl Iterator<Item = Result<Vec<u8>, Error>> + use<>, Error> {
    let stream: Box<dyn Read> = if path == Path::new("-") {
        console.take_input()
    } else {
        Box::new(File::open(path).map_err(|source| Error::File {
            verb: "read",
            path: path.to_owned(),
            source,
        })?)
    };
    Ok(lines(Some(stream), cap))
}

/// The lines of a stream, each with its end; none longer than `cap`.
pub(crate) fn lines<S: Read>(stream: Option<S>, cap: usize) -> impl Iterator<Item = Result<Vec<u8>, Error>> {
    let mut stream = stream.map(io::BufReader::new);
    let most = u64::try_from(cap).unwrap_or(u64::MAX).saturating_add(1);
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        match io::BufRead::read_until(&mut stream.as_mut()?.take(most), b'\n', &mut line) {
            Ok(0) => None,
            Ok(_) if line.len() > cap => {
                Some(Err(Error::usage(format!("a line is longer than {cap} bytes"))))
            }
            Ok(_) => Some(Ok(line)),
            Err(error) => Some(Err(error.into())),
        }
    })
}

fn read_file(path: &Path, cap: usize) -> Result<Vec<u8>, Error> {
    let refused = |source| Error::File { verb: "read", path: path.to_owned(), source };
    let file = File::open(path).map_err(refused)?;
    read_capped(file, cap)
        .map_err(refused)?
        .ok_or_else(|| Error::usage(format!("{} is larger than {cap} bytes", path.display())))
}

/// Reads a stream, or returns `None` if it is longer than `cap`.
pub(crate) fn read_capped(stream: impl Read, cap: usize) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(cap).unwrap_or(u64::MAX).saturating_add(1);
    stream.take(limit).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= cap).then_some(bytes))
}

/// Writes a file, or stdout for `-`.
pub(crate) fn write_path(path: &Path, bytes: &[u8], console: &mut Console) -> Result<(), Error> {
    if path == Path::new("-") {
        return console.bytes(bytes);
    }
    let refused = |source| Error::File { verb: "write", path: path.to_owned(), source };
    std::fs::write(path, bytes).map_err(refused)
}

/// The two arguments for values: one for a whole JSON object, one for single values.
pub(crate) struct Flags {
    whole: &'static str,
    single: &'static str,
}

pub(crate) const PARAMS: Flags = Flags { whole: "--params", single: "--param" };
pub(crate) const INPUTS: Flags = Flags { whole: "--inputs", single: "--input" };

impl Flags {
    /// Reads a whole object, single values, or both. A duplicate name is an error, because either value could be meant.
    pub(crate) fn read(
        &self,
        whole: Option<&str>,
        single: &[String],
        console: &mut Console,
    ) -> Result<Map<String, Value>, Error> {
        let mut values = match whole {
            None => Map::new(),
            Some(text) => whole_object(text, self.whole, console)?,
        };
        for text in single {
            let (name, value) = single_value(text, self.single)?;
            if values.insert(name.clone(), value).is_some() {
                return Err(Error::usage(format!("{} `{name}` is given twice", self.single)));
            }
        }
        Ok(values)
    }
}

/// Conditions on the parameters of an action.
#[derive(Debug, Default, clap::Args)]
pub struct Where {
    /// Only where a parameter has this value: name=text, name:=json, or a whole filter as JSON; repeat it for more
    #[arg(long = "where", value_name = "NAME=VALUE")]
    given: Vec<String>,
}

impl Where {
    pub(crate) fn is_given(&self) -> bool {
        !self.given.is_empty()
    }

    /// The filter that all conditions make up.
    pub(crate) fn filter(&self) -> Result<Option<Value>, Error> {
        let mut filters = Vec::new();
        for text in &self.given {
            filters.push(if text.starts_with('{') {
                strict(text.as_bytes(), "--where")?
            } else {
                let (name, value) = single_value(text, "--where")?;
                serde_json::json!({ name: { "equals": value } })
            });
        }
        Ok(match filters.len() {
            0 => None,
            1 => filters.pop(),
            _ => Some(serde_json::json!({ "$and": filters })),
        })
    }
}

fn whole_object(text: &str, flag: &str, console: &mut Console) -> Result<Map<String, Value>, Error> {
    let bytes = match text.strip_prefix('@') {
        Some(path) => read_file(Path::new(path), MAX_PARAMS_BYTES)?,
        None if text == "-" => console.read(MAX_PARAMS_BYTES)?,
        None => text.as_bytes().to_vec(),
    };
    match strict(&bytes, flag)? {
        Value::Object(values) => Ok(values),
        _ => Err(Error::usage(format!("{flag} is not a JSON object"))),
    }
}

/// A JSON document in a file, or on stdin for `-`.
pub(crate) fn document(path: &Path, console: &mut Console) -> Result<Value, Error> {
    strict(&read_path(path, MAX_PARAMS_BYTES, console)?, &path.display().to_string())
}

fn single_value(text: &str, flag: &str) -> Result<(String, Value), Error> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| Error::usage(format!("invalid {flag} `{text}`. Use name=text or name:=json")))?;
    let (name, value) = match name.strip_suffix(':') {
        Some(name) => (name, strict(value.as_bytes(), &format!("{flag} {name}"))?),
        None => (name, Value::String(value.to_owned())),
    };
    if name.is_empty() {
        Err(Error::usage(format!("{flag} has an empty name. Use name=text or name:=json")))
    } else {
        Ok((name.to_owned(), value))
    }
}

// An ordinary parser would keep the last of two equal keys, and the gateway, which refuses duplicates, would not see
// them.
pub(crate) fn strict(bytes: &[u8], what: &str) -> Result<Value, Error> {
    receipt::parse_strict(bytes, MAX_PARAMS_BYTES)
        .map_err(|error| Error::usage(format!("{what} is not valid JSON: {error}")))
}

/// Parses `90s`, `8h` or `7d` into seconds.
pub(crate) fn lifetime(text: &str) -> Result<u64, String> {
    let wrong = || "use a duration such as 90s, 30m, 8h or 7d".to_owned();
    let span: Span = text.parse().map_err(|_| wrong())?;
    let duration = span.to_duration(SpanRelativeTo::days_are_24_hours()).map_err(|_| wrong())?;
    u64::try_from(duration.as_secs()).ok().filter(|seconds| *seconds > 0).ok_or_else(wrong)
}

/// Parses `0s`, `500ms`, `10s` or `5m`.
pub(crate) fn wait(text: &str) -> Result<Duration, String> {
    let wrong = || "use a duration such as 0s, 10s or 5m".to_owned();
    let span: Span = text.parse().map_err(|_| wrong())?;
    let duration = span.to_duration(SpanRelativeTo::days_are_24_hours()).map_err(|_| wrong())?;
    Duration::try_from(duration).map_err(|_| wrong())
}

fn one_of<T: Clone + Send + Sync + 'static>(
    names: impl IntoIterator<Item = &'static str>,
    parse: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names).try_map(move |text| parse(&text).ok_or("not a possible value"))
}

pub(crate) fn mode() -> impl TypedValueParser<Value = Mode> {
    one_of(Mode::ALL.map(Mode::as_str), Mode::parse)
}

pub(crate) fn risk() -> impl TypedValueParser<Value = Risk> {
    one_of(Risk::ALL.map(Risk::as_str), Risk::parse)
}

pub(crate) fn effect() -> impl TypedValueParser<Value = EffectClass> {
    one_of(["read", "keyed", "checkable", "once"], EffectClass::parse)
}

pub(crate) fn band() -> impl TypedValueParser<Value = RiskBand> {
    one_of(RiskBand::ALL.map(RiskBand::as_str), RiskBand::parse)
}

pub(crate) fn open_to() -> impl TypedValueParser<Value = OpenTo> {
    one_of(OpenTo::ALL.map(OpenTo::as_str), OpenTo::parse)
}

pub fn role() -> impl TypedValueParser<Value = Role> {
    one_of(Role::ALL.map(Role::as_str), Role::parse)
}

pub(crate) fn run_status() -> impl TypedValueParser<Value = RunStatus> {
    one_of(RunStatus::ALL.iter().copied().map(RunStatus::as_str), RunStatus::parse)
}

pub(crate) fn session_kind() -> impl TypedValueParser<Value = SessionKind> {
    one_of(["interactive", "unattended"], SessionKind::parse)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(whole: Option<&str>, single: &[&str], stdin: &'static str) -> Result<Value, String> {
        let mut console = Console::new(stdin.as_bytes(), io::sink(), io::sink());
        let single: Vec<String> = single.iter().map(|text| (*text).to_owned()).collect();
        let read = PARAMS.read(whole, &single, &mut console);
        read.map(Value::Object).map_err(|error| error.to_string())
    }

    #[test]
    fn parameters_can_be_an_object_single_values_or_both() {
        assert_eq!(read(None, &[], ""), Ok(json!({})));
        assert_eq!(
            read(Some("{\"a\":1}"), &["b=1", "c:=1", "d==x:=y"], ""),
            Ok(json!({"a":1,"b":"1","c":1,"d":"=x:=y"}))
        );
        assert_eq!(read(Some("-"), &[], "{\"a\":[]}"), Ok(json!({"a":[]})));
    }

    #[test]
    fn ambiguous_parameters_are_refused() {
        for (whole, single) in [
            (Some("{\"a\":1,\"a\":2}"), vec![]),
            (Some("{\"a\":1}"), vec!["a=2"]),
            (None, vec!["a=1", "a=1"]),
            (Some("[1]"), vec![]),
            (Some("{"), vec![]),
            (None, vec!["a"]),
            (None, vec!["=a"]),
            (None, vec!["a:=b"]),
            (Some("@/does/not/exist"), vec![]),
        ] {
            assert!(read(whole, &single, "").is_err(), "{whole:?} {single:?}");
        }
    }

    #[test]
    fn lifetimes_have_a_unit() {
        assert_eq!(lifetime("8h"), Ok(28_800));
        assert_eq!(lifetime("7d"), Ok(604_800));
        assert_eq!(lifetime("1h 30m"), Ok(5_400));
        for bad in ["", "8", "0s", "-1h", "1 month", "soon"] {
            assert!(lifetime(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_value_loses_one_line_end_and_no_more() {
        assert_eq!(without_line_end("x"), "x");
        assert_eq!(without_line_end("x\r\n"), "x");
        assert_eq!(without_line_end("x\n\n"), "x\n");
        assert_eq!(without_line_end(" x \n"), " x ");
    }
}
