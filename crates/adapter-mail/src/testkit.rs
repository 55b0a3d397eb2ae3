//! A small mail server whose behavior a test controls.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// The treatment of messages to one recipient.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Treatment {
    /// The server accepts the message.
    #[default]
    Accept,
    /// The server sends this reply to the recipient command ("550 No such mailbox").
    AnswerRecipient(String),
    /// The server sends this reply to the message, and does not store it.
    AnswerContent(String),
    /// The server stores the message, and cuts the connection without a reply.
    KeepAndCut,
    /// The server stores the message, and never replies.
    KeepAndHold,
}

/// The behavior of the server towards all clients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ServerBehavior {
    /// Normal behavior.
    #[default]
    Normal,
    /// The server accepts connections and sends nothing.
    Silent,
    /// The server sends this greeting ("421 Busy") and closes the connection.
    Closed(String),
    /// The server requires this answer to `AUTH PLAIN` first.
    WantsSignIn(String),
}

/// A message that the server has stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMail {
    /// The recipient.
    pub to: String,
    /// The headers and the text, as received.
    pub content: String,
}

#[derive(Default)]
struct State {
    treatments: HashMap<String, Treatment>,
    behavior: ServerBehavior,
    kept: Vec<StoredMail>,
    connections: u64,
    streams: Vec<TcpStream>,
    is_over: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    over: Condvar,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A mail server on a free port of this machine, until it is dropped. It runs on threads, so that a test that blocks
/// its runtime does not stop it.
pub struct FakeSmtpServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

impl FakeSmtpServer {
    /// Starts a server that accepts all messages.
    ///
    /// # Panics
    /// Panics when there is no free port.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let address = listener.local_addr().expect("the listener has an address");
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        let accepting = std::thread::spawn(move || accept(&listener, &own));
        Self { address, shared, accepting: Some(accepting) }
    }

    /// The address of the server, as in the settings.
    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    /// The address with an account.
    pub fn url_with_account(&self, user: &str, password: &str) -> String {
        format!("smtp://{user}:{password}@{}?tls=none", self.address)
    }

    /// Sets the treatment of messages to this recipient.
    pub fn treat(&self, to: &str, treatment: Treatment) {
        self.shared.state().treatments.insert(to.to_owned(), treatment);
    }

    /// Sets the behavior towards all clients.
    pub fn set_behavior(&self, behavior: ServerBehavior) {
        self.shared.state().behavior = behavior;
    }

    /// All stored messages.
    pub fn kept(&self) -> Vec<StoredMail> {
        self.shared.state().kept.clone()
    }

    /// The recipients of all stored messages, sorted.
    pub fn kept_for(&self) -> Vec<String> {
        let mut people: Vec<String> = self.kept().into_iter().map(|kept| kept.to).collect();
        people.sort();
        people
    }

    /// The number of connections so far.
    pub fn connections(&self) -> u64 {
        self.shared.state().connections
    }
}

impl Drop for FakeSmtpServer {
    fn drop(&mut self) {
        {
            let mut state = self.shared.state();
            state.is_over = true;
            for stream in &state.streams {
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
        self.shared.over.notify_all();
        // Wakes the thread that accepts connections.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else { continue };
        {
            let mut state = shared.state();
            if state.is_over {
                return;
            }
            state.connections += 1;
            if let Ok(other) = stream.try_clone() {
                state.streams.push(other);
            }
        }
        let shared = Arc::clone(shared);
        // It ends with its connection, which `Drop` closes.
        std::thread::spawn(move || {
            let _ = converse(&stream, &shared);
        });
    }
}

fn converse(mut stream: &TcpStream, shared: &Shared) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut say = |text: &str| stream.write_all(format!("{text}\r\n").as_bytes());
    let behavior = shared.state().behavior.clone();
    match &behavior {
        ServerBehavior::Silent => {
            // Until the other side gives up.
            return reader.read_to_end(&mut Vec::new()).map(drop);
        }
        ServerBehavior::Closed(greeting) => {
            say(greeting)?;
            return stream.shutdown(Shutdown::Both);
        }
        ServerBehavior::Normal | ServerBehavior::WantsSignIn(_) => say("220 mail.test ESMTP")?,
    }
    let mut is_signed_in = !matches!(behavior, ServerBehavior::WantsSignIn(_));
    let mut recipient = String::new();
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 {
        let command = line.trim_end().to_owned();
        line.clear();
        let upper = command.to_uppercase();
        if upper.starts_with("EHLO") {
            say("250-mail.test")?;
            say("250-AUTH PLAIN")?;
            say("250 8BITMIME")?;
        } else if upper.starts_with("AUTH PLAIN ") {
            let given = command.rsplit(' ').next().unwrap_or_default();
            is_signed_in = matches!(&behavior, ServerBehavior::WantsSignIn(wanted) if wanted == given);
            say(if is_signed_in { "235 Welcome" } else { "535 Authentication failed" })?;
        } else if upper.starts_with("QUIT") {
            say("221 Bye")?;
            return stream.shutdown(Shutdown::Both);
        } else if !is_signed_in {
            say("530 Authentication required")?;
        } else if upper.starts_with("MAIL FROM:") {
            say("250 OK")?;
        } else if let Some(to) = command.get(8..).filter(|_| upper.starts_with("RCPT TO:")) {
            recipient = to.trim().trim_matches(['<', '>']).to_owned();
            match treatment_of(shared, &recipient) {
                Treatment::AnswerRecipient(answer) => say(&answer)?,
                _ => say("250 OK")?,
            }
        } else if upper == "DATA" {
            say("354 Go on")?;
            let content = read_content(&mut reader)?;
            let treatment = treatment_of(shared, &recipient);
            if !matches!(treatment, Treatment::AnswerContent(_)) {
                shared.state().kept.push(StoredMail { to: recipient.clone(), content });
            }
            match treatment {
                Treatment::AnswerContent(answer) => say(&answer)?,
                Treatment::KeepAndCut => return stream.shutdown(Shutdown::Both),
                Treatment::KeepAndHold => return hold(shared),
                Treatment::Accept | Treatment::AnswerRecipient(_) => say("250 Queued")?,
            }
        } else {
            say("500 What?")?;
        }
    }
    Ok(())
}

/// Sends nothing until the server is dropped.
fn hold(shared: &Shared) -> std::io::Result<()> {
    let state = shared.state();
    let _over = shared.over.wait_while(state, |state| !state.is_over).unwrap_or_else(PoisonError::into_inner);
    Ok(())
}

fn treatment_of(shared: &Shared, recipient: &str) -> Treatment {
    shared.state().treatments.get(recipient).cloned().unwrap_or_default()
}

fn read_content(reader: &mut BufReader<TcpStream>) -> std::io::Result<String> {
    let mut content = String::new();
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 {
        if line == ".\r\n" {
            return Ok(content);
        }
        // SMTP doubles a dot at the start of a line.
        content.push_str(line.strip_prefix('.').unwrap_or(&line));
        line.clear();
    }
    Err(std::io::ErrorKind::UnexpectedEof.into())
}
