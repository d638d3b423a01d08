//! Where answers and errors go: answers to standard output, everything else to standard error.

mod stream;

use core::fmt;
use std::io;
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use crate::cli::{Color, Format};
use stream::{Sink, Stream};

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
/// password or a query should it be a URL, with a scheme or without.
pub(crate) fn shown(path: &Path) -> String {
    let mut text = String::from("`");
    let path = path.to_string_lossy();
    let masked = policy_core::masked(&path);
    let masked = match masked.split_once('?') {
        Some((before, after)) if !after.is_empty() => format!("{before}?…").into(),
        _ => masked,
    };
    for c in masked.chars() {
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
    answer: Stream,
    diagnostics: Stream,
    /// Why a diagnostic was not written; told at the end, by the exit code.
    untold: Option<io::Error>,
    /// What stands whether or not the answer can be written.
    done: Option<String>,
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
            answer: Stream::new(Sink::Stdout, stdout != ColorChoice::Never),
            diagnostics: Stream::new(Sink::Stderr, choice_of(stderr) != ColorChoice::Never),
            untold: None,
            done: None,
            format,
        }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// A line of the answer.
    pub(crate) fn line(&mut self, line: impl fmt::Display) -> io::Result<()> {
        self.answer.line(line)
    }

    /// The whole answer as one JSON value, for people to read as well.
    pub(crate) fn json(&mut self, value: &impl serde::Serialize) -> io::Result<()> {
        let text = serde_json::to_string_pretty(value)?;
        self.answer.line(Visible(&text))
    }

    /// One of many JSON values, on a line of its own.
    pub(crate) fn json_line(&mut self, value: &impl serde::Serialize) -> io::Result<()> {
        let text = serde_json::to_string(value)?;
        self.answer.line(Visible(&text))
    }

    /// Says what is done by now, for the case that the answer cannot be written.
    pub(crate) fn done(&mut self, what: String) {
        self.done = Some(what);
    }

    /// Writes out what is buffered.
    ///
    /// # Errors
    ///
    /// Something of the answer or of the diagnostics was not written.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.answer.flush()?;
        self.untold.take().map_or(Ok(()), Err)
    }

    /// Says that the answer could not be written whole, and what was done all the same.
    pub(crate) fn unwritten(&mut self, error: &io::Error) {
        let done = self.done.take().unwrap_or_default();
        self.error(
            &format!("the answer could not be written whole: {error}"),
            &done,
        );
    }

    /// A diagnostic. That it could not be written is told by [`Out::finish`].
    pub(crate) fn diagnostic(&mut self, line: impl fmt::Display) {
        self.diagnostics([line]);
    }

    /// Diagnostics that there may be many of: they are written together.
    pub(crate) fn diagnostics(&mut self, lines: impl IntoIterator<Item = impl fmt::Display>) {
        let mut lines = lines.into_iter();
        let written = lines.try_for_each(|line| self.diagnostics.line(line));
        if let Err(error) = written.and_then(|()| self.diagnostics.flush()) {
            self.untold.get_or_insert(error);
        }
    }

    /// An error with its remedy.
    pub(crate) fn error(&mut self, message: &str, help: &str) {
        if help.is_empty() {
            self.diagnostic(format_args!("{BAD}error{BAD:#}: {message}"));
        } else {
            self.diagnostic(format_args!("{BAD}error{BAD:#}: {message}\n  help: {help}"));
        }
    }
}

/// Writes a text that is no answer of a command: the help, or what is wrong with the arguments.
pub(crate) fn text(text: &str, to_stderr: bool) -> io::Result<()> {
    let (sink, choice) = if to_stderr {
        (Sink::Stderr, AutoStream::choice(&io::stderr()))
    } else {
        (Sink::Stdout, AutoStream::choice(&io::stdout()))
    };
    let mut stream = Stream::new(sink, choice != ColorChoice::Never);
    stream.line(text.strip_suffix('\n').unwrap_or(text))?;
    stream.flush()
}
