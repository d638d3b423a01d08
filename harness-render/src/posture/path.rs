//! Paths as settings files write them, compared as text.

/// A path in one spelling: `~` for any home, `/` between names, no slash at its end.
///
/// Another user's home counts as well, since a file may have been written for it.
fn plain(path: &str) -> String {
    let path = path.replace('\\', "/");
    let names: Vec<&str> = path
        .split('/')
        .filter(|name| !name.is_empty() && *name != ".")
        .collect();
    let absolute = path.starts_with('/');
    let rest = match (absolute, names.as_slice()) {
        (_, []) if absolute => return "/".to_owned(),
        (true, ["home" | "Users", _, rest @ ..]) | (true, ["root", rest @ ..]) => rest,
        (false, ["~" | "$HOME" | "${HOME}" | "%USERPROFILE%", rest @ ..]) => rest,
        (false, [drive, users, _, rest @ ..])
            if drive.ends_with(':') && users.eq_ignore_ascii_case("users") =>
        {
            rest
        }
        (absolute, names) => {
            let prefix = if absolute { "/" } else { "" };
            return format!("{prefix}{}", names.join("/"));
        }
    };
    let mut plain = String::from("~");
    for name in rest {
        plain.push('/');
        plain.push_str(name);
    }
    plain
}

/// More paths than anyone lists count as every path.
const MOST_PATHS: usize = 1000;

/// Whether any of `paths` is broad, or lies over or under one of `places`.
pub(crate) fn reach<'p, 'q>(
    paths: impl Iterator<Item = &'p str>,
    places: impl Iterator<Item = &'q str>,
) -> bool {
    let places: Vec<String> = places.map(plain).collect();
    paths.enumerate().any(|(count, path)| {
        let path = plain(path);
        count >= MOST_PATHS
            || is_broad(&path)
            || places.iter().any(|place| lies_over_or_under(&path, place))
    })
}

/// Whether a path of a repository's file is one below the repository, whose commands write there as
/// it is.
pub(crate) fn is_below_project(path: &str) -> bool {
    let names: Vec<&str> = path.split(['/', '\\']).collect();
    let anchored = path.starts_with(['/', '\\', '~', '$', '%', ':']) || path.contains(':');
    !path.is_empty() && !anchored && !names.iter().any(|name| name.trim() == "..")
}

/// Whether a path lies in one of `places`, or is one.
pub(crate) fn lies_in<'p>(path: &str, mut places: impl Iterator<Item = &'p str>) -> bool {
    let path = plain(path);
    let path = path.strip_suffix("/**").unwrap_or(&path);
    !path.contains("..")
        && !path.contains(['*', '?', '['])
        && places.any(|place| is_within(path, &plain(place)))
}

/// Whether one of two plain paths lies in the other, up to the first name with a wildcard.
fn lies_over_or_under(a: &str, b: &str) -> bool {
    let (a, b) = (literal(a), literal(b));
    is_within(a, b) || is_within(b, a)
}

fn literal(path: &str) -> &str {
    let wild = path.find(['*', '?', '[']);
    let head = wild.and_then(|at| path.get(..at));
    match head {
        Some(head) => head.rfind('/').and_then(|at| head.get(..at)).unwrap_or(""),
        None => path,
    }
}

fn is_within(inner: &str, outer: &str) -> bool {
    match inner.strip_prefix(outer.trim_end_matches('/')) {
        // The root contains every home.
        _ if outer == "/" => inner.starts_with(['/', '~']),
        Some(rest) => !outer.is_empty() && (rest.is_empty() || rest.starts_with('/')),
        None => false,
    }
}

/// Whether writing there is writing nearly anywhere: the root, a home, every home, or a directory of
/// the system.
pub(crate) fn is_broad(path: &str) -> bool {
    let path = plain(path);
    let broad = [
        "/", "~", "/home", "/Users", "/etc", "/usr", "/var", "/opt", "/bin", "/sbin", "/lib",
        "/Library", "/System", "/root",
    ];
    let broad_drive = path.len() == 2 && path.ends_with(':');
    broad.iter().any(|place| path.eq_ignore_ascii_case(place))
        || broad_drive
        || path.contains("..")
        || literal(&path).is_empty()
        || HOLDS_SECRETS
            .iter()
            .any(|place| lies_over_or_under(&path, place))
}

/// Where credentials are, or what decides which programs run.
const HOLDS_SECRETS: [&str; 10] = [
    "~/.ssh",
    "~/.aws",
    "~/.gnupg",
    "~/.kube",
    "~/.netrc",
    "~/.npmrc",
    "~/.config/gcloud",
    "~/.docker",
    "~/.bashrc",
    "~/.profile",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn overlap(a: &str, b: &str) -> bool {
        lies_over_or_under(&plain(a), &plain(b))
    }

    #[test]
    fn a_path_has_one_spelling() {
        for (path, one) in [
            ("/", "/"),
            ("//", "/"),
            ("~", "~"),
            ("~/", "~"),
            ("~/.ssh/", "~/.ssh"),
            ("/home/alice/.ssh", "~/.ssh"),
            ("/Users/alice", "~"),
            ("/root/.ssh", "~/.ssh"),
            ("$HOME/.ssh", "~/.ssh"),
            (r"C:\Users\alice\.ssh", "~/.ssh"),
            (r"C:\data", "C:/data"),
            ("//etc//x", "/etc/x"),
            ("/home", "/home"),
            ("./a/./b", "a/b"),
            ("", ""),
        ] {
            assert_eq!(plain(path), one, "{path}");
        }
    }

    #[test]
    fn overlap_is_containment_either_way() {
        for (a, b) in [
            ("~/.ssh", "~/.ssh/keys"),
            ("/", "~/.ssh"),
            ("/home/alice/.ssh", "~/.ssh"),
            ("~", "~/.aws"),
            ("~/.s*", "~"),
            ("/etc/x", "/etc"),
        ] {
            assert!(overlap(a, b) && overlap(b, a), "{a} {b}");
        }
        for (a, b) in [
            ("~/.ssh", "~/.sshx"),
            ("/opt/cache", "~/.ssh"),
            ("/etc", "/etcx"),
            (".env*", "/opt"),
        ] {
            assert!(!overlap(a, b) && !overlap(b, a), "{a} {b}");
        }
    }

    #[test]
    fn a_path_lies_in_the_project_or_in_a_place() {
        for path in [".", "./build", "a/b", "a/..b", "*"] {
            assert!(is_below_project(path), "{path}");
        }
        for path in [
            "", "..", "a/../..", "/", "~", "$HOME", "C:", "C:x", r"\\x", r"a\..\..", "%TEMP%",
        ] {
            assert!(!is_below_project(path), "{path}");
        }
        for path in ["/opt/cache", "/opt/cache/x", "/opt/./cache/**"] {
            assert!(lies_in(path, ["/opt/cache"].into_iter()), "{path}");
        }
        for path in [
            "/opt",
            "/opt/cachex",
            "/opt/cache/../x",
            "/opt/cache*",
            "/opt/*/x",
            "",
        ] {
            assert!(!lies_in(path, ["/opt/cache"].into_iter()), "{path}");
        }
    }

    #[test]
    fn broad_is_the_system_a_home_or_where_secrets_lie() {
        for path in [
            "/",
            "~",
            "/home/alice",
            "/etc",
            "/ETC",
            "C:",
            "~/.ssh/x",
            "/opt/..",
            "*",
            "",
        ] {
            assert!(is_broad(path), "{path}");
        }
        for path in ["/opt/cache", "~/work", "/var/tmp/x", "~/.sshx", "/data/*"] {
            assert!(!is_broad(path), "{path}");
        }
    }
}
