//! What the programs of four vendors would drop, misread or refuse never reaches their files; where
//! they mean another thing than the policy, the ledger says which.

#[cfg(test)]
pub mod reader;
#[cfg(test)]
pub mod world;

#[cfg(test)]
mod vendors {
    use fancy_regex::Regex;
    use harness_render::{
        Channel, Clause, Hardening, Level, Os, RenderError, Rendering, Row, State, Target,
        enforcement, render,
    };
    use policy_core::{Harness, Host, Mode, Policy, Source, Verdict};
    use proptest::prelude::*;
    use proptest::sample::select;
    use serde_json::{Value, json};

    use crate::reader::{self, Answer, Device, Op, Reader};
    use crate::world;

    const COPILOT: (Harness, &str) = (Harness::CopilotCli, "1.0.102");
    const GEMINI: (Harness, &str) = (Harness::GeminiCli, "0.61.0");
    const OPENCODE: (Harness, &str) = (Harness::OpenCode, "1.18.33");
    const CURSOR: (Harness, &str) = (Harness::CursorCli, "1.0.0");

    fn target((harness, version): (Harness, &str), os: Os) -> Target {
        Target::new(harness, version.parse().unwrap(), os)
    }

    fn rendered(policy: &Policy, pin: (Harness, &str)) -> Rendering {
        render(policy, &target(pin, Os::Linux), Hardening::Standard).unwrap()
    }

    fn device(pin: (Harness, &str), rendering: &Rendering) -> Device {
        let device = Device::new(reader::Os::Linux, pin.1);
        rendering.files().iter().fold(device, |device, file| {
            device.managed(file.path(), file.bytes())
        })
    }

    fn read(pin: (Harness, &str), policy: &Policy) -> Box<dyn Reader> {
        let rendering = rendered(policy, pin);
        reader::read(pin.0.name(), &device(pin, &rendering))
    }

    fn hosts(allowed: &[&str], denied: &[&str]) -> Policy {
        let default = allowed.is_empty().then_some(Verdict::Allow);
        world::policy(allowed, denied, default, None).unwrap()
    }

    fn files(mode: Mode, roots: &[&str], protected: &[&str]) -> Policy {
        let sandbox = world::sandbox(mode, roots, protected);
        world::policy(&[], &[], None, Some(sandbox)).unwrap()
    }

    fn state(rendering: &Rendering, clause: &Clause, channel: Channel) -> State {
        let mut rows = rendering.ledger().rows().iter();
        let found = |row: &&Row| row.clause() == clause && row.channel() == channel;
        rows.find(found).expect("a row").state().clone()
    }

    fn allow(text: &str) -> Clause {
        Clause::Allow(world::pattern(text), Source::Allowed)
    }

    fn deny(text: &str) -> Clause {
        Clause::Deny(world::pattern(text))
    }

    fn gains(state: &State) -> Option<&str> {
        match state {
            State::Weaker { gains, .. } => gains.as_deref(),
            _ => None,
        }
    }

    fn loses(state: &State) -> Option<&str> {
        match state {
            State::Weaker { loses, .. } => loses.as_deref(),
            _ => None,
        }
    }

    fn is_not_held(state: &State) -> bool {
        matches!(state, State::NotHeld { .. })
    }

    fn list(settings: &Value, pointer: &str) -> Vec<String> {
        let list = settings.pointer(pointer).and_then(Value::as_array);
        let texts = list.into_iter().flatten();
        texts
            .map(|text| text.as_str().unwrap().to_owned())
            .collect()
    }

    /// The settings of Copilot CLI, checked for all that the program would drop or misread.
    fn copilot_settings(bytes: &[u8]) -> Value {
        let settings: Value = serde_json::from_slice(bytes).unwrap();
        let network = "/sandbox/userPolicy/network";
        let host = Regex::new(r"^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$").unwrap();
        for key in ["allowedHosts", "blockedHosts"] {
            for entry in list(&settings, &format!("{network}/{key}")) {
                assert!(host.is_match(&entry).unwrap(), "{entry}");
            }
        }
        for entry in list(&settings, "/permissions/limitTo") {
            let entry = entry.strip_prefix("Domain(").unwrap();
            let entry = entry.strip_suffix(')').unwrap();
            assert!(host.is_match(entry).unwrap(), "{entry}");
        }
        let allowed = settings.pointer(&format!("{network}/allowedHosts"));
        let outbound = settings.pointer(&format!("{network}/allowOutbound"));
        // A list needs the way out, and no way out may be left without a list, for that opens it.
        assert_eq!(
            allowed.is_some(),
            outbound == Some(&json!(true)),
            "{settings:#}"
        );
        assert_ne!(allowed, Some(&json!([])), "{settings:#}");
        let files = "/sandbox/userPolicy/filesystem";
        for path in list(&settings, &format!("{files}/deniedPaths")) {
            assert!(!path.contains(['*', '?', '[']), "{path}");
        }
        assert!(
            settings
                .pointer(&format!("{files}/readwritePaths"))
                .is_some()
        );
        for rules in ["deny", "ask", "allow"] {
            assert!(settings.pointer(&format!("/permissions/{rules}")).is_none());
        }
        settings
    }

    fn gemini_rules(text: &str) {
        let costly = Regex::new(r"\([^)]*[*+?{].*\)[*+?{]").unwrap();
        let table: toml::Table = toml::from_str(text).unwrap();
        for rule in table["rule"].as_array().unwrap() {
            assert_eq!(rule["decision"].as_str(), Some("deny"), "{rule}");
            assert!(
                (0..=999).contains(&rule["priority"].as_integer().unwrap()),
                "{rule}"
            );
            assert!(rule.get("modes").is_none(), "{rule}");
            if let Some(pattern) = rule.get("argsPattern") {
                let pattern = pattern.as_str().unwrap();
                assert!(pattern.chars().count() <= 2048, "{pattern}");
                assert!(!costly.is_match(pattern).unwrap(), "{pattern}");
            }
        }
    }

    /// The entries of the objects of OpenCode's file, in the order written.
    fn opencode_rules(text: &str) {
        let mut denied_before = false;
        let mut parent = "";
        for line in text.lines().map(str::trim) {
            if let Some(key) = line.strip_suffix("\": {") {
                parent = key.trim_start_matches('"');
                denied_before = false;
            } else if line.starts_with('}') {
                parent = "";
                denied_before = false;
            } else if let Some((key, action)) = line.split_once("\": \"") {
                let key = key.trim_start_matches('"');
                let action = action.trim_end_matches([',', '"']);
                assert!(["ask", "deny"].contains(&action), "{line}");
                // The first star stands for all; behind another denial nothing may loosen but one exact address.
                let host = key
                    .split_once("://")
                    .and_then(|(_, rest)| rest.split('/').next());
                let is_exact = host.is_some_and(|host| !host.contains(['*', '?']));
                assert!(
                    action == "deny" || !denied_before || is_exact,
                    "{line}\n{text}"
                );
                denied_before |= action == "deny" && key != "*" && !parent.is_empty();
                if ["read", "edit"].contains(&parent) {
                    assert!(!key.starts_with(['/', '~']), "{line}");
                }
                if ["webfetch", "websearch"].contains(&parent) {
                    panic!("{parent} takes an action only\n{text}");
                }
            }
        }
        let settings: Value = serde_json::from_str(text).unwrap();
        for agent in ["build", "plan", "general", "explore"] {
            let own = &settings["agent"][agent]["permission"];
            assert_eq!(own, &settings["permission"], "{agent}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn nothing_that_a_vendor_would_drop_or_misread_is_written(
            policy in world::policies(),
            target in select(world::targets()),
            strict in any::<bool>(),
        ) {
            let hardening = if strict { Hardening::Strict } else { Hardening::Standard };
            let Ok(rendering) = render(&policy, &target, hardening) else {
                return Ok(());
            };
            for file in rendering.files() {
                // Copilot CLI rejects, and Gemini CLI skips, what others could write.
                prop_assert_eq!(file.mode(), 0o644);
                let text = core::str::from_utf8(file.bytes()).unwrap();
                match target.harness {
                    Harness::CopilotCli => {
                        copilot_settings(file.bytes());
                    }
                    Harness::GeminiCli if file.path().ends_with(".toml") => gemini_rules(text),
                    Harness::OpenCode => opencode_rules(text),
                    Harness::CursorCli => panic!("nothing is rendered for Cursor CLI"),
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn a_host_that_copilot_would_drop_is_a_row_and_no_entry() {
        for dropped in ["x_y.acme.example", "*.x_y.acme.example", "2606:4700::1111"] {
            let policy = hosts(&[dropped], &[]);
            let rendering = rendered(&policy, COPILOT);
            for channel in [Channel::Shell, Channel::FetchTool] {
                assert!(
                    is_not_held(&state(&rendering, &allow(dropped), channel)),
                    "{dropped}"
                );
            }
            // Without an entry the list is not written, and nothing is open.
            let reader = read(COPILOT, &policy);
            for channel in [reader::Channel::Shell, reader::Channel::Tool] {
                assert_eq!(reader.host(channel, "https://other.example/"), Answer::Deny);
            }
        }
        let policy = hosts(&["*.acme.example"], &["x_y.acme.example"]);
        let rendering = rendered(&policy, COPILOT);
        assert!(is_not_held(&state(
            &rendering,
            &deny("x_y.acme.example"),
            Channel::Shell
        )));
        // The fetch tool has no list of denied hosts: there the wildcard gives way.
        assert_eq!(
            state(&rendering, &deny("x_y.acme.example"), Channel::FetchTool),
            State::Held
        );
    }

    #[test]
    fn a_file_larger_than_copilot_reads_is_an_error() {
        let hosts = |count: usize| {
            let names = (0..count).map(|number| format!("service-{number}.team.acme.example"));
            names.collect::<Vec<String>>()
        };
        let policy = |count: usize| {
            let names = hosts(count);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            world::policy(&names, &[], None, None).unwrap()
        };
        assert!(
            render(
                &policy(500),
                &target(COPILOT, Os::Linux),
                Hardening::Standard
            )
            .is_ok()
        );
        let error = render(
            &policy(900),
            &target(COPILOT, Os::Linux),
            Hardening::Standard,
        );
        let error = error.unwrap_err();
        assert!(matches!(error, RenderError::TooLarge { limit: 65_536, .. }));
        let text = error.to_string();
        assert!(
            text.starts_with(
                "copilot-cli: `/etc/github-copilot/managed-settings.json` would have "
            )
        );
        assert!(text.ends_with(
            "bytes, of which the program reads at most 65536; name fewer hosts and paths, or \
             wildcards above them"
        ));
        // The others have no such limit.
        for pin in [GEMINI, OPENCODE] {
            assert!(render(&policy(900), &target(pin, Os::Linux), Hardening::Standard).is_ok());
        }
    }

    #[test]
    fn copilots_fetch_tool_lets_the_name_of_a_wildcard_in() {
        let apex = |allowed: &[&str], denied: &[&str]| {
            let policy = hosts(allowed, denied);
            let rendering = rendered(&policy, COPILOT);
            let clause = Clause::Default(Verdict::Deny);
            let state = state(&rendering, &clause, Channel::FetchTool);
            let answer = read(COPILOT, &policy).host(reader::Channel::Tool, "https://w.example/");
            (gains(&state).map(str::to_owned), answer)
        };
        let open = Some("w.example".to_owned());
        assert_eq!(apex(&["*.w.example"], &[]), (open, Answer::Allow));
        assert_eq!(
            apex(&["*.w.example", "w.example"], &[]),
            (None, Answer::Allow)
        );
        // A name that the policy denies is not let in for the sake of what lies below it.
        assert_eq!(apex(&["*.w.example"], &["w.example"]), (None, Answer::Deny));
        let policy = hosts(&["*.w.example"], &["bad.w.example"]);
        let rendering = rendered(&policy, COPILOT);
        let left_out = state(&rendering, &allow("*.w.example"), Channel::FetchTool);
        assert_eq!(loses(&left_out), Some("a.w.example"));
        let reader = read(COPILOT, &policy);
        assert_eq!(
            reader.host(reader::Channel::Tool, "bad.w.example"),
            Answer::Deny
        );
        assert_eq!(
            reader.host(reader::Channel::Shell, "a.w.example"),
            Answer::Allow
        );
    }

    #[test]
    fn copilots_shell_closes_what_lies_below_a_denied_host() {
        let everywhere = hosts(&[], &["pastebin.com"]);
        let rendering = rendered(&everywhere, COPILOT);
        let clause = Clause::Default(Verdict::Allow);
        let below = state(&rendering, &clause, Channel::Shell);
        assert_eq!(loses(&below), Some("a.pastebin.com"));
        // Under a list the name is left out where that costs nothing.
        let policy = hosts(&["*.w.example"], &["w.example"]);
        let rendering = rendered(&policy, COPILOT);
        let settings = copilot_settings(rendering.files()[0].bytes());
        let blocked = list(&settings, "/sandbox/userPolicy/network/blockedHosts");
        assert_eq!(blocked, Vec::<String>::new());
        let reader = read(COPILOT, &policy);
        assert_eq!(
            reader.host(reader::Channel::Shell, "w.example"),
            Answer::Deny
        );
        assert_eq!(
            reader.host(reader::Channel::Shell, "a.w.example"),
            Answer::Allow
        );
    }

    #[test]
    fn copilot_has_no_rule_that_turns_all_else_into_a_question() {
        let policy = hosts(&[], &["pastebin.com"]);
        let rendering = rendered(&policy, COPILOT);
        assert!(is_not_held(&state(
            &rendering,
            &deny("pastebin.com"),
            Channel::FetchTool
        )));
        let answer = read(COPILOT, &policy).host(reader::Channel::Tool, "https://a.example/");
        assert_eq!(answer, Answer::Unrestricted);
    }

    #[test]
    fn writable_roots_are_a_ceiling_or_nothing() {
        let policy = files(Mode::WorkspaceWrite, &["/opt/build-cache"], &[]);
        let root = policy.sandbox().unwrap().writable_roots()[0].clone();
        let clause = Clause::WritableRoot(root);
        let copilot = state(&rendered(&policy, COPILOT), &clause, Channel::Shell);
        assert_eq!(loses(&copilot), Some("/opt/build-cache"));
        assert!(is_not_held(&state(
            &rendered(&policy, GEMINI),
            &clause,
            Channel::Shell
        )));
        // Without roots the ceiling is there all the same: the user may add none.
        let none = rendered(&files(Mode::WorkspaceWrite, &[], &["~/.ssh"]), COPILOT);
        let own = r#"{"sandbox":{"userPolicy":{"filesystem":{"readwritePaths":["/etc"]}}}}"#;
        let device = device(COPILOT, &none).user("~/.copilot/settings.json", own);
        let reader = reader::read("copilot-cli", &device);
        assert_eq!(
            reader.path(reader::Channel::Shell, Op::Write, "/etc/x"),
            Answer::Deny
        );
    }

    #[test]
    fn a_protected_path_that_is_missing_on_linux_is_told_of() {
        let policy = files(Mode::WorkspaceWrite, &[], &["~/.ssh"]);
        for (os, told) in [(Os::Linux, true), (Os::MacOs, false)] {
            let rendering = render(&policy, &target(COPILOT, os), Hardening::Standard).unwrap();
            let mut residuals = rendering.ledger().residuals().iter();
            let found = residuals.any(|residual| residual.way().contains("does not exist"));
            assert_eq!(found, told, "{os}");
        }
    }

    #[test]
    fn read_only_is_rendered_as_workspace_write_and_said_so() {
        let policy = files(Mode::ReadOnly, &[], &["~/.ssh"]);
        for pin in [COPILOT, GEMINI] {
            let state = state(
                &rendered(&policy, pin),
                &Clause::Mode(Mode::ReadOnly),
                Channel::Shell,
            );
            assert_eq!(gains(&state), Some("README.md"), "{pin:?}");
        }
    }

    #[test]
    fn an_address_without_slashes_is_no_way_around_geminis_rules() {
        for policy in [hosts(&["a.example"], &[]), hosts(&[], &["evil.example"])] {
            let reader = read(GEMINI, &policy);
            for address in [
                "https:evil.example",
                "https:/evil.example",
                "https:\\\\evil.example",
            ] {
                let answer = reader.host(reader::Channel::Tool, address);
                assert_eq!(answer, Answer::Deny, "{address}");
            }
        }
    }

    #[test]
    fn geminis_rewritten_pages_are_told_of() {
        let raw = "raw.githubusercontent.com";
        let policy = hosts(&["github.com"], &[]);
        let state_of = |policy: &Policy, clause: &Clause| {
            state(&rendered(policy, GEMINI), clause, Channel::FetchTool)
        };
        let default = Clause::Default(Verdict::Deny);
        assert_eq!(gains(&state_of(&policy, &default)), Some(raw));
        let policy = hosts(&["github.com", raw], &[]);
        assert_eq!(state_of(&policy, &default), State::Held);
        let policy = hosts(&["github.com", "*.githubusercontent.com"], &[raw]);
        assert_eq!(gains(&state_of(&policy, &deny(raw))), Some(raw));
    }

    #[test]
    fn opencodes_rules_outlast_the_users_order_and_the_variable() {
        let policy = hosts(&["a.example"], &[]);
        let rendering = rendered(&policy, OPENCODE);
        let device = || device(OPENCODE, &rendering);
        let fetch = |device: &Device, address: &str| {
            reader::read("opencode", device).host(reader::Channel::Tool, address)
        };
        let user = "~/.config/opencode/opencode.json";
        let order = r#"{"permission":{"webfetch":"ask","*":"allow"}}"#;
        let agent = r#"{"agent":{"build":{"permission":{"webfetch":"allow"}}}}"#;
        for device in [
            device(),
            device().user(user, order),
            device().user(user, agent),
            device().env("OPENCODE_PERMISSION", r#"{"webfetch":"allow"}"#),
        ] {
            assert_eq!(fetch(&device, "https://evil.example/"), Answer::Deny);
            assert_eq!(fetch(&device, "https://a.example/x"), Answer::Ask);
        }
        // These three are residuals of the ledger.
        let behind = r#"{"agent":{"build":{"permission":{"webfetc?":"ask","*":"allow"}}}}"#;
        let custom = r#"{"agent":{"own":{"permission":{"webfetc?":"allow"}}}}"#;
        for device in [
            device().user(user, behind),
            device().user(user, custom),
            device().env("OPENCODE_TEST_MANAGED_CONFIG_DIR", "/nonexistent"),
        ] {
            assert_ne!(fetch(&device, "https://evil.example/"), Answer::Deny);
        }
    }

    #[test]
    fn an_allowed_host_of_opencode_is_exactly_that_host() {
        let reader = read(OPENCODE, &hosts(&["a.example"], &[]));
        for address in [
            "https://a.example.evil.example/",
            "https://a.example@evil.example/",
            "https://evil.example/a.example/",
            "https://evil.example/?https://a.example/",
            "https://evil.example#https://a.example",
            "https://xa.example/",
            "https://sub.a.example/",
        ] {
            assert_eq!(
                reader.host(reader::Channel::Tool, address),
                Answer::Deny,
                "{address}"
            );
        }
    }

    #[test]
    fn a_denied_host_of_opencode_closes_no_other() {
        let policy = hosts(&[], &["t.co", "*.ru"]);
        let reader = read(OPENCODE, &policy);
        for open in [
            "https://reddit.com/",
            "https://t.com/",
            "https://docs.ruby.example/",
        ] {
            assert_eq!(
                reader.host(reader::Channel::Tool, open),
                Answer::Ask,
                "{open}"
            );
        }
        for closed in [
            "https://t.co/x",
            "https://u@t.co/",
            "https://t.co:8443/",
            "https://x.ru",
        ] {
            assert_eq!(
                reader.host(reader::Channel::Tool, closed),
                Answer::Deny,
                "{closed}"
            );
        }
    }

    #[test]
    fn nothing_is_rendered_for_cursor_and_every_row_says_where_to_turn() {
        let sandbox = world::sandbox(Mode::WorkspaceWrite, &["/opt/build-cache"], &["~/.ssh"]);
        let policy = world::policy(&["a.example"], &["b.example"], None, Some(sandbox)).unwrap();
        for os in Os::ALL {
            let rendering = render(&policy, &target(CURSOR, os), Hardening::Strict).unwrap();
            assert!(rendering.files().is_empty());
            for row in rendering.ledger().rows() {
                let State::NotHeld { why } = row.state() else {
                    panic!("{row:?}");
                };
                assert!(why.contains("dashboard") || why.contains("hooks"), "{why}");
            }
        }
    }

    /// The row of the document, on a pin that reads none of the files.
    #[test]
    fn an_old_gemini_enforces_nothing_and_says_so() {
        let policy = hosts(&["a.example"], &["pastebin.com"]);
        for os in Os::ALL {
            let target = target((Harness::GeminiCli, "0.12.0"), os);
            let host = Host::parse("https://pastebin.com/raw/x").unwrap();
            let answer = enforcement(&policy, &target, Hardening::Standard, &host);
            assert_eq!((answer.level(), answer.mechanism()), (Level::None, None));
            assert_eq!(
                answer.caveats(),
                [
                    "gemini-cli: profile field \"egress.deniedDomains\" is not supported and was not rendered"
                ]
            );
        }
    }
}
