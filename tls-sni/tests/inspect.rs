//! The lines that the example `inspect` prints, to the letter.

#[expect(dead_code, reason = "the program's own entry is not called here")]
#[path = "../examples/inspect.rs"]
mod inspect;

#[test]
fn lines() {
    const CHROMIUM: &[u8] = include_bytes!("../testdata/chromium-156-trailing-dot.bin");
    const NEWLINE: &[u8] = include_bytes!("../testdata/vectors/sni-newline.bin");
    const NO_NAME: &[u8] = include_bytes!("../testdata/vectors/no-ext-block.bin");
    const ESNI: &[u8] = include_bytes!("../testdata/vectors/esni-ffce.bin");
    const RECORDS: &[u8] = include_bytes!("../testdata/node-24-frag512.bin");
    const SESSION_ID: &[u8] = include_bytes!("../testdata/vectors/sid-33.bin");
    let cases: &[(&str, &[u8], &str)] = &[
        (
            "chromium",
            CHROMIUM,
            r#"{"file":"chromium","outcome":"hello","needed":null,"server_name":{"kind":"host","name":"www.example.com"},"alpn":["h2","http/1.1"],"supported_versions":["1.3","1.2"],"ech":"outer","records":1,"error":null}"#,
        ),
        (
            "newline",
            NEWLINE,
            r#"{"file":"newline","outcome":"hello","needed":null,"server_name":{"kind":"invalid","name":null},"alpn":["h2","http/1.1"],"supported_versions":["1.3","1.2","1.1","1.0"],"ech":"none","records":1,"error":"the server name `allowed.example\\nevil` has byte `\\n` in it"}"#,
        ),
        (
            "no name",
            NO_NAME,
            r#"{"file":"no name","outcome":"hello","needed":null,"server_name":{"kind":"absent","name":null},"alpn":[],"supported_versions":[],"ech":"none","records":1,"error":null}"#,
        ),
        (
            "esni",
            ESNI,
            r#"{"file":"esni","outcome":"hello","needed":null,"server_name":{"kind":"absent","name":null},"alpn":["h2","http/1.1"],"supported_versions":["1.3","1.2","1.1","1.0"],"ech":"esni","records":1,"error":null}"#,
        ),
        (
            "records",
            RECORDS,
            r#"{"file":"records","outcome":"hello","needed":null,"server_name":{"kind":"host","name":"example.com"},"alpn":[],"supported_versions":["1.3","1.2"],"ech":"none","records":4,"error":null}"#,
        ),
        (
            "cut",
            CHROMIUM.split_at(6).0,
            r#"{"file":"cut","outcome":"incomplete","needed":9,"server_name":null,"alpn":null,"supported_versions":null,"ech":null,"records":null,"error":null}"#,
        ),
        (
            "http",
            b"GET /",
            r#"{"file":"http","outcome":"not_tls","needed":null,"server_name":null,"alpn":null,"supported_versions":null,"ech":null,"records":null,"error":null}"#,
        ),
        (
            "error",
            SESSION_ID,
            r#"{"file":"error","outcome":"error","needed":null,"server_name":null,"alpn":null,"supported_versions":null,"ech":null,"records":null,"error":"legacy_session_id of 33 bytes, 0 to 32 allowed (at byte 44)"}"#,
        ),
    ];
    for (file, input, expected) in cases {
        assert_eq!(
            serde_json::to_string(&inspect::line(file, input)).unwrap(),
            *expected
        );
    }
}
