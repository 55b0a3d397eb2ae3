//! The addresses of a running server: for browsers here, and for phones of the same network.

use std::io::{IsTerminal as _, stdout};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use plenum_adapter_documents::terminal_qr_code;

use crate::demonstration::{DEMO_ADMIN, DEMO_SUPER_ADMIN};
use crate::output::print_line;
use crate::{Config, DEMO_CLIENT_CODE, DEMO_PASSWORD};

/// The address of the front page.
pub(super) fn home_of(config: &Config, address: SocketAddr) -> String {
    let origin = config.public_url.clone().unwrap_or_else(|| match address.ip() {
        ip if ip.is_unspecified() => format!("{}://localhost:{}", scheme_of(config), address.port()),
        _ => format!("{}://{address}", scheme_of(config)),
    });
    format!("{origin}{}", config.base_path)
}

/// How the server is reached where it listens.
pub(super) fn scheme_of(config: &Config) -> &'static str {
    if config.tls.is_some() { "https" } else { "http" }
}

/// Prints where the server can be reached, and how its people sign in.
pub(super) fn print_addresses(config: &Config, address: SocketAddr, demo: bool, created: Option<&str>) {
    let home = home_of(config, address);
    let shown = Shown { home: &home, demo, created, phones: Phones::of(config, address, own_network_address()) };
    for line in shown.lines(stdout().is_terminal()) {
        print_line(&line);
    }
}

/// Whether phones of the same network reach the server.
#[derive(Debug, PartialEq, Eq)]
enum Phones {
    /// Through this front page.
    Reach(String),
    /// Nobody but this machine does.
    Excluded,
    /// The server listens for them, and this machine has no address in a network.
    NoNetwork,
}

impl Phones {
    fn of(config: &Config, address: SocketAddr, network: Option<IpAddr>) -> Self {
        let ip = match address.ip().to_canonical() {
            _ if config.public_url.is_some() => return Self::Reach(home_of(config, address)),
            ip if ip.is_loopback() => return Self::Excluded,
            ip if ip.is_unspecified() => match network.filter(|ip| !ip.is_loopback() && !ip.is_unspecified()) {
                Some(network) => network,
                None => return Self::NoNetwork,
            },
            ip => ip,
        };
        Self::Reach(format!("{}://{}{}", scheme_of(config), SocketAddr::new(ip, address.port()), config.base_path))
    }
}

/// The address of this machine in its network: the one from which it would reach others. Nothing is sent.
fn own_network_address() -> Option<IpAddr> {
    /// An address for documentation, which belongs to nobody.
    const ELSEWHERE: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(ELSEWHERE).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

struct Shown<'a> {
    home: &'a str,
    demo: bool,
    created: Option<&'a str>,
    phones: Phones,
}

impl Shown<'_> {
    fn lines(&self, has_colors: bool) -> Vec<String> {
        let home = self.home;
        let mut lines = vec![
            format!("\nPlenum is ready: {home}/\n"),
            format!("  Super administrators   {home}/admin"),
            format!("  Organizers             {home}/client"),
            format!("  Voters                 {home}/participant"),
            format!("  API                    {home}/api/docs\n"),
        ];
        if let Some(created) = self.created {
            lines.push(format!("The first super administrator is {created}.\n"));
        }
        if self.demo {
            lines.push("Demonstration:".to_owned());
            lines.push(format!("  Super administrator    {home}/admin/login   {DEMO_SUPER_ADMIN} / {DEMO_PASSWORD}"));
            lines.push(format!("  Organizer              {home}/client/login   {DEMO_ADMIN} / {DEMO_PASSWORD}"));
            lines.push(format!(
                "  Voters                 {home}/participant/login/{DEMO_CLIENT_CODE}   ada, ben, clara, … lena / {DEMO_PASSWORD}"
            ));
            lines.push(
                "  (The super administrator's sign-in differs if you have set one, or had one before.)\n".to_owned(),
            );
            lines.extend(self.lines_about_phones(has_colors));
        }
        lines.push("Press Ctrl-C to stop.".to_owned());
        lines
    }

    fn lines_about_phones(&self, has_colors: bool) -> Vec<String> {
        match &self.phones {
            Phones::Excluded => vec![
                "Only this computer reaches it, because its passwords are public. To let phones of your network in: \
                 npx --yes rust-just up lan\n"
                    .to_owned(),
            ],
            Phones::NoNetwork => {
                vec![
                    "Phones cannot reach it: this computer is not connected to a network. Connect it, and start again.\n"
                        .to_owned(),
                ]
            }
            Phones::Reach(home) => {
                let mut lines =
                    vec![format!("Phones of the same network vote at {home}/participant/login/{DEMO_CLIENT_CODE}\n")];
                let code = terminal_qr_code(&format!("{home}/participant/login/{DEMO_CLIENT_CODE}"));
                // Bright white on black, whatever the colors of the terminal are.
                let colored = |line: String| if has_colors { format!("\u{1b}[97;40m{line}\u{1b}[0m") } else { line };
                lines.extend(code.into_iter().flatten().map(colored));
                lines.push(
                    "\nEverybody in this network can sign in, because the passwords are public. If a phone does not reach it, \
                     a firewall of this computer may block the port.\n"
                        .to_owned(),
                );
                lines
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(variables: &[(&str, &str)]) -> Config {
        Config::read(variables.iter().copied()).unwrap()
    }

    fn reached(home: &str) -> Phones {
        Phones::Reach(home.to_owned())
    }

    #[test]
    fn phones_use_the_address_of_the_network_only_if_the_server_listens_there() {
        let lan: IpAddr = "192.168.178.23".parse().unwrap();
        for (listen, network, expected) in [
            ("127.0.0.1:8080", Some(lan), Phones::Excluded),
            ("[::1]:8080", Some(lan), Phones::Excluded),
            ("[::ffff:127.0.0.1]:8080", Some(lan), Phones::Excluded),
            ("0.0.0.0:8080", Some(lan), reached("http://192.168.178.23:8080")),
            ("[::]:9000", Some(lan), reached("http://192.168.178.23:9000")),
            ("10.0.0.7:80", Some(lan), reached("http://10.0.0.7:80")),
            ("[fd00::7]:80", None, reached("http://[fd00::7]:80")),
            ("0.0.0.0:8080", None, Phones::NoNetwork),
            ("0.0.0.0:8080", Some(IpAddr::V4(Ipv4Addr::LOCALHOST)), Phones::NoNetwork),
        ] {
            let found = Phones::of(&config(&[]), listen.parse().unwrap(), network);
            assert_eq!(found, expected, "{listen} {network:?}");
        }
    }

    #[test]
    fn phones_use_the_public_address_and_the_base_path() {
        let address = "127.0.0.1:8080".parse().unwrap();
        let public = config(&[("PLENUM_PUBLIC_URL", "https://vote.example.org")]);
        assert_eq!(Phones::of(&public, address, None), reached("https://vote.example.org"));
        let below = config(&[("PLENUM_BASE_PATH", "/plenum")]);
        let lan = "192.168.0.2:80".parse().unwrap();
        assert_eq!(Phones::of(&below, lan, None), reached("http://192.168.0.2:80/plenum"));
    }

    fn shown(phones: Phones, demo: bool, has_colors: bool) -> String {
        Shown { home: "http://127.0.0.1:8080", demo, created: None, phones }.lines(has_colors).join("\n")
    }

    #[test]
    fn a_demonstration_on_one_computer_says_why_and_how_phones_get_in() {
        let text = shown(Phones::Excluded, true, false);
        assert!(text.contains("Only this computer reaches it") && text.contains("rust-just up lan"), "{text}");
        assert!(!text.contains('█'), "{text}");
        let text = shown(Phones::NoNetwork, true, false);
        assert!(text.contains("not connected to a network"), "{text}");
    }

    #[test]
    fn a_demonstration_in_a_network_shows_its_address_as_text_and_as_a_code() {
        let address = "http://192.168.178.23:8080/participant/login/demo";
        let plain = shown(reached("http://192.168.178.23:8080"), true, false);
        let code = terminal_qr_code(address).unwrap();
        assert!(plain.contains(address) && plain.contains(&code.join("\n")), "{plain}");
        assert!(plain.contains("Everybody in this network can sign in"), "{plain}");
        let colored = shown(reached("http://192.168.178.23:8080"), true, true);
        assert!(colored.contains(&format!("\u{1b}[97;40m{}\u{1b}[0m", code[0])), "{colored}");
    }

    #[test]
    fn a_real_installation_says_nothing_about_the_demonstration() {
        let text = shown(reached("http://192.168.178.23:8080"), false, false);
        assert!(!text.contains("192.168.178.23") && !text.contains(DEMO_PASSWORD) && !text.contains('█'), "{text}");
    }
}
