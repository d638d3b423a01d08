//! The network of a world, which leads to one other namespace and nowhere else.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::Result;
use crate::tool::run;
use crate::upstream;

/// The far end: another network namespace behind a pair of interfaces. It takes every address for
/// its own, so that whatever a program connects to is answered there and nowhere else.
pub(crate) fn connect(own: &Path) -> Result<Child> {
    let mut far_end = Command::new("unshare")
        .args(["--net", "--"])
        .arg(own)
        .arg("far-end")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let process = far_end.id().to_string();
    let mut ready = String::new();
    if let Some(stdout) = far_end.stdout.take() {
        BufReader::new(stdout).read_line(&mut ready)?;
    }
    if ready.trim() != "ready" {
        return Err("the far end of the network did not start".into());
    }
    let here = |line: &str| run("ip", line.split(' '));
    let there = |line: &str| {
        let args = ["--net", "--target", process.as_str(), "ip"];
        run("nsenter", args.into_iter().chain(line.split(' ')))
    };
    here("link set lo up")?;
    here(&format!(
        "link add near type veth peer name far netns {process}"
    ))?;
    here("addr add 172.31.255.1/30 dev near")?;
    here("-6 addr add fd00::1/64 dev near nodad")?;
    here("link set near up")?;
    there("addr add 172.31.255.2/30 dev far")?;
    there("-6 addr add fd00::2/64 dev far nodad")?;
    there("link set far up")?;
    there("-4 route add local 0.0.0.0/0 dev lo")?;
    // In IPv6 the table of local routes is final, so this is for what comes in only, and the answers
    // find their way out.
    there("-6 route add local ::/0 dev lo table 100")?;
    there("-6 rule add iif far lookup 100")?;
    here("route add default via 172.31.255.2")?;
    here("-6 route add default via fd00::2")?;
    Ok(far_end)
}

/// The part of [`connect`] that runs over there.
pub(crate) fn far_end() -> Result<()> {
    run("ip", ["link", "set", "lo", "up"])?;
    upstream::serve()?;
    println!("ready");
    loop {
        std::thread::park();
    }
}
