//! A connection of a client: reads what the client sends, answers all whole commands in it, and reads more only after
//! the client has taken the replies.

use std::io;

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio_util::sync::CancellationToken;

use super::reply;
use super::request::{Parser, Refusal, Words};
use super::room::Room;
use super::session::Session;
use super::users::Users;

/// The maximum number of commands that are carried out together.
const MOST_COMMANDS: usize = 1_024;
/// The maximum number of commands that are carried out together while the usual length of their replies is not known
/// yet.
const FIRST_COMMANDS: usize = 64;
/// The approximate maximum number of bytes of all commands that are carried out together.
const MOST_BYTES: usize = 1 << 20;
/// The approximate maximum number of bytes of the replies to commands that are carried out together. So a client that
/// requests more data at once neither fills the memory nor delays the other clients on the same connections to the
/// servers.
const MOST_REPLIES: usize = 4 << 20;
/// How many bytes are read at once: few for a client that sends single commands, more for a client that fills the
/// buffer.
const LEAST_READ: usize = 4 << 10;
const MOST_READ: usize = 64 << 10;
/// The memory that a buffer for replies keeps. If it has grown beyond this, the rest is released.
const KEPT_REPLIES: usize = 64 << 10;

/// A client's connection, and the state of reading from it and writing to it.
struct Connection<S, U: Users> {
    stream: S,
    session: Session<U>,
    parser: Parser,
    input: BytesMut,
    /// How many bytes to read at once.
    size: usize,
    room: Room,
    replies: Vec<u8>,
    /// The maximum number of commands to carry out together.
    most: usize,
}

/// Serves a client until the client disconnects, sends something that is not a command, or the gateway ends.
///
/// # Errors
/// If the connection breaks.
pub async fn serve<S, U>(stream: S, session: Session<U>, stopping: CancellationToken) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
    U: Users,
{
    let mut connection = Connection {
        stream,
        room: Room::new(&session.shared.memory),
        session,
        parser: Parser::default(),
        input: BytesMut::new(),
        size: LEAST_READ,
        replies: Vec::new(),
        most: FIRST_COMMANDS,
    };
    loop {
        let batch = connection.batch();
        if !batch.is_empty() {
            if !connection.answer(batch).await? {
                break;
            }
        } else if !connection.read(&stopping).await? {
            break;
        }
    }
    connection.stream.shutdown().await
}

impl<S: AsyncRead + AsyncWrite + Unpin, U: Users> Connection<S, U> {
    /// Returns the whole commands that have been received.
    fn batch(&mut self) -> Batch {
        let mut batch = Batch::take(&mut self.parser, &mut self.input, self.most);
        if batch.refusal.is_none() {
            batch.refusal = self.room.fit(self.parser.held()).err();
        }
        batch
    }

    /// Reads the next bytes. Returns false if the client has disconnected or the gateway ends.
    async fn read(&mut self, stopping: &CancellationToken) -> io::Result<bool> {
        self.input.reserve(self.size);
        let count = tokio::select! {
            count = self.stream.read_buf(&mut self.input) => count?,
            () = stopping.cancelled() => 0,
        };
        let size = if count >= self.size { self.size.saturating_mul(2) } else { self.size / 2 };
        self.size = size.clamp(LEAST_READ, MOST_READ);
        Ok(count > 0)
    }

    /// Carries out commands, and waits until the client has taken the replies. Returns whether the connection stays
    /// open.
    async fn answer(&mut self, batch: Batch) -> io::Result<bool> {
        let count = batch.commands.len();
        self.session.perform(batch.commands, &mut self.replies).await;
        let length = self.replies.len().checked_div(count).unwrap_or_default().max(1);
        self.most = MOST_REPLIES.checked_div(length).unwrap_or(MOST_COMMANDS).clamp(1, MOST_COMMANDS);
        let refusal = batch.refusal.filter(|_| !self.session.is_over);
        if let Some(refusal) = &refusal {
            self.session.shared.counters.protocol_errors.add(1);
            reply::error(&mut self.replies, &format!("ERR {refusal}"));
        }
        self.stream.write_all(&self.replies).await?;
        self.stream.flush().await?;
        self.replies.clear();
        self.replies.shrink_to(KEPT_REPLIES);
        Ok(!self.session.is_over && refusal.is_none())
    }
}

/// Complete commands that have been received. `refusal` is the reason why no further commands can be read, if any.
struct Batch {
    commands: Vec<Words>,
    refusal: Option<Refusal>,
}

impl Batch {
    const fn is_empty(&self) -> bool {
        self.commands.is_empty() && self.refusal.is_none()
    }

    fn take(parser: &mut Parser, input: &mut BytesMut, most: usize) -> Self {
        let (mut commands, mut bytes) = (Vec::new(), 0_usize);
        while commands.len() < most && bytes < MOST_BYTES {
            let before = input.len();
            match parser.next(input) {
                Ok(Some(words)) => {
                    bytes = bytes.saturating_add(before.saturating_sub(input.len()));
                    commands.push(words);
                }
                Ok(None) => break,
                Err(refusal) => return Self { commands, refusal: Some(refusal) },
            }
        }
        Self { commands, refusal: None }
    }
}
