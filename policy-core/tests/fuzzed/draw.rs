//! Hosts, policies and repositories drawn from bytes: small alphabets, so that much overlaps.

use arbitrary::{Result, Unstructured};
use policy_core::{
    FilePath, Host, Mode, Pattern, Preset, ProtectedPath, Sandbox, Verdict, WritableRoot,
};

use crate::rules::Rules;

const LABELS: &[&str] = &["a", "b", "api", "_x", "0", "x-y", "xn--4dbrk0ce"];
/// Last labels. The long ones leave room for few labels or none below them.
const ENDS: &[&str] = &["a", "example", "co.uk", "github.io", "xn--4dbrk0ce"];
const ADDRESSES: &[&str] = &["192.0.2.1", "192.0.2.2", "2001:db8::1", "::1"];

fn one<'a>(u: &mut Unstructured<'_>, of: &[&'a str]) -> Result<&'a str> {
    u.choose(of).copied()
}

/// Up to `most` values.
fn several<T>(
    u: &mut Unstructured<'_>,
    most: usize,
    draw: impl Fn(&mut Unstructured<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    (0..u.int_in_range(0..=most)?).map(|_| draw(u)).collect()
}

/// A name; one in eight is as long as a name can be, or nearly.
fn name(u: &mut Unstructured<'_>) -> Result<String> {
    let mut name = one(u, ENDS)?.to_owned();
    if u.ratio(1, 8)? {
        let most = u.int_in_range(248..=253)?;
        while name.len() + 2 <= most {
            let room = most - name.len() - 1;
            // No remainder of one byte, which is no label with its dot.
            let label = if room == 64 { 62 } else { room.min(63) };
            name = format!("{}.{name}", "x".repeat(label));
        }
        return Ok(name);
    }
    for _ in 0..u.int_in_range(0..=4)? {
        name = format!("{}.{name}", one(u, LABELS)?);
    }
    Ok(name)
}

fn pattern_text(u: &mut Unstructured<'_>) -> Result<String> {
    Ok(match u.int_in_range(0..=8)? {
        0 => one(u, ADDRESSES)?.to_owned(),
        1..=4 => format!("*.{}", name(u)?),
        _ => name(u)?,
    })
}

/// Patterns; what is drawn and is none is left out.
fn patterns(u: &mut Unstructured<'_>) -> Result<Vec<Pattern>> {
    let texts = several(u, 12, pattern_text)?;
    Ok(texts
        .iter()
        .filter_map(|text| Pattern::parse(text).ok())
        .collect())
}

/// A host that is likely to lie near some pattern.
pub(crate) fn host(u: &mut Unstructured<'_>) -> Result<Option<Host>> {
    let text = match u.int_in_range(0..=8)? {
        0 => one(u, ADDRESSES)?.to_owned(),
        _ => name(u)?,
    };
    Ok(Host::parse(&text).ok())
}

pub(crate) fn hosts(u: &mut Unstructured<'_>) -> Result<Vec<Host>> {
    Ok(several(u, 12, host)?.into_iter().flatten().collect())
}

pub(crate) fn rules(u: &mut Unstructured<'_>) -> Result<Rules> {
    let default = *u.choose(&[None, Some(Verdict::Deny), Some(Verdict::Allow)])?;
    let denied = patterns(u)?;
    let allowed = if default == Some(Verdict::Allow) {
        Vec::new()
    } else {
        patterns(u)?
    };
    Ok(Rules {
        allowed,
        denied,
        default,
    })
}

pub(crate) fn presets(u: &mut Unstructured<'_>) -> Result<Vec<Preset>> {
    several(u, 2, |u| u.choose(Preset::ALL).copied())
}

const ROOTS: &[&str] = &["/opt/a", "/opt/a/b", "/opt/ab", "~/c", "~/c/d", "/var/x/y"];
const PROTECTED: &[&str] = &[
    "~/.ssh",
    "~/.ssh/**",
    "~/.s*",
    "~/.s?h",
    "~/.[a-z]sh/*.pem",
    "~/.ssh/id",
    "~/**/id",
    "~/c/d",
    "~/c/d/*",
    "/opt/a/b",
    "/opt/a/*",
    "/opt/a*",
    "/opt/**/b",
    ".env",
    ".env*",
    "**/.env",
    "*/.env",
    "web/.env",
    "web/**",
    "web/**/x",
    "w*b/[a-c]*",
    "**/web/.env",
    "**/?",
    "?",
];
const NAMES: &[&str] = &[
    "a",
    "b",
    "c",
    "d",
    "x",
    ".env",
    ".env.local",
    "web",
    ".ssh",
    "id",
    "id.pem",
    ".sxh",
    "opt",
    "ab",
    "var",
    "y",
    "_",
    "*",
];

fn parsed<T>(texts: &[&str], parse: impl Fn(&str) -> Option<T>) -> Vec<T> {
    texts.iter().map(|text| parse(text).unwrap()).collect()
}

/// A sandbox; contradictions are left out by leaving out roots.
pub(crate) fn sandbox(u: &mut Unstructured<'_>) -> Result<Sandbox> {
    let mode = *u.choose(&Mode::ALL)?;
    let roots = several(u, 3, |u| one(u, ROOTS))?;
    let protected = several(u, 5, |u| one(u, PROTECTED))?;
    let roots = || parsed(&roots, |text| WritableRoot::parse(text).ok());
    let protected = || parsed(&protected, |text| ProtectedPath::parse(text).ok());
    Ok(Sandbox::new(mode, roots(), protected())
        .or_else(|_| Sandbox::new(mode, [], protected()))
        .unwrap_or_else(|_| Sandbox::unrestricted().clone()))
}

pub(crate) fn paths(u: &mut Unstructured<'_>) -> Result<Vec<FilePath>> {
    several(u, 16, |u| {
        let anchor = one(u, &["/", "~/", "./"])?;
        let mut names = vec![one(u, NAMES)?];
        for _ in 0..u.int_in_range(0..=3)? {
            names.push(one(u, NAMES)?);
        }
        Ok(FilePath::parse(&format!("{anchor}{}", names.join("/"))).unwrap())
    })
}

/// The files of a repository, most of them sound: profiles that extend each other, rings, and units
/// with overlays.
pub(crate) fn repository(u: &mut Unstructured<'_>) -> Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    let gateway = one(
        u,
        &[
            "",
            "gateway: https://a.example\n",
            "gateway: http://b:1/x\n",
        ],
    )?;
    let rings = several(u, 3, |u| {
        let profile = one(u, &["p0", "p1", "p2", "p3"])?;
        Ok(format!(
            "profile: {profile}{}",
            one(u, &["", ", default: true"])?
        ))
    })?;
    let rings: String = rings
        .iter()
        .enumerate()
        .map(|(at, ring)| format!("  r{at}: {{ {ring} }}\n"))
        .collect();
    let rings = if rings.is_empty() {
        "rings: {}\n".to_owned()
    } else {
        format!("rings:\n{rings}")
    };
    files.push(("halos.yaml".to_owned(), format!("{gateway}{rings}")));
    for at in 0..u.int_in_range(1..=4)? {
        let parents = ["", "extends: p0\n", "extends: p1\n", "extends: p2\n"];
        // A cycle now and then: mostly a profile extends an earlier one.
        let known = if u.ratio(1, 32)? {
            parents.len()
        } else {
            at + 1
        };
        let parent = one(u, parents.get(..known).unwrap_or(&parents))?;
        let text = format!("{parent}{}", parts(u, "")?);
        files.push((format!("profiles/p{at}.yaml"), text));
    }
    for at in 0..u.int_in_range(0..=2)? {
        let overlays = several(u, 3, |u| {
            let rings = one(u, &["", "rings: [r0]", "rings: [r0, r1]", "rings: []"])?;
            Ok(format!("  - # {at}\n    {rings}\n{}", parts(u, "    ")?))
        })?;
        let overlays = overlays.concat();
        let text = if overlays.is_empty() {
            String::new()
        } else {
            format!("overlays:\n{overlays}")
        };
        files.push((format!("units/u{at}.yaml"), text));
    }
    Ok(files
        .into_iter()
        .map(|(path, text)| (path, text.into_bytes()))
        .collect())
}

/// The keys `egress` and `sandbox`.
fn parts(u: &mut Unstructured<'_>, indent: &str) -> Result<String> {
    let list = |u: &mut Unstructured<'_>, key: &str, of: &[&str]| {
        if u.ratio(1, 2)? {
            return Ok(String::new());
        }
        let entries = several(u, 4, |u| Ok(format!("'{}'", one(u, of)?)))?;
        Ok(format!("{key}: [{}], ", entries.join(", ")))
    };
    let hosts = [
        "a.example",
        "*.a.example",
        "b.a.example",
        "*.b.a.example",
        "*.example",
        "b",
        "192.0.2.1",
        "github.com",
        "*.github.com",
        "pastebin.com",
        "!a.example",
    ];
    let egress = [
        list(u, "allowedDomains", &hosts)?,
        list(u, "deniedDomains", &hosts)?,
        list(
            u,
            "presets",
            &["vcs", "model-providers", "package-registries"],
        )?,
        one(u, &["", "", "", "default: deny", "default: allow"])?.to_owned(),
    ]
    .concat();
    let sandbox = [
        list(u, "writableRoots", ROOTS)?,
        list(u, "protectedPaths", PROTECTED)?,
        one(
            u,
            &["", "mode: off", "mode: workspace-write", "mode: read-only"],
        )?
        .to_owned(),
    ]
    .concat();
    Ok(format!(
        "{indent}egress: {{ {egress} }}\n{indent}sandbox: {{ {sandbox} }}\n"
    ))
}
