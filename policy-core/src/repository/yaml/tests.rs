//! The tree is serde_yaml's, the places are right, and no text is too much.

use proptest::prelude::*;

use super::{MOST_BYTES, Node, Value, parse, text};
use crate::repository::finding::Code;

/// Every node in the order of the text: a mapping before its first key, a key before its value.
fn nodes(node: &Node) -> Vec<&Node> {
    let below: Vec<&Node> = match &node.value {
        Value::Sequence(entries) => entries.iter().collect(),
        Value::Mapping(entries) => entries
            .iter()
            .flat_map(|(key, value)| [key, value])
            .collect(),
        _ => Vec::new(),
    };
    core::iter::once(node)
        .chain(below.into_iter().flat_map(nodes))
        .collect()
}

/// The scalars of a text, each with its place: `a@1:1 b@1:4`.
fn scalars(text: &str) -> String {
    let tree = parse(text.as_bytes()).unwrap_or_else(|finding| panic!("{text:?}: {finding}"));
    let nodes = nodes(&tree).into_iter();
    let shown = nodes.filter_map(|node| {
        let text = match &node.value {
            Value::Text(text) => text.replace('\n', "\\n").replace('\t', "\\t"),
            Value::Sequence(_) | Value::Mapping(_) => return None,
            other => format!("<{}>", other.kind()),
        };
        let place = node
            .position
            .map_or("-".to_owned(), |position| position.to_string());
        Some(format!("{text}@{place}"))
    });
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_scalar_has_the_place_of_its_first_character() {
    for (text, expected) in [
        ("a: b", "a@1:1 b@1:4"),
        ("  a: b\n  c: d\n", "a@1:3 b@1:6 c@2:3 d@2:6"),
        ("---\na: b\n...\n", "a@2:1 b@2:4"),
        ("# comment\n\na:   b   # c\n", "a@3:1 b@3:6"),
        // Lists.
        ("a:\n- b\n-  c\n", "a@1:1 b@2:3 c@3:4"),
        ("a:\n  - b\n\n  # c\n  - d\n", "a@1:1 b@2:5 d@5:5"),
        (
            "- - a\n  - b\n- c: d\n  e: f\n",
            "a@1:5 b@2:5 c@3:3 d@3:6 e@4:3 f@4:6",
        ),
        // Flow collections.
        (
            "a: {b: c, d: [e,f]}",
            "a@1:1 b@1:5 c@1:8 d@1:11 e@1:15 f@1:17",
        ),
        ("a: [\n  b,\n  c\n]", "a@1:1 b@2:3 c@3:3"),
        ("[a: b, c]", "a@1:2 b@1:5 c@1:8"),
        ("{\"a\":b, ? c : d}", "a@1:2 b@1:6 c@1:11 d@1:15"),
        // Quotes: the place is the quote's.
        ("\"a b\": 'c'", "a b@1:1 c@1:8"),
        ("a: 'it''s'\nb: \"x\\ty\"", "a@1:1 it's@1:4 b@2:1 x\\ty@2:4"),
        // More than one line.
        ("a: b\n  c\nd: e", "a@1:1 b c@1:4 d@3:1 e@3:4"),
        ("a: \"b\n  c\"\nd: e", "a@1:1 b c@1:4 d@3:1 e@3:4"),
        ("a: |\n  b\n  c\nd: e", "a@1:1 b\\nc\\n@2:3 d@4:1 e@4:4"),
        ("a: >-\n  b\n  c\nd: e", "a@1:1 b c@2:3 d@4:1 e@4:4"),
        ("a: |\n  b", "a@1:1 b@2:3"),
        // Characters, not bytes; line ends of either kind; a byte order mark is not counted.
        (
            "é: ü # ö\nx: [é, 日本, b]",
            "é@1:1 ü@1:4 x@2:1 é@2:5 日本@2:8 b@2:12",
        ),
        (
            "a: \"\u{1F600}\" # c\nb: {\u{1F600}: c}",
            "a@1:1 \u{1F600}@1:4 b@2:1 \u{1F600}@2:5 c@2:8",
        ),
        ("a: b\r\nc:\r\n  - d\r\n", "a@1:1 b@1:4 c@2:1 d@3:5"),
        ("\u{FEFF}a: b", "a@1:1 b@1:4"),
        // An alias has the place of what it repeats, and an anchor belongs to its value.
        (
            "a: &x b\nc: *x\nd: e",
            "a@1:1 b@1:4 c@2:1 b@1:4 d@3:1 e@3:4",
        ),
        (
            "- &x {a: b}\n- *x\n- *x\n- c",
            "a@1:7 b@1:10 a@1:7 b@1:10 a@1:7 b@1:10 c@4:3",
        ),
        // Words that only YAML 1.1 read as other than text, and those that are no text.
        (
            "[off, no, y, 2.1.280, 2024-01-01]",
            "off@1:2 no@1:7 y@1:11 2.1.280@1:14 2024-01-01@1:23",
        ),
        (
            "[false, 1.1, 0x1F, .inf, 1e3]",
            "<`false`>@1:2 <a number>@1:9 <a number>@1:14 <a number>@1:20 <a number>@1:26",
        ),
        (
            "~/x: [~/y, 2001:db8::1, a:b]",
            "~/x@1:1 ~/y@1:7 2001:db8::1@1:12 a:b@1:25",
        ),
        // Merge keys are keys, and a key may be written twice.
        ("<<: a\nb: c\nb: d", "<<@1:1 a@1:5 b@2:1 c@2:4 b@3:1 d@3:4"),
    ] {
        assert_eq!(scalars(text), expected, "{text:?}");
    }
}

#[test]
fn a_text_without_a_document_is_nothing() {
    for text in [
        "",
        "\n\n",
        "# only a comment",
        "---\n",
        "\u{FEFF}",
        "  \r\n# a\r\n",
        "~",
        "null",
    ] {
        assert_eq!(
            parse(text.as_bytes()).unwrap().value,
            Value::Null,
            "{text:?}"
        );
    }
}

/// `times` repetitions: 2 MB and more in the tests of what must be refused at once.
fn many(part: &str, bytes: usize) -> String {
    part.repeat(bytes / part.len())
}

#[test]
fn a_refusal_names_the_reason_and_the_place() {
    use Code::*;
    let bomb = |levels: usize| {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..levels {
            let alias = format!("*a{},", level - 1);
            text += &format!("a{level}: &a{level} [{}]\n", alias.repeat(9));
        }
        text
    };
    let long_text = format!(
        "a: &a {}\nb: [{}]",
        "x".repeat(1024 * 1024),
        "*a,".repeat(9)
    );
    let chain: String = (1..80)
        .map(|n| format!("- &a{n} [*a{}]\n", n - 1))
        .collect();
    let chain = format!("- &a0 x\n{chain}");
    let stairs: String = (0..65)
        .map(|level| format!("{}a:\n", " ".repeat(level)))
        .collect();
    for (text, code, place) in [
        // Not a policy's YAML.
        ("a: b\n---\nc: d", SeveralDocuments, "2:1"),
        ("a: b\n...\n---\nc: d", SeveralDocuments, "3:1"),
        ("---\n---\n", SeveralDocuments, "2:1"),
        // One parser ends the text where the other goes on.
        ("|\n[", SeveralDocuments, "-"),
        ("# c\n%YAML 1.2\n---\na: b", Directive, "2:1"),
        ("- *.github.com", UnknownAlias, "1:3"),
        ("a: [b, *.github.com]", UnknownAlias, "1:8"),
        ("- é\n- *x", UnknownAlias, "2:3"),
        ("*x : a", UnknownAlias, "1:1"),
        ("- !pastebin.com", Tag, "1:3"),
        ("a: !!str b", Tag, "1:4"),
        ("a: ! b", Tag, "1:4"),
        ("a: !x!y b", Tag, "1:4"),
        ("a: &x !y {}", Tag, "1:4"),
        ("a: !y &x []", Tag, "1:4"),
        // Not YAML.
        ("a: b: c", NotYaml, "1:5"),
        ("a: @b", NotYaml, "1:4"),
        ("a: `b`", NotYaml, "1:4"),
        ("a: %b", NotYaml, "1:4"),
        ("a: 'b", NotYaml, "1:4"),
        ("a: [b", NotYaml, "2:1"),
        ("a: b]\nc: ]", NotYaml, "2:4"),
        ("a:\n\t- b", NotYaml, "2:2"),
        ("a: b\n c: d", NotYaml, "2:3"),
        ("a: [::1]", NotYaml, "1:5"),
        // Characters.
        ("a: b\0", Nul, "1:5"),
        ("é: b\n# \u{7}", ControlCharacter, "2:3"),
        ("a: \u{7f}", ControlCharacter, "1:4"),
        ("# a\rb: c", ControlCharacter, "1:4"),
        ("a: b\r", ControlCharacter, "1:5"),
        ("# a\u{85}b: c", ControlCharacter, "1:4"),
        ("# a\u{2028}b: c", ControlCharacter, "1:4"),
        ("# a\u{202E}b", ControlCharacter, "1:4"),
        ("a: b\n\u{FEFF}c: d", ControlCharacter, "2:1"),
        // Depth: the root is one level, and 64 are allowed.
        (&"[".repeat(65), TooDeep, "1:65"),
        (
            &format!("{}{}", "[".repeat(65), "]".repeat(65)),
            TooDeep,
            "1:65",
        ),
        (&"- ".repeat(65), TooDeep, "1:129"),
        (&"? ".repeat(65), TooDeep, "1:129"),
        (&stairs, TooDeep, "65:65"),
        (&chain, TooDeep, "65:9"),
        // Aliases.
        ("&a [*a]", TooManyAliases, "1:5"),
        ("a: &a\n  b: *a", TooManyAliases, "2:6"),
        (&bomb(9), TooManyAliases, "6:10"),
        (&long_text, TooManyAliases, "2:29"),
    ] {
        let finding = parse(text.as_bytes()).unwrap_err();
        let found = finding
            .position()
            .map_or("-".to_owned(), |position| position.to_string());
        let shown: String = text.chars().take(60).collect();
        assert_eq!(
            (finding.code(), found.as_str()),
            (code, place),
            "{shown:?}: {finding}"
        );
        assert!(finding.help().is_some(), "{shown:?}: {finding}");
    }
}

#[test]
fn what_is_just_within_the_bounds_is_read() {
    let stairs: String = (0..64)
        .map(|level| format!("{}a:\n", " ".repeat(level)))
        .collect();
    let repeated = format!("a: &a [{}]\nb: [{}]", "x,".repeat(99), "*a,".repeat(999));
    for text in [
        &format!("{}{}", "[".repeat(64), "]".repeat(64)),
        &format!("{}x", "- ".repeat(64)),
        &stairs,
        &repeated,
        "a: \t b",
        "a: \"\u{200B}\" # what shows nothing is for the types of the values to refuse",
    ] {
        let shown: String = text.chars().take(60).collect();
        assert!(parse(text.as_bytes()).is_ok(), "{shown:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    for (bytes, code, place) in [
        (&b"a: \xFF"[..], Code::NotUtf8, "1:4"),
        (b"a: b\n\xC3\xA9: \xC3", Code::NotUtf8, "2:4"),
        (b"\xEF\xBB\xBFa\xFF", Code::NotUtf8, "1:2"),
        (b"a: \xED\xA0\x80", Code::NotUtf8, "1:4"),
        (b"\xFF\xFEa\0", Code::NotUtf8, "-"),
        (b"\xFE\xFF\0a", Code::NotUtf8, "-"),
        (&vec![b' '; MOST_BYTES + 1], Code::TooLarge, "-"),
    ] {
        let finding = parse(bytes).unwrap_err();
        let found = finding
            .position()
            .map_or("-".to_owned(), |position| position.to_string());
        assert_eq!((finding.code(), found.as_str()), (code, place), "{finding}");
    }
    assert!(text::decode(&vec![b'\n'; MOST_BYTES]).is_ok());
}

/// What serde_yaml alone takes time by the square for, or memory without bound.
#[test]
fn megabytes_of_structure_are_refused_before_they_are_collected() {
    const SIZE: usize = 2 * 1024 * 1024;
    for part in [
        "[",
        "{",
        "- ",
        "? ",
        "[a,",
        "{a: ",
        "{? ",
        "a: [",
        "[[a]: b, ",
        "- [",
        ": ",
        "!",
        "! ",
        "!a ",
        "&a ",
        "&",
        "*a ",
        "*",
        "- *a\n",
        "\"\" ",
        "|",
        "%",
        "%a\n",
        "---\n",
        "@",
        "]",
        "}",
        ",",
        "\0",
        "\u{1}",
        "\u{2028}",
    ] {
        assert!(parse(many(part, SIZE).as_bytes()).is_err(), "{part:?}");
    }
    // More values than a document may hold, of the shortest kind.
    let values = 5 * 1024 * 1024;
    for text in [format!("[{}]", "a,".repeat(values)), "-\n".repeat(values)] {
        assert_eq!(
            parse(text.as_bytes()).unwrap_err().code(),
            Code::TooManyValues
        );
    }
}

/// The same tree by serde_yaml's own type, for comparison.
fn expected(value: &serde_yaml::Value) -> Value {
    let node = |value| Node {
        value: expected(value),
        position: None,
    };
    match value {
        serde_yaml::Value::Null => Value::Null,
        serde_yaml::Value::Bool(value) => Value::Bool(*value),
        serde_yaml::Value::Number(_) => Value::Number,
        serde_yaml::Value::String(text) => Value::Text(text.clone()),
        serde_yaml::Value::Sequence(entries) => Value::Sequence(entries.iter().map(node).collect()),
        serde_yaml::Value::Mapping(entries) => Value::Mapping(
            entries
                .iter()
                .map(|(key, value)| (node(key), node(value)))
                .collect(),
        ),
        serde_yaml::Value::Tagged(_) => panic!("a tag was read"),
    }
}

fn without_places(node: &Node) -> Node {
    let value = match &node.value {
        Value::Sequence(entries) => Value::Sequence(entries.iter().map(without_places).collect()),
        Value::Mapping(entries) => Value::Mapping(
            entries
                .iter()
                .map(|(key, value)| (without_places(key), without_places(value)))
                .collect(),
        ),
        other => other.clone(),
    };
    Node {
        value,
        position: None,
    }
}

/// What holds of every text: it is refused with a reason, or its values are serde_yaml's and every
/// place shows where a value begins.
fn check(text: &str) {
    let Ok(tree) = parse(text.as_bytes()) else {
        return;
    };
    // serde_yaml's own type refuses a repeated key, which the tree keeps.
    if let Ok(value) = serde_yaml::from_str::<serde_yaml::Value>(text) {
        assert_eq!(without_places(&tree).value, expected(&value), "{text:?}");
    }
    let lines: Vec<Vec<char>> = text
        .trim_start_matches('\u{FEFF}')
        .lines()
        .map(|line| line.chars().collect())
        .collect();
    for node in nodes(&tree) {
        let (Value::Text(value), Some(position)) = (&node.value, node.position) else {
            continue;
        };
        let Some(first) = value.trim_start().chars().next() else {
            continue;
        };
        let line = &lines[position.line().get() as usize - 1];
        let rest = &line[position.column().get() as usize - 1..];
        let shown: String = rest.iter().collect();
        let begins = shown.trim_start().starts_with([first, '"', '\'', '&']);
        assert!(begins, "{text:?}: {value:?} is not at {position}");
    }
}

#[test]
fn every_short_text_keeps_the_law() {
    const ALPHABET: [&str; 15] = [
        "[", "]", "{", "}", ",", ":", "-", "?", "|", "\"", "#", "a", "é", " ", "\n",
    ];
    let mut texts = vec![String::new()];
    for _ in 0..4 {
        let longer = texts
            .iter()
            .flat_map(|text| ALPHABET.map(|part| format!("{text}{part}")));
        texts = longer.collect();
        texts.iter().for_each(|text| check(text));
    }
}

/// The guard holds only if what looks like text to the scan is no structure to serde_yaml.
#[test]
fn no_depth_hides_from_the_scan() {
    const ALPHABET: [&str; 14] = [
        "[", "{", ",", ":", "-", "|\n", ">\n", "\"", "'", "#", "a", " ", "\n", "\t",
    ];
    let too_deep = |text: &str| {
        let error = serde_yaml::from_str::<serde_yaml::Value>(text).err();
        error.is_some_and(|error| error.to_string().starts_with("recursion limit exceeded"))
    };
    for part in ["[", "{a: ", "- "] {
        assert!(too_deep(&part.repeat(130)), "{part:?}");
    }
    let mut prefixes = vec![String::new()];
    for _ in 0..3 {
        let longer = prefixes
            .iter()
            .flat_map(|text| ALPHABET.map(|part| format!("{text}{part}")));
        prefixes = longer.collect();
        for prefix in &prefixes {
            for part in ["[", "{a: ", "- "] {
                let text = format!("{prefix}{}", part.repeat(130));
                if super::scan::scan(&text).is_ok() {
                    assert!(!too_deep(&text), "{prefix:?} {part:?}");
                }
            }
        }
    }
}

/// A document to print, and how to print it.
#[derive(Clone, Debug)]
enum Model {
    Text(String, Style),
    List(Vec<Model>, bool),
    Map(Vec<(String, Style, Model)>, bool),
}

#[derive(Clone, Copy, Debug)]
enum Style {
    Plain,
    Single,
    Double,
}

fn model() -> impl Strategy<Value = Model> {
    let word = || "x[a-z0-9é日.:/*+~-]{0,6}x";
    let style = || prop_oneof![Just(Style::Plain), Just(Style::Single), Just(Style::Double)];
    let leaf = (word(), style()).prop_map(|(text, style)| Model::Text(text, style));
    leaf.prop_recursive(5, 40, 5, move |inner| {
        let list = proptest::collection::vec(inner.clone(), 0..5);
        let map = proptest::collection::vec((word(), style(), inner), 0..5);
        prop_oneof![
            (list, any::<bool>()).prop_map(|(entries, flow)| Model::List(entries, flow)),
            (map, any::<bool>()).prop_map(|(entries, flow)| Model::Map(entries, flow)),
        ]
    })
}

/// Prints a model and notes where each of its nodes begins.
struct Printer {
    out: String,
    line: u32,
    column: u32,
    line_end: &'static str,
    places: Vec<(u32, u32)>,
}

impl Printer {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += u32::try_from(text.chars().count()).unwrap();
    }

    fn new_line(&mut self, indent: usize) {
        self.out.push_str(self.line_end);
        self.line += 1;
        self.column = 1;
        self.put(&" ".repeat(indent));
    }

    fn here(&mut self) {
        self.places.push((self.line, self.column));
    }

    fn text(&mut self, text: &str, style: Style) {
        self.here();
        match style {
            Style::Plain => self.put(text),
            Style::Single => self.put(&format!("'{text}'")),
            Style::Double => self.put(&format!("\"{text}\"")),
        }
    }

    fn flow(&mut self, model: &Model) {
        match model {
            Model::Text(text, style) => self.text(text, *style),
            Model::List(entries, _) => {
                self.here();
                self.put("[");
                for entry in entries {
                    self.flow(entry);
                    self.put(", ");
                }
                self.put("]");
            }
            Model::Map(entries, _) => {
                self.here();
                self.put("{");
                for (key, style, value) in entries {
                    self.text(key, *style);
                    self.put(": ");
                    self.flow(value);
                    self.put(", ");
                }
                self.put("}");
            }
        }
    }

    /// Prints at the place reached, which is `indent` columns in.
    fn block(&mut self, model: &Model, indent: usize) {
        match model {
            Model::List(entries, false) if !entries.is_empty() => {
                self.here();
                for (at, entry) in entries.iter().enumerate() {
                    if at > 0 {
                        self.new_line(indent);
                    }
                    self.put("- ");
                    self.block(entry, indent + 2);
                }
            }
            Model::Map(entries, false) if !entries.is_empty() => {
                self.here();
                for (at, (key, style, value)) in entries.iter().enumerate() {
                    if at > 0 {
                        self.new_line(indent);
                    }
                    self.text(key, *style);
                    self.put(":");
                    match value {
                        Model::List(entries, false) if !entries.is_empty() => {
                            self.put(" # é: [");
                            self.new_line(indent + 1);
                            self.block(value, indent + 1);
                        }
                        Model::Map(entries, false) if !entries.is_empty() => {
                            self.new_line(0);
                            self.new_line(indent + 3);
                            self.block(value, indent + 3);
                        }
                        _ => {
                            self.put(" ");
                            self.flow(value);
                            self.put("  # - é");
                        }
                    }
                }
            }
            _ => self.flow(model),
        }
    }
}

fn print(model: &Model, line_end: &'static str) -> (String, Vec<(u32, u32)>) {
    let mut printer = Printer {
        out: String::new(),
        line: 1,
        column: 1,
        line_end,
        places: Vec::new(),
    };
    printer.put("# é");
    printer.new_line(0);
    printer.block(model, 0);
    printer.new_line(0);
    (printer.out, printer.places)
}

proptest! {
    #[test]
    fn a_place_is_that_of_the_first_character(model in model(), windows in any::<bool>()) {
        let (text, places) = print(&model, if windows { "\r\n" } else { "\n" });
        let tree = parse(text.as_bytes()).unwrap();
        let found = nodes(&tree).into_iter().map(|node| {
            let position = node.position.expect("every value has a place");
            (position.line().get(), position.column().get())
        });
        prop_assert_eq!(found.collect::<Vec<_>>(), places, "{}", text);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Err(finding) = parse(&bytes) {
            prop_assert!(finding.help().is_some());
        }
    }

    #[test]
    fn a_damaged_document_keeps_the_law(
        model in model(),
        damages in proptest::collection::vec((any::<prop::sample::Index>(), "[\\[\\]{},:?|>'\"#&*!% \n\ta-]{0,2}"), 1..4),
    ) {
        let (text, _) = print(&model, "\n");
        let mut characters: Vec<char> = text.chars().collect();
        for (at, damage) in &damages {
            let at = at.index(characters.len());
            characters.splice(at..=at, damage.chars());
            characters.push('\n');
        }
        check(&characters.into_iter().collect::<String>());
    }
}
