//! The row of the policy document for a Gemini CLI that honours no managed limit, line for line.

use std::path::Path;
use std::process::Command;

const ANSWER: &str = "\
DENY pastebin.com  (ring ring3-ga, profile engineering)
rule   egress.deniedDomains pastebin.com
  gemini-cli    not enforced
                  - gemini-cli: profile field \"egress.deniedDomains\" is not supported and was not rendered
";

#[test]
fn an_old_gemini_is_not_enforced_and_says_which_field() {
    let policy = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old-gemini");
    for os in ["linux", "macos", "windows"] {
        let output = Command::new(env!("CARGO_BIN_EXE_halo"))
            .arg("--policy-dir")
            .arg(&policy)
            .args(["egress", "test", "https://pastebin.com/raw/x"])
            .args(["--ring", "ring3-ga", "--os", os])
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), ANSWER, "{os}");
        assert_eq!(output.status.code(), Some(1), "{os}");
    }
}
