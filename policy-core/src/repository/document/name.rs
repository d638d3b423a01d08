//! Names of profiles, units and rings.

/// How to write a name: it is a file's name on every system and a word on a command line.
pub(crate) const NAME_RULE: &str =
    "write 1 to 63 characters of `a-z 0-9 . _ -`, the first a letter or a digit";

/// Whether `name` can name a profile, a unit or a ring.
pub(crate) fn is_name(name: &str) -> bool {
    let starts = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let goes_on = |byte: u8| starts(byte) || matches!(byte, b'.' | b'_' | b'-');
    name.len() <= 63 && name.bytes().next().is_some_and(starts) && name.bytes().all(goes_on)
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn a_name_is_short_lower_case_and_starts_with_a_letter_or_a_digit() {
        let longest = "a".repeat(63);
        for name in [
            "a",
            "0",
            "ring3-ga",
            "a.b_c-d",
            "a..b",
            "a-",
            longest.as_str(),
        ] {
            assert!(is_name(name), "{name}");
        }
        let too_long = "a".repeat(64);
        for name in [
            "",
            "-a",
            ".a",
            "_a",
            "A",
            "aB",
            "a b",
            "a/b",
            "a+b",
            "a#b",
            "é",
            "a\0",
            "a\n",
            too_long.as_str(),
        ] {
            assert!(!is_name(name), "{name}");
        }
    }
}
