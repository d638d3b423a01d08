//! What to write for an entry that has the spelling of another program.
//!
//! Patterns are advised only where they mean what the entry means where it comes from, or where the
//! advice says what they leave out. A guess would be followed: a denied `.a.example` of Squid, AWS or
//! tinyproxy that became `*.a.example` would open `a.example`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::{IpAddr, Ipv6Addr};

use egress_preset::Preset;

use crate::host::{Host, is_known, is_special};
use crate::pattern::Pattern;
use crate::quote::{is_of, is_sign, masked_host};
use crate::refusal::PatternError;

/// The longest text worth a guess: a longer one is no slip of the pen, and every guess is read anew.
const LONGEST: usize = 1024;

/// A line of more names than this is a list that was not split, not an entry.
const MOST_NAMES: usize = 8;

impl PatternError {
    /// What to write instead of `input`, the text that was refused for this reason: the spellings
    /// where there are obvious ones, otherwise what such a text needs.
    ///
    /// What is to be written means what `input` means where it comes from, or the help says what it
    /// leaves out.
    ///
    /// ```
    /// use policy_core::Pattern;
    ///
    /// let input = "https://*.github.com/";
    /// let error = Pattern::parse(input).unwrap_err();
    /// assert_eq!(error.help(input), "write `*.github.com`: a rule covers every scheme");
    /// ```
    #[must_use]
    pub fn help(self, input: &str) -> String {
        match of(self, input) {
            Some(Advice::Write(write)) => write.text(),
            Some(Advice::EveryHost) => Self::BareWildcard.remedy().to_string(),
            Some(Advice::Say(text)) => text.to_string(),
            None => self.words_for(input).to_string(),
        }
    }

    /// The remedy of what is wrong besides the case of the letters.
    fn words_for(self, input: &str) -> &'static str {
        let has_capitals = self == Self::UpperCase && input.contains(char::is_uppercase);
        match Pattern::parse(&input.to_lowercase()) {
            Err(other) if has_capitals => other.remedy(),
            _ => self.remedy(),
        }
    }

    /// The patterns that [`help`](PatternError::help) says to write; none where it names none.
    ///
    /// ```
    /// use policy_core::Pattern;
    ///
    /// // As Squid and other proxies write it: the name and all below it.
    /// let input = ".github.com";
    /// let error = Pattern::parse(input).unwrap_err();
    /// let patterns = ["github.com", "*.github.com"].map(|text| Pattern::parse(text).unwrap());
    /// assert_eq!(error.suggestions(input), patterns);
    /// ```
    #[must_use]
    pub fn suggestions(self, input: &str) -> Vec<Pattern> {
        match of(self, input) {
            Some(Advice::Write(write)) => write.patterns,
            _ => Vec::new(),
        }
    }
}

/// What to do about one entry.
#[derive(Debug)]
pub(crate) enum Advice {
    /// Write these patterns in place of it.
    Write(Write),
    /// It means every host there is, so it is no entry but the default.
    EveryHost,
    /// No pattern means the same.
    Say(&'static str),
}

/// Patterns that mean the same, but for what is told.
#[derive(Debug)]
pub(crate) struct Write {
    pub(crate) patterns: Vec<Pattern>,
    /// Parts that a rule does not have: it covers every one of them.
    dropped: Vec<&'static str>,
    note: Option<Note>,
}

/// What else there is to know about the patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Note {
    /// The entry comes from a list of what is blocked.
    Blocks,
    /// What stands behind the name says more than a rule can.
    Options,
    /// Programs differ on whether the names below are meant as well.
    PerhapsBelow,
    /// Programs differ on whether the name itself is meant as well.
    PerhapsApex,
    /// A comment belongs behind the entry, where YAML has comments.
    Comment,
}

impl Write {
    fn of(patterns: Vec<Pattern>) -> Self {
        Self {
            patterns,
            dropped: Vec::new(),
            note: None,
        }
    }

    fn noting(self, note: Note) -> Self {
        Self {
            note: Some(note),
            ..self
        }
    }

    /// The advice in words.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("write {}", listed(&self.patterns));
        match self.note {
            Some(Note::Blocks) => text += " among the denied: such an entry blocks",
            Some(Note::Options) => {
                text += " among the denied: such an entry blocks, and its options are dropped";
            }
            Some(Note::PerhapsBelow) => {
                let below = self.patterns.first().and_then(below_base);
                if let Some(below) = below {
                    text += &format!(", and `{below}` if the names below it are meant");
                }
            }
            Some(Note::PerhapsApex) => {
                let apex = self.patterns.first().and_then(Pattern::base);
                if let Some(apex) = apex {
                    text += &format!(", and `{apex}` if the name itself is meant");
                }
            }
            Some(Note::Comment) => text += ", and a comment behind the entry",
            None => {}
        }
        if let Some((last, rest)) = self.dropped.split_last() {
            let parts = if rest.is_empty() {
                (*last).to_string()
            } else {
                format!("{} and {last}", rest.join(", "))
            };
            text += &format!(": a rule covers every {parts}");
        }
        text
    }
}

/// `a`, `b` and `c`, each in backticks.
fn listed(patterns: &[Pattern]) -> String {
    let quoted: Vec<String> = patterns
        .iter()
        .map(|pattern| format!("`{pattern}`"))
        .collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// What to write for `input`, which was refused for a reason; `None` where nothing is evident.
pub(crate) fn of(error: PatternError, input: &str) -> Option<Advice> {
    // What separates the words of a line may be a tab; any other control character may be anything.
    let is_sound = |c: char| !c.is_control() || c.is_whitespace();
    if input.len() > LONGEST || !input.chars().all(is_sound) {
        return None;
    }
    let text = unquoted(input.trim());
    if means_every_host(text) {
        return Some(Advice::EveryHost);
    }
    if let Some(words) = in_words(error, text) {
        return Some(Advice::Say(words));
    }
    let write = several(text).or_else(|| single(text))?;
    // The text itself is refused, so what reads as it is no advice.
    let is_shown = !write.patterns.is_empty() && hides_none(text, &write.patterns);
    is_shown.then_some(Advice::Write(write))
}

/// Whether each name is one that may be shown of the text.
fn hides_none(text: &str, patterns: &[Pattern]) -> bool {
    let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    let shown: Vec<_> = text
        .split(is_between)
        .map(|word| {
            let of_key = KEYS.iter().find_map(|(key, _)| word.strip_prefix(key));
            masked_host(of_key.unwrap_or(word))
        })
        .collect();
    let shown = shown.join(" ");
    patterns.iter().filter_map(Pattern::base).all(|name| {
        is_of(name, &shown) || is_of(&Host::from_canonical_name(name).to_unicode(), &shown)
    })
}

/// What other programs write before one name, and what there is to know about it.
const KEYS: [(&str, Option<Note>); 4] = [
    ("domain=", Some(Note::PerhapsBelow)),
    ("domain:", Some(Note::PerhapsBelow)),
    ("host=", None),
    ("full:", None),
];

/// The text without one pair of quotation marks around it.
fn unquoted(text: &str) -> &str {
    ['"', '\'', '`']
        .iter()
        .find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote))
        .map_or(text, str::trim)
}

/// Whether an entry that was refused means every host there is.
#[cfg(feature = "repository")]
pub(crate) fn is_every_host(error: PatternError, input: &str) -> bool {
    matches!(of(error, input), Some(Advice::EveryHost))
}

/// Whether an entry that was refused comes from a list of what is blocked.
#[cfg(feature = "repository")]
pub(crate) fn blocks(error: PatternError, input: &str) -> bool {
    let Some(Advice::Write(write)) = of(error, input) else {
        return false;
    };
    matches!(write.note, Some(Note::Blocks | Note::Options))
}

fn means_every_host(text: &str) -> bool {
    let of_scheme = text
        .split_once("://")
        .filter(|(scheme, _)| matches!(*scheme, "*" | "http" | "https"))
        .is_some_and(|(_, rest)| matches!(rest, "*" | "*/" | "*/*"));
    of_scheme || matches!(text, "*" | "**" | "0.0.0.0/0" | "::/0" | "[::]/0")
}

/// What an entry is that has no pattern of the same meaning, though it holds a name that could be written.
fn in_words(error: PatternError, text: &str) -> Option<&'static str> {
    let mut words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
    if words.clone().any(is_range) {
        return Some("a range is no entry: write each address");
    }
    if words.any(|word| word.starts_with(['-', '!', '~'])) {
        return Some(
            "what is left out of a list is no entry of it: write such a host in `deniedDomains`",
        );
    }
    if matches!(text, "self" | "none" | "'self'" | "'none'") {
        return Some("a word of another program is no host: write the host that it stands for");
    }
    if is_service_tag(text) {
        return Some("a service tag is no host: write the hosts that it stands for");
    }
    if is_capitalised_word(text) {
        return Some(
            "write the whole name of the host in lower case; if it is perhaps a service tag, that is no host",
        );
    }
    if text.starts_with("@@") {
        return Some(
            "such an entry excepts a host from a list of blocked ones, and blocks nothing: leave it out",
        );
    }
    if names_of_this_machine(text) {
        return Some(
            "such a line of a hosts file names the machine itself and blocks nothing: leave it out",
        );
    }
    if is_line_of_a_program(text) {
        if text.starts_with("DOMAIN,") {
            return Some("write only the name that the line holds");
        }
        if !text.contains("=/") && !text.starts_with("DOMAIN-SUFFIX,") {
            return Some("a rule of another program is no host: write each host that it means");
        }
        return Some(
            "write only the name that the line holds, and the same with `*.` before it for the names below",
        );
    }
    if is_list_of_presets(text) {
        return Some("presets are named in `presets`, one an entry");
    }
    let unknown = text
        .split_once("://")
        .is_some_and(|(scheme, _)| scheme != "*" && !is_known(scheme));
    (unknown && error == PatternError::Scheme).then_some(
        "programs do not agree where URLs of this scheme lead: write the host that is connected to",
    )
}

/// `192.0.2.0/24`, `[2001:db8::]/48`, but for ranges of one address.
fn is_range(word: &str) -> bool {
    let Some((address, size)) = word.split_once('/') else {
        return false;
    };
    let is_size = (1..=3).contains(&size.len()) && size.bytes().all(|byte| byte.is_ascii_digit());
    let is_mask = size.parse::<IpAddr>().is_ok();
    (is_size || is_mask) && !address.contains('@') && one_address(address, size).is_none()
}

/// Words such as `AzureKubernetesService`, `Storage.WestEurope`: several words written as one, and no
/// name of a host.
fn is_service_tag(text: &str) -> bool {
    let last = text.rsplit('.').next().unwrap_or(text);
    if let Some((tag, region)) = text.split_once('.')
        && is_capitalised_word(tag)
        && is_region(region)
    {
        return true;
    }
    let count = |is: fn(&char) -> bool| last.chars().filter(is).count();
    last.len() > 3
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))
        && last.starts_with(|c: char| c.is_ascii_uppercase())
        && count(char::is_ascii_uppercase) > 1
        && count(char::is_ascii_lowercase) > 0
}

/// `eastus`, `westeurope`, `usgovvirginia`: the regions of Azure, whose names are made of directions.
/// No top-level domain is.
fn is_region(text: &str) -> bool {
    let made_of = ["east", "west", "north", "south", "central", "usgov"];
    text.len() > 5
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        && made_of.iter().any(|part| text.contains(part))
}

/// `Storage`, `Sql`, `Internet` (service tags of Azure), `Intranet`: a host of one label is rarely meant.
fn is_capitalised_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric())
}

/// A line of a hosts file about the machine's own names.
fn names_of_this_machine(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let address = words.next().unwrap_or_default();
    let address = address.split('%').next().unwrap_or_default();
    let mut names = words.take_while(|word| !word.starts_with('#')).peekable();
    address.parse::<IpAddr>().is_ok() && names.peek().is_some() && names.all(is_own_name)
}

/// The names that systems write for themselves into their hosts files.
fn is_own_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("ip6-")
        || matches!(
            &*name,
            "localhost"
                | "localhost.localdomain"
                | "localhost4"
                | "localhost4.localdomain4"
                | "localhost6"
                | "localhost6.localdomain6"
                | "local"
                | "broadcasthost"
                | "0.0.0.0"
        )
}

/// Rules of proxy clients (`DOMAIN-SUFFIX,a.example,REJECT`) and of dnsmasq (`address=/a.example/0.0.0.0`).
fn is_line_of_a_program(text: &str) -> bool {
    let is_word = |word: &str| word.bytes().all(|b| b.is_ascii_uppercase() || b == b'-');
    text.split_once(',')
        .is_some_and(|(word, rest)| !word.is_empty() && is_word(word) && rest.contains('.'))
        || text
            .split_once("=/")
            .is_some_and(|(key, _)| key.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'))
}

fn is_list_of_presets(text: &str) -> bool {
    let mut names = text.split([',', ' ']).filter(|name| !name.is_empty());
    text.contains([',', ' ']) && names.all(|name| name.parse::<Preset>().is_ok())
}

/// A line of several parts: names, names behind an address as in a hosts file, a comment.
fn several(text: &str) -> Option<Write> {
    if text
        .rsplit_once(':')
        .is_some_and(|(_, ports)| ports.contains(',') && is_like_ports(ports))
    {
        return None;
    }
    let (line, comment) = match text.find('#').and_then(|at| text.split_at_checked(at)) {
        Some((before, _)) if before.ends_with(char::is_whitespace) => (before.trim_end(), true),
        _ => (text, false),
    };
    let mut names: Vec<&str> = line
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';'))
        .filter(|name| !name.is_empty())
        .collect();
    let sink = names.first().is_some_and(|first| is_sink(first)) && !line.contains([',', ';']);
    let blocks = sink && names.len() > 1;
    if blocks {
        names.remove(0);
        // The machine's own names are blocked by no line.
        names.retain(|name| !is_own_name(name));
    }
    let many = names.len() > 1;
    if names.len() > MOST_NAMES || !(many || blocks || comment) {
        return None;
    }
    let mut write = Write::of(Vec::new());
    for name in names {
        // Of two words one is no entry: `git hub.com` is a name with a space in it.
        let whole = name.contains(['.', ':']) || name == "localhost";
        if many && !whole {
            return None;
        }
        let one = single(name)?;
        if one.note.is_some() {
            return None;
        }
        write.patterns.extend(one.patterns);
        for part in one.dropped {
            if !write.dropped.contains(&part) {
                write.dropped.push(part);
            }
        }
    }
    // Names beside an address may be a line of a hosts file, which is no list of hosts.
    let addresses = write.patterns.iter().filter(|one| one.base().is_none());
    let addresses = addresses.count();
    let mixed = addresses > 0 && addresses < write.patterns.len();
    if mixed && !line.contains([',', ';']) || blocks && addresses > 0 {
        return None;
    }
    Some(match (blocks, comment) {
        (true, _) => write.noting(Note::Blocks),
        (false, true) => write.noting(Note::Comment),
        (false, false) => write,
    })
}

/// Whether a hosts file sends what it blocks to this address.
fn is_sink(text: &str) -> bool {
    let address: Result<IpAddr, _> = text.parse();
    address.is_ok_and(|address| address.is_loopback() || address.is_unspecified())
}

/// An entry about one name or address.
fn single(text: &str) -> Option<Write> {
    use PatternError::{Cidr, Ipv6, QuestionMark, Regex};

    let error = match Pattern::parse(text) {
        Ok(pattern) => return Some(Write::of(alloc::vec![pattern])),
        Err(error) => error,
    };
    if let Some(rest) = text.strip_prefix("||") {
        return ad_block(rest);
    }
    if let Some((address, size)) = text.split_once('/')
        && let Some(pattern) = one_address(address, size)
    {
        return Some(Write::of(alloc::vec![pattern]));
    }
    // A range, a glob or a regular expression has no pattern that means the same.
    if matches!(error, Cidr | Ipv6 | QuestionMark | Regex) {
        return None;
    }
    for (prefix, note) in KEYS {
        if let Some(rest) = text.strip_prefix(prefix).filter(|rest| rest.contains('.')) {
            let pattern = exact(rest)?;
            let write = Write::of(alloc::vec![pattern]);
            return Some(Write { note, ..write });
        }
    }
    url(text)
}

/// `||a.example^`: the name and all below it, as blocklists of browsers have it.
fn ad_block(rest: &str) -> Option<Write> {
    /// With these the entry blocks nothing, or something else than what is fetched from the host.
    const OTHERS: [&str; 16] = [
        "badfilter",
        "removeparam",
        "queryprune",
        "csp",
        "permissions",
        "generichide",
        "ghide",
        "elemhide",
        "ehide",
        "specifichide",
        "popup",
        "dnsrewrite",
        "dnstype",
        "redirect-rule",
        "replace",
        "cookie",
    ];
    let (name, options) = rest.split_once('^')?;
    let mut words = options.trim_start_matches('$').split(',');
    if words.any(|word| OTHERS.contains(&word.split('=').next().unwrap_or(word))) {
        return None;
    }
    let name = exact(name)?;
    let below = below_base(&name);
    let write = Write::of([Some(name), below].into_iter().flatten().collect());
    match options {
        "" | "|" => Some(write.noting(Note::Blocks)),
        _ if options.starts_with('$') => Some(write.noting(Note::Options)),
        _ => None,
    }
}

/// A range of one address.
fn one_address(address: &str, size: &str) -> Option<Pattern> {
    let whole = match address.parse::<IpAddr>().ok()? {
        IpAddr::V4(_) => matches!(size, "32" | "255.255.255.255"),
        IpAddr::V6(_) => size == "128",
    };
    whole.then(|| exact(address))?
}

/// A URL, or the end of one: everything but the host is dropped and told.
fn url(text: &str) -> Option<Write> {
    let mut dropped = Vec::new();
    let slashed = with_slashes(text);
    let text = slashed.as_deref().unwrap_or(text);
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (Some(scheme), rest),
        None => (None, text),
    };
    if let Some(scheme) = scheme {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        if scheme.is_empty() || scheme == "file" || scheme != "*" && !scheme.chars().all(plain) {
            return None;
        }
        if scheme != "*" {
            dropped.push("scheme");
        }
    }
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at_checked(end)?;
    let read_alike = !path.contains('\\')
        && !path.starts_with("//")
        && (path.starts_with('/') || !path.contains('@'));
    if !read_alike {
        return None;
    }
    let (userinfo, place) = match authority.rsplit_once('@') {
        Some((user, place)) => (Some(user), place),
        None => (None, authority),
    };
    // Clients do not agree where such userinfo ends, so that another host may be the one that is meant.
    if userinfo.is_some_and(|user| user.contains(['@', '%', '[', ']', ','])) {
        return None;
    }
    let (name, port) = split_port(place);
    // `1.1.1.1@eth0` and `a.example@192.0.2.1` of a resolver, `tcp/a.example`, `a.example/b.example`.
    let is_alone = scheme.is_none() && !place.contains(['.', ':', '[']) && place != "localhost";
    let first = path
        .strip_prefix('/')
        .and_then(|path| path.split('/').next());
    let is_another = scheme.is_none() && first.is_some_and(|name| name.contains('.'))
        || scheme.is_none() && userinfo.is_some_and(|user| user.contains('.'));
    if is_another || is_alone && (userinfo.is_some() || first.is_some_and(|name| !name.is_empty()))
    {
        return None;
    }
    if userinfo.is_some() {
        dropped.push("user");
    }
    let has_path = !matches!(path, "" | "/" | "/*");
    let mut is_path = has_path;
    match port {
        None => {}
        // `https:` is no host and a port.
        Some("") if !name.contains(['.', ':']) => return None,
        Some("" | "*") => dropped.push("port"),
        Some(port) if port.bytes().all(|byte| byte.is_ascii_digit()) => dropped.push("port"),
        Some(port) if is_like_ports(port) && scheme.is_none() => dropped.push("port"),
        Some(port) if name.contains('.') && !port.contains(['.', ':']) && scheme.is_none() => {
            // `git@a.example:o/r`; what has no slash may be a port's name as well.
            if userinfo.is_none() && !has_path {
                dropped.push("port");
            }
            is_path = true;
        }
        Some(_) => return None,
    }
    if is_path {
        dropped.push("path");
    }
    // In a match pattern of a browser's extension, `*.` is the name as well.
    let patterns = named(name, scheme == Some("*"))?;
    // `https://*.a.example/*` is a match pattern to some, a glob to others.
    let perhaps_apex = scheme.is_some_and(|scheme| scheme != "*")
        && name.starts_with("*.")
        && path.starts_with('/')
        && path.contains('*');
    Some(Write {
        dropped,
        note: perhaps_apex.then_some(Note::PerhapsApex),
        ..Write::of(patterns)
    })
}

/// `80-90`, `80,443`.
fn is_like_ports(port: &str) -> bool {
    port.bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b','))
}

/// `https:github.com`, `https:/github.com`.
fn with_slashes(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once(':')?;
    let lacks = is_special(scheme)
        && !rest.starts_with("//")
        && rest.contains('.')
        && !rest.starts_with(|c: char| c.is_ascii_digit());
    lacks.then(|| format!("{scheme}://{}", rest.trim_start_matches('/')))
}

/// A name or address, and what stands behind its port's colon.
fn split_port(place: &str) -> (&str, Option<&str>) {
    if place.parse::<Ipv6Addr>().is_ok() {
        return (place, None);
    }
    if let Some((inside, after)) = place
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        && inside.parse::<Ipv6Addr>().is_ok()
    {
        return match after.strip_prefix(':') {
            Some(port) => (inside, Some(port)),
            None if after.is_empty() => (inside, None),
            None => (place, None),
        };
    }
    match place.split_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (place, None),
    }
}

/// What a name with a wildcard's prefix means.
fn named(text: &str, apex_too: bool) -> Option<Vec<Pattern>> {
    let text = match text.strip_suffix('.') {
        Some(rest) if rest.ends_with('.') => return None,
        Some(rest) => rest,
        None => text,
    };
    let prefix = ["**.", "*.", "."]
        .into_iter()
        .find(|prefix| text.starts_with(prefix));
    let Some(prefix) = prefix else {
        return Some(alloc::vec![exact(text)?]);
    };
    let name = exact(text.strip_prefix(prefix)?)?;
    let below = below_base(&name);
    if name.base().is_none() {
        // Nothing is below an address: of `.192.0.2.1` the address is all there is.
        return (prefix == ".").then(|| alloc::vec![name]);
    }
    // No name is so long that it is below one of 252 bytes.
    let both = prefix != "*." || apex_too;
    let name = both.then_some(name);
    Some(name.into_iter().chain(below).collect())
}

/// One name or address in any spelling that every client reads the same way.
fn exact(text: &str) -> Option<Pattern> {
    let plain = text.parse::<Ipv6Addr>().is_ok() || !text.contains(['/', ':', '@', '?', '#', '\\']);
    // Quotation marks, arrows, bullets: no registered name has one.
    let host = Host::parse(text)
        .ok()
        .filter(|_| plain && !text.contains(is_sign))?;
    Pattern::parse(&host.to_string()).ok()
}

/// Every name below a name; `None` where there is none.
fn below_base(name: &Pattern) -> Option<Pattern> {
    Pattern::parse(&format!("*.{}", name.base()?)).ok()
}
