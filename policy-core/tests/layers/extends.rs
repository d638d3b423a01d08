//! `extends`: scalars replace, lists add, an empty grant list clears, an empty restriction list does
//! nothing.

use super::{errors, of_severity, profile, validate};
use policy_core::{Finding, Severity};

const HALOS: (&str, &str) = (
    "halos.yaml",
    "rings: { ga: { profile: child, default: true } }",
);

/// The policy of a child with this parent.
fn child(parent: &str, child: &str) -> String {
    let child = format!("extends: parent\n{child}");
    let validation = validate(&[
        HALOS,
        ("profiles/parent.yaml", parent),
        ("profiles/child.yaml", &child),
    ]);
    profile(&validation, "child")
}

#[test]
fn a_child_adds_clears_and_replaces() {
    for (parent, own, expected) in [
        // Nothing is said, and nothing changes.
        (
            "egress: { allowedDomains: [a.example] }",
            "",
            "+a.example else deny (implied) workspace-write (implied)",
        ),
        ("", "", "else allow (implied)"),
        // Grant lists add up; `[]` clears.
        (
            "egress: { allowedDomains: [a.example] }",
            "egress: { allowedDomains: [b.example] }",
            "+a.example +b.example else deny (implied) workspace-write (implied)",
        ),
        (
            "egress: { allowedDomains: [a.example], presets: [vcs] }",
            "egress: { allowedDomains: [] }",
            "+vcs else deny (implied) workspace-write (implied)",
        ),
        (
            "egress: { allowedDomains: [a.example], presets: [vcs] }",
            "egress: { presets: [] }",
            "+a.example else deny (implied) workspace-write (implied)",
        ),
        (
            "egress: { allowedDomains: [a.example] }",
            "egress: { allowedDomains: [], default: allow }",
            "else allow",
        ),
        (
            "egress: { presets: [vcs] }",
            "egress: { presets: [model-providers] }",
            "+model-providers +vcs else deny (implied) workspace-write (implied)",
        ),
        (
            "sandbox: { writableRoots: [/opt/a] }",
            "sandbox: { writableRoots: [/opt/b] }",
            "else allow (implied) workspace-write (implied) +/opt/a +/opt/b",
        ),
        (
            "sandbox: { writableRoots: [/opt/a] }",
            "sandbox: { writableRoots: [] }",
            "else allow (implied)",
        ),
        // Restriction lists add up; `[]` clears nothing.
        (
            "egress: { deniedDomains: [a.example] }",
            "egress: { deniedDomains: [b.example] }",
            "-a.example -b.example else allow (implied) workspace-write (implied)",
        ),
        (
            "egress: { deniedDomains: [a.example] }",
            "egress: { deniedDomains: [] }",
            "-a.example else allow (implied) workspace-write (implied)",
        ),
        (
            "sandbox: { protectedPaths: [.env] }",
            "sandbox: { protectedPaths: [] }",
            "else allow (implied) workspace-write (implied) -.env",
        ),
        (
            "sandbox: { protectedPaths: [.env] }",
            "sandbox: { protectedPaths: [~/.ssh] }",
            "else allow (implied) workspace-write (implied) -.env -~/.ssh",
        ),
        // Scalars replace.
        (
            "egress: { default: deny }",
            "egress: { default: allow }",
            "else allow",
        ),
        (
            "egress: { default: allow }",
            "egress: { default: deny }",
            "else deny workspace-write (implied)",
        ),
        (
            "egress: { default: deny }",
            "",
            "else deny workspace-write (implied)",
        ),
        (
            "sandbox: { mode: off }",
            "sandbox: { mode: read-only }",
            "else allow (implied) read-only",
        ),
        (
            "sandbox: { mode: read-only }",
            "sandbox: { mode: off }",
            "else allow (implied) off",
        ),
        // `permissions.sandbox` and `sandbox.mode` are one scalar.
        (
            "sandbox: { mode: off }",
            "permissions: { sandbox: read-only }",
            "else allow (implied) read-only",
        ),
        (
            "permissions: { sandbox: off }",
            "sandbox: { mode: read-only }",
            "else allow (implied) read-only",
        ),
        (
            "permissions: { sandbox: read-only }\nsandbox: { mode: read-only }",
            "",
            "else allow (implied) read-only",
        ),
        // Equal entries are one.
        (
            "egress: { allowedDomains: [a.example] }",
            "egress: { allowedDomains: [a.example] }",
            "+a.example else deny (implied) workspace-write (implied)",
        ),
    ] {
        assert_eq!(child(parent, own), expected, "{parent} | {own}");
    }
}

#[test]
fn the_root_ancestor_speaks_first_however_long_the_chain_is() {
    let text = |n: usize| match n {
        0 => "egress: { allowedDomains: [p0.example], default: deny }".to_owned(),
        // One in the middle clears what came before it.
        50 => "extends: p49\negress: { allowedDomains: [] }".to_owned(),
        n => format!(
            "extends: p{}\negress: {{ allowedDomains: [p{n}.example] }}",
            n - 1
        ),
    };
    let mut files = vec![("halos.yaml".to_owned(), "rings: {}".to_owned())];
    files.extend((0..100).map(|n| (format!("profiles/p{n}.yaml"), text(n))));
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let validation = validate(&files);
    assert_eq!(errors(&validation), [""; 0]);
    let policy = profile(&validation, "p99");
    for n in 0..100 {
        assert_eq!(policy.contains(&format!("+p{n}.example ")), n > 50, "p{n}");
    }
}

#[test]
fn harnesses_are_pinned_one_by_one() {
    let validation = validate(&[
        HALOS,
        (
            "profiles/parent.yaml",
            "harnesses: { codex: 0.166.0, claude-code: 2.1.280 }",
        ),
        (
            "profiles/child.yaml",
            "extends: parent\nharnesses: { codex: 0.167.0, opencode: 1.0.0 }",
        ),
    ]);
    let organisation = super::organisation(&validation);
    let selection = organisation.select(None, None).unwrap();
    let pins = selection.policy().pins();
    let pins: Vec<String> = pins
        .map(|(harness, version)| format!("{harness} {version}"))
        .collect();
    assert_eq!(
        pins,
        ["claude-code 2.1.280", "codex 0.167.0", "opencode 1.0.0"]
    );
}

#[test]
fn a_child_that_permits_more_is_told_by_meaning() {
    const NONE: [&str; 0] = [];
    for (parent, own, expected) in [
        (
            "egress: { allowedDomains: ['*.a.example'] }",
            "egress: { allowedDomains: [x.a.example] }",
            &NONE[..],
        ),
        (
            "egress: { allowedDomains: ['*.a.example'] }",
            "egress: { allowedDomains: [a.example] }",
            &["egress.allowedDomains[0]"],
        ),
        (
            "egress: { presets: [vcs] }",
            "egress: { allowedDomains: [github.com] }",
            &NONE,
        ),
        (
            "egress: { allowedDomains: [a.example], deniedDomains: [b.example] }",
            "egress: { allowedDomains: [b.example] }",
            &NONE,
        ),
        (
            "egress: { allowedDomains: [a.example] }",
            "egress: { allowedDomains: [], default: allow }",
            // The mode as well: it was implied, and nothing implies one any more.
            &["extends", "egress.default"],
        ),
        (
            "egress: { default: deny }",
            "egress: { default: allow }",
            &["extends", "egress.default"],
        ),
        (
            "egress: { default: allow }",
            "egress: { allowedDomains: [a.example], default: deny }",
            &NONE,
        ),
        (
            "sandbox: { mode: read-only }",
            "sandbox: { mode: workspace-write }",
            &["sandbox.mode"],
        ),
        (
            "sandbox: { mode: workspace-write }",
            "sandbox: { mode: read-only }",
            &NONE,
        ),
        (
            "sandbox: { mode: workspace-write }",
            "sandbox: { mode: off }",
            &["sandbox.mode"],
        ),
        (
            "sandbox: { mode: workspace-write, writableRoots: [/opt/a] }",
            "sandbox: { writableRoots: [/opt/a/b] }",
            &NONE,
        ),
        (
            "sandbox: { mode: workspace-write, writableRoots: [/opt/a/b] }",
            "sandbox: { writableRoots: [/opt/a] }",
            &["sandbox.writableRoots[0]"],
        ),
        // Without a sandbox policy everything is permitted already.
        (
            "",
            "sandbox: { mode: workspace-write, writableRoots: [/opt/a] }",
            &NONE,
        ),
        ("", "sandbox: { mode: off }", &NONE),
    ] {
        let own = format!("extends: parent\n{own}");
        let validation = validate(&[
            HALOS,
            ("profiles/parent.yaml", parent),
            ("profiles/child.yaml", &own),
        ]);
        assert_eq!(errors(&validation), NONE, "{parent} | {own}");
        let warnings = of_severity(&validation, Severity::Warning);
        let widened: Vec<&str> = warnings
            .iter()
            .filter_map(|line| line.strip_prefix("widens-parent profiles.child."))
            .collect();
        assert_eq!(widened, expected, "{parent} | {own}");
    }
}

#[test]
fn what_contradicts_itself_only_as_a_whole_is_told_where_the_last_word_was() {
    for (parent, own, expected) in [
        (
            "sandbox: { writableRoots: [~/work] }",
            "sandbox: { protectedPaths: [~/work/secret] }",
            "root-and-protected profiles.child.sandbox.protectedPaths[0]",
        ),
        (
            "sandbox: { protectedPaths: [~/work/secret] }",
            "sandbox: { writableRoots: [~/work] }",
            "root-and-protected profiles.child.sandbox.writableRoots[0]",
        ),
        (
            "sandbox: { writableRoots: [/opt/a] }",
            "sandbox: { mode: read-only }",
            "read-only-with-roots profiles.child.sandbox.mode",
        ),
        (
            "sandbox: { mode: read-only }",
            "sandbox: { writableRoots: [/opt/a] }",
            "read-only-with-roots profiles.child.sandbox.writableRoots[0]",
        ),
        (
            "sandbox: { mode: off }",
            "egress: { presets: [vcs] }",
            "off-with-rules profiles.child.egress.presets[0]",
        ),
        (
            "egress: { default: deny }",
            "sandbox: { mode: off }",
            "off-with-rules profiles.child.sandbox.mode",
        ),
        (
            "egress: { default: allow }",
            "egress: { allowedDomains: [a.example] }",
            "default-allow-with-allowlist profiles.child.egress.allowedDomains[0]",
        ),
        (
            "egress: { allowedDomains: [a.example] }",
            "egress: { default: allow }",
            "default-allow-with-allowlist profiles.child.egress.default",
        ),
        (
            "egress: { allowedDomains: [a.example] }",
            "egress: { allowedDomains: [] }",
            "ambiguous-empty-allowlist profiles.child.egress.allowedDomains",
        ),
        (
            "egress: { allowedDomains: [a.example] }",
            "egress: { presets: [], allowedDomains: [] }",
            "ambiguous-empty-allowlist profiles.child.egress.allowedDomains",
        ),
    ] {
        let own = format!("extends: parent\n{own}");
        let validation = validate(&[
            HALOS,
            ("profiles/parent.yaml", parent),
            ("profiles/child.yaml", &own),
        ]);
        assert_eq!(errors(&validation), [expected], "{parent} | {own}");
    }
}

#[test]
fn an_error_of_a_parent_is_told_once_however_many_extend_it() {
    let validation = validate(&[
        HALOS,
        (
            "profiles/parent.yaml",
            "sandbox: { mode: read-only, writableRoots: [/opt/a] }",
        ),
        ("profiles/child.yaml", "extends: parent"),
        ("profiles/grandchild.yaml", "extends: child"),
    ]);
    assert_eq!(
        errors(&validation),
        ["read-only-with-roots profiles.parent.sandbox.writableRoots[0]"]
    );
}

#[test]
fn what_cannot_be_parsed_hides_no_other_error_and_makes_none() {
    // An allowed host is missing for its spelling: that the list is empty, that the gateway is
    // denied or that the child widens would be said of a policy that nobody wrote.
    let halos = (
        "halos.yaml",
        "gateway: https://ai.example\nrings: { ga: { profile: parent, default: true } }",
    );
    let validation = validate(&[
        halos,
        (
            "profiles/parent.yaml",
            "sandbox: { mode: read-only, writableRoots: [/opt/a, /etc] }\n\
             egress: { allowedDomains: [AI.example] }",
        ),
        (
            "profiles/child.yaml",
            "extends: parent\negress: { allowedDomains: [b.example], default: allow }",
        ),
    ]);
    assert_eq!(
        errors(&validation),
        [
            "default-allow-with-allowlist profiles.child.egress.default",
            "read-only-with-roots profiles.parent.sandbox.writableRoots[0]",
            "root-is-system profiles.parent.sandbox.writableRoots[1]",
            "pattern-upper-case profiles.parent.egress.allowedDomains[0]",
        ]
    );
    assert_eq!(of_severity(&validation, Severity::Warning), [""; 0]);
}

#[test]
fn a_long_cycle_is_told_by_its_first_eight() {
    for (members, told) in [
        (8, "p0 → p1 → p2 → p3 → p4 → p5 → p6 → p7 → p0"),
        (9, "p0 → p1 → p2 → p3 → p4 → p5 → p6 → p7 → … → p0"),
        (12, "p0 → p1 → p2 → p3 → p4 → p5 → p6 → p7 → … → p0"),
    ] {
        let files: Vec<(String, String)> = (0..members)
            .map(|at| {
                let parent = (at + 1) % members;
                let file = format!("profiles/p{at}.yaml");
                (file, format!("extends: p{parent}\n"))
            })
            .collect();
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(file, text)| (file.as_str(), text.as_str()))
            .collect();
        let validation = validate(&files);
        let messages: Vec<&str> = validation.findings().iter().map(Finding::message).collect();
        assert!(
            messages.contains(&format!("`p0` extends itself: {told}").as_str()),
            "{messages:#?}"
        );
    }
}
