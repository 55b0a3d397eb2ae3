//! A script that runs `plenum-load` checks only its exit code. Here the binary calls a server that falsifies one vote.

use std::process::{Output, Stdio};

use tokio::process::Command;

use super::fake_server::{Lie, Server};

async fn run(url: &str, secrecy: &str) -> Output {
    let line = "ballots --voters 4 --connections 2 --rounds 1 --warm-up 0 --admin-email root@example.org";
    let mut command = Command::new(env!("CARGO_BIN_EXE_plenum-load"));
    command.args(line.split(' ')).args(["--admin-password", "secret", "--url", url, "--secrecy", secrecy]);
    command.stdin(Stdio::null()).output().await.unwrap()
}

#[track_caller]
fn assert_code(output: &Output, code: i32, part: &str) {
    let all = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{all}");
    assert!(all.contains(part), "no `{part}`: {all}");
}

#[tokio::test]
async fn the_exit_code_is_0_if_every_vote_is_recorded_correctly() {
    for secrecy in ["named", "secret"] {
        let server = Server::start(Lie::None).await;
        let part = "4 acknowledged, 0 refused (0 as too late), 0 unknown; 0 lost, 0 doubled";
        assert_code(&run(&server.url, secrecy).await, 0, part);
    }
}

#[tokio::test]
async fn the_exit_code_is_1_if_a_vote_is_lost_doubled_changed_or_smuggled() {
    for (lie, part) in [
        (Lie::Lose, "1 lost, 0 doubled, 0 changed, 0 smuggled"),
        (Lie::Double, "0 lost, 1 doubled, 0 changed, 0 smuggled"),
        (Lie::Change, "0 lost, 0 doubled, 1 changed, 0 smuggled"),
        (Lie::Smuggle, "0 lost, 0 doubled, 0 changed, 1 smuggled"),
    ] {
        for secrecy in ["named", "secret"] {
            let server = Server::start(lie).await;
            assert_code(&run(&server.url, secrecy).await, 1, part);
        }
    }
}

#[tokio::test]
async fn the_exit_code_is_1_if_no_server_responds() {
    // A port from the system, so that no other process gets it meanwhile, without a listener.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let url = format!("http://{}", socket.local_addr().unwrap());
    assert_code(&run(&url, "named").await, 1, "no response to POST /auth/login");
}
