//! Input and output of a command: data goes to stdout, everything else to stderr.

use std::io::{self, IsTerminal as _, Read, Write};

use ratatui::crossterm::terminal;
use serde::Serialize;

use crate::{error::Error, visible::visible_json};

/// The three streams of a process, or of a test.
pub struct Console {
    input: Box<dyn Read + Send>,
    out: Box<dyn Write + Send>,
    err: Box<dyn Write + Send>,
    /// Whether stdin is a terminal.
    pub input_is_terminal: bool,
    /// Whether stdout is a terminal.
    pub out_is_terminal: bool,
    /// Whether stderr is a terminal.
    pub err_is_terminal: bool,
    /// Columns of the terminal; `None` if unknown.
    pub columns: Option<u16>,
    /// Rows of the terminal; `None` if unknown.
    pub rows: Option<u16>,
    /// Whether stdout may have colours.
    pub colours: bool,
    /// Whether these are the streams of the process, so that the size of the terminal can be read.
    is_of_process: bool,
}

/// The width if the terminal's is unknown.
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

    /// Other streams. The fields say that none of them is a terminal; the caller can change that.
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

    /// Reads the current size of the terminal.
    pub(crate) fn measure(&mut self) {
        if self.is_of_process && self.out_is_terminal {
            let size = terminal::size().ok();
            self.columns = size.map(|size| size.0);
            self.rows = size.map(|size| size.1);
        }
    }

    pub(crate) fn width(&self) -> usize {
        usize::from(self.columns.filter(|columns| *columns >= 40).unwrap_or(COLUMNS))
    }

    /// Prints a question and reads a line; `None` at the end of the input.
    pub(crate) fn ask(&mut self, question: &str) -> Result<Option<String>, Error> {
        write!(self.err, "{question}")?;
        self.err.flush()?;
        let mut line = Vec::new();
        let mut byte = [0];
        // Byte by byte, because the next line belongs to the next question.
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
            .ok_or_else(|| Error::usage(format!("stdin is larger than {cap} bytes")))
    }

    /// The input as a stream, for input larger than memory. Afterwards, the console has no input.
    pub(crate) fn take_input(&mut self) -> Box<dyn Read + Send> {
        std::mem::replace(&mut self.input, Box::new(io::empty()))
    }

    /// Text that has passed `visible`.
    pub(crate) fn data(&mut self, text: &str) -> Result<(), Error> {
        write_line(&mut self.out, text.as_bytes())
    }

    /// Bytes, unchanged, for files and pipes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        write_line(&mut self.out, bytes)
    }

    /// Bytes without an added newline, because their digest matters.
    pub(crate) fn exact(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.out.write_all(bytes).and_then(|()| self.out.flush()).map_err(Error::Pipe)
    }

    /// Text that has passed `visible`, in place of the last `lines` lines.
    pub(crate) fn redraw(&mut self, lines: usize, text: &str) -> Result<(), Error> {
        // Cursor up to the first of them, then erase to the end of the screen.
        let back = if lines == 0 { String::new() } else { format!("\u{1b}[{lines}A\r\u{1b}[J") };
        self.data(&format!("{back}{text}"))
    }

    /// A JSON document as received. A terminal gets the same document with invisible characters escaped.
    pub(crate) fn json_text(&mut self, text: &str) -> Result<(), Error> {
        if self.out_is_terminal { self.data(&visible_json(text)) } else { self.data(text) }
    }

    /// A JSON document made by this program, or a part of a received one.
    pub(crate) fn json_value(&mut self, value: &impl Serialize) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(value).map_err(io::Error::other)?;
        self.data(&visible_json(&text))
    }

    /// A message to stderr.
    pub(crate) fn note(&mut self, text: &str) -> Result<(), Error> {
        write_line(&mut self.err, text.as_bytes())
    }

    /// The progress line, which replaces the previous one. Prints nothing if stderr is not a terminal.
    pub(crate) fn progress(&mut self, text: &str) -> Result<(), Error> {
        if self.err_is_terminal {
            // Carriage return, then erase the line.
            write!(self.err, "\r\u{1b}[K{text}")?;
            self.err.flush()?;
        }
        Ok(())
    }
}

/// Writes text and a final newline. A closed pipe, for example by `head`, is no failure: the exit code stays that of the
/// command.
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
