//! The ledger accounts for everything, and says what it does not hold in fixed words.

#[cfg(test)]
pub mod world;

#[cfg(test)]
mod ledger {
    use std::collections::BTreeSet;

    use harness_render::{
        Channel, Clause, Enforcer, Evidence, Feature, Hardening, Level, Os, State, Target,
        capability, enforcement, facts, render, verified,
    };
    use policy_core::{Egress, Harness, Host, Mode, Policy, Preset, Verdict, witnesses};
    use proptest::prelude::*;
    use proptest::sample::select;

    use crate::world;

    fn target(harness: Harness, version: &str, os: Os) -> Target {
        Target::new(harness, version.parse().unwrap(), os)
    }

    fn acme_like() -> Policy {
        let egress = Egress::builder()
            .allow(world::pattern("ai.acme.example"))
            .preset(Preset::Vcs)
            .deny(world::pattern("pastebin.com"))
            .build()
            .unwrap();
        let sandbox = world::sandbox(
            Mode::WorkspaceWrite,
            &["/opt/build-cache"],
            &["~/.ssh", ".env*"],
        );
        Policy::new(egress, Some(sandbox)).unwrap()
    }

    /// How many rows a policy must have, counted from the policy and not from its clauses.
    fn expected_rows(policy: &Policy) -> usize {
        let sandbox = policy.sandbox();
        let mode = usize::from(sandbox.is_some() || policy.has_egress_rules());
        let roots = sandbox.map_or(0, |sandbox| sandbox.writable_roots().len());
        let protected = sandbox.map_or(0, |sandbox| sandbox.protected_paths().len());
        let hosts = policy.egress().allowed().count() + policy.egress().denied().count() + 1;
        mode + roots + 2 * protected + 2 * hosts
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_clause_has_a_row_in_every_channel(
            policy in world::policies(),
            target in select(world::targets()),
        ) {
            let Ok(rendering) = render(&policy, &target, Hardening::Standard) else {
                return Ok(());
            };
            let rows = rendering.ledger().rows();
            let distinct: BTreeSet<_> = rows.iter().map(|row| (row.clause(), row.channel())).collect();
            prop_assert_eq!(distinct.len(), rows.len());
            prop_assert_eq!(rows.len(), expected_rows(&policy));
        }

        #[test]
        fn many_hosts_are_answered_as_each_alone(
            policy in world::policies(),
            target in select(world::targets()),
        ) {
            let mut enforcer = Enforcer::new(&policy, &target, Hardening::Standard);
            let hosts: Vec<Host> = witnesses(policy.egress().patterns()).collect();
            for host in hosts.iter().chain(hosts.iter().rev()) {
                let alone = enforcement(&policy, &target, Hardening::Standard, host);
                prop_assert_eq!(enforcer.enforcement(host), &alone, "{}", host);
            }
        }

        #[test]
        fn the_same_arguments_give_the_same_bytes(
            policy in world::policies(),
            target in select(world::targets()),
        ) {
            let once = render(&policy, &target, Hardening::Strict);
            prop_assert_eq!(once, render(&policy, &target, Hardening::Strict));
        }

        #[test]
        fn nothing_is_rendered_for_a_policy_that_limits_nothing(
            target in select(world::targets()),
        ) {
            let policy = Policy::new(Egress::builder().build().unwrap(), None).unwrap();
            let rendering = render(&policy, &target, Hardening::Strict).unwrap();
            prop_assert!(rendering.files().is_empty());
            prop_assert!(rendering.ledger().warnings().is_empty());
        }
    }

    #[test]
    fn a_pin_that_the_file_would_keep_from_starting_is_an_error() {
        for version in ["0.134.0", "0.136.2", "0.137.99", "0.138.0-alpha.1"] {
            let target = target(Harness::Codex, version, Os::Linux);
            let error = render(&acme_like(), &target, Hardening::Standard).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!(
                    "codex {version}: `sandbox.mode` cannot be rendered: these releases refuse to \
                     start when the file defines a permission profile; pin 0.138.0 or later, or \
                     0.133.0 or earlier"
                )
            );
        }
        for version in ["0.133.9", "0.138.0"] {
            let target = target(Harness::Codex, version, Os::Linux);
            assert!(render(&acme_like(), &target, Hardening::Standard).is_ok());
        }
    }

    #[test]
    fn a_pin_older_than_everything_rendered_is_not_held_on_every_clause() {
        for (harness, version) in [(Harness::ClaudeCode, "2.0.76"), (Harness::Codex, "0.75.0")] {
            let target = target(harness, version, Os::Linux);
            let rendering = render(&acme_like(), &target, Hardening::Strict).unwrap();
            assert!(rendering.files().is_empty());
            let mut rows = rendering.ledger().rows().iter();
            assert!(rows.all(|row| matches!(row.state(), State::NotHeld { .. })));
        }
    }

    #[test]
    fn a_field_that_nothing_supports_reads_so() {
        let target = target(Harness::ClaudeCode, "2.1.332", Os::Windows);
        let rendering = render(&acme_like(), &target, Hardening::Standard).unwrap();
        let warnings: Vec<String> = rendering
            .ledger()
            .warnings()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            warnings,
            [
                "claude-code: profile field \"sandbox.mode\" is not supported and was not rendered",
                "claude-code: profile field \"sandbox.writableRoots\" is not supported and was not rendered",
                "claude-code: sandbox.protectedPaths: shell: not held: commands have \
                 no sandbox on native Windows until one is set up there",
                "claude-code: egress.allowedDomains ai.acme.example: shell: not held: commands have \
                 no sandbox on native Windows until one is set up there",
                "claude-code: egress.presets: shell: not held: commands have no sandbox on native Windows until one is set up there",
                "claude-code: egress.deniedDomains pastebin.com: shell: not held: commands have no \
                 sandbox on native Windows until one is set up there",
                "claude-code: egress.default deny: shell: not held: commands have no sandbox on \
                 native Windows until one is set up there",
                "claude-code: egress.default deny: fetch tool: held weaker: unlisted hosts are asked \
                 about, and some documentation hosts are fetched unasked (opens `docs.python.org`)",
            ]
        );
    }

    /// What is held on Linux by the releases that the sample policy pins.
    #[test]
    fn what_the_sample_pins_hold() {
        let states = |harness, version| {
            let target = target(harness, version, Os::Linux);
            let rendering = render(&acme_like(), &target, Hardening::Standard).unwrap();
            let rows = rendering.ledger().rows().iter();
            let open = rows.filter(|row| row.state() != &State::Held);
            open.map(|row| {
                format!(
                    "{}: {}: {}",
                    row.channel(),
                    row.clause().field(),
                    row.state().as_str()
                )
            })
            .collect::<BTreeSet<_>>()
        };
        let set = |lines: &[&str]| {
            lines
                .iter()
                .map(|line| (*line).to_owned())
                .collect::<BTreeSet<_>>()
        };
        assert_eq!(
            states(Harness::ClaudeCode, "2.1.280"),
            set(&["fetch tool: egress.default: weaker"])
        );
        assert_eq!(
            states(Harness::Codex, "0.166.0"),
            set(&[
                "shell: sandbox.mode: weaker",
                "fetch tool: egress.allowedDomains: not-held",
                "fetch tool: egress.presets: not-held",
                "fetch tool: egress.deniedDomains: not-held",
                "fetch tool: egress.default: not-held",
            ])
        );
    }

    #[test]
    fn a_decision_is_enforced_by_what_holds_its_clause() {
        let codex = "requirements.toml [experimental_network] for sandboxed commands";
        let claude_shell = "sandbox.network allowedDomains/deniedDomains for Bash";
        let claude_fetch = "WebFetch(domain:...) deny rules for the fetch tool";
        let claude = format!("{claude_shell}, {claude_fetch}");
        for (harness, version, os, host, level, mechanism) in [
            (
                Harness::ClaudeCode,
                "2.1.280",
                Os::Linux,
                "pastebin.com",
                Level::Full,
                Some(claude.as_str()),
            ),
            (
                Harness::ClaudeCode,
                "2.1.280",
                Os::Linux,
                "github.com",
                Level::Full,
                Some(claude.as_str()),
            ),
            (
                Harness::ClaudeCode,
                "2.1.280",
                Os::Linux,
                "other.example",
                Level::Partial,
                Some(claude.as_str()),
            ),
            (
                Harness::ClaudeCode,
                "2.1.280",
                Os::Windows,
                "pastebin.com",
                Level::Partial,
                Some(claude_fetch),
            ),
            (
                Harness::ClaudeCode,
                "2.1.112",
                Os::Linux,
                "pastebin.com",
                Level::Partial,
                Some(claude_fetch),
            ),
            (
                Harness::ClaudeCode,
                "2.0.76",
                Os::Linux,
                "pastebin.com",
                Level::None,
                None,
            ),
            (
                Harness::Codex,
                "0.166.0",
                Os::Linux,
                "pastebin.com",
                Level::Full,
                Some(codex),
            ),
            (
                Harness::Codex,
                "0.166.0",
                Os::Linux,
                "other.example",
                Level::Full,
                Some(codex),
            ),
            (
                Harness::Codex,
                "0.166.0",
                Os::Windows,
                "pastebin.com",
                Level::Partial,
                Some(codex),
            ),
            (
                Harness::Codex,
                "0.135.0",
                Os::Linux,
                "pastebin.com",
                Level::None,
                None,
            ),
        ] {
            let target = target(harness, version, os);
            let host = Host::parse(host).unwrap();
            let answer = enforcement(&acme_like(), &target, Hardening::Standard, &host);
            assert_eq!(
                (answer.level(), answer.mechanism()),
                (level, mechanism),
                "{target:?} {host}"
            );
        }
    }

    #[test]
    fn a_harness_that_no_file_binds_holds_nothing_and_says_so() {
        let target = target(Harness::CursorCli, "1.0.0", Os::Linux);
        let rendering = render(&acme_like(), &target, Hardening::Standard).unwrap();
        assert!(rendering.files().is_empty());
        assert_eq!(rendering.ledger().warnings().len(), 7);
        let host = Host::parse("pastebin.com").unwrap();
        let answer = enforcement(&acme_like(), &target, Hardening::Standard, &host);
        assert_eq!(
            answer.caveats(),
            [
                "cursor-cli: profile field \"egress.deniedDomains\" is not supported and was not rendered"
            ]
        );
        for feature in Feature::ALL {
            assert_eq!(capability(&target, feature).level(), Level::None);
        }
    }

    #[test]
    fn every_fact_has_a_page_and_a_date() {
        for harness in Harness::ALL {
            for fact in facts(*harness) {
                assert!(fact.page().starts_with("https://"), "{}", fact.claim());
                assert_eq!(fact.date().len(), "2026-11".len(), "{}", fact.claim());
            }
        }
    }

    /// Only Linux was run, and of each harness no release after the newest that was.
    #[test]
    fn what_was_not_seen_is_marked() {
        let mark = "[documented, not observed]";
        let policy = acme_like();
        for target in world::targets() {
            let Ok(rendering) = render(&policy, &target, Hardening::Standard) else {
                continue;
            };
            let ledger = rendering.ledger();
            let newest = verified(target.harness).map(|(newest, _)| newest);
            let ran = target.os == Os::Linux && newest.is_some_and(|v| target.version <= v);
            let text = ledger.to_string();
            for (row, line) in ledger.rows().iter().zip(text.lines().skip(1)) {
                let evidence = row.evidence();
                assert!(ran || evidence != Evidence::Observed, "{target:?}: {row:?}");
                let claims = !matches!(row.state(), State::NotHeld { .. });
                let marked = claims && evidence == Evidence::Vendor;
                assert_eq!(line.ends_with(mark), marked, "{line}");
            }
            for feature in Feature::ALL {
                let capability = capability(&target, feature);
                let evidence = capability.evidence();
                assert_eq!(evidence.is_none(), capability.level() == Level::None);
                assert!(ran || evidence != Some(Evidence::Observed), "{target:?}");
            }
        }
    }

    /// The table of capabilities promises no more than ledgers hold: where a feature is full, no
    /// clause of its kind is wider.
    #[test]
    fn a_full_capability_is_held_by_every_ledger() {
        let policy = acme_like();
        for target in world::targets() {
            let Ok(rendering) = render(&policy, &target, Hardening::Standard) else {
                continue;
            };
            for row in rendering.ledger().rows() {
                let feature = match (row.clause(), row.channel()) {
                    (Clause::Mode(_), _) => Feature::Sandbox,
                    (Clause::WritableRoot(_), _) => Feature::WritableRoots,
                    (Clause::ProtectedPath(_), _) => Feature::ProtectedPaths,
                    (_, Channel::FetchTool) => Feature::FetchTool,
                    _ => Feature::ShellEgress,
                };
                let held = match capability(&target, feature).level() {
                    Level::Full => row.state() == &State::Held,
                    Level::None => matches!(row.state(), State::NotHeld { .. }),
                    Level::Partial => true,
                };
                assert!(held, "{target:?} {feature}: {row:?}");
            }
        }
    }

    #[test]
    fn the_default_is_a_clause_even_where_nothing_else_is() {
        let policy = Policy::new(Egress::builder().build().unwrap(), None).unwrap();
        assert_eq!(Clause::of(&policy), [Clause::Default(Verdict::Allow)]);
    }
}
