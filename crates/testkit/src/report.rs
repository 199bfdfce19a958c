//! The report of a trial: a table for people, and one JSON object as the last line for programs.

use std::{fmt::Write as _, process::ExitCode, time::Duration};

use serde_json::{Value, json};

/// The size of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Small enough for every change.
    Ci,
    /// The size that the bar is defined for.
    Full,
}

impl Size {
    /// The size as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ci => "ci",
            Self::Full => "full",
        }
    }

    /// The number for this size.
    pub const fn pick(self, ci: usize, full: usize) -> usize {
        match self {
            Self::Ci => ci,
            Self::Full => full,
        }
    }

    /// The time limit for something that has a bar.
    ///
    /// In CI, where trials run at the same time on a machine that may be slow, it is three times as long: the figure is
    /// still reported, and only a result that no busy machine explains fails.
    pub fn allow(self, bar: Duration) -> Duration {
        match self {
            Self::Ci => bar * 3,
            Self::Full => bar,
        }
    }

    /// Reads a program's arguments: `[--size ci|full] [NAME …]`.
    pub fn from_arguments() -> anyhow::Result<(Self, Vec<String>)> {
        let mut size = Self::Ci;
        let mut names = Vec::new();
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--size" => match arguments.next().as_deref() {
                    Some("ci") => size = Self::Ci,
                    Some("full") => size = Self::Full,
                    _ => anyhow::bail!("--size must be `ci` or `full`"),
                },
                _ => names.push(argument),
            }
        }
        Ok((size, names))
    }
}

/// The result for one bar.
#[derive(Debug, Clone)]
pub struct Finding {
    /// `S1`, `F7`, `15` …
    pub bar: String,
    /// The measured figure.
    pub figure: f64,
    /// Its unit.
    pub unit: String,
    /// Whether the bar is reached.
    pub pass: bool,
    /// Details for the table and the JSON.
    pub details: Vec<(String, Value)>,
}

/// All findings of a run.
#[derive(Debug)]
pub struct Report {
    size: Size,
    findings: Vec<Finding>,
}

impl Report {
    /// An empty report.
    pub const fn new(size: Size) -> Self {
        Self { size, findings: Vec::new() }
    }

    /// Adds a finding and prints it.
    pub fn add(&mut self, finding: Finding) {
        let verdict = if finding.pass { "reached" } else { "MISSED" };
        // In one piece: other trials print at the same time.
        let mut text =
            format!("\n{:<4} {:>12.3} {}   {verdict}\n", finding.bar, finding.figure, finding.unit);
        for (name, value) in &finding.details {
            let _ = writeln!(text, "     {name:<44} {value}");
        }
        print!("{text}");
        self.findings.push(finding);
    }

    /// Prints the last line and returns the exit code.
    pub fn finish(self) -> ExitCode {
        let pass = !self.findings.is_empty() && self.findings.iter().all(|finding| finding.pass);
        let objects: Vec<_> = self.findings.iter().map(|finding| self.object(finding)).collect();
        let last = match objects.as_slice() {
            [one] => one.clone(),
            many => json!({ "bars": many, "pass": pass, "size": self.size.as_str() }),
        };
        println!("\n{last}");
        if pass { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    fn object(&self, finding: &Finding) -> Value {
        let details: serde_json::Map<_, _> = finding.details.iter().cloned().collect();
        json!({
            "bar": finding.bar, "figure": finding.figure, "unit": finding.unit, "pass": finding.pass,
            "size": self.size.as_str(), "details": details,
        })
    }
}
