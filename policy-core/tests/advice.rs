//! What the help says to write means what the refused spelling means where it comes from, and is
//! accepted; or the help says what it leaves out.
#![cfg(feature = "repository")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test without its policy has failed"
)]

use policy_core::{Code, Finding, Host, Pattern, PatternError, Repository, Severity, Validation};
use proptest::prelude::*;

/// Which hosts a spelling means, for a name that stands in it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Means {
    Name,
    Below,
    NameAndBelow,
    Every,
    /// The address that stands in the spelling.
    One(&'static str),
    /// Nothing that a pattern could say: only words may be told.
    Words,
}

use Means::{Below, Every, Name, NameAndBelow, One, Words};

/// A spelling of another grammar with `N` where its name is, `U` where that is in capitals, `F` where its A-labels are in Unicode, what it means there, and what the help
/// has to say besides.
const SPELLINGS: &[(&str, Means, &str)] = &[
    // Squid, AWS, tinyproxy.
    (".N", NameAndBelow, ""),
    (".N:443", NameAndBelow, "every port"),
    // Codex.
    ("**.N", NameAndBelow, ""),
    // Match patterns of browser extensions.
    ("*://*.N/*", NameAndBelow, ""),
    ("*://N/*", Name, ""),
    // Blocklists of browsers, and hosts files.
    ("||N^", NameAndBelow, "among the denied"),
    ("||N^$third-party", NameAndBelow, "options are dropped"),
    (
        "||N^$domain=other.example",
        NameAndBelow,
        "options are dropped",
    ),
    ("||N", Words, ""),
    ("@@||N^", Words, ""),
    ("0.0.0.0 N", Name, "among the denied"),
    ("127.0.0.1\u{a0}N", Name, "among the denied"),
    (":: N # why", Name, "among the denied"),
    ("0.0.0.0\tN", Name, "among the denied"),
    ("0.0.0.0\tN # why", Name, "among the denied"),
    ("127.0.0.1 localhost N", Name, "among the denied"),
    ("192.0.2.1 N", Words, ""),
    ("192.0.2.1\tN", Words, ""),
    ("127.0.0.1 localhost", Words, ""),
    ("fe80::1%lo0 localhost", Words, ""),
    ("255.255.255.255 broadcasthost", Words, ""),
    ("DOMAIN-SUFFIX,N,REJECT", Words, ""),
    ("server=/N/", Words, ""),
    ("address=/N/0.0.0.0", Words, ""),
    // Lists in one text.
    ("N # why", Name, "a comment behind the entry"),
    ("N,N", Name, ""),
    ("N, .N", NameAndBelow, ""),
    ("N;.N", NameAndBelow, ""),
    ("N\t.N", NameAndBelow, ""),
    ("N\n.N", NameAndBelow, ""),
    ("N\u{0}.N", Words, ""),
    ("N\u{8}", Words, ""),
    ("vcs,package-registries", Words, ""),
    ("N .N", NameAndBelow, ""),
    ("\"N\"", Name, ""),
    ("'*.N'", Below, ""),
    ("`.N`", NameAndBelow, ""),
    ("domain=N", Name, "if the names below it are meant"),
    ("domain:N", Name, "if the names below it are meant"),
    ("full:N", Name, ""),
    ("keyword:N", Words, ""),
    // URLs and their parts.
    ("N:22", Name, "every port"),
    ("N:*", Name, "every port"),
    ("*.N:443", Below, "every port"),
    ("N:80-90", Name, "every port"),
    ("N:80,443", Name, "every port"),
    ("N:ssh", Name, "every port and path"),
    ("N:443,N:80", Name, "every port"),
    ("N/owner", Name, "every path"),
    ("*.N/owner", Below, "every path"),
    (".N/owner", NameAndBelow, "every path"),
    ("N?x=1", Name, "every path"),
    ("N#x", Name, "every path"),
    ("https://N/", Name, "every scheme"),
    ("https://*.N/", Below, "every scheme"),
    ("https://N:443/a?b", Name, "every scheme, port and path"),
    ("git@N:o/r", Name, "every user and path"),
    ("git+https://N/o/r", Name, "every scheme and path"),
    ("s3://N/key", Words, ""),
    ("gs://N", Words, ""),
    ("docker://N/x", Words, ""),
    ("redis://N/0", Words, ""),
    ("ssh://git@N/o/r", Name, "every scheme, user and path"),
    ("http://N?@evil.example/x", Words, ""),
    ("http://N#@evil.example/x", Words, ""),
    ("https://u%40evil.example:443@N/", Words, ""),
    ("https://a@b@N/", Words, ""),
    ("N:other.example", Words, ""),
    ("https://https://N", Words, ""),
    // One spelling of the same.
    (" N", Name, ""),
    ("N.", Name, ""),
    ("*.N.", Below, ""),
    (".N.", NameAndBelow, ""),
    ("U", Name, ""),
    ("*.U", Below, ""),
    (".U", NameAndBelow, ""),
    ("https://U./", Name, "every scheme"),
    // Globs and regular expressions.
    ("*N", Words, ""),
    ("a*.N", Words, ""),
    ("*.*.N", Words, ""),
    ("..N", Words, ""),
    ("?.N", Words, ""),
    ("^N$", Words, ""),
    ("{a,b}.N", Words, ""),
    // Every host.
    ("*", Every, ""),
    ("**", Every, ""),
    ("0.0.0.0/0", Every, ""),
    ("::/0", Every, ""),
    // Addresses and service tags.
    ("10.0.0.0/8", Words, ""),
    ("*.192.0.2.1", Words, ""),
    ("AzureKubernetesService", Words, ""),
    ("Storage.WestEurope", Words, ""),
    ("Storage", Words, ""),
    ("Dynamics365", Words, ""),
    ("CORP", Words, ""),
    ("AzureCloud.eastus", Words, ""),
    ("Storage.westus2", Words, ""),
    ("Sql.usgovvirginia", Words, ""),
    // Names and addresses in a spelling that some clients read.
    ("F", Name, ""),
    ("*.F", Below, ""),
    ("a%2eN", Words, ""),
    ("a..N", Words, ""),
    ("N.1", Words, ""),
    ("10.1", Words, ""),
    ("xn--a.N", Words, ""),
    ("2001:db8:::", Words, ""),
    ("[2001:db8::1]", One("2001:db8::1"), ""),
    ("2001:DB8:0::1", One("2001:db8::1"), ""),
    ("::ffff:192.0.2.9", One("192.0.2.9"), ""),
    ("::ffff:c000:209", One("192.0.2.9"), ""),
];

fn validate(egress: &str) -> Validation {
    let files = [
        (
            "halos.yaml",
            "rings: { ga: { profile: base, default: true } }",
        ),
        (
            "profiles/base.yaml",
            &format!("sandbox: {{ mode: workspace-write }}\negress: {{ {egress} }}"),
        ),
    ];
    Repository::from_files(files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())))
        .validate()
}

fn quote(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn errors(validation: &Validation) -> Vec<&Finding> {
    let findings = validation.findings().iter();
    findings
        .filter(|finding| finding.severity() == Severity::Error)
        .collect()
}

fn spelt(spelling: &str, name: &str) -> String {
    let letters: Vec<char> = spelling.chars().collect();
    let is_capital = |at: Option<usize>| {
        at.and_then(|at| letters.get(at))
            .is_some_and(char::is_ascii_uppercase)
    };
    let with_name = |(at, c): (usize, &char)| match c {
        // A letter of a word.
        c if is_capital(at.checked_sub(1)) || is_capital(Some(at + 1)) => c.to_string(),
        'N' => name.to_owned(),
        'U' => name.to_uppercase(),
        'F' => name.replace("xn--bcher-kva", "bücher"),
        c => c.to_string(),
    };
    letters.iter().enumerate().map(with_name).collect()
}

/// The patterns in the backticks of a help.
fn told(help: &str) -> Vec<String> {
    help.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

/// Follows what the help says of an entry of `list`, and compares what is decided then with what the
/// entry means.
fn follow(
    spelling: &str,
    name: &str,
    means: Means,
    says: &str,
    list: &str,
) -> Result<(), TestCaseError> {
    let entry = spelt(spelling, name);
    // A name such as `a.example` may make of a spelling one that is no other grammar's.
    let Err(error) = Pattern::parse(&entry) else {
        return Ok(());
    };
    let refused = validate(&format!("{list}: [{}]", quote(&entry)));
    let errors_of_it = errors(&refused);
    let [finding] = &*errors_of_it else {
        panic!("{entry}: {errors_of_it:#?}");
    };
    prop_assert_eq!(finding.code().as_str(), error.code());
    let help = finding.help().unwrap();
    let patterns = error.suggestions(&entry);
    if matches!(means, Words) {
        prop_assert_eq!(&patterns, &[], "{}: {}", entry, help);
        return Ok(());
    }
    let denies = list == "deniedDomains";
    let advice = if means == Every {
        let word = if denies { "deny" } else { "allow" };
        prop_assert!(
            help.contains(&format!("`default: {word}`")),
            "{}: {}",
            entry,
            help
        );
        format!("default: {word}")
    } else {
        prop_assert!(!patterns.is_empty(), "{}: {}", entry, help);
        // Where the list may not hold them, the help says so and names no two patterns.
        if help.starts_with("write the registered names") {
            prop_assert!(!denies, "{}: {}", entry, help);
            let quoted: Vec<String> = patterns.iter().map(|one| quote(&one.to_string())).collect();
            let validation = validate(&format!("{list}: [{}]", quoted.join(",")));
            prop_assert!(
                !errors(&validation).is_empty(),
                "{} would be accepted",
                entry
            );
            return Ok(());
        }
        prop_assert!(help.contains(says), "{entry}: {help} does not say {says}");
        for pattern in &patterns {
            prop_assert!(
                told(help).contains(&pattern.to_string()),
                "{}: {}",
                entry,
                help
            );
        }
        // What blocks where it comes from is written among the denied.
        if help.contains("among the denied") && !denies {
            return Ok(());
        }
        let quoted: Vec<String> = patterns.iter().map(|one| quote(&one.to_string())).collect();
        format!("{list}: [{}]", quoted.join(","))
    };
    let followed = validate(&advice);
    prop_assert_eq!(
        errors(&followed),
        Vec::<&Finding>::new(),
        "{}: {}",
        entry,
        advice
    );
    let policy = followed.organisation().unwrap().select(None, None).unwrap();
    let egress = policy.policy().egress();
    let hosts = [
        (
            name.to_owned(),
            matches!(means, Name | NameAndBelow | Every),
        ),
        (
            format!("a.{name}"),
            matches!(means, Below | NameAndBelow | Every),
        ),
        (
            format!("b.a.{name}"),
            matches!(means, Below | NameAndBelow | Every),
        ),
        (format!("x{name}"), means == Every),
        ("elsewhere.invalid".to_owned(), means == Every),
        ("192.0.2.7".to_owned(), means == Every),
        (
            "2001:db8::1".to_owned(),
            means == One("2001:db8::1") || means == Every,
        ),
        (
            "192.0.2.9".to_owned(),
            means == One("192.0.2.9") || means == Every,
        ),
    ];
    for (host, meant) in hosts {
        let Ok(host) = Host::parse(&host) else {
            continue;
        };
        let allowed = egress.decide(&host).is_allowed();
        prop_assert_eq!(
            allowed,
            meant != denies,
            "{} in {}: {} by {}",
            entry,
            list,
            host,
            advice
        );
    }
    Ok(())
}

fn name() -> impl Strategy<Value = String> {
    let label = "[a-z][a-z0-9]{0,3}|[a-z]-[a-z]|_[a-z]|xn--bcher-kva";
    let zone = prop::sample::select(vec![
        "example",
        "com",
        "co.uk",
        "gov.uk",
        "github.io",
        "amazonaws.com",
        "corp",
        "a.ck",
    ]);
    (prop::collection::vec(label, 0..3), zone).prop_map(|(labels, zone)| {
        let mut labels = labels;
        labels.push(zone.to_owned());
        labels.join(".")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn advice_that_is_followed_decides_as_the_spelling_meant(name in name()) {
        // One label behind `domain=` or in a list is a word, not a name.
        prop_assume!(name.contains('.'));
        for (spelling, means, says) in SPELLINGS {
            for list in ["allowedDomains", "deniedDomains"] {
                follow(spelling, &name, *means, says, list)?;
            }
        }
    }
}

/// Every reason that has a spelling to write is asked about above.
#[test]
fn every_reason_with_a_spelling_to_write_is_followed() {
    let of = |spelling: &str| Pattern::parse(&spelt(spelling, "xn--bcher-kva.github.com")).err();
    let followed: Vec<PatternError> = SPELLINGS.iter().filter_map(|row| of(row.0)).collect();
    use PatternError::*;
    // Nothing to write at all.
    let others = [Empty, Control, LabelTooLong, TooLong];
    for error in PatternError::ALL {
        assert!(
            followed.contains(error) || others.contains(error),
            "{error:?}"
        );
    }
    assert!(Code::ALL.len() > PatternError::ALL.len());
}

#[test]
fn what_an_entry_of_another_program_is_told() {
    for (list, entry, help) in [
        (
            "deniedDomains",
            ".pastebin.com",
            "write `pastebin.com` and `*.pastebin.com`",
        ),
        ("deniedDomains", ".gov.uk", "write `gov.uk` and `*.gov.uk`"),
        (
            "allowedDomains",
            ".gov.uk",
            "write the registered names: `*.gov.uk` would allow every name that anyone registers",
        ),
        (
            "allowedDomains",
            "github.com:22",
            "write `github.com`: a rule covers every port",
        ),
        (
            "allowedDomains",
            "github.com/acme",
            "write `github.com`: a rule covers every path",
        ),
        // What blocks is not to be allowed in any spelling.
        (
            "allowedDomains",
            "||gov.uk^",
            "write `gov.uk` and `*.gov.uk` among the denied: such an entry blocks",
        ),
        (
            "allowedDomains",
            "0.0.0.0 .gov.uk",
            "write `gov.uk` and `*.gov.uk` among the denied: such an entry blocks",
        ),
        (
            "deniedDomains",
            "0.0.0.0\tpastebin.com",
            "write `pastebin.com` among the denied: such an entry blocks",
        ),
        (
            "deniedDomains",
            "paste\u{8}bin.com",
            "type the entry anew: what is left without it may be another host",
        ),
        (
            "deniedDomains",
            "@@||a.com^",
            "such an entry excepts a host from a list of blocked ones, and blocks nothing: leave it out",
        ),
        (
            "deniedDomains",
            "127.0.0.1 localhost",
            "such a line of a hosts file names the machine itself and blocks nothing: leave it out",
        ),
        (
            "allowedDomains",
            "s3://bucket/key",
            "programs do not agree where URLs of this scheme lead: write the host that is connected to",
        ),
        (
            "allowedDomains",
            "Storage",
            "write the whole name of the host in lower case; if it is perhaps a service tag, that is no host",
        ),
        (
            "allowedDomains",
            "vcs,package-registries",
            "presets are named in `presets`, one an entry",
        ),
        (
            "allowedDomains",
            "0.0.0.0 ads.example",
            "write `ads.example` among the denied: such an entry blocks",
        ),
        ("allowedDomains", "a.com,b.com", "write `a.com` and `b.com`"),
        (
            "allowedDomains",
            "a.com b.com c.com",
            "write `a.com`, `b.com` and `c.com`",
        ),
        (
            "allowedDomains",
            "domain=github.com",
            "write `github.com`, and `*.github.com` if the names below it are meant",
        ),
        (
            "allowedDomains",
            "*",
            "for every host write `default: allow`, and allow none",
        ),
        (
            "deniedDomains",
            "0.0.0.0/0",
            "for every host write `default: deny`, and allow none",
        ),
        (
            "allowedDomains",
            "AzureKubernetesService",
            "a service tag is no host: write the hosts that it stands for",
        ),
    ] {
        let validation = validate(&format!("{list}: [{}]", quote(entry)));
        let told: Vec<_> = errors(&validation).iter().map(|one| one.help()).collect();
        assert_eq!(told, [Some(help)], "{entry}");
    }
}

/// No part of such a text is advised: the rest would be dropped, and it says more, less or the opposite.
#[test]
fn no_part_of_an_entry_is_advised_where_the_rest_would_be_lost() {
    for entry in [
        "[2001:db8::]/48",
        "[::ffff:192.0.2.0]/120",
        "10.0.0.0/8,acme.io",
        "192.0.2.0/24 acme.io",
        "192.0.2.0/24,192.0.3.0/24",
        "2001:db8::/32 acme.io",
        "tcp/acme.io:443",
        "ns1/acme.io",
        "prod/*.acme.io",
        "acme.io/other.io",
        "\u{201c}acme.io\u{201d}",
        "\u{ab}acme.io\u{bb}",
        "\u{2022}acme.io",
        "acme.io\u{2013}",
        "acme.io\u{3001}other.io",
        "acme.io@1.2.3.4",
        "1.1.1.1@eth0",
        "*.acme.io,-bad.acme.io",
        "*.acme.io !bad.acme.io",
        "DOMAIN,acme.io",
        "||acme.io^$badfilter",
        "||acme.io^$third-party,removeparam=x",
        "||acme.io^$csp=x",
        "'self'",
        "*://good.test:SECRET/x",
    ] {
        let error = Pattern::parse(entry).unwrap_err();
        assert_eq!(error.suggestions(entry), [], "{entry}");
    }
    for (entry, help) in [
        ("DOMAIN,acme.io", "write only the name that the line holds"),
        (
            "https://*.acme.io/*",
            "write `*.acme.io`, and `acme.io` if the name itself is meant: a rule covers every scheme",
        ),
        (
            "NO_PROXY=.acme.io",
            "host names are letters, digits, `-`, `_` and `.`",
        ),
    ] {
        assert_eq!(Pattern::parse(entry).unwrap_err().help(entry), help);
    }
}
