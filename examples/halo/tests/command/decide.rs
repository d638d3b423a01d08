//! `egress test` about one host: layout, exit code, JSON; `presets`; colour; help.

use super::{ACME, about, command, halo, policy, run};

/// The first lines of an answer; harness rows follow.
fn first(answer: &super::Answer, lines: usize) -> Vec<&str> {
    answer.stdout.lines().take(lines).collect()
}

#[test]
fn the_answer_is_laid_out_as_documented() {
    for (host, more, expected, status) in [
        (
            "https://pastebin.com/raw/x",
            &["--ring", "ring3-ga"][..],
            [
                "DENY pastebin.com  (ring ring3-ga, profile engineering)",
                "rule   egress.deniedDomains pastebin.com",
            ],
            1,
        ),
        (
            "github.com:443",
            &[],
            [
                "ALLOW github.com  (ring ring3-ga, profile engineering)",
                "rule   egress.presets vcs (github.com)",
            ],
            0,
        ),
        (
            "x.github.com",
            &[],
            [
                "DENY x.github.com  (ring ring3-ga, profile engineering)",
                "rule   egress.default deny (implied)",
            ],
            1,
        ),
        (
            "MCP.acme.example.",
            &["--ring", "ring3-ga"],
            [
                "ALLOW mcp.acme.example  (ring ring3-ga, profile engineering)",
                "rule   egress.allowedDomains mcp.acme.example",
            ],
            0,
        ),
        (
            "staging.acme.example",
            &["--ring", "ring0-canary"],
            [
                "ALLOW staging.acme.example  (ring ring0-canary, profile canary)",
                "rule   egress.allowedDomains staging.acme.example",
            ],
            0,
        ),
        (
            "gist.github.com",
            &["--unit", "payments"],
            [
                "DENY gist.github.com  (ring ring3-ga, unit payments, profile engineering)",
                "rule   egress.deniedDomains gist.github.com",
            ],
            1,
        ),
        (
            "mcp.acme.example",
            &["--unit", "payments", "--ring", "ring3-ga"],
            [
                "DENY mcp.acme.example  (ring ring3-ga, unit payments, profile engineering)",
                "rule   egress.default deny (implied)",
            ],
            1,
        ),
    ] {
        let answer = about(ACME, &[&["egress", "test", host], more].concat());
        assert_eq!(first(&answer, 2), expected, "{host}");
        assert_eq!((answer.status, answer.complaint()), (status, ""), "{host}");
    }
}

#[test]
fn a_text_that_is_no_host_is_not_decided() {
    let answer = about(ACME, &["egress", "test", "data:text/plain,x"]);
    assert_eq!((answer.status, &*answer.stdout), (2, ""));
    assert_eq!(
        answer.complaint(),
        "error: `data:…` is not a host: a scheme without `//`, or one whose clients may go to another host"
    );
    let answer = about(
        ACME,
        &["egress", "test", "git@github.com:o/r", "--output", "json"],
    );
    let json = answer.json();
    assert_eq!(answer.status, 2);
    assert_eq!(json["decision"], "deny");
    assert_eq!(json["error"]["code"], "host-userinfo-without-scheme");
    assert_eq!(json["error"]["help"], "write `ssh://git@github.com/o/r`");
}

#[test]
fn the_sample_policy_is_valid_and_counts_what_the_document_says() {
    let answer = about(ACME, &["validate"]);
    assert_eq!(answer.status, 0);
    let last = answer.stdout.lines().last();
    assert_eq!(last, Some("OK: policy valid (2 warnings)"));
    let codes: Vec<&str> = answer
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("warning["))
        .map(|rest| rest.split(':').next().unwrap())
        .collect();
    assert_eq!(
        codes,
        [
            "widens-parent] profiles/canary.yaml",
            "widens-parent] profiles/engineering.yaml"
        ]
    );
    let answer = about(ACME, &["egress", "test", "github.com", "--output", "json"]);
    let rules = &answer.json()["rules"];
    assert_eq!(rules["default"], "deny");
    assert_eq!(rules["allowed"].as_array().unwrap().len(), 19);
    assert_eq!(rules["denied"].as_array().unwrap().len(), 2);
}

#[test]
fn presets_are_listed_and_an_unknown_one_is_told_with_the_nearest() {
    let all = halo(&["presets"]);
    let names: Vec<&str> = all
        .stdout
        .lines()
        .filter(|line| !line.starts_with([' ']) && !line.is_empty())
        .collect();
    assert_eq!(
        (all.status, names),
        (0, vec!["model-providers", "package-registries", "vcs"])
    );
    let one = halo(&["presets", "vcs"]);
    assert!(
        one.stdout.starts_with("vcs\n  *.githubusercontent.com  "),
        "{}",
        one.stdout
    );
    assert!(!one.stdout.contains("api.openai.com"));
    for (name, told) in [
        (
            "vsc",
            "there is no preset `vsc`\n  help: did you mean `vcs`?",
        ),
        (
            "VCS",
            "there is no preset `VCS`\n  help: did you mean `vcs`?",
        ),
        (
            "package-registry",
            "there is no preset `package-registry`\n  help: did you mean `package-registries`?",
        ),
        (
            "a\u{1b}",
            "there is no preset `a\\u{1b}`\n  help: the presets are model-providers, package-registries, vcs",
        ),
    ] {
        let none = halo(&["presets", name]);
        assert_eq!((none.status, &*none.stdout), (2, ""));
        assert_eq!(none.stderr, format!("error: {told}\n"));
    }
}

#[test]
fn colour_is_for_terminals_unless_it_is_asked_for() {
    let arguments = ["egress", "test", "pastebin.com", "--policy-dir", ACME];
    let colour = |more: &[&str], variables: &[(&str, &str)]| {
        let mut command = command(&[&arguments[..], more].concat());
        command.envs(variables.iter().copied());
        let answer = run(command, b"");
        assert_eq!(answer.status, 1);
        answer.stdout.contains('\u{1b}')
    };
    assert!(!colour(&[], &[]));
    assert!(!colour(&["--color", "never"], &[]));
    assert!(colour(&["--color", "always"], &[]));
    // Asked for on the command line, it is given; NO_COLOR speaks where nothing is asked.
    assert!(colour(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(!colour(&["--color", "auto"], &[("NO_COLOR", "1")]));
    assert!(!colour(
        &["--color", "auto"],
        &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]
    ));
    // JSON is never coloured.
    assert!(!colour(&["--color", "always", "--output", "json"], &[]));
}

#[test]
fn every_example_of_the_help_is_a_command_line() {
    let base = policy("help", &[super::HALOS, ("profiles/base.yaml", "{}")]);
    let mut seen = 0;
    for subcommand in [
        &["--help"][..],
        &["validate", "--help"],
        &["egress", "test", "--help"],
        &["egress", "diff", "--help"],
        &["egress", "explain", "--help"],
        &["presets", "--help"],
    ] {
        let help = halo(subcommand);
        assert_eq!(help.status, 0, "{subcommand:?}");
        assert!(
            help.stdout.contains("Exit code"),
            "{subcommand:?}: {}",
            help.stdout
        );
        let examples = help
            .stdout
            .lines()
            .skip_while(|line| *line != "Examples:")
            .skip(1);
        for example in examples.take_while(|line| !line.is_empty()) {
            let words = example.trim().split(" | ").next().unwrap();
            let words = words
                .split(" && ")
                .next()
                .unwrap()
                .split(" < ")
                .next()
                .unwrap();
            let mut words = words.split(' ');
            assert_eq!(words.next(), Some("halo"), "{example}");
            let arguments: Vec<&str> = words.collect();
            // Whatever the answer is in this directory, the arguments are understood; `Usage` and
            // "For more information" are what the parser of arguments says otherwise.
            let mut command = command(&arguments);
            command.current_dir(&base);
            let answer = run(command, b"");
            assert!(
                !answer.stderr.contains("--help"),
                "{example}: {}",
                answer.stderr
            );
            seen += 1;
        }
    }
    assert!(seen >= 15, "{seen} examples");
}
