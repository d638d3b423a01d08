//! `data/harness-hosts.tsv`: decisions on hosts that were seen in four real programs, every row.

use crate::reader::Answer::{self, Allow, Ask, Deny};
use crate::reader::{Channel, Device, Os, read};

const ROWS: &str = include_str!("../data/harness-hosts.tsv");

/// The files of one row, and the way its question comes in.
fn set_up(harness: &str, version: &str, mechanism: &str, pattern: &str) -> (Device, Channel) {
    // A remark may follow the pattern, and an empty list is spelt out.
    let entry = pattern.split(' ').next().unwrap();
    let list = if pattern == "(empty list)" {
        String::new()
    } else {
        format!("\"{entry}\"")
    };
    let copilot = |settings: String| {
        Device::new(Os::Linux, version)
            .managed("/etc/github-copilot/managed-settings.json", settings)
    };
    let sandbox = |network: &str| {
        copilot(format!(
            r#"{{"sandbox":{{"enabled":true,"userPolicy":{{"network":{{{network}}}}}}}}}"#
        ))
    };
    let cursor = |network: &str| {
        let file = format!(r#"{{"type":"workspace_readwrite","networkPolicy":{{{network}}}}}"#);
        Device::new(Os::Linux, "1.0.32")
            .user("~/.cursor/sandbox.json", &file)
            .resolves("a.example", "203.0.113.10".parse().unwrap())
    };
    match (harness, mechanism) {
        ("copilot", "sandbox allowedHosts") => (
            sandbox(&format!(r#""allowOutbound":true,"allowedHosts":[{list}]"#)),
            Channel::Shell,
        ),
        ("copilot", "sandbox blockedHosts") => (
            sandbox(&format!(r#""allowOutbound":true,"blockedHosts":[{list}]"#)),
            Channel::Shell,
        ),
        ("copilot", "sandbox allowOutbound=false + allowedHosts") => (
            sandbox(&format!(r#""allowOutbound":false,"allowedHosts":[{list}]"#)),
            Channel::Shell,
        ),
        ("copilot", "permissions.limitTo") => (
            copilot(format!(r#"{{"permissions":{{"limitTo":[{list}]}}}}"#)),
            Channel::Tool,
        ),
        ("copilot", "permissions.deny") => (
            copilot(format!(r#"{{"permissions":{{"deny":[{list}]}}}}"#)),
            Channel::Tool,
        ),
        ("cursor", "networkPolicy.allow") => (
            cursor(&format!(r#""default":"deny","allow":[{list}]"#)),
            Channel::Shell,
        ),
        ("cursor", "networkPolicy.deny") => (
            cursor(&format!(r#""default":"allow","deny":[{list}]"#)),
            Channel::Shell,
        ),
        ("opencode", "permission \"webfetc?\" (url patterns)") => {
            let rules = format!(r#"{{"permission":{{"webfetc?":{{"*":"deny",{list}:"allow"}}}}}}"#);
            let device = Device::new(Os::Linux, version);
            (
                device.managed("/etc/opencode/opencode.json", rules),
                Channel::Tool,
            )
        }
        ("gemini", "admin policy argsPattern on web_fetch") => {
            let hosts = pattern.replace(" + ", "|");
            let rule = format!(
                "[[rule]]\ntoolName = \"web_fetch\"\ndecision = \"deny\"\npriority = 900\n\
                 argsPattern = '''://(?!(?:{hosts})(?:[/?#\\s\"\\\\]|:\\d+[/?#\\s\"\\\\]))'''\n"
            );
            let device = Device::new(Os::Linux, version);
            (
                device.managed("/etc/gemini-cli/policies/acme.toml", rule),
                Channel::Tool,
            )
        }
        other => panic!("no such mechanism: {other:?}"),
    }
}

#[test]
fn every_row_is_answered_as_it_was_seen() {
    let mut answered = 0;
    for row in ROWS.lines().filter(|row| !row.starts_with('#')) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [harness, versions, mechanism, pattern, _list, host, observed] = columns[..] else {
            panic!("{row}");
        };
        let expected: Answer = match observed {
            "allow" => Allow,
            "deny" => Deny,
            "ask" => Ask,
            other => panic!("{other}"),
        };
        // A remark may follow the host.
        let host = host.split(' ').next().unwrap();
        for version in versions.split(',') {
            let (device, channel) = set_up(harness, version, mechanism, pattern);
            let name = match harness {
                "opencode" => harness.to_owned(),
                other => format!("{other}-cli"),
            };
            assert_eq!(read(&name, &device).host(channel, host), expected, "{row}");
            answered += 1;
        }
    }
    assert_eq!(
        answered, 58,
        "forty rows, nine of them seen in three releases"
    );
}
