//! Whether one policy permits more than another, held against rules tried one by one.

use arbitrary::{Result, Unstructured};
use policy_core::{Egress, FilePath, Host, Sandbox, SandboxWitness, witnesses};

use crate::draw;
use crate::rules::Rules;

/// Policies and sandboxes drawn from the bytes, three of each.
pub(crate) fn drawn_policies(bytes: &[u8]) {
    let _ = try_drawn_policies(&mut Unstructured::new(bytes));
}

fn try_drawn_policies(u: &mut Unstructured<'_>) -> Result<()> {
    let rules = [draw::rules(u)?, draw::rules(u)?, draw::rules(u)?];
    let sandboxes = [draw::sandbox(u)?, draw::sandbox(u)?, draw::sandbox(u)?];
    let paths = draw::paths(u)?;
    let hosts = draw::hosts(u)?;
    within_is_what_no_host_contradicts(&rules, &hosts);
    within_is_what_no_path_contradicts(&sandboxes, &paths);
    Ok(())
}

fn within_is_what_no_host_contradicts(rules: &[Rules; 3], hosts: &[Host]) {
    let egress = rules.each_ref().map(Rules::egress);
    let within = egress
        .each_ref()
        .map(|here| egress.each_ref().map(|there| here.is_within(there).is_ok()));
    let patterns = || egress.iter().flat_map(Egress::patterns);
    // Of all three at once: more hosts than any two need.
    let hosts: Vec<Host> = witnesses(patterns()).chain(hosts.iter().cloned()).collect();
    for (rules, egress) in rules.iter().zip(&egress) {
        for host in &hosts {
            let permits = egress.decide(host).is_allowed();
            assert_eq!(permits, rules.permits(host), "{host} {rules:?}");
        }
    }
    for a in 0..3 {
        assert!(within[a][a]);
        for b in 0..3 {
            let (here, there) = (&rules[a], &rules[b]);
            let contradicted = |host: &Host| here.permits(host) && !there.permits(host);
            assert_eq!(
                within[a][b],
                !hosts.iter().any(contradicted),
                "{here:?} {there:?}"
            );
            let difference = egress[a].difference(&egress[b]);
            assert_eq!(within[a][b], difference.is_empty());
            for witness in &difference {
                assert!(contradicted(witness.host()), "{witness}");
            }
            for c in 0..3 {
                assert!(within[a][c] || !within[a][b] || !within[b][c], "{rules:?}");
            }
        }
    }
}

fn within_is_what_no_path_contradicts(sandboxes: &[Sandbox; 3], paths: &[FilePath]) {
    let mut paths = paths.to_vec();
    let path = |text: &str| FilePath::parse(text).unwrap();
    for sandbox in sandboxes {
        for root in sandbox.writable_roots() {
            paths.extend([path(root.as_str()), path(&format!("{root}/x"))]);
        }
        for protected in sandbox.protected_paths() {
            paths.extend(examples(protected.as_str()));
        }
    }
    for here in sandboxes {
        assert_eq!(here.is_within(here), Ok(()));
        for there in sandboxes {
            let difference = here.difference(there);
            assert_eq!(here.is_within(there).is_ok(), difference.is_empty());
            let contradicted = |path: &FilePath| here.access(path) > there.access(path);
            for path in difference.iter().filter_map(SandboxWitness::path) {
                assert!(contradicted(path), "{path}: {here:?} {there:?}");
            }
            if difference.is_empty() {
                let path = paths.iter().find(|path| contradicted(path));
                assert_eq!(path, None, "{here:?} {there:?}");
                // What is wider than `there` is not within `here`, as far as a path can show.
                for wider in sandboxes.iter().filter(|it| there.is_within(it).is_ok()) {
                    let shown = here.difference(wider);
                    let shown = shown.iter().find_map(SandboxWitness::path);
                    assert_eq!(shown, None, "{here:?} {there:?} {wider:?}");
                }
            }
        }
    }
}

/// Paths that a protected path means: globs replaced by short names, also below another directory.
fn examples(protected: &str) -> impl Iterator<Item = FilePath> {
    let fill = |star: &str, stars: &str| {
        let text = protected
            .replace("**", stars)
            .replace('*', star)
            .replace('?', "x")
            .replace("[a-z]", "s")
            .replace("[a-c]", "b");
        FilePath::parse(&text).ok()
    };
    let texts = [fill("", "x"), fill("y", "x/y"), fill(".z", "_")];
    let below = FilePath::parse(&format!("./x/y/{}", protected.replace('*', "z"))).ok();
    texts.into_iter().flatten().chain(below)
}
