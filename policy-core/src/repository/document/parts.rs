//! The documents of a policy repository, key by key.

use semver::Version;

use super::name::{NAME_RULE, is_name};
use super::pin::exact_version;
use super::read::{Field, Reader, Words};
use super::{
    At, EgressPart, List, OrganisationDocument, OverlayDocument, ProfileDocument, RingDocument,
    SandboxPart, UnitDocument,
};
use crate::harness::Harness;
use crate::quote::quoted;
use crate::repository::finding::Code;
use crate::repository::report::{Place, Report};
use crate::repository::yaml::{Node, Value};

/// Reads `halos.yaml`.
pub(crate) fn read_organisation(root: Node, report: &mut Report) -> OrganisationDocument {
    let place = Place::Root("halos");
    let mut reader = Reader(report);
    let [gateway, rings] = reader.document(root, &place, ["gateway", "rings"]);
    OrganisationDocument {
        gateway: reader.value(gateway, &place, Reader::text),
        rings: reader
            .value(rings, &place, Reader::rings)
            .unwrap_or_default(),
        intact: report.is_clean(),
    }
}

/// Reads `profiles/<name>.yaml`.
pub(crate) fn read_profile(
    name: &str,
    file: &str,
    root: Node,
    report: &mut Report,
) -> ProfileDocument {
    let root_place = format!("profiles.{name}");
    let place = Place::Root(&root_place);
    let mut reader = Reader(report);
    let keys = ["extends", "permissions", "sandbox", "egress", "harnesses"];
    let [extends, permissions, sandbox, egress, harnesses] = reader.document(root, &place, keys);
    ProfileDocument {
        name: name.to_owned(),
        file: file.to_owned(),
        extends: reader.value(extends, &place, Reader::text),
        sandbox: reader.sandbox(permissions, sandbox, &place),
        egress: reader.egress(egress, &place),
        harnesses: reader
            .value(harnesses, &place, Reader::harnesses)
            .unwrap_or_default(),
        intact: report.is_clean(),
    }
}

/// Reads `units/<name>.yaml`.
pub(crate) fn read_unit(name: &str, file: &str, root: Node, report: &mut Report) -> UnitDocument {
    let root_place = format!("units.{name}");
    let place = Place::Root(&root_place);
    let mut reader = Reader(report);
    let [overlays] = reader.document(root, &place, ["overlays"]);
    let overlays = reader.list(overlays, &place, Reader::overlay);
    UnitDocument {
        name: name.to_owned(),
        file: file.to_owned(),
        overlays: overlays.map_or_else(Vec::new, |list| list.value),
        intact: report.is_clean(),
    }
}

impl Reader<'_> {
    fn egress(&mut self, field: Option<Field>, parent: &Place<'_>) -> EgressPart {
        let read = |reader: &mut Self, node, place: &Place<'_>| {
            let keys = ["allowedDomains", "presets", "deniedDomains", "default"];
            let [allowed, presets, denied, default] = reader.fields(node, place, keys);
            Some(EgressPart {
                allowed_domains: reader.texts(allowed, place),
                presets: reader.list(presets, place, |reader, node, place| {
                    Some(reader.word(node, place)?.value)
                }),
                denied_domains: reader.texts(denied, place),
                default: reader.value(default, place, Reader::word),
            })
        };
        self.value(field, parent, read).unwrap_or_default()
    }

    fn sandbox(
        &mut self,
        permissions: Option<Field>,
        sandbox: Option<Field>,
        parent: &Place<'_>,
    ) -> SandboxPart {
        let alone = self.value(permissions, parent, |reader, node, place| {
            let [mode] = reader.fields(node, place, ["sandbox"]);
            reader.value(mode, place, Reader::word)
        });
        let part = self.value(sandbox, parent, |reader, node, place| {
            let keys = ["mode", "writableRoots", "protectedPaths"];
            let [mode, roots, paths] = reader.fields(node, place, keys);
            Some(SandboxPart {
                permissions_sandbox: None,
                mode: reader.value(mode, place, Reader::word),
                writable_roots: reader.texts(roots, place),
                protected_paths: reader.texts(paths, place),
            })
        });
        SandboxPart {
            permissions_sandbox: alone,
            ..part.unwrap_or_default()
        }
    }

    fn texts(&mut self, field: Option<Field>, parent: &Place<'_>) -> Option<List<String>> {
        self.list(field, parent, |reader, node, place| {
            Some(reader.text(node, place)?.value)
        })
    }

    fn overlay(&mut self, node: Node, place: &Place<'_>) -> Option<OverlayDocument> {
        let keys = ["rings", "permissions", "sandbox", "egress"];
        let [rings, permissions, sandbox, egress] = self.fields(node, place, keys);
        Some(OverlayDocument {
            rings: self.texts(rings, place),
            sandbox: self.sandbox(permissions, sandbox, place),
            egress: self.egress(egress, place),
        })
    }

    fn rings(&mut self, node: Node, place: &Place<'_>) -> Option<Vec<RingDocument>> {
        let named = self.named(node, place, "ring: { profile: name }")?;
        let rings = named.into_iter().filter_map(|(name, node)| {
            let place = Place::Key(place, &name.value);
            if !is_name(&name.value) {
                self.add(Code::BadName, name.position, &place, || Words {
                    message: format!("{} cannot name a ring", quoted(&name.value)),
                    help: NAME_RULE.to_owned(),
                });
            }
            let fits = matches!(node.value, Value::Mapping(_));
            let [profile, posture, default] =
                self.fields(node, &place, ["profile", "posture", "default"]);
            if fits && profile.is_none() {
                self.add(Code::MissingKey, name.position, &place, || Words {
                    message: format!("ring {} has no profile", quoted(&name.value)),
                    help: "add `profile: name`".to_owned(),
                });
            }
            let profile = self.value(profile, &place, Reader::text);
            let posture = self.value(posture, &place, Reader::word);
            let default = self.value(default, &place, Reader::truth);
            Some(RingDocument {
                profile: profile?,
                posture,
                default,
                name: name.clone(),
            })
        });
        Some(rings.collect())
    }

    fn harnesses(
        &mut self,
        node: Node,
        place: &Place<'_>,
    ) -> Option<Vec<(At<Harness>, At<Version>)>> {
        let named = self.named(node, place, "claude-code: 2.1.280")?;
        let pins = named.into_iter().filter_map(|(name, node)| {
            let place = Place::Key(place, &name.value);
            let harness = self.known_word(&name, &place);
            let version = match node.value {
                Value::Mapping(_) => {
                    let [version] = self.fields(node, &place, ["version"]);
                    if version.is_none() {
                        self.add(Code::MissingKey, name.position, &place, || Words {
                            message: format!("harness {} has no version", quoted(&name.value)),
                            help: "add `version: 2.1.280`".to_owned(),
                        });
                    }
                    self.value(version, &place, Reader::pin)
                }
                _ => self.pin(node, &place),
            };
            Some((harness?, version?))
        });
        Some(pins.collect())
    }

    fn pin(&mut self, node: Node, place: &Place<'_>) -> Option<At<Version>> {
        let Value::Text(text) = node.value else {
            self.wrong(&node, place, "an exact version", || {
                "write three numbers, such as `2.1.280`; YAML reads fewer as one number".to_owned()
            });
            return None;
        };
        let position = node.position;
        match exact_version(&text) {
            Ok(value) => Some(At { value, position }),
            Err(help) => {
                self.add(Code::BadVersion, position, place, || Words {
                    message: format!("{} is not an exact version", quoted(&text)),
                    help,
                });
                None
            }
        }
    }
}
