use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

use crate::process::support::{Api, folder, until};

/// nginx with the documented load balancer, in front of these servers. Only its addresses are changed. Dropping it
/// stops nginx.
pub(crate) struct Nginx {
    process: Child,
    api: Api,
    _folder: TempDir,
}

impl Nginx {
    /// The program: named by `NGINX`, or Debian's.
    pub(crate) fn program() -> Option<PathBuf> {
        let named = std::env::var_os("NGINX").filter(|name| !name.is_empty()).map(PathBuf::from);
        named.into_iter().chain([PathBuf::from("/usr/sbin/nginx")]).find(|program| program.is_file())
    }

    pub(crate) async fn start(program: &Path, servers: &[&str]) -> Self {
        let folder = folder();
        // A port that was free a moment ago.
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let file = folder.path().join("nginx.conf");
        fs::write(&file, configuration(folder.path(), &address.to_string(), servers)).unwrap();
        let mut command = Command::new(program);
        command.arg("-p").arg(folder.path()).arg("-c").arg(&file);
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let nginx = Self { process, api: Api::at(&format!("http://{address}")), _folder: folder };
        until("nginx listens", || std::net::TcpStream::connect(address).is_ok()).await;
        assert_eq!(nginx.api.get("/health", "").await["status"], Value::from("ok"));
        nginx
    }

    /// A caller of the API behind nginx.
    pub(crate) fn api(&self) -> &Api {
        &self.api
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = kill(Pid::from_raw(self.process.id().cast_signed()), Signal::SIGTERM);
        let _ = self.process.wait();
    }
}

fn configuration(folder: &Path, listen: &str, servers: &[&str]) -> String {
    let page = include_str!("../../../../../../docs/operations.md");
    let section = page.split("## Several instances").nth(1).unwrap();
    let mut site = section.split("```nginx").nth(1).unwrap().split("```").next().unwrap().to_owned();
    site = site.replace("listen 80;", &format!("listen {listen};"));
    for (place, server) in servers.iter().enumerate() {
        let documented = format!("10.0.0.1{}:8080", place + 1);
        assert!(site.contains(&documented), "the documentation has no {documented}");
        site = site.replace(&documented, server);
    }
    // The documentation has more servers than some tests.
    let is_ours = |line: &&str| !line.trim_start().starts_with("server 10.0.0.1");
    let site = site.lines().filter(is_ours).collect::<Vec<_>>().join("\n");
    let folder = folder.display();
    format!(
        "daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
worker_processes 1;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {folder}/client-body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{site}}}
"
    )
}
