//! A writer for logs that removes credentials.

use std::io;

use tracing_subscriber::fmt::MakeWriter;

use super::{REDACTED, Redactor};

use crate::limits::redact::MAX_LINE_BYTES;

/// Redacts whole lines before they reach the writer inside.
#[derive(Debug)]
pub struct RedactingWriter<W: io::Write> {
    inner: W,
    redactor: Redactor,
    pending: Vec<u8>,
    cut: bool,
}

impl<W: io::Write> RedactingWriter<W> {
    /// Wraps a writer.
    pub const fn new(inner: W, redactor: Redactor) -> Self {
        Self { inner, redactor, pending: Vec::new(), cut: false }
    }

    fn emit(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let pending = std::mem::take(&mut self.pending);
        let text = String::from_utf8_lossy(&pending);
        self.inner.write_all(self.redactor.redact_text(&text).as_bytes())?;
        if std::mem::take(&mut self.cut) {
            writeln!(self.inner, "{REDACTED} line cut")?;
        }
        Ok(())
    }
}

impl<W: io::Write> io::Write for RedactingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = MAX_LINE_BYTES.saturating_sub(self.pending.len());
        self.cut |= bytes.len() > room;
        self.pending.extend(bytes.iter().take(room));
        // A credential may span several lines (a private key), so what was written together is redacted together.
        if bytes.ends_with(b"\n") {
            self.emit()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.emit()?;
        self.inner.flush()
    }
}

impl<W: io::Write> Drop for RedactingWriter<W> {
    fn drop(&mut self) {
        // An error cannot be reported any more.
        drop(self.emit());
    }
}

/// Makes a [`RedactingWriter`] for each event, for `tracing_subscriber::fmt().with_writer(…)`.
#[derive(Debug, Clone)]
pub struct MakeRedactingWriter<M> {
    inner: M,
    redactor: Redactor,
}

impl<M> MakeRedactingWriter<M> {
    /// Wraps what makes the writers, for example `std::io::stderr`.
    pub const fn new(inner: M, redactor: Redactor) -> Self {
        Self { inner, redactor }
    }
}

impl<'a, M: MakeWriter<'a>> MakeWriter<'a> for MakeRedactingWriter<M> {
    type Writer = RedactingWriter<M::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        RedactingWriter::new(self.inner.make_writer(), self.redactor.clone())
    }

    fn make_writer_for(&'a self, meta: &tracing::Metadata<'_>) -> Self::Writer {
        RedactingWriter::new(self.inner.make_writer_for(meta), self.redactor.clone())
    }
}
