//! What holds of every text, whatever it is.

use policy_core::{Host, HostError, Pattern, PatternError};

/// Reading a host: canonical text reads as itself, every way of writing the same host reads as it,
/// and a refusal says what to do.
pub(crate) fn of_hosts(input: &str) {
    let host = match Host::parse(input) {
        Ok(host) => host,
        Err(error) => return of_host_refusals(error, input),
    };
    let text = host.to_string();
    assert!(text.is_ascii() && text.len() <= 253, "{text}");
    assert_ne!(host.name().is_some(), host.address().is_some());
    let bracketed = if text.contains(':') {
        format!("[{text}]")
    } else {
        text.clone()
    };
    let mut spellings = vec![
        text.clone(),
        text.to_ascii_uppercase(),
        format!("https://{bracketed}"),
        format!("https://u@{bracketed}:1/x?y#z"),
        format!("ssh://{bracketed}/x"),
    ];
    // `http:443` is a URL without `//` to the URL Standard, not the host `http` and a port.
    if !["file", "ftp", "http", "https", "ws", "wss"].contains(&&*text) {
        spellings.push(format!("{bracketed}:443"));
    }
    spellings.extend(host.name().map(|name| format!("{name}.")));
    for spelling in spellings {
        assert_eq!(Host::parse(&spelling), Ok(host.clone()), "{spelling}");
    }
    let pattern = Pattern::parse(&text).unwrap();
    assert!(pattern.matches(&host) && pattern.to_string() == text);
    // For people only, but total.
    let _ = (host.class(), host.to_unicode());
}

fn of_host_refusals(error: HostError, input: &str) {
    let help = error.help(input);
    // Of nothing, nothing can be guessed: that is the remedy for every such text.
    if help != error.help("") {
        assert!(Host::parse(suggestion(&help)).is_ok(), "{input:?}: {help}");
    }
}

/// Reading a pattern: only canonical text is one, its base is a host of the same text, and a
/// refusal says what to do.
pub(crate) fn of_patterns(input: &str) {
    let pattern = match Pattern::parse(input) {
        Ok(pattern) => pattern,
        Err(error) => return of_pattern_refusals(error, input),
    };
    assert_eq!(pattern.to_string(), input);
    assert!(input.is_ascii() && input.len() <= 253);
    assert_eq!(pattern.is_wildcard(), input.starts_with("*."));
    let base = input.strip_prefix("*.").unwrap_or(input);
    let host = Host::parse(base).unwrap();
    assert_eq!(host.to_string(), base);
    assert_eq!(host.name(), pattern.base());
    assert_eq!(host.address(), pattern.address());
    assert_eq!(pattern.matches(&host), !pattern.is_wildcard());
    if pattern.is_wildcard() {
        // Something fits below every legal wildcard.
        assert!(pattern.matches(&Host::parse(&format!("a.{base}")).unwrap()));
    }
}

fn of_pattern_refusals(error: PatternError, input: &str) {
    let help = error.help(input);
    for pattern in error.suggestions(input) {
        assert_eq!(Pattern::parse(&pattern.to_string()).as_ref(), Ok(&pattern));
        let written = format!("`{pattern}`");
        assert!(help.contains(&written), "{input:?}: {help}");
    }
}

fn suggestion(help: &str) -> &str {
    help.strip_prefix("write `")
        .and_then(|rest| rest.strip_suffix('`'))
        .unwrap_or_else(|| panic!("neither the remedy nor a spelling: {help}"))
}
