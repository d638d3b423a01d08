//! `egress diff`: what the second policy permits beyond the first, and the reverse.

use super::{ACME, HALOS, about, halo, policy};

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
