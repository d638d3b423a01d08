//! What was most likely meant by a text that is refused. Only spellings that are read themselves
//! are suggested, and none that would hide what it changes.

use alloc::format;
use alloc::string::{String, ToString as _};
use core::net::IpAddr;

use crate::host::{Host, is_of_ssh_or_git, is_special};
use crate::quote::{is_of, masked_host};
use crate::refusal::HostError;

/// The longest text worth a guess: a longer one is no slip of the pen, and every guess is read anew.
const LONGEST: usize = 1024;

impl HostError {
    /// What to write instead of `input`, the text that was refused for this reason: the spelling
    /// where there is an obvious one, otherwise what such a text needs. Never repeats userinfo, a
    /// query or a fragment, which may hold a secret.
    ///
    /// ```
    /// use policy_core::Host;
    ///
    /// let input = "git@github.com:o/r";
    /// let error = Host::parse(input).unwrap_err();
    /// assert_eq!(error.help(input), "write `ssh://git@github.com/o/r`");
    /// ```
    #[must_use]
    pub fn help(self, input: &str) -> String {
        // A user may be a token, and what looks like one may be the end of a password.
        let spelling = host(self, input).filter(|spelling| {
            let mut users = spelling.split('@');
            users.next_back();
            users.all(|user| user.ends_with("://git")) && repeats_no_secret(spelling, input)
        });
        spelling.map_or_else(
            || self.remedy().to_string(),
            |spelling| format!("write `{spelling}`"),
        )
    }
}

/// Whether a spelling holds nothing that is hidden where the input is shown. Canonical addresses hold
/// numbers that the input has in another form, and the schemes are ours.
fn repeats_no_secret(spelling: &str, input: &str) -> bool {
    let input = without_marks(input).unwrap_or(input);
    let slashed = with_slashes(input);
    let slashed = masked_host(slashed.as_deref().unwrap_or_default());
    let shown = format!("https ssh git {} {slashed}", masked_host(input));
    spelling.parse::<IpAddr>().is_ok() || is_of(spelling, &shown)
}

/// A host, or a URL with one, that says what `input` was to say, without what may be a secret.
fn host(error: HostError, input: &str) -> Option<String> {
    if input.len() > LONGEST {
        return None;
    }
    // A pair of quotation marks of a shell, or of angle brackets of a mail.
    if let Some(inside) = without_marks(input) {
        return match Host::parse(inside) {
            Ok(host) if !inside.contains("://") => Some(host.to_string()),
            Ok(_) => Url::read(inside)?.without_secrets(),
            Err(error) => host(error, inside),
        };
    }
    let spelling = match error {
        HostError::Empty => Url::read(&with_two_slashes(input)?)?.without_secrets()?,
        HostError::UserinfoWithoutScheme => without_scheme(input)?,
        HostError::Scheme => match with_slashes(input) {
            Some(url) => Url::read(&url)?.without_secrets()?,
            None => Url::read(input)?.host_of_a_server()?,
        },
        HostError::NotAHost => {
            let url = format!("https://{}", input.strip_prefix("//").unwrap_or(input));
            let url = Url::read(&url)?;
            url.without_secrets()
                .filter(|spelling| Host::parse(spelling).is_ok())
                .or_else(|| url.host_before_a_path())?
        }
        HostError::Port => Url::read(input)?.with_a_path()?,
        HostError::Userinfo => Url::read(input)?.host_behind_userinfo()?,
        HostError::Ambiguous => {
            let url = Url::read(input)?;
            url.with_slash().or_else(|| url.host_behind_userinfo())?
        }
        // The small letters of an alphabet, but never a look-alike of an ASCII name.
        HostError::Mapped => {
            let place = Url::read(input).map_or(input, |url| url.place);
            let lower = place.to_lowercase();
            return (!lower.is_ascii() && Host::parse(&lower).is_ok()).then_some(lower);
        }
        _ => return None,
    };
    let is_plain = spelling.strip_suffix('…').unwrap_or(&spelling).is_ascii();
    (is_plain && Host::parse(&spelling).is_ok()).then_some(spelling)
}

/// The only name before an `@` that is no secret: that of the user on every Git server.
const GIT: &str = "git";

/// Schemes whose authority is the server that is connected to, unless a path or a query names another.
const SERVERS: [&str; 16] = [
    "amqp",
    "amqps",
    "imap",
    "imaps",
    "ldap",
    "ldaps",
    "mongodb",
    "mqtt",
    "mqtts",
    "mysql",
    "nats",
    "postgres",
    "postgresql",
    "redis",
    "rediss",
    "smtp",
];

/// A URL, cut where the first `/`, `?` or `#` ends its authority.
struct Url<'t> {
    scheme: &'t str,
    userinfo: &'t str,
    place: &'t str,
    after: &'t str,
}

impl<'t> Url<'t> {
    fn read(text: &'t str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, after) = rest.split_at_checked(end)?;
        let (userinfo, place) = authority.split_once('@').unwrap_or(("", authority));
        Some(Self {
            scheme,
            userinfo,
            place,
            after,
        })
    }

    /// What stands before the query and the fragment, and `?…` or `#…` for those.
    fn path(&self) -> (&'t str, &'static str) {
        let end = self.after.find(['?', '#']).unwrap_or(self.after.len());
        let (path, rest) = self.after.split_at_checked(end).unwrap_or((self.after, ""));
        let elided = match rest.chars().next() {
            Some('?') => "?…",
            Some(_) => "#…",
            None => "",
        };
        (path, elided)
    }

    /// The same URL less its userinfo, with `…` for query and fragment; none where an `@` in the path
    /// may be the end of a password.
    fn without_secrets(&self) -> Option<String> {
        let (path, elided) = self.path();
        let path = if path.is_empty() && !elided.is_empty() {
            "/"
        } else {
            path
        };
        let Self { scheme, place, .. } = self;
        (!has_at(path)).then(|| format!("{scheme}://{place}{path}{elided}"))
    }

    /// `ssh://git@github.com:o/r`, the form of `scp` under a scheme: with a slash for the colon. Of
    /// any other user, and of none, the host alone, as what follows the colon may be a password.
    fn with_a_path(&self) -> Option<String> {
        let (host, start) = self.host_and_more()?;
        let (path, elided) = self.path();
        if !is_of_ssh_or_git(self.scheme) || has_at(path) || start.is_empty() {
            return None;
        }
        let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        // Of two colons the first may be a port's.
        let (port, start) = match start.split_once(':') {
            Some((port, start)) if is_port(port) => (format!(":{port}"), start),
            Some(_) => return None,
            None if is_port(start) => return None,
            None => (String::new(), start),
        };
        if self.userinfo == GIT {
            let Self { scheme, .. } = self;
            Some(format!("{scheme}://git@{host}{port}/{start}{path}{elided}"))
        } else {
            (!self.userinfo.is_empty() || host.contains(['.', '['])).then(|| host.to_string())
        }
    }

    /// The host, and what stands behind its colon.
    fn host_and_more(&self) -> Option<(&'t str, &'t str)> {
        match self.place.split_once("]:") {
            Some((host, more)) => Some((self.place.get(..host.len().checked_add(1)?)?, more)),
            None => self.place.split_once(':'),
        }
    }

    /// `github.com:o/r`, the form of `scp` without a user: the host, unless it may be a user and a password.
    fn host_before_a_path(&self) -> Option<String> {
        let (host, _) = self.host_and_more()?;
        let is_host = host.contains(['.', '[']) && !has_at(self.after);
        is_host.then(|| host.to_string())
    }

    /// The host of `redis://cache.example:6379/0` and the like, where nothing could name another one.
    fn host_of_a_server(&self) -> Option<String> {
        let scheme = self.scheme.to_ascii_lowercase();
        let names_a_server = SERVERS.contains(&&*scheme);
        let is_plain = self.userinfo.is_empty() && !self.after.contains(['@', '?', '#', '%']);
        let host = Host::parse(self.place).ok()?;
        (names_a_server && is_plain).then(|| host.to_string())
    }

    /// The URL whose authority ended at `?` or `#`, with the slash that ends it for every client.
    fn with_slash(&self) -> Option<String> {
        let Self { scheme, place, .. } = self;
        let whole = format!("{scheme}://{place}/{}", self.after);
        // A part of a password has no dot; a host that is meant has one or is an address.
        let is_host = !has_at(self.after) || place.contains(['.', '[']);
        (self.after.starts_with(['?', '#']) && is_host && Host::parse(&whole).is_ok())
            .then(|| self.without_secrets())?
    }

    /// The host alone, where no other `@` leaves a doubt about it.
    fn host_behind_userinfo(&self) -> Option<String> {
        let is_only = !self.userinfo.is_empty() && !has_at(self.place) && !has_at(self.after);
        let host = Host::parse(self.place).ok().filter(|_| is_only)?;
        Some(host.to_string())
    }
}

fn has_at(text: &str) -> bool {
    text.contains('@') || text.contains("%40")
}

/// `git@github.com:o/r`, the form of `scp` and `git`, as a URL; of any other `user@host`, the host.
fn without_scheme(input: &str) -> Option<String> {
    let (user, rest) = input.split_once('@')?;
    if user != GIT {
        let place = rest.split(['/', '?', '#']).next()?;
        let host = Host::parse(place).ok().or_else(|| {
            let (host, _) = place.split_once(':')?;
            Host::parse(host).ok()
        });
        return Some(host?.to_string());
    }
    let end = rest.find([':', '/', '?', '#']).unwrap_or(rest.len());
    let (place, path) = rest.split_at_checked(end)?;
    let path = path.trim_start_matches(':').trim_start_matches('/');
    let url = format!("ssh://{place}/{path}");
    let url = Url::read(&url)?.without_secrets()?;
    Some(url.replacen("://", "://git@", 1))
}

/// `https:github.com`, `https:/github.com`.
fn with_slashes(input: &str) -> Option<String> {
    let (scheme, rest) = input.split_once(':')?;
    let lacks = is_special(scheme) && scheme != "file" && !rest.starts_with("//");
    lacks.then(|| format!("{scheme}://{}", rest.trim_start_matches('/')))
}

/// `https:////github.com`.
fn with_two_slashes(input: &str) -> Option<String> {
    let (scheme, rest) = input.split_once("://")?;
    let lacks = is_special(scheme) && scheme != "file" && rest.starts_with('/');
    lacks.then(|| format!("{scheme}://{}", rest.trim_start_matches('/')))
}

fn without_marks(input: &str) -> Option<&str> {
    [
        ("'", "'"),
        ("\"", "\""),
        ("`", "`"),
        ("<", ">"),
        ("\u{2039}", "\u{203a}"),
    ]
    .into_iter()
    .find_map(|(open, close)| input.strip_prefix(open)?.strip_suffix(close))
}
