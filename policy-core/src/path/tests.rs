//! One line a case. `refused!` names the code, so that a case cannot pass for another reason.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::*;

macro_rules! refused {
    ($test:ident, $type:ident, $($text:expr => $code:literal,)+) => {
        #[test]
        fn $test() {
            for (text, code) in [$(($text, $code),)+] {
                let refused = $type::parse(text).map_err(PathError::code);
                assert_eq!(refused.map(|path| path.to_string()), Err(code), "{text:?}");
            }
        }
    };
}

macro_rules! accepted {
    ($test:ident, $type:ident, $($text:expr,)+) => {
        #[test]
        fn $test() {
            for text in [$($text,)+] {
                let path = $type::parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
                assert_eq!(path.to_string(), text);
                assert_eq!(path.as_str().parse(), Ok(path));
            }
        }
    };
}

refused!(a_root_is_no_bypass, WritableRoot,
    "/" => "root-is-filesystem",
    "~" => "root-is-home",
    "~/" => "root-is-home",
    "/Users/alice" => "root-is-home",
    "/users/ALICE" => "root-is-home",
    "/home/bob" => "root-is-home",
    "/HOME/bob" => "root-is-home",
    "/root" => "root-is-home",
    "/Root" => "root-is-home",
    "/var/root" => "root-is-home",
    "/VAR/root" => "root-is-home",
    "/private/var/root" => "root-is-home",
    "/Private/Var/Root" => "root-is-home",
    "/private/root" => "root-is-home",
    "/private/home/bob" => "root-is-home",
    "/var/home/bob" => "root-is-home",
    "/var/roothome" => "root-is-home",
    "/etc" => "root-is-system",
    "/ETC" => "root-is-system",
    "/usr" => "root-is-system",
    "/var" => "root-is-system",
    "/Users" => "root-is-system",
    "/users" => "root-is-system",
    "/home" => "root-is-system",
    "/var/home" => "root-is-system",
    "/System" => "root-is-system",
    "/Library" => "root-is-system",
    "/library" => "root-is-system",
    "/bin" => "root-is-system",
    "/sbin" => "root-is-system",
    "/lib" => "root-is-system",
    "/lib32" => "root-is-system",
    "/lib64" => "root-is-system",
    "/LIB64" => "root-is-system",
    "/libx32" => "root-is-system",
    "/libexec" => "root-is-system",
    "/boot" => "root-is-system",
    "/dev" => "root-is-system",
    "/proc" => "root-is-system",
    "/sys" => "root-is-system",
    "/opt" => "root-is-system",
    "/tmp" => "root-is-system",
    "/mnt" => "root-is-system",
    "/srv" => "root-is-system",
    "/Applications" => "root-is-system",
    "/Volumes" => "root-is-system",
    "/private" => "root-is-system",
    "/PRIVATE" => "root-is-system",
    "/private/etc" => "root-is-system",
    "/private/var" => "root-is-system",
    "/private/tmp" => "root-is-system",
    "/private/usr" => "root-is-system",
    "/private/lib64" => "root-is-system",
    "/private/home" => "root-is-system",
    "/etc/acme" => "root-under-system",
    "/Etc/acme" => "root-under-system",
    "/usr/local" => "root-under-system",
    "/usr/local/share/cache" => "root-under-system",
    "/private/etc/acme" => "root-under-system",
    "/bin/acme" => "root-under-system",
    "/sbin/acme" => "root-under-system",
    "/lib/acme" => "root-under-system",
    "/lib64/acme" => "root-under-system",
    "/boot/acme" => "root-under-system",
    "/dev/shm" => "root-under-system",
    "/proc/self/cwd" => "root-under-system",
    "/sys/fs" => "root-under-system",
    "/System/Library" => "root-under-system",
    "/System/Volumes/Data/Users/alice/work" => "root-under-system",
    "/system/volumes/data/opt/cache" => "root-under-system",
    "/run" => "root-reserved",
    "/run/user/1000" => "root-reserved",
    "/var/run" => "root-reserved",
    "/var/run/acme" => "root-reserved",
    "/private/var/run" => "root-reserved",
    "/var/spool" => "root-reserved",
    "/var/spool/cron" => "root-reserved",
    "/Library/LaunchDaemons" => "root-reserved",
    "/library/launchagents/acme" => "root-reserved",
    "/Library/Application Support" => "root-reserved",
    "/Library/Application Support/ClaudeCode/x" => "root-reserved",
    "~/.codex" => "root-reserved",
    "~/.CODEX" => "root-reserved",
    "~/.claude/projects" => "root-reserved",
    "/Users/alice/.claude" => "root-reserved",
    "/USERS/alice/.Claude" => "root-reserved",
    "/home/bob/.gemini/tmp" => "root-reserved",
    "/root/.codex" => "root-reserved",
    "/private/var/root/.codex" => "root-reserved",
    "/var/home/bob/.cursor" => "root-reserved",
    "~/.config" => "root-reserved",
    "~/.config/opencode" => "root-reserved",
    "~/.config/systemd/user" => "root-reserved",
    "~/.config/autostart" => "root-reserved",
    "~/Library" => "root-reserved",
    "~/Library/LaunchAgents" => "root-reserved",
    "/mnt/c" => "root-reserved",
    "/mnt/c/Windows/System32" => "root-reserved",
    "/mnt/c/Users/alice" => "root-is-home",
    "/mnt/c/users/alice/.ssh" => "root-reserved",
    "/mnt/c/Users/alice/AppData/Roaming/Microsoft/Windows/Start Menu/Programs" => "root-reserved",
    "/media" => "root-is-system",
    "/run/media/alice/Backup" => "root-reserved",
    "/volumes/Macintosh HD" => "root-is-filesystem",
    "/Volumes/Macintosh HD/Volumes/Macintosh HD" => "root-is-filesystem",
    "/Volumes/Macintosh HD/System/Volumes/Data/Users/bob" => "root-is-home",
    "/Volumes/Macintosh HD/etc" => "root-is-system",
    "/Volumes/Macintosh HD/etc/acme" => "root-under-system",
    "/Volumes/Macintosh HD/private/var" => "root-is-system",
    "/Volumes/Macintosh HD/Users" => "root-is-system",
    "/Volumes/Macintosh HD/Users/alice" => "root-is-home",
    "/Volumes/Macintosh HD/Users/alice/.codex" => "root-reserved",
    "/Volumes/Macintosh HD/Library/LaunchDaemons" => "root-reserved",
);

// What is written there runs outside the sandbox, at the next login or in the next shell.
refused!(a_root_in_a_home_is_no_bypass, WritableRoot,
    "~/.bashrc" => "root-reserved",
    "~/.BashRC" => "root-reserved",
    "/home/bob/.bashrc" => "root-reserved",
    "~/.profile" => "root-reserved",
    "~/.zshrc" => "root-reserved",
    "~/.zshenv" => "root-reserved",
    "~/.config/fish/conf.d" => "root-reserved",
    "~/.ssh" => "root-reserved",
    "~/.ssh/config.d" => "root-reserved",
    "/Users/alice/.SSH" => "root-reserved",
    "~/.local" => "root-reserved",
    "~/.local/bin" => "root-reserved",
    "~/.local/share" => "root-reserved",
    "~/bin" => "root-reserved",
    "~/.config" => "root-reserved",
    "~/.config/autostart" => "root-reserved",
    "~/Library/LaunchAgents" => "root-reserved",
);

// The agent could loosen itself.
refused!(a_root_holds_no_harness_settings, WritableRoot,
    "~/.claude" => "root-reserved",
    "~/.claude.json" => "root-reserved",
    "~/.claude/hooks" => "root-reserved",
    "~/.codex" => "root-reserved",
    "~/.copilot" => "root-reserved",
    "~/.gemini" => "root-reserved",
    "~/.config/opencode" => "root-reserved",
    "~/.opencode" => "root-reserved",
    "~/.cursor" => "root-reserved",
    "~/.config/cursor" => "root-reserved",
);

accepted!(
    a_root_beside_a_bypass_is_legal,
    WritableRoot,
    "/opt/build-cache",
    "/opt/etc",
    "/opt/usr/local",
    "/var/cache/build",
    "/var/tmp",
    "/var/lib/acme",
    "/var/rooted",
    "/var/runner",
    "/var/spooler",
    "/private/var/cache/build",
    "/private/work",
    "/tmp/acme",
    "/private/tmp/acme",
    "/mnt/cache",
    "/mnt/c/work",
    "/srv/build",
    "/mnt/cache/d",
    "/mnt/dd",
    "/mnt/c/Users/alice/work",
    "/mnt/d/work",
    "/media/alice/Backup/work",
    "/mediacenter",
    "/Volumes/Cache",
    "/media/alice/Backup",
    "/opt/homebrew",
    "~/.cargo",
    "~/.kube",
    "/Volumes/Macintosh HD/opt/cache",
    "/Applications/Acme.app",
    "/Library/Caches/build",
    "/Library/Application Support/ClaudeCodeCache",
    "/Library/LaunchDaemonsOld",
    "/etcetera",
    "/usrlocal",
    "/homes/bob",
    "/rooted",
    "/binary",
    "/develop",
    "/system32",
    "/runner",
    "/li",
    "/li/b",
    "/data",
    "/nix-cache",
    "~/work",
    "~/etc",
    "~/.cache",
    "~/.config/acme",
    "~/.codexcache",
    "~/.claude-cache",
    "~/.local/share/acme",
    "~/Library/Caches",
    "~/.ssh-notes",
    "~/.bashrc.d-notes",
    "~/.npm",
    "~/.local/state/acme",
    "~/go/pkg",
    "~/.gradle/caches",
    "~/.m2/repository",
    "~/.configs",
    "~/binary",
    "/Users/alice/work/cache",
    "/home/bob/work",
    "/root/work",
    "/var/root/work",
    "/opt/build cache",
    "/opt/bücher",
    "/opt/キャッシュ",
    "/opt/.hidden",
    "/opt/a..b",
    "/opt/...a",
    "/opt/~x",
    "/opt/a:b",
    "/opt/a'b\"c",
);

#[test]
fn every_reserved_place_is_refused_with_what_lies_above_and_below() {
    for place in reserved::places() {
        let mut above = String::from(place);
        while above.len() > 1 {
            for text in [above.clone(), above.to_uppercase(), above.to_lowercase()] {
                assert!(WritableRoot::parse(&text).is_err(), "{text}");
            }
            above.truncate(above.rfind('/').unwrap_or(0).max(1));
        }
        for below in ["/x", "/x/y"] {
            let text = format!("{place}{below}");
            let code = WritableRoot::parse(&text).map_err(PathError::code);
            assert_eq!(code, Err("root-reserved"), "{text}");
        }
        let beside = format!("{place}-x");
        assert!(WritableRoot::parse(&beside).is_ok(), "{beside}");
        if let Some(names) = place.strip_prefix("~/") {
            for home in [
                "/Users/a",
                "/home/a",
                "/root",
                "/var/root",
                "/private/var/root",
            ] {
                let text = format!("{home}/{names}");
                let code = WritableRoot::parse(&text).map_err(PathError::code);
                assert_eq!(code, Err("root-reserved"), "{text}");
            }
        }
    }
}

#[test]
fn every_reserved_place_stands_once() {
    let places: Vec<_> = reserved::places().collect();
    assert_eq!(places.iter().collect::<BTreeSet<_>>().len(), places.len());
}

refused!(a_root_has_one_spelling, WritableRoot,
    "" => "path-empty",
    "/opt/a\0b" => "path-control-character",
    "/opt/a\nb" => "path-control-character",
    "/opt/a\u{7f}" => "path-control-character",
    "/opt/a\u{85}b" => "path-control-character",
    r"C:\work" => "path-windows-drive",
    "c:/work" => "path-windows-drive",
    "C:" => "path-windows-drive",
    r"\\server\share" => "path-backslash",
    r"/opt\cache" => "path-backslash",
    "$HOME/work" => "path-variable",
    "/opt/$USER" => "path-variable",
    "~bob" => "path-user-home",
    "~bob/work" => "path-user-home",
    "~root" => "path-user-home",
    "~+/work" => "path-user-home",
    "/opt/(x86)" => "path-character",
    "/opt/a!" => "path-character",
    "/opt/a\u{a0}b" => "path-space",
    "/opt/a\u{2028}b" => "path-space",
    "/opt/cache " => "path-space",
    "/opt/ cache" => "path-space",
    "/opt /cache" => "path-space",
    "/opt/cafe\u{301}" => "path-not-normalized",
    "/opt/\u{ff43}ache" => "path-not-normalized",
    "/opt/\u{fb01}le" => "path-not-normalized",
    "/opt/\u{212a}" => "path-not-normalized",
    "/opt/ca\u{200b}che" => "path-not-normalized",
    "~/.s\u{200c}sh" => "path-not-normalized",
    "/opt/a\u{ad}b" => "path-not-normalized",
    "/opt/a\u{202e}b" => "path-not-normalized",
    "/opt/a\u{fe0f}" => "path-not-normalized",
    "/opt/." => "path-dot-component",
    "/opt/.." => "path-dot-component",
    "/./opt/cache" => "path-dot-component",
    "/opt/../etc" => "path-dot-component",
    "~/.." => "path-dot-component",
    "~/work/../.ssh" => "path-dot-component",
    "/opt/cache." => "path-trailing-dot",
    "/opt/..." => "path-trailing-dot",
    "~/.ssh./x" => "path-trailing-dot",
    "//" => "path-double-slash",
    "//opt/cache" => "path-double-slash",
    "/opt//cache" => "path-double-slash",
    "~//work" => "path-double-slash",
    "/opt/cache/" => "path-trailing-slash",
    "~/work/" => "path-trailing-slash",
    "/etc/" => "path-trailing-slash",
    "work" => "root-relative",
    "./work" => "root-relative",
    "../work" => "root-relative",
    "." => "root-relative",
    " /opt/cache" => "root-relative",
    "/opt/*" => "root-glob",
    "/opt/cache?" => "root-glob",
    "/opt/[ab]" => "root-glob",
    "/opt/a]" => "root-glob",
    "/opt/{a,b}" => "root-glob",
    "/opt/**" => "root-glob",
    "*" => "root-glob",
    "~/*" => "root-glob",
);

refused!(a_protected_path_has_one_spelling, ProtectedPath,
    "" => "path-empty",
    "a\0b" => "path-control-character",
    "a\tb" => "path-control-character",
    r"C:\secret" => "path-windows-drive",
    "D:" => "path-windows-drive",
    r"a\*" => "path-backslash",
    "$HOME/.ssh" => "path-variable",
    "${HOME}/.ssh" => "path-variable",
    "~root/.ssh" => "path-user-home",
    "~*" => "path-user-home",
    "!.env" => "path-character",
    "a(b" => "path-character",
    "a)b" => "path-character",
    "{a,b}" => "path-character",
    "[!a]" => "path-character",
    "}" => "path-character",
    " .env" => "path-space",
    ".env " => "path-space",
    "a\u{3000}b" => "path-space",
    "cafe\u{301}" => "path-not-normalized",
    "\u{ff0e}env" => "path-not-normalized",
    "\u{200b}.env" => "path-not-normalized",
    "\u{feff}.env" => "path-not-normalized",
    "." => "path-dot-component",
    ".." => "path-dot-component",
    "./.env" => "path-dot-component",
    "../secret" => "path-dot-component",
    "~/../x" => "path-dot-component",
    "a." => "path-trailing-dot",
    "a//b" => "path-double-slash",
    "~/.ssh/" => "path-trailing-slash",
    "secrets/" => "path-trailing-slash",
    "/" => "protected-filesystem",
    "/**" => "protected-filesystem",
    "~" => "protected-home",
    "~/" => "protected-home",
    "~/**" => "protected-home",
    "**" => "protected-workspace",
    "*" => "protected-workspace",
    "?*" => "protected-workspace",
    "*?" => "protected-workspace",
    "*/*" => "protected-workspace",
    "*/**" => "protected-workspace",
    "**/*" => "protected-workspace",
    "./*" => "path-dot-component",
    "/*" => "protected-filesystem",
    "/*/*" => "protected-filesystem",
    "/*/**" => "protected-filesystem",
    "/?*" => "protected-filesystem",
    "~/*" => "protected-home",
    "~/*/**" => "protected-home",
    "~/**/*" => "protected-home",
    "/**/.env" => "protected-glob-from-root",
    "/**/*" => "protected-glob-from-root",
    "a**" => "protected-malformed-glob",
    "**a" => "protected-malformed-glob",
    "***" => "protected-malformed-glob",
    "a/**/**/b" => "protected-malformed-glob",
    "**/**" => "protected-malformed-glob",
    "[" => "protected-malformed-glob",
    "[a" => "protected-malformed-glob",
    "a]" => "protected-malformed-glob",
    "[]" => "protected-malformed-glob",
    "[]a]" => "protected-malformed-glob",
    "[^a]" => "protected-malformed-glob",
    "[z-a]" => "protected-malformed-glob",
    "[a/b]" => "protected-malformed-glob",
    "[[:alpha:]]" => "protected-malformed-glob",
    "[a-[]" => "protected-malformed-glob",
);

accepted!(
    a_plain_protected_path_is_legal,
    ProtectedPath,
    "~/.ssh",
    "~/.aws",
    ".env*",
    "~/.kube",
    "/etc/shadow",
    "/etc",
    "/home/bob",
    "/Users/alice/.SSH",
    "secrets/prod.pem",
    "**/.env",
    "~/**/.env*",
    "~/.ssh/**",
    "/opt/*/secret",
    "/*/secret",
    "~/*/secret",
    "~/.*",
    "*.pem",
    "a*",
    "*/secret",
    "?",
    "??",
    "[a-z0-9_]x",
    "[-a]",
    "[a-]",
    "[a^]",
    "#notes",
    "a,b",
    "秘密",
    "...a",
);

#[test]
fn a_path_is_at_most_as_long_as_systems_open() {
    let longest = format!("/{}", "a".repeat(4094));
    assert!(WritableRoot::parse(&longest).is_ok());
    assert!(ProtectedPath::parse(&longest).is_ok());
    let longer = format!("{longest}a");
    assert_eq!(WritableRoot::parse(&longer), Err(PathError::TooLong));
    assert_eq!(ProtectedPath::parse(&longer), Err(PathError::TooLong));
}

#[test]
fn a_suggestion_is_the_spelling_to_write() {
    for (input, root) in [
        ("/opt/cache/", Some("/opt/cache")),
        ("/opt//cache", Some("/opt/cache")),
        ("/opt/./cache", Some("/opt/cache")),
        (" /opt/cache ", Some("/opt/cache")),
        ("$HOME/work", Some("~/work")),
        ("${HOME}/work/", Some("~/work")),
        ("~\\work", Some("~/work")),
        ("/opt/cafe\u{301}", Some("/opt/café")),
        ("/opt/cache", None),
        ("/etc/", None),
        ("/opt/../cache", None),
        ("~/", None),
        ("work", None),
        ("/opt/*", None),
        ("", None),
    ] {
        assert_eq!(
            WritableRoot::suggestion(input).as_deref(),
            root,
            "{input:?}"
        );
    }
    for (input, protected) in [
        ("~/.ssh/", Some("~/.ssh")),
        ("./.env", Some(".env")),
        ("./*", None),
        ("~//*", None),
        ("/**/.env*", None),
        ("file:///opt/x", None),
        ("\\\\server\\share", None),
        ("\\.env", None),
        ("/**", None),
        ("/", None),
        ("..", None),
        ("[!a]", None),
        ("~bob/.ssh", None),
    ] {
        assert_eq!(
            ProtectedPath::suggestion(input).as_deref(),
            protected,
            "{input:?}"
        );
    }
}

#[test]
fn a_file_path_takes_names_as_they_are() {
    for text in [
        "/",
        "~",
        ".",
        "/etc",
        "~/.ssh",
        "a/b",
        "/opt/$a*[",
        "~/a b ",
        "./~",
        "./~/a",
    ] {
        assert_eq!(FilePath::parse(text).unwrap().to_string(), text);
    }
    assert_eq!(
        FilePath::parse("./a").unwrap(),
        FilePath::parse("a").unwrap()
    );
    for (text, code) in [
        ("", "path-empty"),
        ("a\0", "path-control-character"),
        ("/a/", "path-trailing-slash"),
        ("~/", "path-trailing-slash"),
        ("./", "path-trailing-slash"),
        ("//", "path-double-slash"),
        ("a//b", "path-double-slash"),
        ("..", "path-dot-component"),
        ("/a/..", "path-dot-component"),
        ("./.", "path-dot-component"),
        ("~/../x", "path-dot-component"),
    ] {
        assert_eq!(
            FilePath::parse(text).map_err(PathError::code),
            Err(code),
            "{text:?}"
        );
    }
}

macro_rules! matching {
    ($test:ident, $expected:literal, $($pattern:literal: $($path:literal),+;)+) => {
        #[test]
        fn $test() {
            for (pattern, paths) in [$(($pattern, &[$($path),+][..]),)+] {
                let protected = ProtectedPath::parse(pattern).unwrap();
                for path in paths {
                    let matches = protected.matches(&FilePath::parse(path).unwrap());
                    assert_eq!(matches, $expected, "{pattern} on {path}");
                }
            }
        }
    };
}

matching!(protects, true,
    "~/.ssh": "~/.ssh", "~/.ssh/id", "~/.ssh/a/b";
    "~/.ssh/**": "~/.ssh", "~/.ssh/id", "~/.ssh/a/b";
    "~/**/.env": "~/.env", "~/a/.env", "~/a/b/.env/c";
    "/etc/shadow": "/etc/shadow", "/etc/shadow/x";
    ".env": ".env", "a/.env", "a/b/.env", "a/.env/b";
    "**/.env": ".env", "a/.env", "a/b/.env";
    ".env*": ".env", ".env.local", "a/.env~", "a/.env/b";
    "a/b": "a/b", "a/b/c";
    "a/*": "a/b", "a/.b", "a/b/c";
    "a/*/c": "a/b/c", "a/b/c/d";
    "a/**/c": "a/c", "a/b/c", "a/b/b/c", "a/b/c/d";
    "a/**": "a", "a/b", "a/b/c";
    "*a": "a", "a/b", "ba", "./~a";
    "?": "a", "é", "b/a/bb";
    "a?c": "abc", "x/a.c";
    "[a-c]x": "ax", "bx", "cx";
    "[-x]": "-", "x";
    "[x-]": "-", "x";
    "[a^]": "^", "a";
    "[à-é]": "é";
    "*.pem": ".pem", "a.pem", "x/a.b.pem";
    "a*b*c": "abc", "axbxc", "abbcc", "abcbc";
    "**/x/*/y": "x/a/y", "x/x/y", "x/x/a/y", "a/x/b/y";
    "**/x/**/y": "x/y", "a/x/b/c/y";
);

matching!(leaves_open, false,
    "~/.ssh": "~/.ss", "~/.sshd", "~/.SSH", "/home/a/.ssh", ".ssh", "~", "~/a/.ssh";
    "~/.ssh/**": "~/.sshd", "~/.ss";
    "~/**/.env": "~", "~/a", "~/.envrc", ".env";
    "/etc/shadow": "/etc", "/etc/shadow-", "~/etc/shadow", "etc/shadow";
    ".env": ".envrc", "a.env", "~/.env", "/.env", "~/work/.env";
    ".env*": "env", "a/x.env";
    "a/b": "x/a/b", "a", "a/bc", "b";
    "a/*": "a", "ab", "x/a/b";
    "a/*/c": "a/c", "a/b/b/c", "a/b";
    "a/**/c": "a", "a/b", "c", "x/a/c";
    "a?c": "ac", "abbc", "a/c";
    "[a-c]x": "dx", "x", "a-x", "Ax";
    "*.pem": "pem", "a.pem~";
    "a*b*c": "acb", "ab", "a/b/c";
    "**/x/*/y": "x/y", "x/a/b/y";
);

/// The definition, without a thought for the work.
fn name_fits(pattern: &[char], name: &[char]) -> bool {
    match pattern {
        [] => name.is_empty(),
        ['*', rest @ ..] => (0..=name.len()).any(|taken| name_fits(rest, &name[taken..])),
        [first, rest @ ..] => {
            matches!(name, [c, ..] if *first == '?' || first == c) && name_fits(rest, &name[1..])
        }
    }
}

fn names_fit(pattern: &[&str], names: &[&str]) -> bool {
    match pattern {
        [] => true,
        ["**", rest @ ..] => (0..=names.len()).any(|taken| names_fit(rest, &names[taken..])),
        [first, rest @ ..] => {
            let fits = |name: &str| name_fits(&chars(first), &chars(name));
            names.first().is_some_and(|name| fits(name)) && names_fit(rest, &names[1..])
        }
    }
}

fn chars(text: &str) -> Vec<char> {
    text.chars().collect()
}

/// All strings over an alphabet, up to a length, joined.
fn words(alphabet: &[&str], longest: usize, joint: &str) -> Vec<String> {
    let mut all = vec![vec![]];
    for length in 0..longest {
        let last: Vec<Vec<&str>> = all
            .iter()
            .filter(|word| word.len() == length)
            .cloned()
            .collect();
        for word in last {
            all.extend(
                alphabet
                    .iter()
                    .map(|letter| [&word[..], &[letter]].concat()),
            );
        }
    }
    all.iter().skip(1).map(|word| word.join(joint)).collect()
}

#[test]
fn names_match_by_the_definition() {
    let names = words(&["a", "b"], 5, "");
    for pattern in words(&["a", "b", "*", "?"], 5, "") {
        let Ok(protected) = ProtectedPath::parse(&format!("/{pattern}")) else {
            assert!(
                pattern.contains("**") || glob::fits_every_name(&pattern),
                "{pattern}"
            );
            continue;
        };
        for name in &names {
            let path = FilePath::parse(&format!("/{name}")).unwrap();
            let expected = name_fits(&chars(&pattern), &chars(name));
            assert_eq!(protected.matches(&path), expected, "{pattern} on {name}");
        }
    }
}

#[test]
fn paths_match_by_the_definition() {
    let paths = words(&["a", "b", "ab"], 4, "/");
    for pattern in words(&["a", "b", "*", "a*", "**"], 4, "/") {
        let Ok(protected) = ProtectedPath::parse(&format!("~/{pattern}")) else {
            let all = pattern.split('/').all(glob::fits_every_name);
            assert!(pattern.contains("**/**") || all, "{pattern}");
            continue;
        };
        let wanted: Vec<_> = pattern.split('/').collect();
        for path in &paths {
            let names: Vec<_> = path.split('/').collect();
            let expected = names_fit(&wanted, &names);
            let path = FilePath::parse(&format!("~/{path}")).unwrap();
            assert_eq!(protected.matches(&path), expected, "{pattern} on {path}");
        }
    }
}

#[test]
fn matching_takes_at_most_the_product_of_the_lengths() {
    for (case, (pattern, path)) in [
        (
            format!("/{}b", "a*".repeat(2000)),
            format!("/{}", "a".repeat(4000)),
        ),
        (
            format!("~/{}b", "**/a/".repeat(800)),
            format!("~/{}a", "a/".repeat(2000)),
        ),
        (
            format!("~/{}b", "**/*a/".repeat(600)),
            format!("~/{}a", "aa/".repeat(1300)),
        ),
        (
            format!("/{}1", "[a-z]*".repeat(600)),
            format!("/{}0", "a".repeat(4000)),
        ),
        (
            format!("/*[{}]b", "b".repeat(4000)),
            format!("/{}", "a".repeat(4000)),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let protected = ProtectedPath::parse(&pattern).unwrap();
        let path = FilePath::parse(&path).unwrap();
        let mut steps = Steps::new(4 * 4096 * 4096);
        assert_eq!(
            protected.matches_within(&path, &mut steps),
            Some(false),
            "case {case}"
        );
        assert_eq!(
            protected.matches_within(&path, &mut Steps::new(100)),
            None,
            "case {case}"
        );
    }
}

#[test]
fn every_example_is_meant() {
    for pattern in words(&["a", "*", ".*", "?", "[bc]", "**"], 3, "/") {
        for pattern in [pattern.clone(), format!("~/{pattern}")] {
            let Ok(protected) = ProtectedPath::parse(&pattern) else {
                continue;
            };
            assert!(protected.examples().next().is_some(), "{pattern}");
            for example in protected.examples() {
                assert!(
                    protected.matches(&example),
                    "{pattern} does not mean {example}"
                );
                assert_eq!(FilePath::parse(&example.to_string()), Ok(example));
            }
        }
    }
}

#[test]
fn one_meaning_has_one_string() {
    let meaning = |text| ProtectedPath::parse(text).unwrap().meaning();
    assert_eq!(meaning(".env"), meaning("**/.env"));
    assert_eq!(meaning("~/.ssh"), meaning("~/.ssh/**"));
    assert_ne!(meaning("a"), meaning("a/**"));
    assert_ne!(meaning("/a"), meaning("~/a"));
    assert_ne!(meaning("~/a"), meaning("a"));
}

#[test]
fn folding_finds_the_same_place_under_its_other_names() {
    let folded = |text| {
        let (anchor, names) = anchored(text);
        fold::folded_key(anchor, names)
    };
    for (text, key) in [
        ("/opt/Cache", "/opt/cache/"),
        ("~/Work", "~/work/"),
        ("/Users/alice", "~/"),
        ("/Users/alice/Work", "~/work/"),
        ("/home/bob/a/b", "~/a/b/"),
        ("/root/a", "~/a/"),
        ("/rooted/a", "/rooted/a/"),
        ("/var/root/a", "~/a/"),
        ("/var/roots/a", "/var/roots/a/"),
        ("/var/home/bob/a", "~/a/"),
        ("/private/var/root/a", "~/a/"),
        ("/private/tmp/a", "/tmp/a/"),
        ("/private", "/private/"),
        ("/private/work", "/private/work/"),
        ("/System/Volumes/Data/Users/alice/a", "~/a/"),
        ("/System/Volumes/Data/private/var/root/a", "~/a/"),
        ("/System/Volumes/Data", "/system/volumes/data/"),
        ("/users", "/users/"),
        ("/opt/STRASSE", "/opt/strasse/"),
        ("/opt/straße", "/opt/strasse/"),
        ("/opt/ΟΔΟΣ", "/opt/οδοσ/"),
        ("/opt/οδος", "/opt/οδοσ/"),
        ("/opt/ÉTÉ", "/opt/été/"),
    ] {
        assert_eq!(folded(text), key, "{text}");
    }
}

#[test]
fn each_refusal_has_its_own_code_and_a_remedy() {
    let samples = [
        WritableRoot::parse("/etc").unwrap_err(),
        WritableRoot::parse("~/.codex/x").unwrap_err(),
        ProtectedPath::parse("a{b}").unwrap_err(),
    ];
    assert_eq!(samples[0].to_string(), "a writable root cannot be `/etc`");
    assert_eq!(
        samples[1].to_string(),
        "a writable root cannot be over or under `~/.codex` (Codex reads its configuration and rules there)",
    );
    assert_eq!(
        samples[2].to_string(),
        "a path cannot contain `!`, `(`, `)`, `{` or `}`"
    );
    for error in samples {
        assert!(!error.help().ends_with('.'), "{error}");
    }
}

#[test]
fn a_remedy_for_a_root_names_roots_that_are_accepted() {
    for root in ["/", "~", "/etc", "/home", "/mnt", "/Volumes", "/etc/acme"] {
        let help = WritableRoot::parse(root).unwrap_err().help();
        let named: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "{root}: {help}");
        for path in named {
            assert!(WritableRoot::parse(path).is_ok(), "{root}: {help}");
        }
    }
}

proptest! {
    #[test]
    fn parsing_never_panics_and_keeps_the_spelling(text in ".{0,40}") {
        if let Ok(root) = WritableRoot::parse(&text) {
            prop_assert_eq!(root.as_str(), &text);
        }
        if let Ok(path) = ProtectedPath::parse(&text) {
            prop_assert_eq!(path.as_str(), &text);
        }
        if let Ok(path) = FilePath::parse(&text) {
            prop_assert_eq!(FilePath::parse(&path.to_string()), Ok(path));
        }
    }

    #[test]
    fn a_suggestion_is_always_accepted(text in r"[ ~/.$a*{}\\é\[\]HOME]{0,16}") {
        if let Some(root) = WritableRoot::suggestion(&text) {
            prop_assert!(WritableRoot::parse(&root).is_ok() && root != text);
        }
        if let Some(path) = ProtectedPath::suggestion(&text) {
            prop_assert!(ProtectedPath::parse(&path).is_ok() && path != text);
        }
    }

    #[test]
    fn a_refused_root_stays_refused_in_any_case(text in "[~/a-z.]{1,3}(etc|usr|home|root|users|var|lib|private|\\.codex|run|/|x){0,5}") {
        let refused = WritableRoot::parse(&text).is_err();
        prop_assert_eq!(WritableRoot::parse(&text.to_uppercase()).is_err(), refused);
    }
}
