//! Compiled policies in bytes, sound and spoiled.

use arbitrary::{Result, Unstructured};
use policy_core::{CompiledEgress, Egress, Host, Pattern, witnesses};

use crate::draw;

/// Any bytes, and the same with a checksum that fits.
pub(crate) fn image(bytes: &[u8]) {
    bytes_are_an_image_or_refused(bytes);
    bytes_are_an_image_or_refused(&sealed(bytes.to_vec()));
}

/// The image of a policy drawn from the bytes, and what spoiling it makes of it.
pub(crate) fn drawn_image(bytes: &[u8]) {
    let _ = try_drawn_image(&mut Unstructured::new(bytes));
}

fn try_drawn_image(u: &mut Unstructured<'_>) -> Result<()> {
    let (mut rules, presets) = (draw::rules(u)?, draw::presets(u)?);
    let mut builder = Egress::builder();
    for pattern in &rules.denied {
        builder = builder.deny(pattern.clone());
    }
    for pattern in &rules.allowed {
        builder = builder.allow(pattern.clone());
    }
    for preset in presets {
        builder = builder.preset(preset);
        let hosts = preset.hosts().iter();
        rules
            .allowed
            .extend(hosts.map(|host| Pattern::parse(host.pattern()).unwrap()));
    }
    if let Some(default) = rules.default {
        builder = builder.default_verdict(default);
    }
    let Ok(egress) = builder.build() else {
        return Ok(());
    };
    let bytes = egress.to_bytes();
    assert_eq!(sealed(bytes.clone()), bytes);
    let compiled = CompiledEgress::open_unverified(&bytes).unwrap();
    assert_eq!(compiled.verify(), Ok(()));
    assert_eq!(Egress::from_bytes(&bytes), Ok(egress.clone()));
    for host in witnesses(egress.patterns()).chain(draw::hosts(u)?) {
        let decision = egress.decide(&host);
        assert_eq!(compiled.decide(&host), decision);
        assert_eq!(decision.is_allowed(), rules.permits(&host), "{host}");
    }

    let spoiled = spoiled(u, bytes.clone())?;
    if spoiled != bytes {
        // A single wrong byte is always found; of what is drawn, the rest is too.
        assert!(Egress::from_bytes(&spoiled).is_err());
    }
    image(&spoiled);
    Ok(())
}

/// What is opened decides without a panic; what is verified is an image that this library writes.
fn bytes_are_an_image_or_refused(bytes: &[u8]) {
    let Ok(compiled) = CompiledEgress::open_unverified(bytes) else {
        assert!(Egress::from_bytes(bytes).is_err());
        assert!(CompiledEgress::open(bytes).is_err());
        return;
    };
    for text in [
        "a.example",
        "x.b.a.example",
        "github.com",
        "192.0.2.1",
        "::1",
    ] {
        let host = Host::parse(text).unwrap();
        let _ = compiled.decide(&host).rule().to_string();
    }
    let egress = Egress::from_bytes(bytes);
    assert_eq!(
        compiled.verify(),
        egress.as_ref().map(drop).map_err(|error| *error)
    );
    assert_eq!(
        CompiledEgress::open(bytes).map(drop),
        compiled.verify(),
        "the short name verifies"
    );
    let Ok(egress) = egress else { return };
    assert_eq!(egress.to_bytes(), bytes);
    for host in witnesses(egress.patterns()) {
        assert_eq!(compiled.decide(&host), egress.decide(&host));
    }
    // What the bytes say can be said by a policy.
    let mut builder = Egress::builder();
    for pattern in egress.patterns() {
        let text = pattern.to_string();
        assert_eq!(Pattern::parse(&text).unwrap().as_ref(), pattern);
        builder = builder.deny(Pattern::from(pattern));
    }
    builder.build().unwrap();
}

/// Up to four changes: a byte, a number in the header, a cut, something inserted.
fn spoiled(u: &mut Unstructured<'_>, mut bytes: Vec<u8>) -> Result<Vec<u8>> {
    for _ in 0..u.int_in_range(1..=4)? {
        let last = bytes.len().saturating_sub(1);
        match u.int_in_range(0..=3)? {
            0 => {
                let (at, value) = (u.int_in_range(0..=last)?, u.arbitrary()?);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = value;
                }
            }
            1 => {
                let (at, value) = (16 + 8 * u.int_in_range(0..=5)?, u.arbitrary::<u64>()?);
                if let Some(field) = bytes.get_mut(at..at + 8) {
                    field.copy_from_slice(&value.to_le_bytes());
                }
            }
            2 => bytes.truncate(u.int_in_range(0..=bytes.len())?),
            _ => {
                let at = u.int_in_range(0..=bytes.len())?;
                let more: [u8; 3] = u.arbitrary()?;
                bytes.splice(at..at, more);
            }
        }
    }
    Ok(bytes)
}

/// The bytes with the checksum of the format in its place, so that what lies behind it is reached.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let step = |sum: u64, word: u64| (sum ^ word).wrapping_mul(ODD).rotate_left(29);
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    if bytes.len() < 72 {
        return bytes;
    }
    let (head, body) = (&bytes[..64], &bytes[72..]);
    let words: Vec<u64> = body.chunks_exact(8).map(word).collect();
    let tail = word(body.chunks_exact(8).remainder());
    let rows = words.len() / 4 * 4;
    let mut lanes = [1, 2, 3, 4];
    for (at, word) in words[..rows].iter().enumerate() {
        lanes[at % 4] = step(lanes[at % 4], *word);
    }
    let rest = head
        .chunks_exact(8)
        .map(word)
        .chain(words[rows..].iter().copied())
        .chain([tail]);
    let sum = rest.fold(bytes.len() as u64, step);
    let sum = lanes.into_iter().fold(sum, step);
    bytes[64..72].copy_from_slice(&sum.to_le_bytes());
    bytes
}
