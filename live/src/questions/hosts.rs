//! Hosts that stand for a policy, in addresses of many spellings.

use std::collections::BTreeSet;

use harness_render::{Channel, Clause};
use policy_core::{Harness, Host, Pattern, witnesses};

use super::asker::Asker;
use crate::question::{Action, Question};

/// How many allowed and how many denied hosts are also asked about in other spellings.
const SPELLED: usize = 3;

/// Addresses that a URL parser reads to a closed host `D`, beside an open one `A`: none has a space,
/// so that each is one word of a prompt.
const HIDDEN: [&str; 16] = [
    "http:D/a://A/",
    "https:/D/e://A/",
    "http:\\\\D/f://A/",
    "https:D?://A/",
    "http:D/\"https://A/",
    "https:///D/",
    "https://\\D/",
    "https://A\"@D/b",
    "https://A@D/",
    "https://A:443@D/",
    "https://D\\@A/",
    "https://D?@A/",
    "https://D#@A/",
    "https://D/://A/",
    "https://D:443/p?A",
    "https://D.",
];

/// The same with a wildcard's base `B`.
const HIDDEN_BY_WILDCARD: [&str; 5] = [
    "https://D?.B/",
    "https://D/?.B/",
    "https://D:443?x.B",
    "https://u@D?.B/",
    "https://D\\.B/",
];

/// Addresses of an open host `A`, beside a closed one.
const PLAIN: [&str; 4] = [
    "https://A",
    "https://A/p/q?x=1#f",
    "https://A/p?D",
    "https://A/?u=https://A/",
];

impl Asker<'_> {
    pub(super) fn hosts(&self, channel: Channel) -> Vec<Question> {
        let egress = self.policy.egress();
        let named: BTreeSet<String> = self.named(channel, true).collect();
        let mut hosts: Vec<Host> = witnesses(egress.patterns()).collect();
        hosts.extend(named.iter().filter_map(|name| Host::parse(name).ok()));
        let mut seen = BTreeSet::new();
        hosts.retain(|host| seen.insert(host.to_string()));

        let mut urls: Vec<(String, &Host, bool)> = Vec::new();
        for host in &hosts {
            let is_named = named.contains(&host.to_string());
            urls.push((url(host, ""), host, is_named));
        }
        let witnessed: Vec<(String, Host)> = named
            .into_iter()
            .filter(|name| name.contains("://") && self.reads_text(channel))
            .filter_map(|name| Some((name.clone(), Host::parse(&name).ok()?)))
            .collect();
        urls.extend(
            witnessed
                .iter()
                .map(|(name, host)| (name.clone(), host, true)),
        );
        if self.reads_text(channel) {
            urls.extend(self.hidden(&hosts));
        }
        let (mut allowed, mut denied) = (0, 0);
        for host in &hosts {
            let verdict = egress.decide(host).is_allowed();
            let count = if verdict { &mut allowed } else { &mut denied };
            *count += 1;
            // One name, however a client spells it.
            if let Some(name) = host.name().filter(|_| *count <= SPELLED) {
                urls.push((format!("http://{}/", name.to_uppercase()), host, false));
                urls.push((format!("http://{name}./"), host, false));
                urls.push((url(host, ":8080"), host, false));
            }
        }
        urls.into_iter()
            .filter_map(|(url, host, named)| {
                let decision = egress.decide(host);
                let clause = Clause::of_rule(decision.rule());
                let allowed = decision.is_allowed();
                self.question(channel, Action::Reach, url, allowed, clause, named)
            })
            .collect()
    }

    /// Whether what decides is the text of an address, and not its host.
    fn reads_text(&self, channel: Channel) -> bool {
        let harness = self.ledger.target().harness;
        channel == Channel::FetchTool && matches!(harness, Harness::GeminiCli | Harness::OpenCode)
    }

    /// Closed hosts in addresses that look like another's, and open ones in plain addresses that
    /// hold a closed one.
    fn hidden<'h>(&self, hosts: &'h [Host]) -> Vec<(String, &'h Host, bool)> {
        let egress = self.policy.egress();
        let (open, closed): (Vec<&Host>, Vec<&Host>) = hosts
            .iter()
            .filter(|host| host.name().is_some_and(|name| name.contains('.')))
            .partition(|host| egress.decide(host).is_allowed());
        let base = egress
            .allowed()
            .find_map(|(pattern, _)| Some(Pattern::from(pattern)).filter(Pattern::is_wildcard))
            .and_then(|pattern| pattern.base().map(str::to_owned));
        // Hosts that a clause denies, before those in no list.
        let denied = |host: &&Host| {
            let decision = egress.decide(host);
            !matches!(Clause::of_rule(decision.rule()), Clause::Deny(_))
        };
        let mut closed = closed;
        closed.sort_by_key(denied);
        let (Some(closed), Some(open)) = (closed.first(), open.first()) else {
            return Vec::new();
        };
        let by_wildcard = match base {
            Some(_) => &HIDDEN_BY_WILDCARD[..],
            None => &[],
        };
        let hidden = by_wildcard.iter().chain(&HIDDEN);
        let respelt = |text: &&str| {
            text.replace('A', &open.to_string())
                .replace('B', base.as_deref().unwrap_or_default())
                .replace('D', &closed.to_string())
        };
        let hidden = hidden.map(|text| (respelt(text), *closed, false));
        let plain = PLAIN.iter().map(|text| (respelt(text), *open, false));
        hidden.chain(plain).collect()
    }
}

fn url(host: &Host, port: &str) -> String {
    match host.address() {
        Some(address) if address.is_ipv6() => format!("http://[{address}]{port}/"),
        _ => format!("http://{host}{port}/"),
    }
}
