//! Logs and metrics. Every line of a log passes the redactor on its way out.

use std::sync::OnceLock;

use crate::redact::{MakeRedactingWriter, Redactor};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::{EnvFilter, layer::SubscriberExt as _, util::SubscriberInitExt as _};

/// The format of logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One JSON object a line, for machines.
    Json,
    /// One line of text, for people.
    Text,
}

/// Telemetry could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A subscriber is installed already.
    #[error("installing the log")]
    Log(#[source] tracing_subscriber::util::TryInitError),
    /// A recorder is installed already.
    #[error("installing the metrics recorder")]
    Metrics(#[source] metrics_exporter_prometheus::BuildError),
}

/// Starts logging to standard error. `filter` is in the form of `RUST_LOG`.
pub fn start_log(filter: &str, format: Format) -> Result<(), Error> {
    let mut chosen = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("info"));
    // This crate logs three lines for every request at `info`, and everything at `debug`; enable it by name if
    // needed.
    if !filter.contains("rmcp")
        && let Ok(quiet) = "rmcp=error".parse()
    {
        chosen = chosen.add_directive(quiet);
    }
    let registry = tracing_subscriber::registry().with(chosen);
    let layer = tracing_subscriber::fmt::layer()
        .with_writer(MakeRedactingWriter::new(std::io::stderr, Redactor::new()));
    match format {
        Format::Json => registry.with(layer.json()).try_init(),
        Format::Text => registry.with(layer).try_init(),
    }
    .map_err(Error::Log)
}

/// Starts collecting metrics; the handle renders them.
pub fn start_metrics() -> Result<PrometheusHandle, Error> {
    static STARTED: OnceLock<PrometheusHandle> = OnceLock::new();
    if let Some(started) = STARTED.get() {
        return Ok(started.clone());
    }
    let started = PrometheusBuilder::new().install_recorder().map_err(Error::Metrics)?;
    Ok(STARTED.get_or_init(|| started).clone())
}
