//! The path globs the agents agree on, and what lies below a path.

/// Whether a pattern has a character that is not taken literally.
pub fn is_glob(pattern: &str) -> bool {
    pattern.contains(['*', '?', '['])
}

/// Whether `path` is `root` or lies below it.
pub fn is_under(path: &str, root: &str) -> bool {
    let root = root.trim_end_matches('/');
    path == root
        || path
            .strip_prefix(root)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// `path` as seen from `base`.
pub fn relative(base: &str, path: &str) -> String {
    let base: Vec<&str> = base.split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    let shared = base.iter().zip(&path).take_while(|(a, b)| a == b).count();
    let up = base.iter().skip(shared).map(|_| "..");
    up.chain(path.iter().skip(shared).copied())
        .collect::<Vec<_>>()
        .join("/")
}

/// Whether `pattern` matches the whole of `path`, component by component: `*`, `?` and `[…]` stay
/// within one, `**` is any number of them, and at the end at least one.
pub fn matches(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    components(&pattern, &path)
}

/// Whether `pattern` matches `path` or a directory above it.
pub fn covers(pattern: &str, path: &str) -> bool {
    let ends = path
        .match_indices('/')
        .map(|(end, _)| end)
        .chain([path.len()]);
    ends.filter_map(|end| path.get(..end))
        .any(|above| matches(pattern, above))
}

fn components(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, _) => path.is_empty(),
        (Some((&"**", [])), _) => !path.is_empty(),
        (Some((&"**", rest)), None) => components(rest, path),
        (Some((&"**", rest)), Some((_, deeper))) => {
            components(rest, path) || components(pattern, deeper)
        }
        (Some(_), None) => false,
        (Some((first, rest)), Some((name, deeper))) => {
            let first: Vec<char> = first.chars().collect();
            let name: Vec<char> = name.chars().collect();
            characters(&first, &name) && components(rest, deeper)
        }
    }
}

/// One component: `*` is any run, `?` any one, `[a-c]` one of a set, `[!a-c]` one outside it.
fn characters(pattern: &[char], name: &[char]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, _) => name.is_empty(),
        (Some((&'*', rest)), None) => characters(rest, name),
        (Some((&'*', rest)), Some((_, later))) => {
            characters(rest, name) || characters(pattern, later)
        }
        (Some(_), None) => false,
        (Some((&'?', rest)), Some((_, later))) => characters(rest, later),
        (Some((&'[', rest)), Some((&c, later))) => {
            let Some(end) = rest.iter().position(|&c| c == ']') else {
                return false;
            };
            let (set, rest) = (&rest[..end], &rest[end + 1..]);
            let (set, outside) = match set.split_first() {
                Some(('!' | '^', set)) => (set, true),
                _ => (set, false),
            };
            in_set(set, c) != outside && characters(rest, later)
        }
        (Some((&p, rest)), Some((&c, later))) => p == c && characters(rest, later),
    }
}

fn in_set(set: &[char], c: char) -> bool {
    match set {
        [low, '-', high, rest @ ..] => (*low..=*high).contains(&c) || in_set(rest, c),
        [one, rest @ ..] => *one == c || in_set(rest, c),
        [] => false,
    }
}
