//! `egress diff`: what the second policy permits beyond the first, and the reverse.

use super::{ACME, HALOS, about, command, halo, policy, run};

#[test]
fn the_difference_is_grouped_by_reason_and_shown_by_a_witness() {
    let wider = about(ACME, &["egress", "diff", "ring3-ga", "ring0-canary"]);
    assert_eq!(
        wider.stdout,
        "\
A  ring ring3-ga, profile engineering
B  ring ring0-canary, profile canary
B permits what A does not
  hosts that A denies by egress.default deny (implied)
    `staging.acme.example`  for example staging.acme.example
WIDER: B permits what A does not, for 1 reason
"
    );
    assert_eq!((wider.status, &*wider.stderr), (1, ""));
    let narrower = about(ACME, &["egress", "diff", "ring0-canary", "ring3-ga"]);
    assert_eq!(
        narrower.stdout,
        "\
A  ring ring0-canary, profile canary
B  ring ring3-ga, profile engineering
A permits what B does not
  hosts that B denies by egress.default deny (implied)
    `staging.acme.example`  for example staging.acme.example
OK: B is within A
"
    );
    assert_eq!(narrower.status, 0);
    let same = about(ACME, &["egress", "diff", "profile:engineering", "ring3-ga"]);
    assert_eq!(
        same.stdout.lines().last(),
        Some("OK: A and B permit the same")
    );
    assert_eq!(same.status, 0);
}

#[test]
fn every_kind_of_difference_is_told() {
    let strict = "
sandbox: { mode: read-only, protectedPaths: [~/.ssh, '**/.env'] }
egress: { allowedDomains: ['*.a.example'], deniedDomains: [x.a.example, '*.y.a.example'] }
";
    let lax = "
sandbox: { mode: workspace-write, writableRoots: [/opt/cache], protectedPaths: ['~/.s*'] }
egress: { allowedDomains: ['*.a.example', b.example], presets: [vcs], deniedDomains: [z.a.example] }
";
    let directory = policy(
        "kinds",
        &[
            HALOS,
            ("profiles/base.yaml", strict),
            ("profiles/lax.yaml", lax),
        ],
    );
    let answer = about(&directory, &["egress", "diff", "ga", "profile:lax"]);
    assert_eq!(answer.status, 1);
    assert_eq!(
        answer.stdout,
        "\
A  ring ga, profile base
B  profile lax
B permits what A does not
  hosts that A denies by egress.deniedDomains x.a.example
    `*.a.example`  for example x.a.example
  hosts that A denies by egress.deniedDomains *.y.a.example
    `*.a.example`  for example a.y.a.example
  hosts that A denies by egress.default deny (implied)
    `b.example`  for example b.example
    `api.github.com` of preset `vcs`  for example api.github.com
    `bitbucket.org` of preset `vcs`  for example bitbucket.org
    `codeload.github.com` of preset `vcs`  for example codeload.github.com
    `github.com` of preset `vcs`  for example github.com
    `gitlab.com` of preset `vcs`  for example gitlab.com
    `*.githubusercontent.com` of preset `vcs`  for example a.githubusercontent.com
  mode
    mode `workspace-write`  for example .
  writable roots
    writable root `/opt/cache`  for example /opt/cache
  protected paths
    no protection of `**/.env`  for example .env
A permits what B does not
  hosts that B denies by egress.deniedDomains z.a.example
    `*.a.example`  for example z.a.example
  protected paths
    no protection of `~/.s*`  for example ~/.s
WIDER: B permits what A does not, for 12 reasons
"
    );
}

#[test]
fn other_directories_are_compared() {
    let base = (
        "profiles/base.yaml",
        "egress: { allowedDomains: [a.example] }",
    );
    let main = policy("diff-main", &[HALOS, base]);
    let proposed = (
        "profiles/base.yaml",
        "egress: { allowedDomains: [a.example, b.example] }",
    );
    // A directory's name may hold what a name of a ring may not.
    let branch = policy("diff#branch+1", &[HALOS, proposed]);
    let of = |directory: &std::path::Path, what: &str| format!("{}#{what}", directory.display());
    for (a, b, status) in [
        (of(&main, "ga"), of(&branch, "ga"), 1),
        (of(&branch, "ga"), of(&main, "ga"), 0),
        (of(&main, "profile:base"), of(&branch, "profile:base"), 1),
        (of(&main, "ga"), "profile:base".to_owned(), 1),
    ] {
        let answer = about(&branch, &["egress", "diff", &a, &b]);
        assert_eq!((answer.status, &*answer.stderr), (status, ""), "{a} {b}");
    }
    // The directory of `--policy-dir` need not be a policy where both sides name their own.
    let answer = halo(&[
        "egress",
        "diff",
        &of(&main, "ga"),
        &of(&branch, "ga"),
        "--output",
        "json",
    ]);
    let json = answer.json();
    assert_eq!(json["within"], false);
    assert_eq!(json["wider"][0]["evidence"], "b.example");
    assert_eq!(json["wider"][0]["denied_by"]["field"], "egress.default");
    assert_eq!(json["narrower"].as_array().unwrap().len(), 0);
    assert_eq!(json["b"]["dir"], branch.display().to_string());
    let missing = halo(&["egress", "diff", &of(&main, "ga"), "nowhere#ga"]);
    assert_eq!((missing.status, &*missing.stdout), (2, ""));
}

const RINGS: &str = "
gateway: https://ai.a.example
rings: { ga: { profile: base, posture: enforce, default: true }, canary: { profile: base } }
";
const BASE: &str = "
harnesses: { codex: 0.166.0 }
egress: { allowedDomains: [ai.a.example, '*.b.example'], deniedDomains: [x.b.example] }
sandbox: { mode: workspace-write, protectedPaths: [~/.ssh] }
";
const PAY: &str = "overlays: [{ egress: { deniedDomains: [y.b.example] } }]";

fn repository(name: &str, halos: &str, base: &str, pay: Option<&str>) -> String {
    let mut files = vec![("halos.yaml", halos), ("profiles/base.yaml", base)];
    files.extend(pay.map(|pay| ("units/pay.yaml", pay)));
    policy(name, &files).display().to_string()
}

#[test]
fn two_repositories_are_compared_in_everything_that_they_say() {
    let main = repository("whole-main", RINGS, BASE, Some(PAY));
    let less = BASE.replace("x.b.example]", "x.b.example, z.b.example]");
    let less = repository("whole-less", RINGS, &less, Some(PAY));
    let lowered = BASE
        .replace("0.166.0", "0.150.0")
        .replace("ai.a.example,", "ai.a.example, new.example,");
    let halos = RINGS
        .replace("posture: enforce, ", "")
        .replace("https", "http");
    let more = repository("whole-more", &halos, &lowered, None);

    let same = halo(&["egress", "diff", &main, &main]);
    assert_eq!(
        same.stdout,
        format!("A  `{main}`\nB  `{main}`\nA and B permit the same\n")
    );
    assert_eq!((same.status, &*same.stderr), (0, ""));

    let narrower = halo(&["egress", "diff", &main, &less]);
    assert_eq!(
        narrower.stdout,
        format!(
            "\
A  `{main}`
B  `{less}`
B permits less; A permits more:
  hosts
    `*.b.example`  for example z.b.example: allows `z.b.example` by egress.allowedDomains *.b.example; denied there by egress.deniedDomains z.b.example (ring ga; ring ga, unit pay; ring canary; ring canary, unit pay)
"
        )
    );
    assert_eq!(narrower.status, 0);
    assert_eq!(halo(&["egress", "diff", &less, &main]).status, 1);

    let wider = halo(&["egress", "diff", &main, &more]);
    assert_eq!(wider.status, 1);
    let lines: Vec<&str> = wider.stdout.lines().collect();
    assert_eq!(lines[2], "B permits more:");
    for expected in [
        "  hosts",
        "    `new.example`  for example new.example: allows `new.example` by egress.allowedDomains new.example; denied there by egress.default deny (implied) (ring ga; ring canary)",
        "  posture",
        "    posture `warn`  the posture is `warn` here and `enforce` there (ring ga)",
        "  gateway",
        "    gateway `http://ai.a.example/`  the gateway is `http://ai.a.example/` here and `https://ai.a.example/` there (every ring)",
        "  unit",
        "    without the unit, `*.b.example`  for example y.b.example: allows `y.b.example` by egress.allowedDomains *.b.example; denied there by egress.deniedDomains y.b.example (ring ga, unit pay; ring canary, unit pay)",
        "and elsewhere less; A permits more:",
    ] {
        assert!(lines.contains(&expected), "{expected}\n{}", wider.stdout);
    }
    // The very old release honours no managed limit at all.
    let old = repository(
        "whole-old",
        RINGS,
        &BASE.replace("0.166.0", "0.90.0"),
        Some(PAY),
    );
    let answer = halo(&["egress", "diff", &main, &old, "--output", "json"]);
    let json = answer.json();
    assert_eq!((answer.status, &json["within"]), (1, &false.into()));
    let differences = json["differences"].as_array().unwrap();
    let kinds: Vec<(&str, &str)> = differences
        .iter()
        .map(|one| {
            (
                one["change"].as_str().unwrap(),
                one["kind"].as_str().unwrap(),
            )
        })
        .collect();
    assert!(
        kinds.iter().all(|kind| *kind == ("more", "pin")),
        "{kinds:?}"
    );
    let shown = differences
        .iter()
        .find(|one| one["evidence"] == "x.b.example")
        .unwrap();
    assert_eq!(shown["where"].as_array().unwrap().len(), 4);
    assert_eq!(shown["systems"].as_array().unwrap().len(), 3);
    assert_eq!(halo(&["egress", "diff", &old, &main]).status, 0);
}

#[test]
fn a_directory_is_what_has_a_slash_and_a_plain_name_is_a_ring() {
    let main = repository("whole-named", RINGS, BASE, Some(PAY));
    let inside = |arguments: &[&str]| {
        let mut command = command(&["egress", "diff"]);
        command.args(arguments).current_dir(&main);
        run(command, b"")
    };
    for (arguments, status) in [
        (&[".", "."][..], 0),
        (&[".", "./"], 0),
        (&["..", "."], 2),
        (&["../whole-named", &main], 0),
        (&["ga", "canary"], 0),
        // One directory and one policy.
        (&["ga", "."], 2),
        (&[".", "./#ga"], 2),
        (&[".", "profile:base"], 2),
        (&["profiles", "ga"], 2),
        (&[".", "./profiles"], 2),
        (&[".", "./nowhere"], 2),
        (&["./halos.yaml", "."], 2),
    ] {
        let answer = inside(arguments);
        assert_eq!(
            answer.status, status,
            "{arguments:?}: {}{}",
            answer.stdout, answer.stderr
        );
        assert_eq!(answer.stderr.is_empty(), status != 2, "{arguments:?}");
    }
    let plain = inside(&["profiles", "ga"]);
    assert!(
        plain
            .stderr
            .contains("for the directory, write `./profiles`"),
        "{}",
        plain.stderr
    );
    // A directory with errors is no repository to compare.
    let broken = repository("whole-broken", RINGS, "egress: { default: block }", None);
    let answer = halo(&["egress", "diff", &main, &broken, "--output", "json"]);
    assert_eq!(answer.status, 2);
    assert_eq!(answer.json()["error"]["code"], "invalid-policy");
}

#[test]
fn a_pin_that_cannot_be_rendered_is_named_once() {
    let main = repository("named-once-main", RINGS, BASE, None);
    let lowered = BASE.replace("0.166.0", "0.135.0");
    let lowered = repository("named-once-lowered", RINGS, &lowered, None);
    let told = halo(&["egress", "diff", &main, &lowered]);
    assert_eq!(told.status, 1);
    let line = told
        .stdout
        .lines()
        .find(|line| line.contains("cannot be rendered"))
        .unwrap();
    let (what, _) = line.split_once("  for example").unwrap();
    assert_eq!(what.matches("0.135.0").count(), 1, "{line}");
}
