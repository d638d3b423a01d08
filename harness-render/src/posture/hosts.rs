//! The hosts that a policy or the managed settings permit, against which other lists are judged.

/// Lists of hosts in the spelling of a policy: a host, or `*.` and the name above its subdomains.
#[derive(Debug, Default)]
pub(crate) struct Hosts {
    allowed: Vec<String>,
    denied: Vec<String>,
    opens_unlisted: bool,
}

impl Hosts {
    pub(crate) fn new(
        allowed: impl IntoIterator<Item = String>,
        denied: impl IntoIterator<Item = String>,
        opens_unlisted: bool,
    ) -> Self {
        Self {
            allowed: allowed.into_iter().collect(),
            denied: denied.into_iter().collect(),
            opens_unlisted,
        }
    }

    /// Whether every host that an entry stands for is permitted. What is no plain entry is not: programs
    /// read it in more than one way.
    pub(crate) fn permit(&self, entry: &str) -> bool {
        let entry = entry.to_ascii_lowercase();
        if entry == "*" {
            return self.opens_unlisted && self.denied.is_empty();
        }
        let is_plain = entry
            .strip_prefix("*.")
            .unwrap_or(&entry)
            .split('.')
            .all(|label| {
                !label.is_empty()
                    && label
                        .chars()
                        .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
            });
        let meets = |other: &String| covers(other, &entry) || covers(&entry, other);
        is_plain
            && !self.denied.iter().any(meets)
            && (self.opens_unlisted || self.allowed.iter().any(|allowed| covers(allowed, &entry)))
    }

    /// The same for a program whose `*.x` stands for `x` as well.
    pub(crate) fn permit_with_apex(&self, entry: &str) -> bool {
        let apex = entry.strip_prefix("*.");
        self.permit(entry) && apex.is_none_or(|apex| self.permit(apex))
    }
}

/// Whether every host of `inner` is one of `outer`.
fn covers(outer: &str, inner: &str) -> bool {
    let below = outer.strip_prefix('*').is_some_and(|suffix| {
        let name = inner.strip_prefix('*').unwrap_or(inner);
        name.len() > suffix.len() && name.ends_with(suffix)
    });
    outer == inner || below
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(allowed: &[&str], denied: &[&str], opens_unlisted: bool) -> Hosts {
        let own = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        Hosts::new(own(allowed), own(denied), opens_unlisted)
    }

    #[test]
    fn an_entry_is_permitted_when_all_its_hosts_are() {
        let closed = hosts(
            &["a.example", "*.b.example"],
            &["x.b.example", "*.y.b.example"],
            false,
        );
        for entry in ["a.example", "A.example", "c.b.example", "*.c.b.example"] {
            assert!(closed.permit(entry), "{entry}");
        }
        for entry in [
            "b.example",
            "*.a.example",
            "*.b.example",
            "x.b.example",
            "z.y.b.example",
            "*.y.b.example",
            "nob.example",
            "*",
            "*.example",
            "a.example:443",
            "https://a.example",
            "a.example.",
            "",
            "*.",
        ] {
            assert!(!closed.permit(entry), "{entry}");
        }
        let open = hosts(&[], &["b.example"], true);
        assert!(open.permit("a.example") && open.permit("*.b.example"));
        assert!(!open.permit("b.example") && !open.permit("*.example") && !open.permit("*"));
        assert!(hosts(&[], &[], true).permit("*"));
        assert!(!closed.permit_with_apex("*.b.example"));
        assert!(closed.permit_with_apex("c.b.example"));
        assert!(hosts(&["b.example", "*.b.example"], &[], false).permit_with_apex("*.b.example"));
    }
}
