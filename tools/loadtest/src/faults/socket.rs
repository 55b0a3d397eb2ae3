use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};

/// Address of a TCP or Unix socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Address {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

/// Listener on a TCP or Unix socket.
#[derive(Debug)]
pub(super) enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl Listener {
    pub(super) async fn accept(&self) -> io::Result<Socket> {
        Ok(match self {
            Self::Tcp(listener) => Socket::Tcp(without_delay(listener.accept().await?.0)?),
            Self::Unix(listener) => Socket::Unix(listener.accept().await?.0),
        })
    }
}

/// One end of a connection. Both directions can be used at once.
#[derive(Debug)]
pub(super) enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Socket {
    pub(super) async fn connect(address: &Address) -> io::Result<Self> {
        Ok(match address {
            Address::Tcp(address) => Self::Tcp(without_delay(TcpStream::connect(address).await?)?),
            Address::Unix(path) => Self::Unix(UnixStream::connect(path).await?),
        })
    }

    /// Reads data; empty at the end of the stream.
    pub(super) async fn read(&self) -> io::Result<Vec<u8>> {
        let mut buffer = vec![0; 16 * 1024];
        loop {
            let read = match self {
                Self::Tcp(stream) => {
                    stream.readable().await?;
                    stream.try_read(&mut buffer)
                }
                Self::Unix(stream) => {
                    stream.readable().await?;
                    stream.try_read(&mut buffer)
                }
            };
            match read {
                Ok(length) => {
                    buffer.truncate(length);
                    return Ok(buffer);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) async fn write(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let written = match self {
                Self::Tcp(stream) => {
                    stream.writable().await?;
                    stream.try_write(bytes)
                }
                Self::Unix(stream) => {
                    stream.writable().await?;
                    stream.try_write(bytes)
                }
            };
            match written {
                Ok(length) => bytes = &bytes[length..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Makes closing send a reset: the other end only sees a lost connection, and data in transit is lost.
    pub(super) fn close_with_reset(&self) {
        if let Self::Tcp(stream) = self {
            // If the option cannot be set, the socket closes in order, which is also a fault.
            let _ = stream.set_zero_linger();
        }
    }
}

fn without_delay(stream: TcpStream) -> io::Result<TcpStream> {
    stream.set_nodelay(true)?;
    Ok(stream)
}
