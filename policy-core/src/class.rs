//! What kind of place a host is, from the IANA special-purpose registries.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What kind of place a host is. Information for embedders and caveats: no rule decides by it.
///
/// Sources: the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890, RFC 8190) as of
/// 2026-11-29, RFC 6761 §6.3 for `localhost`.
///
/// A name says nothing about the address it resolves to. Whoever dials must check that address as well:
///
/// ```
/// use policy_core::{Class, Host};
/// use std::net::IpAddr;
///
/// assert_eq!(Host::parse("127.0.0.1.nip.io").unwrap().class(), Class::Name);
/// let resolved: IpAddr = "127.0.0.1".parse().unwrap();
/// assert_eq!(Class::of_address(resolved), Class::Loopback);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// A DNS name; what it resolves to decides where it leads.
    Name,
    /// A globally reachable unicast address.
    Public,
    /// `127.0.0.0/8`, `::1`, `localhost` and every name below it.
    Loopback,
    /// `0.0.0.0/8` and `::`: on many systems, this machine.
    Unspecified,
    /// `10.0.0.0/8`, `172.16.0.0/12`, `192.168.0.0/16` (RFC 1918).
    Private,
    /// `100.64.0.0/10`, carrier-grade NAT (RFC 6598).
    Shared,
    /// `169.254.0.0/16`, `fe80::/10`: cloud metadata services live here.
    LinkLocal,
    /// `fc00::/7` (RFC 4193).
    UniqueLocal,
    /// `224.0.0.0/4`, `ff00::/8`.
    Multicast,
    /// `255.255.255.255`.
    Broadcast,
    /// `192.0.2.0/24`, `198.51.100.0/24`, `203.0.113.0/24`, `2001:db8::/32`, `3fff::/20`.
    Documentation,
    /// `198.18.0.0/15`, `2001:2::/48` (RFC 2544, RFC 5180).
    Benchmarking,
    /// An IPv6 address that carries an IPv4 one: 6to4, Teredo, NAT64, IPv4-compatible. The
    /// embedded address is where the packets go.
    Translated,
    /// Every other range that is not globally reachable.
    Reserved,
}

impl Class {
    /// The class of an address; an IPv4-mapped IPv6 address is classed as the IPv4 address.
    #[must_use]
    pub fn of_address(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => of_v4(address),
            IpAddr::V6(address) => of_v6(address),
        }
    }

    /// The stable, kebab-case name of the class.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Public => "public",
            Self::Loopback => "loopback",
            Self::Unspecified => "unspecified",
            Self::Private => "private",
            Self::Shared => "shared",
            Self::LinkLocal => "link-local",
            Self::UniqueLocal => "unique-local",
            Self::Multicast => "multicast",
            Self::Broadcast => "broadcast",
            Self::Documentation => "documentation",
            Self::Benchmarking => "benchmarking",
            Self::Translated => "translated",
            Self::Reserved => "reserved",
        }
    }

    pub(crate) fn of_name(name: &str) -> Self {
        match name.strip_suffix("localhost") {
            Some(below) if below.is_empty() || below.ends_with('.') => Self::Loopback,
            _ => Self::Name,
        }
    }
}

fn of_v4(address: Ipv4Addr) -> Class {
    match address.octets() {
        [0, ..] => Class::Unspecified,
        [127, ..] => Class::Loopback,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Class::Private,
        [100, 64..=127, ..] => Class::Shared,
        [169, 254, ..] => Class::LinkLocal,
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Class::Documentation,
        [198, 18..=19, ..] => Class::Benchmarking,
        // Port Control Protocol and TURN anycast (RFC 7723, RFC 8155) are globally reachable.
        [192, 0, 0, 9 | 10] => Class::Public,
        [192, 0, 0, _] | [192, 88, 99, _] => Class::Reserved,
        [224..=239, ..] => Class::Multicast,
        [255, 255, 255, 255] => Class::Broadcast,
        [240..=255, ..] => Class::Reserved,
        _ => Class::Public,
    }
}

fn of_v6(address: Ipv6Addr) -> Class {
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => Class::Unspecified,
        [0, 0, 0, 0, 0, 0, 0, 1] => Class::Loopback,
        [0, 0, 0, 0, 0, 0, _, _] => Class::Translated,
        [0x64, 0xff9b, 0, 0, 0, 0, _, _] | [0x64, 0xff9b, 1, ..] => Class::Translated,
        [0x2001, 0, ..] | [0x2002, ..] => Class::Translated,
        [0x2001, 2, 0, ..] => Class::Benchmarking,
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0x0fff, ..] => Class::Documentation,
        [0xfe80..=0xfebf, ..] => Class::LinkLocal,
        [0xfc00..=0xfdff, ..] => Class::UniqueLocal,
        [0xff00..=0xffff, ..] => Class::Multicast,
        // The IETF protocol block (RFC 2928) less its globally reachable parts.
        [0x2001, 1, 0, 0, 0, 0, 0, 1..=3]
        | [0x2001, 3, ..]
        | [0x2001, 4, 0x112, ..]
        | [0x2001, 0x20..=0x3f, ..] => Class::Public,
        [0x2001, 0..=0x1ff, ..] => Class::Reserved,
        [0x2000..=0x3fff, ..] => Class::Public,
        _ => Class::Reserved,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_special_range_and_its_neighbours() {
        use Class::*;
        for (text, class) in [
            ("0.0.0.0", Unspecified),
            ("0.255.255.255", Unspecified),
            ("1.0.0.0", Public),
            ("9.255.255.255", Public),
            ("10.0.0.0", Private),
            ("10.255.255.255", Private),
            ("11.0.0.0", Public),
            ("100.63.255.255", Public),
            ("100.64.0.0", Shared),
            ("100.127.255.255", Shared),
            ("100.128.0.0", Public),
            ("126.255.255.255", Public),
            ("127.0.0.1", Loopback),
            ("127.255.255.255", Loopback),
            ("128.0.0.0", Public),
            ("169.253.255.255", Public),
            ("169.254.169.254", LinkLocal),
            ("169.255.0.0", Public),
            ("172.15.255.255", Public),
            ("172.16.0.0", Private),
            ("172.31.255.255", Private),
            ("172.32.0.0", Public),
            ("192.0.0.8", Reserved),
            ("192.0.0.9", Public),
            ("192.0.2.1", Documentation),
            ("192.0.3.0", Public),
            ("192.88.99.1", Reserved),
            ("192.167.255.255", Public),
            ("192.168.0.1", Private),
            ("192.169.0.0", Public),
            ("198.17.255.255", Public),
            ("198.18.0.0", Benchmarking),
            ("198.19.255.255", Benchmarking),
            ("198.20.0.0", Public),
            ("198.51.100.7", Documentation),
            ("203.0.113.7", Documentation),
            ("203.0.114.0", Public),
            ("223.255.255.255", Public),
            ("224.0.0.1", Multicast),
            ("239.255.255.255", Multicast),
            ("240.0.0.0", Reserved),
            ("255.255.255.254", Reserved),
            ("255.255.255.255", Broadcast),
            ("::", Unspecified),
            ("::1", Loopback),
            ("::2", Translated),
            ("::7f00:1", Translated),
            ("::ffff:127.0.0.1", Loopback),
            ("::ffff:8.8.8.8", Public),
            ("64:ff9b::7f00:1", Translated),
            ("64:ff9b:1::1", Translated),
            ("64:ff9b:2::1", Reserved),
            ("100::1", Reserved),
            ("2001::1", Translated),
            ("2001:1::1", Public),
            ("2001:1::4", Reserved),
            ("2001:2::1", Benchmarking),
            ("2001:2:1::1", Reserved),
            ("2001:3::1", Public),
            ("2001:20::1", Public),
            ("2001:db8::1", Documentation),
            ("2001:200::1", Public),
            ("2002:a9fe:a9fe::", Translated),
            ("2606:4700::1111", Public),
            ("3fff::1", Documentation),
            ("3fff:1000::1", Public),
            ("4000::1", Reserved),
            ("fbff::1", Reserved),
            ("fc00::1", UniqueLocal),
            ("fdff::1", UniqueLocal),
            ("fe00::1", Reserved),
            ("fe80::a", LinkLocal),
            ("febf::1", LinkLocal),
            ("fec0::1", Reserved),
            ("ff02::1", Multicast),
        ] {
            assert_eq!(Class::of_address(text.parse().unwrap()), class, "{text}");
        }
    }

    #[test]
    fn loopback_names() {
        for (name, class) in [
            ("localhost", Class::Loopback),
            ("foo.localhost", Class::Loopback),
            ("notlocalhost", Class::Name),
            ("localhost.example", Class::Name),
        ] {
            assert_eq!(Class::of_name(name), class, "{name}");
        }
    }
}
