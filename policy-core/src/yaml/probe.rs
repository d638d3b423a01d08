use super::*;
#[test]
fn probe() {
    let n: usize = std::env::var("N")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(2_000_000);
    let rep = |s: &str| s.repeat(n / s.len());
    let which = std::env::var("W").ok();
    let mut anchors = String::new();
    for i in 0..n / 12 {
        anchors.push_str(&format!("- &a{i} x\n"));
    }
    let mut indent = String::from("");
    let mut i = 0;
    while indent.len() < n {
        indent.push_str(&" ".repeat(i));
        indent.push_str("a:\n");
        i += 1;
    }
    let list: String = {
        let mut s = String::from("egress:\n  allowedDomains:\n");
        let mut i = 0;
        while s.len() < n {
            s.push_str(&format!("  - host-{i}.example.com\n"));
            i += 1;
        }
        s
    };
    let keyed = {
        let mut s = String::new();
        let mut i = 0;
        while s.len() < n {
            s.push_str(&format!("k{i}: v\n"));
            i += 1;
        }
        s
    };
    let cases: Vec<(&str, String)> = vec![
        ("[", rep("[")),
        ("{", rep("{")),
        ("- ", rep("- ")),
        ("? ", rep("? ")),
        ("!", rep("!")),
        ("! ", rep("! ")),
        ("&a ", rep("&a ")),
        ("*a ", rep("*a ")),
        ("*a\\n", rep("- *a\n")),
        ("quote", rep("\"")),
        ("quote2", rep("\"\" ")),
        ("squote", rep("'")),
        ("open quote", format!("\"{}", rep("a "))),
        ("open quote nl", format!("\"{}", rep("a\n"))),
        ("open quote nlnl", format!("\"{}", rep("\n"))),
        ("esc", format!("\"{}\"", rep("\\n"))),
        ("|", rep("|")),
        ("|\\n", rep("|\n")),
        ("lit", format!("a: |\n{}", rep(" x\n"))),
        ("lit blank", format!("a: |\n{}", rep("\n"))),
        ("lit blank sp", format!("a: |\n{}", rep("  \n"))),
        ("lit long", format!("a: |\n {}", rep("x"))),
        ("fold", format!("a: >\n{}", rep(" x\n\n"))),
        ("lit pyramid", {
            let mut s = String::from("a: |\n");
            let mut i = 1;
            while s.len() < n {
                s.push_str(&" ".repeat(i));
                s.push('\n');
                i += 1;
            }
            s
        }),
        ("%", rep("%")),
        ("%\\n", rep("%a b\n")),
        ("indent", indent),
        ("long plain", rep("a")),
        ("long plain sp", rep("a ")),
        ("plain nl", rep("a\n")),
        ("plain sp", format!("a{}", rep(" "))),
        ("plain nls", format!("a{}b", rep("\n"))),
        ("plain indent", format!("a{}b", rep("\n "))),
        ("comment", rep("#")),
        ("comments", rep("#a\n")),
        ("spaces", rep(" ")),
        ("nl", rep("\n")),
        ("tab", rep("\t")),
        ("crlf", rep("\r\n")),
        ("anchors", anchors),
        ("flow", format!("[{}]", rep("a,"))),
        ("flow map", format!("{{{}}}", rep("a: b,"))),
        ("flow pairs", format!("[{}]", rep("a: b,"))),
        (
            "flow pair nest",
            format!("{}x{}", "[".repeat(200), rep("]: a,")),
        ),
        (
            "flow deep wide",
            format!("{}{}", "[".repeat(250), rep("a,")),
        ),
        (
            "flow deep wide open2",
            format!("{}{}", "[{a: ".repeat(120), rep("a,")),
        ),
        ("flow keys", rep("[a]: ")),
        ("flow nested keys", format!("{}", rep("[[a]: b, "))),
        ("flow q", format!("[{}]", rep("? "))),
        ("flow colon", format!("[{}]", rep(": "))),
        ("flow comment", format!("[{}]", rep("#a\n"))),
        ("flow nl", format!("[a{}]", rep("\n"))),
        (": ", rep(": ")),
        ("a: ", rep("a: ")),
        (":", rep(":")),
        ("-", rep("-")),
        ("---\\n", rep("---\n")),
        ("...\\n", rep("...\n")),
        ("?\\n", rep("?\n")),
        ("? a\\n", rep("? a\n")),
        ("- \\n", rep("- a\n")),
        ("-\\n", rep("-\n")),
        ("- -", rep("- - a\n")),
        ("-[]", rep("- [a]\n")),
        ("list", list),
        ("keyed", keyed),
        ("bigkey", format!("{}: a", rep("a"))),
        ("quotedkey", format!("\"{}\": a", rep("a"))),
        ("flowkey", format!("{{{}: b}}", rep("a"))),
        ("list ip6", rep("- 2001:db8:1:2:3:4:5:6\n")),
        ("flow ip6", format!("[{}]", rep("2001:db8:1:2:3:4:5:6,"))),
        ("utf8", format!("a: {}", rep("é"))),
        ("tagd", format!("%TAG ! {}\n---\n", rep("a"))),
        ("esc u", format!("\"{}\"", rep("\\u0041"))),
        ("tag uri", format!("!<{}> a", rep("%41"))),
        ("nested seq flow", rep("[]\n")),
        ("[a,", rep("[a,")),
        ("{a: ", rep("{a: ")),
        ("{a,", rep("{a,")),
        ("{? ", rep("{? ")),
        ("- [", rep("- [")),
        ("- {", rep("- {")),
        ("a: [", rep("a: [")),
    ];
    for (name, text) in &cases {
        if which.as_deref().is_some_and(|w| w != *name) {
            continue;
        }
        let t = std::time::Instant::now();
        let r = parse(text.as_bytes());
        let d = t.elapsed();
        let out = match r {
            Ok(n) => format!("ok {}", n.value.kind()),
            Err(f) => format!("{f}")
                .lines()
                .next()
                .unwrap()
                .chars()
                .take(140)
                .collect(),
        };
        println!("{:>8.1}ms {:<16} {}", d.as_secs_f64() * 1e3, name, out);
    }
}
#[test]
fn third() {
    for n in [100_000usize, 200_000, 400_000] {
        for s in [
            "[", "{", "- ", "? ", "[a,", "{a: ", "[: ", "&a [", "!a [", "a: [", "[\n", "[[a]: ",
        ] {
            let text = s.repeat(n / s.len());
            let t = std::time::Instant::now();
            let r: Result<serde_yaml::Value, _> = serde_yaml::from_str(&text);
            println!(
                "{:>8.1}ms third {n} {s:?} {}",
                t.elapsed().as_secs_f64() * 1e3,
                r.is_ok()
            );
        }
    }
}
#[test]
fn divergence() {
    let alphabet: Vec<char> = "[]{},:-?|>'\"#a \n\t&*\r"
        .chars()
        .filter(|c| *c != '\r')
        .chain(std::iter::once('\r'))
        .collect();
    let len: usize = std::env::var("L")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(4);
    let k = alphabet.len();
    let total = k.pow(len as u32);
    let mut bad = 0usize;
    let mut shown = 0;
    let mut scanned_ok = 0usize;
    for i in 0..total {
        let mut p = String::new();
        let mut x = i;
        for _ in 0..len {
            let c = alphabet[x % k];
            p.push(c);
            if c == '\r' {
                p.push('\n');
            }
            x /= k;
        }
        for suffix in ["[", "{a: ", "\n[", "- "] {
            let text = format!("{p}{}", suffix.repeat(150));
            if scan::scan(&text).is_err() {
                continue;
            }
            scanned_ok += 1;
            let r: Result<serde_yaml::Value, _> = serde_yaml::from_str(&text);
            if let Err(e) = r {
                if e.to_string().contains("recursion") {
                    bad += 1;
                    if shown < 60 {
                        shown += 1;
                        println!("DIV {p:?} {suffix:?}");
                    }
                }
            }
        }
    }
    println!("len {len} total {total} scanned_ok {scanned_ok} bad {bad}");
}
