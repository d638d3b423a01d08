use fancy_regex::Regex;
use policy_core::{Host, Pattern, ProtectedPath};

use super::{MAX, all_but_within, any_of, any_of_in_any_spelling, length, paths};
use crate::target::Os;

fn patterns(texts: &[&str]) -> Vec<Pattern> {
    texts
        .iter()
        .map(|text| Pattern::parse(text).unwrap())
        .collect()
}

fn regexes(expressions: &[String]) -> Vec<Regex> {
    // The vendor's own heuristic.
    let costly = Regex::new(r"\([^)]*[*+?{].*\)[*+?{]").unwrap();
    expressions
        .iter()
        .map(|expression| {
            assert!(!costly.is_match(expression).unwrap(), "{expression}");
            Regex::new(expression).unwrap()
        })
        .collect()
}

fn denies(regexes: &[Regex], address: &str) -> bool {
    let call = serde_json::json!({ "url": address }).to_string();
    regexes.iter().any(|regex| regex.is_match(&call).unwrap())
}

/// Every text of the letters up to a length.
fn words(letters: &[char], longest: usize) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut from = 0;
    for _ in 0..longest {
        let to = words.len();
        for at in from..to {
            for letter in letters {
                words.push(format!("{}{letter}", words[at]));
            }
        }
        from = to;
    }
    words
}

/// However small the pieces, a list denies what it does not name: every list over six patterns, every
/// host of up to five characters.
#[test]
fn a_list_in_pieces_is_the_list() {
    const PATTERNS: [&str; 6] = ["b", "ab", "a.b", "*.b", "*.a.b", "a-b.b"];
    let hosts = words(&['a', 'b', '.', '-'], 5);
    for chosen in 1..64_usize {
        let chosen: Vec<&str> = PATTERNS
            .iter()
            .enumerate()
            .filter(|(at, _)| chosen >> at & 1 == 1)
            .map(|(_, text)| *text)
            .collect();
        let list = patterns(&chosen);
        for max in [0, 150, MAX] {
            let regexes = regexes(&all_but_within(&list, max));
            for host in &hosts {
                let Ok(parsed) = Host::parse(host) else {
                    continue;
                };
                if parsed.to_string() != *host {
                    continue;
                }
                let listed = list.iter().any(|pattern| pattern.matches(&parsed));
                let denied = denies(&regexes, &format!("https://{host}/"));
                assert_eq!(denied, !listed, "{chosen:?} in pieces of {max}: {host}");
            }
        }
    }
}

#[test]
fn every_piece_is_short_enough_and_the_pieces_grow_with_the_list() {
    let mut texts = Vec::new();
    for number in 0..600 {
        let team = number % 23;
        texts.push(format!("service-{number}.team-{team}.acme.example"));
        texts.push(format!("*.zone-{number}.corp-{team}.example"));
    }
    texts.push(format!("{}.example", ["long-label"; 20].join(".")));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let list = patterns(&texts);
    let expressions = all_but_within(&list, MAX);
    assert!(expressions.iter().all(|one| length(one) <= MAX));
    let whole: usize = texts.iter().map(|text| text.len()).sum();
    let pieces: usize = expressions.iter().map(|one| length(one)).sum();
    assert!(pieces < 8 * whole, "{pieces} characters for {whole}");
    let regexes = regexes(&expressions);
    for pattern in &list {
        let host = pattern.to_string().replace('*', "x_y");
        for address in [format!("http://{host}"), format!("https://{host}:8443/a?b")] {
            assert!(!denies(&regexes, &address), "{address}");
        }
        for host in [
            format!("x{host}"),
            format!("{host}x"),
            format!("{host}.evil.example"),
            host.replacen('.', "", 1),
        ] {
            let listed = Host::parse(&host)
                .is_ok_and(|host| list.iter().any(|pattern| pattern.matches(&host)));
            assert_eq!(
                denies(&regexes, &format!("https://{host}/")),
                !listed,
                "{host}"
            );
        }
    }
}

/// Addresses that some client reads as one of another host.
const CONFUSING: &[&str] = &[
    "https://a.example@evil.example/",
    "https://a.example:80@evil.example/",
    "https://a.example\\@evil.example/",
    "https://a.example%2eevil.example/",
    "https://a.example\t.evil.example/",
    "https://a.example\n.evil.example/",
    "https://a.example\r.evil.example/",
    "https://a.example\u{feff}.evil.example/",
    "https://a.example\u{ad}.evil.example/",
    "https://a.example\u{3002}evil.example/",
    "https://a.example.evil.example/",
    "https://a.example:",
    "https://a.example:x@evil.example/",
    "https:///evil.example/",
    "https://\\evil.example/",
    "https:///a.example/",
    "https://evil.example/https://a.example/",
    "https://evil.example/?https://a.example/",
    "https://evil.example#https://a.example/",
    "https://a.example/ https://evil.example/",
    "https://a.example\"@evil.example/",
    "https://a.example\"",
    "https://a.example:443\"@evil.example/",
    "https://[::1]/",
    "https://",
];

#[test]
fn a_list_denies_what_clients_read_differently() {
    let list = patterns(&["a.example", "*.wild.example"]);
    for max in [0, MAX] {
        let regexes = regexes(&all_but_within(&list, max));
        for address in CONFUSING {
            assert!(denies(&regexes, address), "{address}");
        }
        for address in [
            "https://a.example",
            "http://a.example/",
            "https://a.example:8443",
            "https://a.example?q",
            "https://a.example#f",
            "https://a.example/evil.example",
            "https://x.y.wild.example/",
            "look at \"https://a.example/\" and at https://x.wild.example now",
        ] {
            assert!(!denies(&regexes, address), "{address}");
        }
    }
}

#[test]
fn a_denied_host_is_denied_in_every_spelling() {
    let denied = patterns(&[
        "bad.example",
        "*.worse.example",
        "xn--bcher-kva.example",
        "8.8.8.8",
        "2606:4700::1111",
    ]);
    let regexes = regexes(&any_of_in_any_spelling(&denied));
    for address in [
        "https://bad.example",
        "http://BAD.Example:80/",
        "https://bad.example./",
        "https://bad.example.:443/",
        "https://user@bad.example/",
        "https://user:word@bad.example/",
        "https://b%61d.example/",
        "https://ba\td.example/",
        "https://bad.exa\nmple/",
        "https://bad\u{3002}example/",
        "https://\u{ff42}ad.example/",
        "https://ba\u{ad}d.example/",
        "https://bad.example?q",
        "https://bad.example#f",
        "https:///bad.example/",
        "https://\\bad.example/",
        "https://good.example/?u=https://bad.example/",
        "https://x.WORSE.example/",
        "https://b\u{fc}cher.example/",
        "https://xn--bcher-kva.example/",
        "https://8.8.8.8/",
        "https://134744072/",
        "https://0x8.8.8.8/",
        "https://010.8.8.8/",
        "https://8.8.2056/",
        "https://8.8.8.0x8/",
        "https://8.8.8.8./",
        "https://[2606:4700::1111]/",
        "https://[::ffff:8.8.8.8]/",
        "https://good.example\"@bad.example/",
    ] {
        assert!(denies(&regexes, address), "{address}");
    }
    for address in [
        "https://good.example/",
        "https://notbad.example/",
        "https://sub.bad.example/",
        "https://bad.example.org/",
        "https://worse.example/",
        "https://9.9.9.9/",
        "https://good.example/bad.example",
        "https://GOOD.example:8443/?bad.example",
    ] {
        assert!(!denies(&regexes, address), "{address}");
    }
}

#[test]
fn denied_hosts_beside_a_list_are_denied_alone() {
    let regexes = regexes(&any_of(&patterns(&["bad.a.example", "*.old.a.example"])));
    for (address, denied) in [
        ("https://bad.a.example/", true),
        ("https://bad.a.example:1/", true),
        ("https://x.old.a.example", true),
        ("https://old.a.example/", false),
        ("https://notbad.a.example/", false),
        ("https://x.bad.a.example/", false),
    ] {
        assert_eq!(denies(&regexes, address), denied, "{address}");
    }
}

#[rustfmt::skip] // one line a case
const PATHS: &[(&str, &str, bool)] = &[
    // protected, asked, denied
    ("~/.ssh", "/home/u/.ssh/id", true),
    ("~/.ssh", "~/.ssh", true),
    ("~/.ssh", ".ssh/id", true),
    ("~/.ssh", "../../home/u/.ssh", true),
    ("~/.ssh", "/home/u/x/../.ssh/./id", true),
    ("~/.ssh", "/home/u//.ssh//id", true),
    ("~/.ssh", "/home/u/.sshd", false),
    ("~/.ssh", "/home/u/x.ssh", false),
    ("~/.ssh/**", "/home/u/.ssh/id", true),
    ("~/.config/gh", "/home/u/.config/x/../gh/hosts.yml", true),
    ("~/.config/gh", "/home/u/.config/./gh", true),
    ("~/.config/gh", "/home/u/.config/ghost", false),
    ("~/.config/gh", "/home/u/gh", false),
    (".env*", ".env", true),
    (".env*", "a/.env.local", true),
    (".env*", "a/.environment/key", true),
    (".env*", "a/x.env", false),
    ("conf/*.pem", "conf/a.pem", true),
    ("conf/*.pem", "conf/a\"b.pem", true),
    ("conf/*.pem", "conf/a.pem/x", true),
    ("conf/*.pem", "conf/a.pems", false),
    ("conf/[ab]?", "conf/a1", true),
    ("conf/[ab]?", "conf/a", false),
    ("/srv/*/key", "/srv/x/key", true),
    ("/srv/*/key", "/srv/x/keys", false),
    ("a+b.c", "a+b.c", true),
    ("a+b.c", "aab.c", false),
    ("say \"hi\"", "say \"hi\"", true),
];

#[test]
fn a_path_is_recognised_by_how_its_spelling_ends() {
    for (protected, asked, denied) in PATHS {
        let path = ProtectedPath::parse(protected).unwrap();
        let regexes = regexes(&paths(&[&path], Os::Linux, ""));
        let call = serde_json::json!({ "file_path": asked }).to_string();
        let found = regexes.iter().any(|regex| regex.is_match(&call).unwrap());
        assert_eq!(found, *denied, "{protected} {asked}");
    }
    // Elsewhere case does not count, and on Windows names are parted otherwise.
    let path = ProtectedPath::parse("~/.ssh").unwrap();
    for (os, asked, denied) in [
        (Os::Linux, "/home/u/.SSH/id", false),
        (Os::MacOs, "/Users/u/.SSH/id", true),
        (Os::Windows, "C:\\Users\\u\\.Ssh\\id", true),
        (Os::Windows, ".ssh\\id", true),
    ] {
        let regexes = regexes(&paths(&[&path], os, ""));
        let call = serde_json::json!({ "file_path": asked }).to_string();
        let found = regexes.iter().any(|regex| regex.is_match(&call).unwrap());
        assert_eq!(found, denied, "{os} {asked}");
    }
}

#[test]
fn the_writing_tools_may_write_about_a_path() {
    let path = ProtectedPath::parse("~/.ssh").unwrap();
    let regexes = regexes(&paths(&[&path], Os::Linux, super::FILE_PATH));
    let denied = |content: &str, file: &str| {
        let call = serde_json::json!({ "content": content, "file_path": file }).to_string();
        regexes.iter().any(|regex| regex.is_match(&call).unwrap())
    };
    assert!(!denied("see ~/.ssh/config", "README.md"));
    assert!(!denied("\"file_path\":\"~/.ssh/id\"", "README.md"));
    assert!(denied("x", "/home/u/.ssh/id"));
    assert!(denied("x", "/home/u/\u{2028}/../.ssh/id"));
    assert!(denied("x", "/home/u/\"/../.ssh/id"));
}
