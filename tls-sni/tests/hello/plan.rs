//! Hellos drawn from bytes: well-formed ones with what must be read out of them, and the same ones spoiled.

use arbitrary::{Arbitrary, Unstructured};
use tls_sni::{ClientHello, Ech, ServerName, Status, is_grease};

use crate::wire::{self, Hello};

/// A well-formed hello as a list of what it says, and the cuts of its records.
#[derive(Arbitrary, Debug)]
pub(crate) struct Plan {
    legacy_version: u16,
    random: [u8; 32],
    session_id: Vec<u8>,
    cipher_suites: Vec<u16>,
    compression: Vec<u8>,
    /// Labels, cut and mapped to letters below; none: no extension.
    labels: Option<Vec<Vec<u8>>>,
    trailing_dot: bool,
    alpn: Option<Vec<Vec<u8>>>,
    versions: Option<Vec<u16>>,
    ech: Option<u8>,
    others: Vec<(u16, Vec<u8>)>,
    /// Where in the list of others the known extensions stand.
    places: [u8; 4],
    pub(crate) cuts: Vec<u16>,
    /// Single bytes of the message to overwrite, each as place and value.
    pub(crate) spoils: Vec<(u16, u8)>,
}

/// A hello and what must be read out of it.
pub(crate) struct Expected {
    pub(crate) hello: Hello,
    name: Option<String>,
    alpn: Vec<Vec<u8>>,
    versions: Vec<u16>,
    cipher_suites: Vec<u16>,
    ech: Ech,
}

impl Plan {
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Unstructured::new(bytes).arbitrary().ok()
    }

    pub(crate) fn expected(&self) -> Expected {
        let name = self.labels.as_ref().and_then(|labels| name(labels));
        let alpn: Vec<Vec<u8>> = self
            .alpn
            .iter()
            .flatten()
            .take(20)
            .filter_map(|protocol| cut(protocol, 1, 255))
            .collect();
        let versions: Vec<u16> = self.versions.iter().flatten().copied().take(100).collect();
        let mut cipher_suites: Vec<u16> = self.cipher_suites.iter().copied().take(500).collect();
        if cipher_suites.is_empty() {
            cipher_suites.push(0x1301);
        }

        let mut extensions: Vec<(u16, Vec<u8>)> = Vec::new();
        for (ty, body) in self.others.iter().take(100) {
            let known = matches!(ty, 0 | 16 | 41 | 43 | 0xfd00..=0xfe0d | 0xffce);
            if !known && extensions.iter().all(|(other, _)| other != ty) {
                extensions.push((*ty, wire::extension(*ty, body)));
            }
        }
        let dot = if self.trailing_dot { "." } else { "" };
        let server_name = name
            .as_ref()
            .map(|name| wire::server_name(format!("{name}{dot}").as_bytes()));
        let known = [
            server_name,
            (!alpn.is_empty()).then(|| wire::alpn(&alpn)),
            (!versions.is_empty()).then(|| wire::supported_versions(&versions)),
            self.ech.map(|config_id| {
                wire::extension(0xfe0d, &[0, 0, 1, 0, 1, config_id, 0, 1, 9, 0, 2, 9, 9])
            }),
        ];
        for (extension, place) in known.into_iter().zip(self.places) {
            if let Some(extension) = extension {
                extensions.insert(usize::from(place) % (extensions.len() + 1), (0, extension));
            }
        }
        let hello = Hello {
            legacy_version: self.legacy_version,
            random: self.random,
            session_id: self.session_id.iter().copied().take(32).collect(),
            cipher_suites: cipher_suites
                .iter()
                .flat_map(|suite| suite.to_be_bytes())
                .collect(),
            compression: cut(&self.compression, 1, 255).unwrap_or_else(|| vec![0]),
            extensions: (!extensions.is_empty()).then(|| {
                extensions
                    .into_iter()
                    .flat_map(|(_, extension)| extension)
                    .collect()
            }),
        };
        let ech = self
            .ech
            .map_or(Ech::None, |config_id| Ech::Outer { config_id });
        let versions = versions
            .into_iter()
            .filter(|version| !is_grease(*version))
            .collect();
        Expected {
            hello,
            name: name.map(|name| name.to_ascii_lowercase()),
            alpn,
            versions,
            cipher_suites,
            ech,
        }
    }
}

impl Expected {
    /// What was written is what is read, however it is cut into records.
    pub(crate) fn is_read_from(&self, stream: &[u8]) {
        let hello = match ClientHello::parse(stream) {
            Ok(Status::Complete(hello)) => hello,
            other => panic!("{other:?} from {:?}", self.hello),
        };
        match (hello.server_name(), &self.name) {
            (ServerName::Absent, None) => {}
            (ServerName::Host(host), Some(name)) => {
                assert!(host == name.as_str(), "{host} for {name}");
            }
            (other, name) => panic!("{other:?} for {name:?}"),
        }
        assert!(
            hello
                .alpn()
                .map(|protocol| protocol.iter().collect::<Vec<_>>())
                .eq(self.alpn.iter().cloned())
        );
        assert!(hello.supported_versions().eq(self.versions.iter().copied()));
        assert!(hello.cipher_suites().eq(self.cipher_suites.iter().copied()));
        assert_eq!(hello.ech(), self.ech);
        assert_eq!(hello.legacy_version(), self.hello.legacy_version);
        assert!(hello.random() == self.hello.random[..]);
        assert!(hello.session_id() == self.hello.session_id[..]);
        assert_eq!(hello.consumed(), stream.len());
    }
}

/// Letters of a host name for the drawn bytes; none when nothing is left of them.
fn name(labels: &[Vec<u8>]) -> Option<String> {
    const LETTERS: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    let labels = labels
        .iter()
        .filter(|label| !label.is_empty())
        .take(3)
        .map(|label| {
            let letters = label
                .iter()
                .take(63)
                .map(|byte| LETTERS[usize::from(byte % 64)]);
            String::from_utf8(letters.collect()).unwrap()
        });
    let labels: Vec<String> = labels.collect();
    (!labels.is_empty()).then(|| format!("{}.example", labels.join(".")))
}

fn cut(bytes: &[u8], least: usize, most: usize) -> Option<Vec<u8>> {
    (bytes.len() >= least).then(|| bytes[..bytes.len().min(most)].to_vec())
}

/// A drawn hello reads back as drawn, from one record and from many; spoiled, it still obeys every law.
pub(crate) fn drawn_hellos_read_back(bytes: &[u8]) {
    let Some(plan) = Plan::from_bytes(bytes) else {
        return;
    };
    let expected = plan.expected();
    let message = expected.hello.message();
    if message.len() > 16_384 {
        return;
    }
    let mut cuts: Vec<usize> = plan
        .cuts
        .iter()
        .map(|cut| 1 + usize::from(*cut) % message.len())
        .collect();
    cuts.sort_unstable();
    expected.is_read_from(&wire::records(&message, []));
    expected.is_read_from(&wire::records(&message, cuts.iter().copied()));

    let mut spoiled = message;
    for (place, value) in &plan.spoils {
        let place = usize::from(*place) % spoiled.len();
        spoiled[place] = *value;
    }
    let stream = wire::records(&spoiled, cuts.iter().copied());
    crate::laws::agrees_with_the_reference(&stream);
    crate::laws::prefixes_agree_with_the_whole(&stream);
    crate::laws::split_hello_equals_whole_hello(&wire::records(&spoiled, []), &cuts);
    crate::peers::no_peer_reads_another_name(&wire::records(&spoiled, []));
    crate::peers::no_peer_reads_another_name(&stream);
}
