//! Harness pins: one exact version each.

use semver::{BuildMetadata, Version};

use crate::quote::quoted;

/// The version that a pin names: three numbers, perhaps with a pre-release.
///
/// # Errors
///
/// What to write instead. Build metadata is refused, because it does not take part in comparison
/// (Semantic Versioning 2.0.0, item 10): two programs would share one pin.
pub(super) fn exact_version(text: &str) -> Result<Version, String> {
    const RANGE: [char; 8] = ['^', '~', '<', '>', '*', ',', '|', ' '];
    let error = match Version::parse(text) {
        Ok(version) if version.build.is_empty() => return Ok(version),
        Ok(version) => {
            let build = BuildMetadata::EMPTY;
            let plain = Version { build, ..version }.to_string();
            return Err(format!("write {}, without build metadata", quoted(&plain)));
        }
        Err(error) => error,
    };
    let bare = text.trim_start_matches(['v', 'V', '=', ' ']);
    Err(if bare != text && Version::parse(bare).is_ok() {
        format!("write {}", quoted(bare))
    } else if text.contains(RANGE) || text.contains(".x") {
        "write one version, such as `2.1.280`, not a range".to_owned()
    } else {
        format!("write three numbers, such as `2.1.280` ({error})")
    })
}

#[cfg(test)]
mod tests {
    use super::exact_version;

    #[test]
    fn a_pin_is_one_exact_version() {
        for text in [
            "2.1.280",
            "0.0.0",
            "1.2.3-beta.1",
            "18446744073709551615.0.0",
        ] {
            assert_eq!(exact_version(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn anything_else_is_told_how_to_become_one() {
        for (text, help) in [
            ("v1.2.3", "write `1.2.3`"),
            ("=1.2.3", "write `1.2.3`"),
            ("1.2.3+build", "write `1.2.3`, without build metadata"),
            ("^1.2", "write one version, such as `2.1.280`, not a range"),
            (
                "~1.2.3",
                "write one version, such as `2.1.280`, not a range",
            ),
            (
                ">=1.2.3, <2",
                "write one version, such as `2.1.280`, not a range",
            ),
            ("*", "write one version, such as `2.1.280`, not a range"),
            ("1.2.x", "write one version, such as `2.1.280`, not a range"),
        ] {
            assert_eq!(exact_version(text).unwrap_err(), help, "{text}");
        }
        for text in [
            "",
            "1",
            "1.2",
            "1.2.3.4",
            "01.2.3",
            "latest",
            "1.2.3-",
            "1.2.٣",
            "99999999999999999999.0.0",
        ] {
            let help = exact_version(text).unwrap_err();
            assert!(
                help.starts_with("write three numbers, such as `2.1.280` ("),
                "{text}: {help}"
            );
        }
    }
}
