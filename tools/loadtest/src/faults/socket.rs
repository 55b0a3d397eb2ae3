use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};

/// Where somebody can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Address {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

/// Where others come in.
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

/// One end of a connection, by which both directions can be used at once.
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

    /// What has come; nothing at the end.
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

    /// From now on closing it is a cut: the other end is told nothing but that it is gone, and what is under way is lost.
    pub(super) fn close_with_reset(&self) {
        if let Self::Tcp(stream) = self {
            // Where it is not possible, it is closed as usual, which is a fault as well.
            let _ = stream.set_zero_linger();
        }
    }
}

fn without_delay(stream: TcpStream) -> io::Result<TcpStream> {
    stream.set_nodelay(true)?;
    Ok(stream)
}
