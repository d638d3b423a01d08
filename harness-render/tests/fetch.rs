//! What the fetch tools of two agents would fetch, by their own reading of a text, against what their
//! rendered rules let through: over every spelling of an address that a URL parser takes.
//!
//! The rules of both run in JavaScript, so that node is asked as well as the readers.

#[cfg(test)]
pub mod reader;
#[cfg(test)]
pub mod world;

#[cfg(test)]
mod fetch {
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use harness_render::{
        Channel, Clause, Hardening, Os, Rendering, State, Target, render, verified,
    };
    use policy_core::{Harness, Host, Policy, Verdict};
    use proptest::prelude::*;
    use proptest::sample::select;
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;
    use serde_json::{Value, json};

    use crate::reader::gemini_cli::GeminiCli;
    use crate::reader::{self, Answer, Device, Reader};
    use crate::world;

    /// Policies whose denied hosts a spelling could hide; each allows `a.example`, and denies
    /// `bad.example`, `bad.wild.example` and `93.184.216.34`, or leaves them out.
    fn policies() -> Vec<Policy> {
        const ALLOWED: [&str; 2] = ["a.example", "*.wild.example"];
        const DENIED: [&str; 3] = ["bad.example", "bad.wild.example", "93.184.216.34"];
        [
            world::policy(&ALLOWED, &DENIED, Some(Verdict::Deny), None),
            world::policy(&["a.example"], &[], Some(Verdict::Deny), None),
            world::policy(&ALLOWED, &[], None, None),
            world::policy(&[], &DENIED, Some(Verdict::Allow), None),
            world::policy(
                &[],
                &["bad.example", "*.bad.example"],
                Some(Verdict::Allow),
                None,
            ),
        ]
        .map(Option::unwrap)
        .into()
    }

    /// A policy with what each agent is given and makes of it.
    struct Rendered {
        policy: Policy,
        gemini: (Rendering, GeminiCli),
        opencode: (Rendering, Box<dyn Reader>),
    }

    impl Rendered {
        fn new(policy: Policy) -> Self {
            let (gemini, device) = rendered(&policy, Harness::GeminiCli);
            let gemini = (gemini, GeminiCli::read(&device));
            let (opencode, device) = rendered(&policy, Harness::OpenCode);
            let opencode = (opencode, reader::read("opencode", &device));
            Self {
                policy,
                gemini,
                opencode,
            }
        }

        fn all() -> Vec<Self> {
            policies().into_iter().map(Self::new).collect()
        }

        fn opencode(&self, text: &str) -> Answer {
            self.opencode.1.host(reader::Channel::Tool, text)
        }
    }

    fn rendered(policy: &Policy, harness: Harness) -> (Rendering, Device) {
        let (version, _) = verified(harness).unwrap();
        let device = Device::new(reader::Os::Linux, &version.to_string());
        let target = Target::new(harness, version, Os::Linux);
        let rendering = render(policy, &target, Hardening::Standard).unwrap();
        let device = rendering.files().iter().fold(device, |device, file| {
            device.managed(file.path(), file.bytes())
        });
        (rendering, device)
    }

    /// What decides a host as a URL parser wrote it, and how; one that is no host for the policy is in
    /// no list.
    fn decide(policy: &Policy, host: &str) -> (Clause, Verdict) {
        let egress = policy.egress();
        let rule = match Host::parse(host.trim_matches(['[', ']'])) {
            Ok(host) => egress.decide(&host).rule(),
            Err(_) => egress.default_rule(),
        };
        (Clause::of_rule(rule), rule.verdict())
    }

    /// Whether a host is closed, and the ledger says that the fetch tool holds that.
    fn is_held(policy: &Policy, rendering: &Rendering, host: &str) -> bool {
        let (clause, verdict) = decide(policy, host);
        let rows = rendering.ledger().rows().iter();
        let row = rows
            .filter(|row| row.channel() == Channel::FetchTool)
            .find(|row| *row.clause() == clause)
            .unwrap();
        let is_wider = matches!(
            row.state(),
            State::NotHeld { .. } | State::Weaker { gains: Some(_), .. }
        );
        verdict == Verdict::Deny && !is_wider
    }

    #[rustfmt::skip] // one line a case
    const SPELLINGS: &[&str] = &[
        // D is a closed host, A an open one
        "https://D", "http://D/", "https://D:443/p?q#f",
        // without slashes, or with others
        "http:D/a://A/", "https:/D/e://A/", "http:\\\\D/f://A/", "https:\\D/://A/", "http:D?://A/", "http:D#://A", "HTTPS:D/://A/",
        "https:///D/", "https:////D/", "https:/\\D/", "https://\\D/", "https://\tD/", "https:///D/://A/", "https:D", "https:D\"https://A/",
        "https:D/\\nhttps://A/", "https:D/\nhttps://A/", "https:D/ https://A/", "\u{1}http:D/://A/", "\"http:D/://A/", ":\"https:D/://A/",
        // before an `@`
        "https://A@D/", "https://A:443@D/", "https://A\"@D/b", "https://A:\"@D/b", "https://A @D/", "https://A:443 @D/", "https://A\t@D/",
        "https://A\n@D/", "https://A%40@D/", "https://A\u{a0}@D/", "https://A\u{2028}@D/", "https://A|@D/", "https://A'@D/", "https://A,@D/", "https://A:@D/",
        "https://A\u{0}@D/", "https://u:p@A@D/", "https://A&@D/", "https://A;@D/", "https://A\u{7f}@D/", "https://A%2f@D/", "https://A%5c@D/",
        // an open host behind the closed one
        "https://D/A", "https://D/://A/", "https://D/https://A/", "https://D?A", "https://D?.wild.example/", "https://D?x.wild.example", "https://D#.wild.example/",
        "https://D/.wild.example/", "https://D/?.wild.example/", "https://D\\.wild.example/", "https://D:443?.wild.example/", "https://D.?.wild.example/",
        "https://u@D?.wild.example/", "https://u@D#@A/", "https://D?@A/", "https://D#@A/", "https://D\\@A/", "https://D/@A/", "http://D?x#.wild.example",
        // two in one text
        "https://A/ https://D/", "https://A/\thttps://D/", "https://A/\nhttps://D/", "https://A/\u{a0}https://D/", "https://A/\u{feff}https://D/", "https://A/\u{b}https:D/://A",
        "https://A/ http:D/://A/", "https://A/\u{3000}http:D/://A/", "A https:/D/://",
        // ports
        "https://D:/", "https://D:0443/", "https://D:8443", "http://D:80/x",
        // line breaks, tabs and control characters
        " https://D/", "\thttps://D/", "\u{1f}https://D/", "ht\ttps://D/", "https\n://D/", "https:\t//D/", "https:/\n/D/", "https://D\t/", "https://D\r\n/", "\u{0}https:D/",
    ];

    /// Spellings of one host.
    fn respelt(host: &str) -> Vec<String> {
        let (first, rest) = host.split_at(1);
        let mut all = vec![
            host.to_owned(),
            host.to_ascii_uppercase(),
            format!("%{:02X}{rest}", first.as_bytes()[0]),
            format!("{}{rest}", wide(first)),
            format!("{first}\t{rest}"),
            format!("{first}\u{ad}{rest}"),
            format!("{first}\u{200b}{rest}"),
            host.replacen('.', "\u{3002}", 1),
            host.replacen('.', "%2e", 1),
            format!("{host}."),
        ];
        if host.starts_with(|letter: char| letter.is_ascii_digit()) {
            all.extend(
                [
                    "1572395042",
                    "0x5db8d822",
                    "0135.184.216.34",
                    "93.12113954",
                    "93.184.55330",
                    "0x5d.0xb8.0xd8.0x22",
                    "93.184.216.34.",
                    "[::ffff:93.184.216.34]",
                    "[::ffff:5db8:d822]",
                    "93.184.216.042",
                    "93.184.0xd8.34",
                ]
                .map(str::to_owned),
            );
        }
        all
    }

    fn wide(letter: &str) -> String {
        let wide = letter.chars().map(|letter| {
            let code = u32::from(letter) - u32::from('!') + 0xff01;
            char::from_u32(code).unwrap()
        });
        wide.collect()
    }

    /// Every spelling, of every closed host.
    fn table() -> Vec<String> {
        let closed = [
            "bad.example",
            "bad.wild.example",
            "93.184.216.34",
            "unlisted.example",
        ];
        let mut texts = Vec::new();
        for host in closed.iter().flat_map(|host| respelt(host)) {
            for spelling in SPELLINGS {
                texts.push(spelling.replace('A', "a.example").replace('D', &host));
            }
        }
        texts.dedup();
        texts
    }

    /// Texts put together from the parts that a parser treats in ways of their own.
    fn texts() -> impl Strategy<Value = String> {
        let part = |parts: &'static [&'static str]| select(parts);
        let hosts: Vec<String> = [
            "a.example",
            "x.wild.example",
            "bad.example",
            "93.184.216.34",
            "c.d",
        ]
        .iter()
        .flat_map(|host| respelt(host))
        .collect();
        let address = (
            part(&[
                "https:",
                "http:",
                "HTTP:",
                "https",
                "",
                "x:",
                "\u{1}https:",
                "ht\ttp:",
                "http:https:",
                "\"https:",
                "blob:http:",
            ]),
            part(&["//", "//", "/", "", "\\\\", "///", "/\\", "//\t", "\\"]),
            part(&[
                "",
                "",
                "u@",
                "a.example@",
                "a.example:443@",
                "a.example\"@",
                "a.example @",
                "a.example\t@",
                "a.example?@",
                "a.example#",
                "a.example\\@",
                "\"",
            ]),
            select(hosts),
            part(&["", ":443", ":", ":0443", ":x", " ", "\"", "\\"]),
            part(&[
                "",
                "/",
                "/p",
                "?q",
                "#f",
                "?.wild.example/",
                "/.wild.example",
                "/a://a.example/",
                "/\"https://a.example/",
                "@a.example/",
                "?u=https://a.example/",
                "?u=http:a",
                "\u{a0}://a.example",
            ]),
        )
            .prop_map(|(scheme, slashes, user, host, port, rest)| {
                format!("{scheme}{slashes}{user}{host}{port}{rest}")
            });
        let between = part(&[
            "", " ", "\n", "\u{a0}", "\u{feff}", "\u{85}", "\u{b}", "\"", "\\", "\\n", ":\"",
            "\u{0}",
        ]);
        (prop::option::of((address.clone(), between)), address).prop_map(|(before, last)| {
            before.map_or(String::new(), |(first, between)| first + between) + &last
        })
    }

    fn check(rendered: &Rendered, text: &str) {
        let policy = &rendered.policy;
        let (gemini, rules) = &rendered.gemini;
        for call in GeminiCli::calls(text) {
            let open = rules.fetch(&call) != Answer::Deny;
            for url in GeminiCli::addresses(&call) {
                let held = is_held(policy, gemini, url.host_str().unwrap_or_default());
                assert!(!(open && held), "{call} reaches {url} under {policy:#?}");
            }
        }
        // The tool takes no other scheme, and spells it so.
        if let Some(url) = url::Url::parse(text).ok().filter(|_| is_taken(text)) {
            let open = rendered.opencode(text) != Answer::Deny;
            let held = is_held(
                policy,
                &rendered.opencode.0,
                url.host_str().unwrap_or_default(),
            );
            assert!(!(open && held), "`{text}` reaches {url} under {policy:#?}");
        }
    }

    fn is_taken(text: &str) -> bool {
        text.starts_with("http://") || text.starts_with("https://")
    }

    #[test]
    fn no_spelling_of_a_closed_host_is_let_through() {
        let texts = table();
        for rendered in Rendered::all() {
            texts.iter().for_each(|text| check(&rendered, text));
        }
    }

    #[test]
    fn plain_addresses_of_an_open_host_are_let_through() {
        let rows = [
            // address, whether OpenCode asks about it, whose rules cannot say a port
            ("https://a.example", true),
            ("http://a.example/", true),
            ("https://a.example/p/q?x=bad.example#f", true),
            ("https://a.example/?u=https://a.example/", true),
            ("https://a.example/p?bad.example", true),
            ("https://a.example:443", false),
            ("https://a.example:443/p?q", false),
            ("https://x.wild.example/bad.example", true),
            ("https://x.wild.example", true),
        ];
        for rendered in Rendered::all() {
            let policy = &rendered.policy;
            let asks_all = decide(policy, "unlisted.example").1 == Verdict::Allow;
            for (text, asked) in rows {
                let url = url::Url::parse(text).unwrap();
                if decide(policy, url.host_str().unwrap()).1 == Verdict::Deny {
                    continue;
                }
                let prose = format!("Summarise:\n{text} and (say) \"http\" or https, please");
                let prose = json!({ "prompt": prose });
                for call in GeminiCli::calls(text).into_iter().chain([prose]) {
                    let answer = rendered.gemini.1.fetch(&call);
                    assert_ne!(answer, Answer::Deny, "{call} under {policy:#?}");
                }
                let open = rendered.opencode(text) != Answer::Deny;
                assert_eq!(open, asked || asks_all, "{text} under {policy:#?}");
            }
        }
    }

    #[test]
    fn a_denied_host_is_denied_where_a_wildcard_stands_in_its_query() {
        let rendered = Rendered::new(policies().swap_remove(0));
        for text in [
            "https://bad.example?.wild.example/",
            "https://bad.example?x.wild.example",
            "https://bad.example/?.wild.example/",
            "https://bad.example:443?.wild.example/",
            "https://bad.example.?.wild.example/",
            "https://bad.example\\.wild.example/",
            "https://u:p@bad.example?.wild.example/",
            "http://93.184.216.34?.wild.example/",
            "https://bad.wild.example?.wild.example/",
        ] {
            assert_eq!(rendered.opencode(text), Answer::Deny, "{text}");
        }
        // An exact host whose name a denied one begins stays open.
        let policy = world::policy(
            &["t.com", "*.wild.example"],
            &["t.co"],
            Some(Verdict::Deny),
            None,
        );
        let rendered = Rendered::new(policy.unwrap());
        assert_eq!(rendered.opencode("https://t.com/"), Answer::Ask);
        assert_eq!(rendered.opencode("https://t.com?q"), Answer::Deny);
    }

    #[test]
    fn no_text_that_reaches_a_closed_host_is_let_through() {
        let all = Rendered::all();
        let config = ProptestConfig {
            cases: 1024,
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        let run = TestRunner::new(config).run(&texts(), |text| {
            all.iter().for_each(|rendered| check(rendered, &text));
            Ok(())
        });
        run.unwrap();
    }

    /// Puts the tools' own reading and the rules to node: of each call of Gemini CLI's the hosts and
    /// whether an expression matches its text, of each address of OpenCode's the host and the action.
    const SCRIPT: &str = r#"
const input = JSON.parse(require("fs").readFileSync(0, "utf8"));
const parse = (text) => { try { return new URL(text); } catch { return null; } };
const web = (url) => url !== null && ["http:", "https:"].includes(url.protocol);
const fetched = (call) => {
  if (call.url !== undefined) return [parse(call.url)].filter(web);
  const words = call.prompt.split(/\s+/).filter((word) => word.includes("://")).map(parse);
  return words.every(web) ? words : [];
};
const text = (call) => "{" + Object.keys(call).sort()
  .map((key) => "\0" + JSON.stringify(key) + ":" + JSON.stringify(call[key]) + "\0").join(",") + "}";
const wild = (pattern) => new RegExp("^" + pattern.replaceAll("\\", "/")
  .replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".") + "$", "s");
const output = input.map(({ patterns, calls, opencode, urls }) => {
  const expressions = patterns.map((pattern) => new RegExp(pattern));
  const { permission, agent } = JSON.parse(opencode ?? "{}");
  const lists = [permission, ...Object.values(agent ?? {}).map((own) => own.permission)];
  const rules = lists.flatMap((list) => Object.entries(list ?? {}))
    .filter(([name]) => wild(name).test("webfetch"))
    .flatMap(([, value]) => typeof value === "string" ? [["*", value]] : Object.entries(value))
    .map(([pattern, action]) => [wild(pattern), action]);
  return {
    calls: calls.map((call) => ({
      hosts: fetched(call).map((url) => url.hostname),
      denied: expressions.some((expression) => expression.test(text(call))),
    })),
    urls: urls.map((url) => ({
      host: parse(url)?.hostname ?? null,
      action: rules.findLast(([pattern]) => pattern.test(url.replaceAll("\\", "/")))?.[1] ?? "ask",
    })),
  };
});
process.stdout.write(JSON.stringify(output));
"#;

    /// What node answers; nothing where it is not installed.
    fn node(input: &Value) -> Option<Value> {
        let mut child = Command::new("node")
            .args(["-e", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let mut stdin = child.stdin.take().unwrap();
        let text = input.to_string();
        let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        assert!(output.status.success());
        Some(serde_json::from_slice(&output.stdout).unwrap())
    }

    /// The expressions on the fetch tool; one that matches everything where a rule has none.
    fn expressions(rendering: &Rendering) -> Vec<String> {
        let files = rendering.files().iter();
        let rules = files
            .filter(|file| file.path().ends_with("hosts.toml"))
            .flat_map(|file| {
                let table: toml::Table =
                    toml::from_str(core::str::from_utf8(file.bytes()).unwrap()).unwrap();
                table["rule"].as_array().unwrap().clone()
            });
        rules
            .filter(|rule| rule["toolName"].as_str() == Some("web_fetch"))
            .map(|rule| {
                let pattern = rule.get("argsPattern");
                pattern.map_or(String::new(), |pattern| {
                    pattern.as_str().unwrap().to_owned()
                })
            })
            .collect()
    }

    #[test]
    fn node_reads_the_rules_and_the_addresses_alike() {
        let mut texts_asked = table();
        let mut runner = TestRunner::deterministic();
        texts_asked.extend((0..2048).map(|_| texts().new_tree(&mut runner).unwrap().current()));
        let calls: Vec<Value> = texts_asked
            .iter()
            .flat_map(|text| GeminiCli::calls(text))
            .collect();
        let urls: Vec<&String> = texts_asked.iter().filter(|text| is_taken(text)).collect();
        let all = Rendered::all();
        let input: Vec<Value> = all
            .iter()
            .map(|rendered| {
                let file = rendered.opencode.0.files().first();
                let file = file.map(|file| String::from_utf8_lossy(file.bytes()));
                let patterns = expressions(&rendered.gemini.0);
                json!({"patterns": patterns, "calls": calls, "opencode": file, "urls": urls})
            })
            .collect();
        let Some(output) = node(&input.into()) else {
            eprintln!("SKIPPED, no expression was run in JavaScript: node is not installed");
            return;
        };
        let mut fetched = 0;
        for (index, rendered) in all.iter().enumerate() {
            let policy = &rendered.policy;
            let (gemini, rules) = &rendered.gemini;
            for (call, seen) in calls.iter().zip(output[index]["calls"].as_array().unwrap()) {
                let denied = seen["denied"].as_bool().unwrap();
                assert_eq!(denied, rules.fetch(call) == Answer::Deny, "{call}");
                for host in seen["hosts"].as_array().unwrap() {
                    fetched += 1;
                    let held = is_held(policy, gemini, host.as_str().unwrap());
                    assert!(denied || !held, "{call} reaches {host} under {policy:#?}");
                }
            }
            for (url, seen) in urls.iter().zip(output[index]["urls"].as_array().unwrap()) {
                let denied = seen["action"] == "deny";
                assert_eq!(denied, rendered.opencode(url) == Answer::Deny, "{url}");
                if let Some(host) = seen["host"].as_str() {
                    let held = is_held(policy, &rendered.opencode.0, host);
                    assert!(denied || !held, "`{url}` reaches {host} under {policy:#?}");
                }
            }
        }
        assert!(fetched > 5_000, "{fetched} addresses");
    }
}
