//! Starting a program in a sandbox.

use std::{
    io::{self, IoSliceMut, Read as _, Write as _},
    net::TcpListener,
    os::{fd::OwnedFd, unix::net::UnixStream},
    path::PathBuf,
    time::Duration,
};

use command_fds::{CommandFdExt as _, FdMapping};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use serde::{Deserialize, Serialize};
use tokio::process::Command;

use crate::{launcher::ARGUMENT, policy::Policy};

/// The number of the launcher's end of the socket.
pub(crate) const CONTROL: i32 = 3;
/// Less than a socket takes without a reader.
pub(crate) const MOST_POLICY_BYTES: usize = 100_000;
const MOST_ANSWER_BYTES: usize = 4_096;
/// How long making a sandbox may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why a program was not started.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the sandbox cannot be made: {0}")]
    Refused(String),
    #[error("starting the sandbox failed: {0}")]
    Io(#[from] io::Error),
}

/// What the launcher says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    Started,
    Failed { error: String },
}

/// A program that is about to be started. It ends when this is dropped.
pub struct Sandbox {
    control: UnixStream,
}

/// A program that runs. It ends when this is dropped.
pub struct Started {
    /// What the program connects to, if it has one port.
    pub listener: Option<TcpListener>,
    _control: UnixStream,
}

impl Sandbox {
    /// The command that starts the launcher, with the program's streams as its own. `launcher` is a binary that calls
    /// [`crate::launch_if_asked`]; `None` for this one.
    pub fn new(policy: &Policy, launcher: Option<PathBuf>) -> Result<(Command, Self), Error> {
        policy.check().map_err(Error::Refused)?;
        let message = serde_json::to_vec(policy).map_err(io::Error::from)?;
        if message.len() > MOST_POLICY_BYTES {
            return Err(Error::Refused("its environment and its paths are too long".to_owned()));
        }
        let (mut control, theirs) = UnixStream::pair()?;
        let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
        control.write_all(&length.to_le_bytes())?;
        control.write_all(&message)?;
        let mut command = Command::new(launcher.unwrap_or_else(|| PathBuf::from("/proc/self/exe")));
        let passed = FdMapping { parent_fd: OwnedFd::from(theirs), child_fd: CONTROL };
        command.arg(ARGUMENT).env_clear().current_dir("/").kill_on_drop(true);
        command.fd_mappings(vec![passed]).map_err(|error| Error::Refused(error.to_string()))?;
        Ok((command, Self { control }))
    }

    /// Waits until the program runs. Blocks; the command must have been spawned and dropped.
    pub fn wait(self) -> Result<Started, Error> {
        self.control.set_read_timeout(Some(PATIENCE))?;
        let mut line = Vec::new();
        let mut listener = None;
        while !line.ends_with(b"\n") && line.len() < MOST_ANSWER_BYTES {
            let mut bytes = [0_u8; MOST_ANSWER_BYTES];
            let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
            let mut more = RecvAncillaryBuffer::new(&mut space);
            let got = recvmsg(
                &self.control,
                &mut [IoSliceMut::new(&mut bytes)],
                &mut more,
                RecvFlags::CMSG_CLOEXEC,
            )
            .map_err(io::Error::from)?;
            for message in more.drain() {
                if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                    listener = descriptors.last().map(TcpListener::from);
                }
            }
            if got.bytes == 0 {
                return Err(Error::Refused("the launcher ended without an answer".to_owned()));
            }
            line.extend_from_slice(&bytes[..got.bytes]);
        }
        // A failure between fork and exec is told first, and what came of it after.
        let first = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
        match serde_json::from_slice(first).map_err(io::Error::from)? {
            Answer::Started => Ok(Started { listener, _control: self.control }),
            Answer::Failed { error } => Err(Error::Refused(error)),
        }
    }
}

/// A message with its length before it.
pub(crate) fn read_message(mut stream: &UnixStream, most: usize) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > most {
        return Err(io::Error::other("the policy is too long"));
    }
    let mut message = vec![0; length];
    stream.read_exact(&mut message)?;
    Ok(message)
}
