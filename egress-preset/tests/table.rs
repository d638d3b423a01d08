//! The table against the policy document that lists the presets, and the laws that every row obeys.

use egress_preset::{Preset, PresetHost, Source};

fn patterns(preset: Preset) -> Vec<&'static str> {
    preset.hosts().iter().map(|host| host.pattern()).collect()
}

fn every_host() -> impl Iterator<Item = PresetHost> {
    Preset::ALL
        .iter()
        .flat_map(|preset| preset.hosts())
        .copied()
}

#[test]
fn model_providers_are_those_of_the_document() {
    assert_eq!(
        patterns(Preset::ModelProviders),
        [
            "*.githubcopilot.com",
            "api.anthropic.com",
            "api.githubcopilot.com",
            "api.openai.com",
            "generativelanguage.googleapis.com",
        ]
    );
}

#[test]
fn vcs_is_that_of_the_document() {
    assert_eq!(
        patterns(Preset::Vcs),
        [
            "*.githubusercontent.com",
            "api.github.com",
            "bitbucket.org",
            "codeload.github.com",
            "github.com",
            "gitlab.com",
        ]
    );
}

// The document names five registries in words only, so their names stand in the table alone and
// this test counts: two hosts each for the Python, Go and Rust ecosystems, one each for the rest.
#[test]
fn package_registries_are_those_of_the_document() {
    let registries = patterns(Preset::PackageRegistries);
    let of = |zone: &str| {
        registries
            .iter()
            .filter(|host| host.ends_with(zone))
            .count()
    };
    assert_eq!(registries.len(), 9);
    assert_eq!(of(".golang.org"), 2);
    assert_eq!(of(".crates.io"), 2);
    assert_eq!(of("pypi.org") + of(".pythonhosted.org"), 2);
    assert_eq!(of(".npmjs.org"), 1);
    assert_eq!(of(".maven.apache.org"), 1);
    assert_eq!(of("rubygems.org"), 1);
    assert!(
        registries.iter().all(|host| !host.starts_with('*')),
        "a registry is one exact host"
    );
}

#[test]
fn hosts_are_sorted_and_each_stands_once() {
    for preset in Preset::ALL {
        assert!(patterns(*preset).is_sorted_by(|a, b| a < b), "{preset}");
    }
    let mut all: Vec<_> = every_host().map(PresetHost::pattern).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!((count, all.len()), (20, 20), "a host belongs to one preset");
}

#[test]
fn every_pattern_is_a_canonical_name_or_a_wildcard_over_one() {
    for host in every_host() {
        let pattern = host.pattern();
        let name = pattern.strip_prefix("*.").unwrap_or(pattern);
        assert!(pattern.len() <= 253, "{pattern}");
        assert!(
            name.contains('.'),
            "{pattern} has one label: no preset covers a whole zone"
        );
        for label in name.split('.') {
            assert!((1..=63).contains(&label.len()), "{pattern}");
            assert!(
                label
                    .bytes()
                    .all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-')),
                "{pattern}"
            );
        }
        assert!(
            !name.ends_with(|last: char| last.is_ascii_digit()),
            "{pattern} is no address"
        );
    }
}

#[test]
fn every_page_has_a_title_an_https_address_and_an_iso_date() {
    for host in every_host() {
        let Source::Page {
            title,
            url,
            consulted,
        } = host.source()
        else {
            continue;
        };
        assert!(
            !title.is_empty() && title.trim() == title,
            "{}",
            host.pattern()
        );
        assert!(
            url.starts_with("https://") && !url.contains(char::is_whitespace),
            "{url}"
        );
        let parts: Vec<u32> = consulted
            .split('-')
            .filter_map(|part| part.parse().ok())
            .collect();
        let [year, month, day] = parts[..] else {
            panic!("{consulted} is no date")
        };
        assert_eq!(consulted, format!("{year:04}-{month:02}-{day:02}"));
        assert!(
            (2026..=2100).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day)
        );
    }
}

#[test]
fn one_page_has_one_title_and_one_date() {
    for one in every_host() {
        for other in every_host() {
            if let (Source::Page { url: a, .. }, Source::Page { url: b, .. }) =
                (one.source(), other.source())
            {
                assert_eq!(a == b, one.source() == other.source());
            }
        }
    }
}

#[test]
fn a_name_reads_back_as_its_preset() {
    for preset in Preset::ALL {
        assert_eq!(preset.name().parse(), Ok(*preset));
        assert_eq!(preset.to_string(), preset.name());
    }
}

#[test]
fn any_other_text_is_no_preset() {
    for text in [
        "",
        "VCS",
        " vcs",
        "vcs ",
        "vc",
        "vcss",
        "model_providers",
        "package-registry",
        "*",
    ] {
        assert!(text.parse::<Preset>().is_err(), "{text:?}");
    }
}

#[test]
fn all_is_complete_and_in_alphabetical_order() {
    assert!(Preset::ALL.is_sorted());
    assert!(Preset::ALL.is_sorted_by(|a, b| a.name() < b.name()));
    assert_eq!(
        Preset::ALL,
        [
            Preset::ModelProviders,
            Preset::PackageRegistries,
            Preset::Vcs
        ]
    );
}

#[test]
fn texts() {
    assert_eq!(
        "other".parse::<Preset>().unwrap_err().to_string(),
        "no such preset; the presets are `model-providers`, `package-registries`, `vcs`"
    );
    assert_eq!(
        Source::PolicyDocument.to_string(),
        "as stated by the policy document"
    );
    let page = Source::Page {
        title: "A page",
        url: "https://docs.example/a",
        consulted: "2026-11-29",
    };
    assert_eq!(
        page.to_string(),
        "A page <https://docs.example/a>, consulted 2026-11-29"
    );
    assert_eq!(
        format!("{:<6}|", Preset::Vcs),
        "vcs   |",
        "a name can be padded"
    );
}
