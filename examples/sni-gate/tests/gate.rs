//! Captured hellos against the sample policy.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test says what must hold by unwrapping it"
)]

use std::path::Path;

use policy_core::{Egress, Pattern, Policy};
use sni_gate::{Gate, Verdict};

fn hello(name: &str) -> Vec<u8> {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tls-sni/testdata");
    std::fs::read(testdata.join(name)).unwrap()
}

fn policy(allowed: &str) -> Policy {
    let egress = Egress::builder().allow(Pattern::parse(allowed).unwrap());
    Policy::new(egress.build().unwrap(), None).unwrap()
}

fn name_of(bytes: &[u8]) -> String {
    let Ok(tls_sni::Status::Complete(hello)) = tls_sni::ClientHello::parse(bytes) else {
        panic!("no hello")
    };
    let tls_sni::ServerName::Host(name) = hello.server_name() else {
        panic!("no name")
    };
    let mut buffer = [0; tls_sni::HostName::MAX_LEN];
    name.canonical(&mut buffer).to_owned()
}

#[test]
fn a_name_passes_when_the_policy_allows_it() {
    let bytes = hello("openssl-3.0-s_client.bin");
    let name = name_of(&bytes);
    let pass = Gate::default().look(&policy(&name), &bytes);
    assert!(matches!(pass, Verdict::Pass(host) if host.to_string() == name));
    let refuse = Gate::default().look(&policy("other.example"), &bytes);
    assert_eq!(
        refuse,
        Verdict::Refuse(format!("{name} is denied by egress.default deny (implied)"))
    );
}

#[test]
fn byte_by_byte_the_verdict_is_the_same_and_comes_with_the_last_byte() {
    let bytes = hello("openssl-3.0-s_client-frag512.bin");
    let policy = policy(&name_of(&bytes));
    let mut gate = Gate::default();
    for end in 0..bytes.len() {
        match gate.look(&policy, &bytes[..end]) {
            Verdict::Read(needed) => assert!(needed > end),
            Verdict::Pass(_) => return,
            Verdict::Refuse(why) => panic!("{why}"),
        }
    }
    assert!(matches!(gate.look(&policy, &bytes), Verdict::Pass(_)));
}

#[test]
fn what_has_no_readable_name_is_refused() {
    let everything = {
        let egress = Egress::builder().build().unwrap();
        Policy::new(egress, None).unwrap()
    };
    for (bytes, why) in [
        (b"GET / HTTP/1.1\r\n\r\n".to_vec(), "not TLS"),
        (hello("vectors/nosni.bin"), "no server name"),
        (hello("vectors/sni-nul-end.bin"), "no host name"),
        (hello("firefox-153esr.bin"), "encrypted"),
    ] {
        match Gate::default().look(&everything, &bytes) {
            Verdict::Refuse(text) => assert!(text.contains(why), "{text}"),
            other => panic!("{other:?}"),
        }
    }
}
