//! Whole connections: a real OpenSSL server behind the gate, and a gate that others leave in the lurch.
#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test says what must hold by panicking where it does not"
)]

use core::cell::Cell;
use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use policy_core::{Egress, Pattern, Policy};
use sni_gate::{PATIENCE, pass};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio::time::{Instant, sleep};

fn policy() -> Policy {
    let egress = Egress::builder().allow(Pattern::parse("a.example").unwrap());
    Policy::new(egress.build().unwrap(), None).unwrap()
}

/// A hello for `name` that offers TLS 1.3 only; with a key share or, to be asked again, without.
fn hello(name: &str, share: bool, version: [u8; 2]) -> Vec<u8> {
    fn vector(width: usize, bytes: &[u8]) -> Vec<u8> {
        let len = u32::try_from(bytes.len()).unwrap().to_be_bytes();
        [&len[4 - width..], bytes].concat()
    }
    let extension = |ty: u8, body: &[u8]| [&[0, ty][..], &vector(2, body)].concat();
    let name = [&[0][..], &vector(2, name.as_bytes())].concat();
    let key = [&[0, 29][..], &vector(2, &[9; 32])].concat();
    let extensions = [
        extension(0, &vector(2, &name)),
        extension(10, &[0, 2, 0, 29]),
        extension(13, &[0, 4, 4, 3, 8, 4]),
        extension(43, &[2, 3, 4]),
        extension(51, &vector(2, if share { &key } else { &[] })),
    ];
    let body = [
        &version[..],
        &[7; 32],
        &[0, 0, 2, 0x13, 1, 1, 0],
        &vector(2, &extensions.concat()),
    ];
    let message = [&[1][..], &vector(3, &body.concat())].concat();
    [&[22, 3, 1][..], &vector(2, &message)].concat()
}

/// `openssl s_server` for the names a.example and b.example, which tells the names that it serves.
struct Server {
    child: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// A server with these options too; `None`, with a word to the reader of the test's output, where there is no OpenSSL.
fn openssl(directory: &Path, options: &[&str]) -> Option<Server> {
    let (key, certificate) = (directory.join("key.pem"), directory.join("cert.pem"));
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
        ])
        .args(["-nodes", "-days", "2", "-subj", "/CN=a.example"])
        .arg("-keyout")
        .arg(&key)
        .arg("-out")
        .arg(&certificate)
        .stderr(Stdio::null())
        .status();
    if !made.is_ok_and(|status| status.success()) {
        assert!(env::var_os("REQUIRE_OPENSSL").is_none(), "no openssl");
        eprintln!("SKIPPED, nothing was asked of an OpenSSL server: there is none");
        return None;
    }
    let port = free_port();
    let child = Command::new("openssl")
        .args([
            "s_server",
            "-accept",
            &format!("127.0.0.1:{port}"),
            "-servername",
            "b.example",
        ])
        .arg("-key")
        .arg(&key)
        .arg("-cert")
        .arg(&certificate)
        .arg("-key2")
        .arg(&key)
        .arg("-cert2")
        .arg(&certificate)
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut server = Server { child, port };
    let mut lines = BufReader::new(server.child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("ACCEPT") {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0, "s_server ended");
    }
    server.child.stdout = Some(lines.into_inner());
    Some(server)
}

/// Whether the server's last record of a first flight is a HelloRetryRequest, which has a random of its own.
fn is_retry(record: &[u8]) -> bool {
    record.starts_with(&[22, 3, 3]) && record.get(11..15) == Some(&[0xcf, 0x21, 0xad, 0x74])
}

/// Sends a hello without a key share through the gate, then `second`, as a client that is asked again; the server's answer to
/// it, and what the gate says.
async fn asked_again(port: u16, second: &[u8]) -> (Vec<u8>, Result<(), String>) {
    let policy = policy();
    let (mut client, gate) = duplex(1 << 16);
    let dial = async |_: &policy_core::Host| {
        tokio::net::TcpStream::connect(("127.0.0.1", port))
            .await
            .map_err(|error| error.to_string())
    };
    let conversation = async {
        client
            .write_all(&hello("a.example", false, [3, 3]))
            .await
            .unwrap();
        let mut answer = vec![0; 5];
        client.read_exact(&mut answer).await.unwrap();
        let len = usize::from(u16::from_be_bytes([answer[3], answer[4]]));
        answer.resize(5 + len, 0);
        client.read_exact(&mut answer[5..]).await.unwrap();
        assert!(is_retry(&answer), "{answer:02x?}");
        client.write_all(&[20, 3, 3, 0, 1, 1]).await.unwrap();
        client.write_all(second).await.unwrap();
        let mut answer = vec![0; 4096];
        let read = client.read(&mut answer).await.unwrap_or(0);
        answer.truncate(read);
        // The server's own change_cipher_spec follows its HelloRetryRequest.
        if answer == [20, 3, 3, 0, 1, 1] {
            answer.resize(4096, 0);
            let read = client.read(&mut answer).await.unwrap_or(0);
            answer.truncate(read);
        }
        drop(client);
        answer
    };
    tokio::join!(conversation, pass(gate, &policy, dial))
}

#[tokio::test]
async fn a_denied_second_name_reaches_no_openssl_server() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("second");
    fs::create_dir_all(&directory).unwrap();
    let Some(server) = openssl(&directory, &[]) else {
        return;
    };
    // The server takes the second hello, and where no gate looks on, whatever its name.
    let (answer, _) = asked_again(server.port, &hello("a.example", true, [3, 3])).await;
    assert!(
        answer.windows(4).any(|bytes| bytes == [22, 3, 3, 0]),
        "{answer:02x?}"
    );
    let direct = straight(server.port, &hello("b.example", true, [3, 3]));
    assert!(
        direct.windows(4).any(|bytes| bytes == [22, 3, 3, 0]),
        "{direct:02x?}"
    );

    for version in [[3, 3], [4, 3], [255, 255]] {
        let (answer, gate) = asked_again(server.port, &hello("b.example", true, version)).await;
        assert!(answer.is_empty(), "{answer:02x?}");
        let why = gate.unwrap_err();
        assert!(why.contains("another name than the first"), "{why}");
    }
}

/// The server's answer to the second hello of a client without a gate between.
fn straight(port: u16, second: &[u8]) -> Vec<u8> {
    let mut server = TcpStream::connect(("127.0.0.1", port)).unwrap();
    server
        .set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    server
        .write_all(&hello("a.example", false, [3, 3]))
        .unwrap();
    let mut answer = vec![0; 4096];
    let read = server.read(&mut answer).unwrap();
    assert!(is_retry(&answer[..read]));
    server
        .write_all(&[&[20, 3, 3, 0, 1, 1], second].concat())
        .unwrap();
    let mut answer = Vec::new();
    while !answer.windows(4).any(|bytes| bytes == [22, 3, 3, 0]) {
        let mut more = [0; 4096];
        let read = server.read(&mut more).unwrap_or(0);
        if read == 0 {
            break;
        }
        answer.extend(&more[..read]);
    }
    answer
}

/// What `openssl s_client` prints, which asks for a.example through a gate to `port` and stays until `session` is there; what the
/// gate says.
async fn s_client(port: u16, options: &[&str], session: &Path) -> (String, Result<(), String>) {
    let gate = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = gate.local_addr().unwrap().to_string();
    let mut client = Command::new("openssl")
        .args(["s_client", "-connect", &address, "-servername", "a.example"])
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let session = session.to_owned();
    let conversation = tokio::task::spawn_blocking(move || {
        for _ in 0..400 {
            if fs::metadata(&session).is_ok_and(|file| file.len() > 0) {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        // The end of its input ends the client, when it has shaken hands.
        drop(client.stdin.take());
        let output = client.wait_with_output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    });
    let policy = policy();
    let passed = async {
        let (client, _) = gate.accept().await.unwrap();
        let dial = async |_: &policy_core::Host| {
            tokio::net::TcpStream::connect(("127.0.0.1", port))
                .await
                .map_err(|error| error.to_string())
        };
        pass(client, &policy, dial).await
    };
    let (printed, passed) = tokio::join!(conversation, passed);
    (printed.unwrap(), passed)
}

#[tokio::test]
async fn early_data_that_an_openssl_server_accepts_passes() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("early");
    fs::create_dir_all(&directory).unwrap();
    let Some(server) = openssl(&directory, &["-tls1_3", "-early_data"]) else {
        return;
    };
    let (session, data) = (directory.join("session.pem"), directory.join("data"));
    let _ = fs::remove_file(&session);
    fs::write(&data, [b'.'; 4000]).unwrap();
    let file = |path: &Path| path.to_str().unwrap().to_owned();

    let options = ["-sess_out", &file(&session)];
    let (printed, gate) = s_client(server.port, &options, &session).await;
    assert!(session.exists(), "{printed}");
    assert_eq!(gate, Ok(()));

    let options = ["-sess_in", &file(&session), "-early_data", &file(&data)];
    let (printed, gate) = s_client(server.port, &options, &session).await;
    assert!(printed.contains("Early data was accepted"), "{printed}");
    assert_eq!(gate, Ok(()));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_not_reached_is_given_up() {
    let policy = policy();
    let (mut client, gate) = duplex(1 << 16);
    client
        .write_all(&hello("a.example", true, [3, 3]))
        .await
        .unwrap();
    let never = async |_: &policy_core::Host| {
        std::future::pending::<()>().await;
        Err::<DuplexStream, String>("reached".to_owned())
    };
    assert_eq!(
        pass(gate, &policy, never).await,
        Err("a.example was not reached in time".to_owned())
    );
}

/// What the gate says of a connection to a.example between two pipes, from where the hello has reached the server.
async fn behind_the_hello(
    talk: impl AsyncFnOnce(&mut DuplexStream, &mut DuplexStream),
) -> Result<(), String> {
    let policy = policy();
    let (mut client, gate) = duplex(1 << 16);
    let (mut server, far) = duplex(1 << 16);
    let far = Cell::new(Some(far));
    let dial = async |_: &policy_core::Host| far.take().ok_or_else(|| "dialled twice".to_owned());
    let conversation = async {
        let hello = hello("a.example", true, [3, 3]);
        client.write_all(&hello).await.unwrap();
        let mut received = vec![0; hello.len()];
        server.read_exact(&mut received).await.unwrap();
        talk(&mut client, &mut server).await;
        drop((client, server));
    };
    tokio::join!(conversation, pass(gate, &policy, dial)).1
}

const CCS: [u8; 6] = [20, 3, 3, 0, 1, 1];
const TOO_LATE: &str = "what may be a second hello was not whole in time";

#[tokio::test(start_paused = true)]
async fn what_is_held_is_refused_when_its_rest_does_not_come() {
    let second = hello("a.example", true, [3, 3]);
    // TLS 1.2 resumed: an encrypted `finished` that begins like a longer hello, and then the server would speak.
    let finished = [&[22, 3, 3, 0, 32, 1, 0, 1, 0][..], &[0xee; 28]].concat();
    for (start, sent_on) in [
        (second[..second.len() - 1].to_vec(), &[][..]),
        (second[..9].to_vec(), &[]),
        (second[..1].to_vec(), &[]),
        (CCS[..4].to_vec(), &[]),
        ([&CCS[..], &second[..60]].concat(), &CCS),
        ([&CCS[..], &finished].concat(), &CCS),
    ] {
        let ended = behind_the_hello(async |client, server| {
            client.write_all(&start).await.unwrap();
            let began = Instant::now();
            let mut received = Vec::new();
            server.read_to_end(&mut received).await.unwrap();
            assert_eq!(received, sent_on, "{start:02x?}");
            assert_eq!(began.elapsed(), PATIENCE, "{start:02x?}");
            // Both directions end.
            assert_eq!(client.read(&mut [0]).await.unwrap(), 0);
        });
        assert_eq!(ended.await, Err(TOO_LATE.to_owned()), "{start:02x?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_byte_now_and_then_does_not_prolong_what_is_held() {
    let ended = behind_the_hello(async |client, server| {
        let began = Instant::now();
        client
            .write_all(&[22, 3, 3, 2, 0, 1, 0, 1, 0xfc, 3, 3])
            .await
            .unwrap();
        while client.write_all(&[7]).await.is_ok() {
            assert!(began.elapsed() <= PATIENCE);
            sleep(Duration::from_secs(1)).await;
        }
        assert_eq!(server.read(&mut [0]).await.unwrap(), 0);
    });
    assert_eq!(ended.await, Err(TOO_LATE.to_owned()));
}

/// Only while something is held does the clock run, and anew for whatever is held next.
#[tokio::test(start_paused = true)]
async fn a_client_of_which_nothing_is_held_may_be_silent() {
    let second = hello("a.example", true, [3, 3]);
    let data = [23, 3, 3, 0, 1, 7];
    let (almost, days) = (
        PATIENCE - Duration::from_secs(1),
        Duration::from_secs(1 << 20),
    );
    let ended = behind_the_hello(async |client, server| {
        for (piece, silence) in [
            (&[][..], days),
            (&CCS[..3], almost),
            (&CCS[3..], days),
            (&second[..3], almost),
            (&second[3..], days),
            (&data[..3], days),
            (&data[3..], days),
        ] {
            client.write_all(piece).await.unwrap();
            sleep(silence).await;
        }
        let mut received = vec![0; CCS.len() + second.len() + data.len()];
        server.read_exact(&mut received).await.unwrap();
        assert_eq!(received, [&CCS[..], &second, &data].concat());
    });
    assert_eq!(ended.await, Ok(()));
}

/// A gate of its own process that allows a.example.
struct Gate {
    child: Child,
    port: u16,
}

impl Drop for Gate {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Gate {
    fn start(descriptors: &str) -> Self {
        let policy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../acme");
        let port = free_port();
        let child = Command::new("sh")
            .args(["-c", &format!("ulimit -n {descriptors}; exec \"$@\""), "sh"])
            .arg(env!("CARGO_BIN_EXE_sni-gate"))
            .arg(format!("127.0.0.1:{port}"))
            .arg(policy)
            .arg(RING)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let gate = Self { child, port };
        for _ in 0..200 {
            if gate.refuses().is_some() {
                return gate;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("the gate does not start");
    }

    fn connect(&self) -> Option<TcpStream> {
        TcpStream::connect(("127.0.0.1", self.port)).ok()
    }

    /// Whether the gate closes a connection of another protocol, which it does only while it runs.
    fn refuses(&self) -> Option<()> {
        let mut client = self.connect()?;
        client
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        // The gate may close before all of it is written, which is an answer too; only silence is none.
        let _ = client.write_all(b"GET / HTTP/1.1\r\n\r\n");
        match client.read(&mut [0]) {
            Ok(0) => Some(()),
            Err(error) if error.kind() != ErrorKind::WouldBlock => Some(()),
            _ => None,
        }
    }
}

/// A ring of examples/acme.
const RING: &str = "ring3-ga";

#[test]
fn a_gate_without_descriptors_goes_on_when_it_has_some_again() {
    let mut gate = Gate::start("20");
    let held: Vec<_> = (0..40).filter_map(|_| gate.connect()).collect();
    assert!(held.len() > 20);
    let mut lines = BufReader::new(gate.child.stderr.take().unwrap()).lines();
    let full = lines.find(|line| {
        line.as_ref()
            .is_ok_and(|line| line.starts_with("not accepted"))
    });
    assert!(full.is_some(), "it never ran out of descriptors");
    drop(held);
    assert_eq!(gate.refuses(), Some(()));
}

#[test]
fn a_reader_of_the_log_that_stops_does_not_stop_the_gate() {
    let gate = Gate::start("1000");
    // More lines than a pipe of 64 KiB and the gate's own queue hold together.
    for at in 0..5_000 {
        assert_eq!(gate.refuses(), Some(()), "stopped at connection {at}");
    }
}
