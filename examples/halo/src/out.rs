//! Where answers and errors go: answers to standard output, everything else to standard error.

use core::fmt;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use crate::cli::{Color, Format};

pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const DIM: Style = Style::new().dimmed();

/// JSON in which every character that a terminal would act on, or that would hide or reorder what is
/// around it, is escaped. A reader of it gets the same strings.
struct Visible<'a>(&'a str);

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        // Line feeds stand only between values; in a string they are escaped already.
        while let Some((start, hidden)) = rest
            .char_indices()
            .find(|&(_, c)| c != '\n' && policy_core::is_hidden(c))
        {
            let (before, after) = rest.split_at_checked(start).unwrap_or((rest, ""));
            f.write_str(before)?;
            for unit in hidden.encode_utf16(&mut [0; 2]) {
                write!(f, "\\u{unit:04x}")?;
            }
            rest = after.strip_prefix(hidden).unwrap_or_default();
        }
        f.write_str(rest)
    }
}

/// A directory or file in backticks, whole, on one line, with nothing hidden in it, and without a
/// password should it be a URL.
pub(crate) fn shown(path: &Path) -> String {
    let mut text = String::from("`");
    for c in policy_core::masked(&path.to_string_lossy()).chars() {
        if c == '`' || policy_core::is_hidden(c) {
            text.extend(c.escape_unicode());
        } else {
            text.push(c);
        }
    }
    text.push('`');
    text
}

/// The two streams, with colour where it is wanted.
pub(crate) struct Out {
    answer: BufWriter<AutoStream<io::Stdout>>,
    diagnostics: AutoStream<io::Stderr>,
    format: Format,
}

impl Out {
    pub(crate) fn new(format: Format, color: Color) -> Self {
        let choice = match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        // A choice of `auto` looks at the terminal, `NO_COLOR` and `CLICOLOR_FORCE`.
        let choice_of = |auto: ColorChoice| {
            if choice == ColorChoice::Auto {
                auto
            } else {
                choice
            }
        };
        // JSON is never coloured, and what strips colours would take characters of hosts for them.
        let stdout = match format {
            Format::Text => choice_of(AutoStream::choice(&io::stdout())),
            Format::Json => ColorChoice::AlwaysAnsi,
        };
        let stderr = AutoStream::choice(&io::stderr());
        Self {
            answer: BufWriter::new(AutoStream::new(io::stdout(), stdout)),
            diagnostics: AutoStream::new(io::stderr(), choice_of(stderr)),
            format,
        }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// A line of the answer.
    pub(crate) fn line(&mut self, line: impl fmt::Display) -> io::Result<()> {
        writeln!(self.answer, "{line}")
    }

    /// The whole answer as one JSON value, for people to read as well.
    pub(crate) fn json(&mut self, value: &impl serde::Serialize) -> io::Result<()> {
        let text = serde_json::to_string_pretty(value)?;
        writeln!(self.answer, "{}", Visible(&text))
    }

    /// One of many JSON values, on a line of its own.
    pub(crate) fn json_line(&mut self, value: &impl serde::Serialize) -> io::Result<()> {
        let text = serde_json::to_string(value)?;
        writeln!(self.answer, "{}", Visible(&text))
    }

    /// Writes out what is buffered.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.answer.flush()
    }

    /// A diagnostic. Standard error may be closed; the exit code says what it would have said.
    pub(crate) fn diagnostic(&mut self, line: impl fmt::Display) {
        let _ = writeln!(self.diagnostics, "{line}");
    }

    /// An error with its remedy.
    pub(crate) fn error(&mut self, message: &str, help: &str) {
        self.diagnostic(format_args!("{BAD}error{BAD:#}: {message}"));
        if !help.is_empty() {
            self.diagnostic(format_args!("  help: {help}"));
        }
    }
}
