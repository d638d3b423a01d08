//! The law of rendering: what a harness makes of its rendered files, as an independent model of it
//! reads them, is what the policy decides, or the ledger names the clause that it is not.

#[cfg(test)]
pub mod reader;
#[cfg(test)]
pub mod world;

#[cfg(test)]
mod law {
    use std::collections::BTreeSet;

    use harness_render::{
        Channel, Clause, Evidence, Hardening, Ledger, Os, RenderError, Rendering, Row, State,
        Target, render,
    };
    use policy_core::{
        Access, FilePath, Harness, Host, Mode, Policy, ProtectedPath, Verdict, WritableRoot,
        witnesses,
    };
    use proptest::prelude::*;
    use proptest::sample::select;

    use crate::reader::{self, Answer, Device, Op, Reader};
    use crate::world;

    fn device(target: &Target, rendering: &Rendering) -> Device {
        let os = match target.os {
            Os::Linux => reader::Os::Linux,
            Os::MacOs => reader::Os::MacOs,
            Os::Windows => reader::Os::Windows,
        };
        let device = Device::new(os, &target.version.to_string());
        rendering.files().iter().fold(device, |device, file| {
            device.managed(file.path(), file.bytes())
        })
    }

    /// Whether the harness may let it through: also when it asks, or leaves it to the user.
    fn is_open(answer: Answer) -> bool {
        matches!(answer, Answer::Allow | Answer::Ask | Answer::Unrestricted)
    }

    fn row<'l>(ledger: &'l Ledger, clause: &Clause, channel: Channel) -> &'l Row {
        ledger
            .rows()
            .iter()
            .find(|row| row.clause() == clause && row.channel() == channel)
            .unwrap_or_else(|| panic!("no row for `{clause}` in the {channel}"))
    }

    fn says_wider(row: &Row) -> bool {
        matches!(
            row.state(),
            State::NotHeld { .. } | State::Weaker { gains: Some(_), .. }
        )
    }

    fn says_narrower(row: &Row) -> bool {
        matches!(
            row.state(),
            State::NotHeld { .. } | State::Weaker { loses: Some(_), .. }
        )
    }

    fn reader_channel(channel: Channel) -> reader::Channel {
        match channel {
            Channel::Shell => reader::Channel::Shell,
            _ => reader::Channel::Tool,
        }
    }

    /// The hosts that settle what a policy decides, and neighbours that a grammar may take for one
    /// of them.
    fn hosts(policy: &Policy) -> Vec<Host> {
        let mut hosts: Vec<Host> = witnesses(policy.egress().patterns()).collect();
        let bases: BTreeSet<String> = policy
            .egress()
            .patterns()
            .filter_map(|pattern| pattern.base().map(str::to_owned))
            .collect();
        let longest = "l".repeat(63);
        for base in bases {
            for below in ["x_y", "a-b", "0", "b.c", longest.as_str()] {
                hosts.extend(Host::parse(&format!("{below}.{base}")).ok());
            }
            for beside in [format!("not{base}"), format!("{base}.evil.example")] {
                hosts.extend(Host::parse(&beside).ok());
            }
        }
        hosts.extend(["localhost", "127.0.0.1", "10.0.0.1"].map(|text| Host::parse(text).unwrap()));
        hosts.sort_unstable();
        hosts.dedup();
        hosts
    }

    /// A host as clients may present it.
    fn spellings(host: &Host) -> Vec<String> {
        let bare = match host.address() {
            Some(address) if address.is_ipv6() => format!("[{address}]"),
            _ => host.to_string(),
        };
        let mut spellings = vec![
            host.to_string(),
            format!("https://{bare}:8443/a?b#c"),
            format!("http://{bare}/"),
            format!("https://{}/", bare.to_ascii_uppercase()),
            format!("https://user:word@{bare}/"),
        ];
        if host.address().is_none() {
            spellings.push(format!("{bare}."));
        }
        spellings
    }

    fn check_hosts(policy: &Policy, ledger: &Ledger, reader: &dyn Reader, context: &str) {
        for host in hosts(policy) {
            let decision = policy.egress().decide(&host);
            let clause = Clause::of_rule(decision.rule());
            for channel in [Channel::Shell, Channel::FetchTool] {
                let row = row(ledger, &clause, channel);
                for text in spellings(&host) {
                    let answer = reader.host(reader_channel(channel), &text);
                    let say = || format!("{context}\n{channel} `{text}`: {answer:?}, {row:?}");
                    assert_ne!(answer, Answer::Broken, "{}", say());
                    match decision.verdict() {
                        Verdict::Deny if is_open(answer) => {
                            assert!(says_wider(row), "{}", say());
                        }
                        Verdict::Allow if !is_open(answer) => {
                            assert!(says_narrower(row), "{}", say());
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    /// Paths in and around everything that a policy names, each with its spelling in a policy.
    fn paths(policy: &Policy) -> Vec<FilePath> {
        let mut texts: Vec<String> = [
            "~/.profile",
            "~/a/b/.env.local",
            "~/a/b/.sh",
            "/var/lib/x",
            "/tmp/x",
            "README.md",
            "src/a.rs",
            "src/.env",
            "a/b/c/d/e/.env",
            ".environment/key",
            "id_rsa",
            "a/id_rsa",
            "conf/other",
            "conf/a.pem",
            "conf/deep/a.pem",
            "conf/a1",
        ]
        .map(str::to_owned)
        .to_vec();
        if let Some(sandbox) = policy.sandbox() {
            let roots = sandbox.writable_roots().iter().map(WritableRoot::as_str);
            let protected = sandbox.protected_paths().iter().map(ProtectedPath::as_str);
            for text in roots.chain(protected) {
                let name = text
                    .trim_end_matches("/**")
                    .replace("**/", "x/y/")
                    .replace("[ab]", "a")
                    .replace('?', "1")
                    .replace('*', "z");
                texts.extend([format!("{name}/below/it"), format!("{name}beside"), name]);
            }
        }
        texts
            .iter()
            .map(|text| FilePath::parse(text).unwrap())
            .collect()
    }

    fn absolute(path: &FilePath, device: &Device) -> String {
        let text = path.to_string();
        match text.strip_prefix("~/") {
            Some(below) => format!("{}/{below}", device.home),
            None if text.starts_with('/') => text,
            None => format!("{}/{text}", device.workspace),
        }
    }

    fn check_paths(
        policy: &Policy,
        ledger: &Ledger,
        device: &Device,
        reader: &dyn Reader,
        context: &str,
    ) {
        let Some(sandbox) = policy
            .sandbox()
            .filter(|sandbox| sandbox.mode() != Mode::Off)
        else {
            return;
        };
        // On Windows a path of the policy has the one spelling that it is written in.
        let posix = ledger.target().os != Os::Windows;
        let home = FilePath::parse("/home/u").unwrap();
        let workspace = FilePath::parse("/work/project").unwrap();
        for path in paths(policy) {
            let text = absolute(&path, device);
            let access = if posix {
                sandbox.access_at(&path, &home, &workspace)
            } else {
                sandbox.access(&path)
            };
            let plain = FilePath::parse(&text).ok().filter(|_| posix);
            let matches = |protected: &ProtectedPath| {
                protected.matches(&path)
                    || plain.as_ref().is_some_and(|path| protected.matches(path))
            };
            let protecting: Vec<&ProtectedPath> = sandbox
                .protected_paths()
                .iter()
                .filter(|protected| matches(protected))
                .collect();
            for channel in [Channel::Shell, Channel::FileTools] {
                for op in [Op::Read, Op::Write] {
                    let answer = reader.path(reader_channel(channel), op, &text);
                    let say = || {
                        format!(
                            "{context}\n{channel} {op:?} `{text}`: {answer:?}, policy {access:?}"
                        )
                    };
                    assert_ne!(answer, Answer::Broken, "{}", say());
                    if access == Access::None {
                        let all_say_so = protecting.iter().all(|protected| {
                            let clause = Clause::ProtectedPath((*protected).clone());
                            says_wider(row(ledger, &clause, channel))
                        });
                        assert!(!is_open(answer) || all_say_so, "{}", say());
                        continue;
                    }
                    if channel != Channel::Shell {
                        continue;
                    }
                    let mode = row(ledger, &Clause::Mode(sandbox.mode()), channel);
                    let may = match op {
                        Op::Read => true,
                        Op::Write => access == Access::ReadWrite,
                    };
                    if may && !is_open(answer) {
                        let root = sandbox
                            .writable_roots()
                            .iter()
                            .find(|root| root.contains(&path));
                        let said = root.is_some_and(|root| {
                            says_narrower(row(ledger, &Clause::WritableRoot(root.clone()), channel))
                        });
                        let beside = sandbox.protected_paths().iter().any(|protected| {
                            let clause = Clause::ProtectedPath(protected.clone());
                            let row = row(ledger, &clause, channel);
                            matches!(row.state(), State::Weaker { loses: Some(_), .. })
                        });
                        assert!(said || beside || says_narrower(mode), "{}", say());
                    }
                    if !may && is_open(answer) {
                        assert!(says_wider(mode), "{}", say());
                    }
                }
            }
        }
    }

    /// The witness of a row shows what the row says it shows. A row that rests on what was not
    /// observed may be more pessimistic than the reader.
    fn check_witnesses(
        policy: &Policy,
        ledger: &Ledger,
        device: &Device,
        reader: &dyn Reader,
        context: &str,
    ) {
        for row in ledger
            .rows()
            .iter()
            .filter(|row| row.evidence() == Evidence::Observed)
        {
            let State::Weaker { gains, loses, .. } = row.state() else {
                continue;
            };
            let channel = reader_channel(row.channel());
            let is_host = matches!(
                row.clause(),
                Clause::Allow(..) | Clause::Deny(_) | Clause::Default(_)
            );
            for (witness, opens) in [(gains, true), (loses, false)] {
                let Some(witness) = witness else { continue };
                let say = || format!("{context}\n`{witness}` for {row:?}");
                if is_host {
                    // A witness that only one scheme loses is an address with that scheme.
                    let bare = witness.strip_prefix("http://");
                    let bare = bare.and_then(|rest| rest.strip_suffix('/'));
                    let text = bare.unwrap_or(witness);
                    // An address that clients read in several ways is no host of ours; the agent has one reading.
                    let read = |text| url::Url::parse(text).unwrap().host_str().map(Host::parse);
                    let host = Host::parse(text).or_else(|_| read(text).unwrap()).unwrap();
                    let allowed = policy.egress().decide(&host).is_allowed();
                    assert_eq!(allowed, !opens, "{}", say());
                    let answer = reader.host(channel, witness);
                    // What is left to the user's settings may be closed, and may be opened.
                    let either = answer == Answer::Unrestricted;
                    assert!(is_open(answer) == opens || either, "{}", say());
                } else if let Some(sandbox) = policy.sandbox() {
                    let path = FilePath::parse(witness).unwrap();
                    let text = absolute(&path, device);
                    let access = sandbox.access(&path);
                    let (op, may) = match row.clause() {
                        Clause::ProtectedPath(_) => (Op::Read, access != Access::None),
                        // What a mode closes may be a path that is only read.
                        Clause::Mode(_) if !opens && access == Access::Read => (Op::Read, true),
                        _ => (Op::Write, access == Access::ReadWrite),
                    };
                    assert_eq!(may, !opens, "{}", say());
                    assert_eq!(is_open(reader.path(channel, op, &text)), opens, "{}", say());
                }
            }
        }
    }

    /// A mode that is held is a sandbox that no command leaves unasked; of two harnesses more is
    /// known.
    fn check_mode(policy: &Policy, ledger: &Ledger, reader: &dyn Reader, context: &str) {
        let clauses = Clause::of(policy);
        let mut clauses = clauses.iter();
        let Some(clause) = clauses.find(|clause| matches!(clause, Clause::Mode(_))) else {
            return;
        };
        let (target, row) = (ledger.target(), row(ledger, clause, Channel::Shell));
        let mode = reader.mode();
        let say = || format!("{context}\n{mode:?}, {row:?}");
        let held = row.state() == &State::Held;
        if held {
            assert!(mode.sandboxed, "{}", say());
            let asked = matches!(mode.outside, Answer::Deny | Answer::Ask);
            assert!(asked, "{}", say());
        }
        if target.os == Os::Windows || matches!(row.state(), State::NotHeld { .. }) {
            return;
        }
        match target.harness {
            // No command leaves the sandbox, and none runs where it cannot start.
            Harness::ClaudeCode => {
                assert!(mode.sandboxed && mode.outside == Answer::Deny, "{}", say());
                assert!(mode.fails_closed || !held, "{}", say());
            }
            // One that the user lets leave keeps its hosts and denied paths, from the release on
            // that knows `deny_read`.
            Harness::Codex if target.version >= semver::Version::new(0, 122, 0) => {
                assert!(mode.sandboxed && mode.outside_stays_bound, "{}", say());
            }
            _ => {}
        }
    }

    fn check(policy: &Policy, target: &Target, hardening: Hardening) {
        let context = format!("{target:?} {hardening:?}\n{policy:#?}");
        let rendering = match render(policy, target, hardening) {
            Ok(rendering) => rendering,
            Err(RenderError::Bricks { .. }) => return,
            Err(error) => panic!("{error}"),
        };
        let ledger = rendering.ledger();
        let device = device(target, &rendering);
        let context = rendering.files().iter().fold(context, |context, file| {
            format!(
                "{context}\n{}\n{}",
                file.path(),
                String::from_utf8_lossy(file.bytes())
            )
        });
        let reader = reader::read(target.harness.name(), &device);
        let limits = ledger.rows().iter().any(|row| row.state() != &State::Held)
            || !rendering.files().is_empty();
        if !limits {
            return;
        }
        check_hosts(policy, ledger, &*reader, &context);
        check_paths(policy, ledger, &device, &*reader, &context);
        check_mode(policy, ledger, &*reader, &context);
        check_witnesses(policy, ledger, &device, &*reader, &context);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn rendering_decides_like_the_policy(
            policy in world::policies(),
            target in select(world::targets()),
            strict in any::<bool>(),
        ) {
            let hardening = if strict { Hardening::Strict } else { Hardening::Standard };
            check(&policy, &target, hardening);
        }
    }

    /// Every policy over a name, what lies below it and one name below it.
    #[test]
    fn rendering_decides_like_the_policy_in_a_small_world() {
        const NAMES: [&str; 3] = ["a.example", "*.a.example", "b.a.example"];
        let pick = |bits: usize| -> Vec<&str> {
            let names = NAMES.iter().enumerate();
            names
                .filter(|(index, _)| bits >> index & 1 == 1)
                .map(|(_, name)| *name)
                .collect()
        };
        let linux = world::targets().into_iter();
        let targets: Vec<Target> = linux.filter(|target| target.os == Os::Linux).collect();
        for allowed in 0..8 {
            for denied in 0..8 {
                for default in [None, Some(Verdict::Allow), Some(Verdict::Deny)] {
                    let parts = (pick(allowed), pick(denied));
                    let Some(policy) = world::policy(&parts.0, &parts.1, default, None) else {
                        continue;
                    };
                    for target in &targets {
                        check(&policy, target, Hardening::Standard);
                    }
                }
            }
        }
    }
}
