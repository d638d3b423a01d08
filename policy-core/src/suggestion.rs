//! What was most likely meant by a text that is refused. Only spellings that are read themselves
//! are suggested, and none that would hide what it changes.

use alloc::format;
use alloc::string::String;

use crate::host::{Host, is_special};
use crate::refusal::HostError;

/// The longest text worth a guess: a longer one is no slip of the pen, and every guess is read anew.
const LONGEST: usize = 1024;

/// A host, or a URL with one, that says what `input` was to say.
pub(crate) fn host(error: HostError, input: &str) -> Option<String> {
    if input.len() > LONGEST {
        return None;
    }
    let spelling = match error {
        HostError::UserinfoWithoutScheme => ssh_url(input)?,
        HostError::Scheme => with_slashes(input)?,
        HostError::NotAHost => format!("https://{input}"),
        // The small letters of an alphabet, but never a look-alike of an ASCII name.
        HostError::Mapped => {
            let lower = input.to_lowercase();
            return (!lower.is_ascii() && Host::parse(&lower).is_ok()).then_some(lower);
        }
        _ => return None,
    };
    (spelling.is_ascii() && Host::parse(&spelling).is_ok()).then_some(spelling)
}

/// `git@github.com:o/r`, the form of `scp` and `git`, as a URL.
fn ssh_url(input: &str) -> Option<String> {
    let (user, rest) = input.split_once('@')?;
    let (place, path) = rest.split_once([':', '/']).unwrap_or((rest, ""));
    let path = path.trim_start_matches('/');
    (!user.contains(':')).then(|| format!("ssh://{user}@{place}/{path}"))
}

/// `https:github.com`, `https:/github.com`.
fn with_slashes(input: &str) -> Option<String> {
    let (scheme, rest) = input.split_once(':')?;
    let lacks = is_special(scheme) && scheme != "file" && !rest.starts_with("//");
    lacks.then(|| format!("{scheme}://{}", rest.trim_start_matches('/')))
}
