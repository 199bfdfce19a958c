//! Where a command reads and writes: data to stdout, everything else to stderr.

use std::io::{self, IsTerminal as _, Read, Write};

use ratatui::crossterm::terminal;
use serde::Serialize;

use crate::{error::Error, visible::visible_json};

/// The three streams of a process, or of a test.
pub struct Console {
    input: Box<dyn Read + Send>,
    out: Box<dyn Write + Send>,
    err: Box<dyn Write + Send>,
    /// Whether a person types what is read.
    pub input_is_terminal: bool,
    /// Whether a person reads what is written to stdout.
    pub out_is_terminal: bool,
    /// Whether a person reads what is written to stderr.
    pub err_is_terminal: bool,
    /// How many columns stdout has; `None` where nobody can say.
    pub columns: Option<u16>,
    /// How many rows stdout has; `None` where nobody can say.
    pub rows: Option<u16>,
    /// Whether what is written to stdout may have colours.
    pub colours: bool,
    /// Whether these are the streams of the process, whose terminal can be asked.
    is_of_process: bool,
}

/// How wide what is drawn becomes where nobody says how wide it may be.
const COLUMNS: u16 = 100;
/// The longest line a person types.
const LONGEST_LINE: usize = 4_096;

impl Console {
    /// The streams of this process.
    pub fn of_process() -> Self {
        let out_is_terminal = io::stdout().is_terminal();
        let mut console = Self {
            input_is_terminal: io::stdin().is_terminal(),
            out_is_terminal,
            err_is_terminal: io::stderr().is_terminal(),
            input: Box::new(io::stdin()),
            out: Box::new(io::stdout()),
            err: Box::new(io::stderr()),
            columns: None,
            rows: None,
            colours: out_is_terminal && crate::input::environment("NO_COLOR").is_none_or(|no| no.is_empty()),
            is_of_process: true,
        };
        console.measure();
        console
    }

    /// Other streams, none of them a terminal unless said so afterwards.
    pub fn new(
        input: impl Read + Send + 'static,
        out: impl Write + Send + 'static,
        err: impl Write + Send + 'static,
    ) -> Self {
        Self {
            input: Box::new(input),
            out: Box::new(out),
            err: Box::new(err),
            input_is_terminal: false,
            out_is_terminal: false,
            err_is_terminal: false,
            columns: None,
            rows: None,
            colours: false,
            is_of_process: false,
        }
    }

    /// Looks how large the terminal is now.
    pub(crate) fn measure(&mut self) {
        if self.is_of_process && self.out_is_terminal {
            let size = terminal::size().ok();
            self.columns = size.map(|size| size.0);
            self.rows = size.map(|size| size.1);
        }
    }

    /// How wide what is drawn may be.
    pub(crate) fn width(&self) -> usize {
        usize::from(self.columns.filter(|columns| *columns >= 40).unwrap_or(COLUMNS))
    }

    /// Asks the person, who answers with one line; `None` when there is nobody any more.
    pub(crate) fn ask(&mut self, question: &str) -> Result<Option<String>, Error> {
        write!(self.err, "{question}")?;
        self.err.flush()?;
        let mut line = Vec::new();
        let mut byte = [0];
        // One by one: what follows the line belongs to the next question.
        while line.len() < LONGEST_LINE && self.input.read(&mut byte)? == 1 {
            if byte[0] == b'\n' {
                return Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()));
            }
            line.push(byte[0]);
        }
        Ok(None)
    }

    /// Everything on stdin, within a cap.
    pub(crate) fn read(&mut self, cap: usize) -> Result<Vec<u8>, Error> {
        crate::input::read_capped(&mut self.input, cap)?
            .ok_or_else(|| Error::usage(format!("stdin holds more than {cap} bytes")))
    }

    /// The input as a stream, for what may be larger than memory; afterwards there is none left.
    pub(crate) fn take_input(&mut self) -> Box<dyn Read + Send> {
        std::mem::replace(&mut self.input, Box::new(io::empty()))
    }

    /// Human text that was made visible already.
    pub(crate) fn data(&mut self, text: &str) -> Result<(), Error> {
        write_line(&mut self.out, text.as_bytes())
    }

    /// Bytes as they are, for files and pipes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        write_line(&mut self.out, bytes)
    }

    /// Bytes without as much as a newline after them: somebody compares their digest.
    pub(crate) fn exact(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.out.write_all(bytes).and_then(|()| self.out.flush()).map_err(Error::Pipe)
    }

    /// Human text that was made visible already, in place of the so many lines that were written last.
    pub(crate) fn redraw(&mut self, lines: usize, text: &str) -> Result<(), Error> {
        // Up to the first of them, and erase everything from there on.
        let back = if lines == 0 { String::new() } else { format!("\u{1b}[{lines}A\r\u{1b}[J") };
        self.data(&format!("{back}{text}"))
    }

    /// One JSON document as it was received. A terminal gets the same document with other escapes.
    pub(crate) fn json_text(&mut self, text: &str) -> Result<(), Error> {
        if self.out_is_terminal { self.data(&visible_json(text)) } else { self.data(text) }
    }

    /// One JSON document of our own making, or a part of one that was received.
    pub(crate) fn json_value(&mut self, value: &impl Serialize) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(value).map_err(io::Error::other)?;
        self.data(&visible_json(&text))
    }

    /// A sentence for the person.
    pub(crate) fn note(&mut self, text: &str) -> Result<(), Error> {
        write_line(&mut self.err, text.as_bytes())
    }

    /// The line in which waiting is shown; the next one takes its place. Nothing where nobody watches.
    pub(crate) fn progress(&mut self, text: &str) -> Result<(), Error> {
        if self.err_is_terminal {
            // Back to the start of the line, and erase it.
            write!(self.err, "\r\u{1b}[K{text}")?;
            self.err.flush()?;
        }
        Ok(())
    }
}

/// Writes what may be more than a line, and ends it. A reader that went away, as `head` does, is no failure: the
/// command ends with the code it earned.
fn write_line(stream: &mut dyn Write, bytes: &[u8]) -> Result<(), Error> {
    let written = stream.write_all(bytes).and_then(|()| {
        if !bytes.is_empty() && !bytes.ends_with(b"\n") {
            stream.write_all(b"\n")?;
        }
        stream.flush()
    });
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}
