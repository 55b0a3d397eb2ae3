use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

use crate::process::support::nginx::Nginx;
use crate::process::support::{Serving, folder, plenum, postgres_of, stdout, until};

const TOKEN: &str = "a-token-that-tests-show";

async fn metrics(serving: &Serving) -> String {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let response = http.get(format!("{}/metrics", serving.origin())).bearer_auth(TOKEN).send().await.unwrap();
    assert_eq!(response.status(), 200);
    response.text().await.unwrap()
}

fn value(page: &str, name: &str) -> Option<u64> {
    page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

#[tokio::test]
async fn the_metrics_show_the_embedded_database_and_its_restarts() {
    let folder = folder();
    let mut command = plenum(folder.path(), &["serve"]);
    command.env("PLENUM_METRICS_TOKEN", TOKEN);
    let serving = Serving::start_as(command).await;
    let page = metrics(&serving).await;
    assert_eq!(value(&page, "plenum_embedded_database_up"), Some(1), "{page}");
    assert_eq!(value(&page, "plenum_embedded_database_restarts_total"), Some(0), "{page}");
    assert!(value(&page, "plenum_embedded_database_disk_free_bytes").is_some_and(|bytes| bytes > 0), "{page}");

    let postgres = postgres_of(folder.path()).unwrap();
    kill(Pid::from_raw(postgres), Signal::SIGKILL).unwrap();
    until("another server runs", || postgres_of(folder.path()).is_some_and(|another| another != postgres)).await;
    until("it is ready", || serving.log().matches("the database server is ready").count() == 2).await;
    let page = metrics(&serving).await;
    assert_eq!(value(&page, "plenum_embedded_database_up"), Some(1), "{page}");
    assert_eq!(value(&page, "plenum_embedded_database_restarts_total"), Some(1), "{page}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_server_takes_memory_in_small_pages() {
    let folder = folder();
    let serving = Serving::start(folder.path()).await;
    let status = std::fs::read_to_string(format!("/proc/{}/status", serving.pid())).unwrap();
    let huge_pages = status.lines().find_map(|line| line.strip_prefix("THP_enabled:"));
    assert!(huge_pages.is_none_or(|state| state.trim() == "0"), "{status}");
}

#[tokio::test]
async fn the_log_and_the_response_have_the_same_request_id() {
    let folder = folder();
    let mut command = plenum(folder.path(), &["serve"]);
    command.env("PLENUM_LOG", "debug").env("PLENUM_LOG_FORMAT", "json");
    let serving = Serving::start_as(command).await;
    let answer = serving.send("GET", "/auth/me?token=hunter2", "", Value::Null).await;
    let id = answer.headers()["x-request-id"].to_str().unwrap().to_owned();
    let is_answer = |line: &Value| line["message"] == "answered" && line["span"]["request.id"] == *id;
    let logged = || {
        let log = serving.log();
        log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).find(|line| is_answer(line))
    };
    until("the request is logged", || logged().is_some()).await;
    let line = logged().unwrap();
    assert_eq!(line["span"]["http.status"], 401, "{line}");
    assert_eq!(line["span"]["http.route"], "/api/auth/me", "{line}");
    assert!(line["span"]["http.duration_ms"].is_u64(), "{line}");
    assert!(line["timestamp"].is_string() && line["level"] == "DEBUG", "{line}");
    assert!(!serving.log().contains("hunter2"));
}

/// nginx with the documented site. Only addresses, files and the certificate differ. Dropping it stops nginx.
struct Site {
    process: Child,
    folder: TempDir,
    plain: String,
    encrypted: String,
}

impl Site {
    async fn start(program: &Path, server: &str) -> Self {
        let folder = folder();
        let at = folder.path().display().to_string();
        let certificate = Command::new("openssl")
            .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=vote.example.org"])
            .args(["-keyout", &format!("{at}/privkey.pem"), "-out", &format!("{at}/fullchain.pem")])
            .stderr(Stdio::null())
            .status();
        assert!(certificate.unwrap().success());
        // A port that was free a moment ago.
        let places = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let [plain, encrypted] = places.map(|place| place.local_addr().unwrap().to_string());
        let site = documented_site()
            .replace("listen 80;", &format!("listen {plain};"))
            .replace("listen 443 ", &format!("listen {encrypted} "))
            .replace("/etc/letsencrypt/live/vote.example.org/", &format!("{at}/"))
            .replace("/var/log/nginx/plenum.log", &format!("{at}/access.log"))
            .replace("http://127.0.0.1:8080", server);
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
        let places: String = places.iter().map(|place| format!("{place}_temp_path {at}/{place};\n")).collect();
        let file = folder.path().join("nginx.conf");
        let text = format!(
            "daemon off;\npid {at}/nginx.pid;\nerror_log {at}/error.log;\nevents {{}}\nhttp {{\n{places}{site}}}\n"
        );
        fs::write(&file, text).unwrap();
        let mut command = Command::new(program);
        command.arg("-p").arg(folder.path()).arg("-c").arg(&file);
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let site = Self { process, folder, plain, encrypted };
        until("nginx listens", || std::net::TcpStream::connect(&site.encrypted).is_ok()).await;
        site
    }

    /// The head and the body of a response over TLS.
    fn ask(&self, path: &str) -> String {
        let port = self.encrypted.rsplit_once(':').unwrap().1;
        curl(
            &["--insecure", "--resolve", &format!("vote.example.org:{port}:127.0.0.1"), "--include"],
            &format!("https://vote.example.org:{port}{path}"),
        )
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("access.log")).unwrap_or_default()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = kill(Pid::from_raw(self.process.id().cast_signed()), Signal::SIGTERM);
        let _ = self.process.wait();
    }
}

fn curl(options: &[&str], address: &str) -> String {
    let output: Output =
        Command::new("curl").args(["-s", "--noproxy", "*"]).args(options).arg(address).output().unwrap();
    stdout(&output)
}

fn documented_site() -> String {
    let page = include_str!("../../../../../docs/operations.md");
    let section = page.split("## Behind a reverse proxy").nth(1).unwrap();
    let site = section.split("```nginx").skip(1).find(|block| block.contains("ssl_certificate")).unwrap();
    site.split("```").next().unwrap().to_owned()
}

#[tokio::test]
async fn the_documented_site_of_nginx_speaks_tls_and_its_log_names_requests_as_plenum_does() {
    let Some(program) = Nginx::program() else { return };
    let folder = folder();
    let mut command = plenum(folder.path(), &["serve"]);
    command.env("PLENUM_METRICS_TOKEN", TOKEN).env("PLENUM_TRUSTED_PROXIES", "127.0.0.1");
    let serving = Serving::start_as(command).await;
    let site = Site::start(&program, serving.origin()).await;

    let answer = site.ask("/api/health?token=hunter2");
    assert!(answer.starts_with("HTTP/2 200") && answer.ends_with(r#"{"status":"ok"}"#), "{answer}");
    let id = answer.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap().trim().to_owned();
    until("nginx logs the request", || site.log().contains(&id)).await;
    let log = site.log();
    assert!(log.contains("\"GET /api/health\" 200") && !log.contains("hunter2"), "{log}");
    assert!(site.ask("/metrics").starts_with("HTTP/2 404"));
    let moved = curl(&["--include"], &format!("http://{}/page", site.plain)).to_lowercase();
    assert!(moved.starts_with("http/1.1 301") && moved.contains("location: https://"), "{moved}");
}
