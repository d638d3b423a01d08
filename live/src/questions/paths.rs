//! Paths that stand for the clauses of a sandbox.

use std::collections::BTreeSet;

use harness_render::{Channel, Clause};
use policy_core::{Access, FilePath, Mode, PathAnchor, ProtectedPath, Sandbox, WritableRoot};

use super::asker::Asker;
use crate::layout::{HOME, WORKSPACE};
use crate::question::{Action, Question};

impl Asker<'_> {
    pub(super) fn paths(&self, channel: Channel) -> Vec<Question> {
        let sandbox = self.policy.sandbox().unwrap_or(Sandbox::unrestricted());
        let (Ok(home), Ok(workspace)) = (FilePath::parse(HOME), FilePath::parse(WORKSPACE)) else {
            return Vec::new();
        };
        let named: BTreeSet<String> = self.named(channel, false).collect();
        let mut paths = examples(sandbox);
        paths.extend(named.iter().filter_map(|path| FilePath::parse(path).ok()));
        let mut seen = BTreeSet::new();
        paths.retain(|path| seen.insert(absolute(path)));
        let target = |path: &FilePath| {
            let text = absolute(path);
            // A directory stands for a file in it.
            match seen
                .iter()
                .any(|other| other.starts_with(&format!("{text}/")))
            {
                true => format!("{text}/named"),
                false => text,
            }
        };

        let mut questions = Vec::new();
        for path in &paths {
            let access = sandbox.access_at(path, &home, &workspace);
            let named = named.contains(&path.to_string());
            for (action, allowed) in [
                (Action::Read, access >= Access::Read),
                (Action::Write, access == Access::ReadWrite),
            ] {
                let clause = path_clause(sandbox, path, action, access);
                let Some(clause) = clause else { continue };
                // Reading is what the mode never limits, and file tools are no part of it.
                if channel != Channel::Shell && !matches!(clause, Clause::ProtectedPath(_)) {
                    continue;
                }
                let named = named && !(action == Action::Read && matches!(clause, Clause::Mode(_)));
                questions.extend(self.question(
                    channel,
                    action,
                    target(path),
                    allowed,
                    clause,
                    named,
                ));
            }
        }
        questions
    }
}

/// A path as the world of a run spells it.
fn absolute(path: &FilePath) -> String {
    let text = path.to_string();
    match path.anchor() {
        PathAnchor::Absolute => text,
        PathAnchor::Home => text.replacen('~', HOME, 1),
        PathAnchor::Workspace => {
            format!("{WORKSPACE}/{}", text.strip_prefix("./").unwrap_or(&text))
        }
    }
}

/// Paths that stand for the clauses of a sandbox: below and beside each protected path and root,
/// and everywhere that a mode speaks of.
fn examples(sandbox: &Sandbox) -> Vec<FilePath> {
    let mut texts: Vec<String> = [
        "README.md",
        "src/main.rs",
        "~/notes",
        "~/other/file",
        "/opt/other/file",
        "/srv/public",
        "/etc/live-example",
        "/var/lib/live-example",
        "/tmp/x",
    ]
    .map(str::to_owned)
    .into();
    for protected in sandbox.protected_paths() {
        texts.extend(matches_of(protected));
    }
    for root in sandbox.writable_roots() {
        texts.extend([format!("{root}/file"), format!("{root}/deep/file")]);
        texts.push(format!("{root}-beside/file"));
    }
    texts
        .iter()
        .filter_map(|text| FilePath::parse(text).ok())
        .collect()
}

/// Paths at, below and beside what a protected path names. Where a glob stands, a name that it
/// matches.
fn matches_of(protected: &ProtectedPath) -> Vec<String> {
    let plain: Vec<String> = protected
        .as_str()
        .split('/')
        .filter(|name| *name != "**")
        .map(|name| {
            if name.contains(['?', '[']) {
                // Only the stars are filled in: other globs stand in no policy that is asked about.
                return name.to_owned();
            }
            name.replace('*', "live")
        })
        .collect();
    let plain = plain.join("/");
    if !protected.is_glob() {
        return vec![format!("{plain}/key"), format!("{plain}-beside/key")];
    }
    let mut paths = vec![plain.clone(), format!("{plain}-dir/key")];
    if protected.is_at_any_depth() {
        paths.push(format!("web/{plain}"));
        paths.push(format!("a/b/c/d/e/{plain}"));
    }
    paths
}

/// The clause that decides about a path.
fn path_clause(
    sandbox: &Sandbox,
    path: &FilePath,
    action: Action,
    access: Access,
) -> Option<Clause> {
    let spellings = spellings(path);
    if access == Access::None {
        let matching = |protected: &&ProtectedPath| spellings.iter().any(|p| protected.matches(p));
        return sandbox
            .protected_paths()
            .iter()
            .find(matching)
            .cloned()
            .map(Clause::ProtectedPath);
    }
    let holding = |root: &&WritableRoot| spellings.iter().any(|path| root.contains(path));
    let root = sandbox.writable_roots().iter().find(holding);
    match root {
        Some(root) if action == Action::Write => Some(Clause::WritableRoot(root.clone())),
        _ if sandbox.mode() == Mode::Off => None,
        _ => Some(Clause::Mode(sandbox.mode())),
    }
}

/// A path under each anchor it can be spelled from.
fn spellings(path: &FilePath) -> Vec<FilePath> {
    let full = absolute(path);
    let mut texts = vec![full.clone()];
    if let Some(below) = full.strip_prefix(HOME) {
        texts.push(format!("~{below}"));
    }
    if let Some(below) = full.strip_prefix(WORKSPACE) {
        texts.push(format!(".{below}"));
    }
    texts
        .iter()
        .filter_map(|text| FilePath::parse(text).ok())
        .collect()
}
