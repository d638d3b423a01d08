//! Why a text is no host, or no pattern: every reason with its code, its message and its remedy.

/// Declares an error type from a table: variant, code, message, remedy.
macro_rules! reasons {
    (
        $(#[$about:meta])*
        $name:ident
        $($(#[$doc:meta])* $variant:ident $code:literal $message:literal $remedy:literal;)*
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$doc])* #[error($message)] $variant,)*
        }

        impl $name {
            /// Every reason, for tables.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The stable, kebab-case name of the reason, as printed in JSON and findings.
            #[must_use]
            pub fn code(self) -> &'static str {
                match self { $(Self::$variant => $code),* }
            }

            /// What to do about any text refused for this reason.
            pub(crate) fn remedy(self) -> &'static str {
                match self { $(Self::$variant => $remedy),* }
            }
        }
    };
}

reasons! {
    /// Why a text is not a host that every client reads the same way.
    HostError

    /// Nothing at all.
    Empty "host-empty"
        "there is no host"
        "write a host such as `github.com`";
    /// A byte up to 0x20, or 0x7F: clients strip it, cut at it, or refuse.
    Control "host-control-character"
        "white space or a control character"
        "ask about one host or URL at a time, and nothing around it";
    /// A scheme without `//`, or one whose clients are not known to go to the host of the URL:
    /// [`Host::parse`](crate::Host::parse) lists those that are.
    Scheme "host-scheme"
        "a scheme without `//`, or one whose clients may go to another host"
        "ask about the host itself";
    /// A path, query or fragment without a scheme before it.
    NotAHost "host-path"
        "a path or query without a scheme is no host"
        "write `https://` before it, or the host alone";
    /// A backslash before the path: `/` to the URL Standard, a letter to RFC 3986.
    Backslash "host-backslash"
        "a backslash, which clients read in different ways"
        "write `/`";
    /// More than one `@` before the path.
    SeveralAt "host-several-at"
        "several `@`, which clients read in different ways"
        "ask about the host itself";
    /// Userinfo that RFC 3986 §3.2.1 does not allow: other characters, a `%` that begins no escape.
    Userinfo "host-userinfo"
        "userinfo with characters that clients read in different ways"
        "ask about the host itself";
    /// `user@host` without a scheme.
    UserinfoWithoutScheme "host-userinfo-without-scheme"
        "userinfo without a scheme"
        "write the host alone, or `ssh://user@host/path`";
    /// A port that is not 1–65535 in plain digits.
    Port "host-port"
        "the port is not a number from 1 to 65535 in plain digits"
        "write a port from 1 to 65535 without leading zeros, or none";
    /// A percent sign in the host: some clients decode it.
    Percent "host-percent"
        "a `%` in the host, which some clients decode"
        "write the characters themselves";
    /// An IPv6 zone id (RFC 6874): it names an interface of one machine.
    ZoneId "host-zone-id"
        "a zone id in an IPv6 address"
        "write the address without `%` and what follows";
    /// Brackets without a valid IPv6 address, or an IPv6 address that is none.
    Ipv6 "host-ipv6"
        "not an IPv6 address"
        "write a full IPv6 address, in brackets when a port follows";
    /// A last label that is a number in a name that is no plain IPv4 address: `127.1`, `0x7f.1`.
    NumericLastLabel "host-numeric-last-label"
        "a number where a name or a plain IPv4 address belongs"
        "write an IPv4 address as four decimal numbers without leading zeros";
    /// Two dots in a row, or a dot at the beginning.
    EmptyLabel "host-empty-label"
        "an empty label"
        "write one dot between labels and at most one at the end";
    /// A label over 63 bytes (RFC 1035 §2.3.4).
    LabelTooLong "host-label-too-long"
        "a label over 63 bytes"
        "labels are at most 63 bytes";
    /// A name over 253 bytes (RFC 1035 §2.3.4).
    TooLong "host-too-long"
        "a name over 253 bytes"
        "names are at most 253 bytes";
    /// A character other than letters, digits, `-`, `_` and `.`.
    Character "host-character"
        "a character that no host name has"
        "host names are letters, digits, `-`, `_` and `.`";
    /// A label that IDNA does not allow (UTS 46 §4).
    Idn "host-idn"
        "a label that is not valid in an internationalised name"
        "write the A-label of a registered name";
    /// Characters that UTS 46 maps to others or drops.
    Mapped "host-idn-mapped"
        "characters that clients replace or drop before they look the name up"
        "write the name in lower case, or its A-label";
    /// A letter that IDNA2003 and IDNA2008 read differently: `ß`, `ς`, the joiners (UTS 46 §1.3),
    /// the Mongolian soft hyphen, Cherokee capitals.
    Deviation "host-idn-deviation"
        "a character that IDNA2003 and IDNA2008 clients read differently"
        "write the A-label (`xn--…`) of the name that is meant";
    /// An `xn--` label that does not decode, or does not encode back to itself.
    ALabel "host-a-label"
        "an `xn--` label that is no valid A-label"
        "write the A-label of a registered name";
    /// Some client goes to another host, or refuses the URL: because of an escape, an empty password
    /// or a `*` at the beginning of the userinfo, or of what follows where the host ends at `?` or `#`.
    Ambiguous "host-ambiguous"
        "URL parsers do not agree on the host"
        "ask about the host itself";
}

reasons! {
    /// Why a text is not a pattern in its canonical spelling.
    PatternError

    /// Nothing at all.
    Empty "pattern-empty"
        "there is no host"
        "write a host such as `github.com`";
    /// A control character.
    Control "pattern-control-character"
        "a control character"
        "type the entry anew: what is left without it may be another host";
    /// White space, also at the ends.
    WhiteSpace "pattern-white-space"
        "white space"
        "one entry names one host: write each as an entry of its own";
    /// A letter beyond ASCII.
    NonAscii "pattern-non-ascii"
        "characters beyond ASCII"
        "write the A-label (`xn--…`) of the name";
    /// An upper-case letter.
    UpperCase "pattern-upper-case"
        "an upper-case letter"
        "write it in lower case";
    /// A scheme.
    Scheme "pattern-scheme"
        "a scheme"
        "write the host alone";
    /// Userinfo.
    Userinfo "pattern-userinfo"
        "userinfo"
        "write the host alone";
    /// A port.
    Port "pattern-port"
        "a port"
        "write the host alone: a rule covers every port";
    /// A path or fragment.
    Path "pattern-path"
        "a path"
        "write the host alone: a rule covers every path";
    /// A query.
    Query "pattern-query"
        "a query"
        "write the host alone";
    /// A `?` as in globs.
    QuestionMark "pattern-question-mark"
        "a `?`, which is no wildcard here"
        "write each host: `*.` before the name they share names all that is below it";
    /// A percent sign.
    Percent "pattern-percent"
        "a `%`"
        "write the characters themselves, and an address without its zone";
    /// Brackets around an IPv6 address.
    Brackets "pattern-brackets"
        "brackets around an address"
        "write the address without brackets";
    /// Braces, parentheses, classes and the like.
    Regex "pattern-regex"
        "characters of a glob or regular expression"
        "write each host: `*.` before the name they share names all that is below it";
    /// `*` alone.
    BareWildcard "pattern-bare-wildcard"
        "a bare `*` allows or denies everything"
        "remove it and write `default: allow` or `default: deny`";
    /// `**`.
    DoubleWildcard "pattern-double-wildcard"
        "a `**`"
        "write the name, and `*.` before it for the names below it at any depth";
    /// `*` anywhere but in a leading `*.`.
    WildcardPosition "pattern-wildcard-position"
        "a `*` that is not the whole first label"
        "write each host: `*.` before a name names all that is below it";
    /// `*.` before an address.
    WildcardAddress "pattern-wildcard-address"
        "a wildcard before an address"
        "nothing is below an address: write the address alone if it is meant";
    /// An address range.
    Cidr "pattern-cidr"
        "an address range"
        "write each address";
    /// A dot at the end.
    TrailingDot "pattern-trailing-dot"
        "a dot at the end"
        "write it without the dot";
    /// A dot at the beginning.
    LeadingDot "pattern-leading-dot"
        "a dot at the beginning"
        "write the name, and `*.` before it for the names below it";
    /// Two dots in a row.
    EmptyLabel "pattern-empty-label"
        "an empty label"
        "write one dot between labels";
    /// A label over 63 bytes (RFC 1035 §2.3.4).
    LabelTooLong "pattern-label-too-long"
        "a label over 63 bytes"
        "no such name exists; labels are at most 63 bytes";
    /// Over 253 bytes with the `*.` (RFC 1035 §2.3.4).
    TooLong "pattern-too-long"
        "a name over 253 bytes"
        "no such name exists; names are at most 253 bytes";
    /// A last label that is a number, in a text that is no plain IPv4 address.
    NumericLastLabel "pattern-numeric-last-label"
        "a number where a name or a plain IPv4 address belongs"
        "write an IPv4 address as four decimal numbers without leading zeros";
    /// An IPv4-mapped IPv6 address.
    MappedAddress "pattern-mapped-address"
        "an IPv4-mapped IPv6 address"
        "write the IPv4 address";
    /// An IPv6 address that is none.
    Ipv6 "pattern-ipv6"
        "not an IPv6 address"
        "write a full IPv6 address without brackets, port or zone";
    /// An IPv6 address in another spelling than that of RFC 5952.
    Ipv6Spelling "pattern-ipv6-spelling"
        "an IPv6 address that is not in RFC 5952 form"
        "write it in RFC 5952 form";
    /// An `xn--` label that does not decode, or does not encode back to itself.
    ALabel "pattern-a-label"
        "an `xn--` label that is no valid A-label"
        "write the A-label of a registered name";
    /// A character that no host name has.
    Character "pattern-character"
        "a character that no host name has"
        "host names are letters, digits, `-`, `_` and `.`";
}
