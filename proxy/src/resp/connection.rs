//! A connection of a client: reads what the client sends, answers all whole commands in it, and reads more only after
//! the client has taken the replies.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::pieces::{self, Piece};
use super::reply;
use super::request::{Parser, Refusal, Words};
use super::room::Room;
use super::session::Session;
use super::users::Users;
use crate::load::{Client, Load, serving};

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
/// A client that has unread replies and reads nothing for this time is disconnected.
pub const STALLED: Duration = Duration::from_secs(60);

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
    timeout(STALLED, connection.stream.shutdown())
        .await
        .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
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
        let (count, mut written) = (batch.commands.len(), 0_usize);
        for piece in pieces::split(batch.commands) {
            written = written.saturating_add(self.answer_piece(piece).await?);
            if self.session.is_over {
                break;
            }
        }
        let length = written.checked_div(count).unwrap_or_default().max(1);
        self.most = MOST_REPLIES.checked_div(length).unwrap_or(MOST_COMMANDS).clamp(1, MOST_COMMANDS);
        let refusal = batch.refusal.filter(|_| !self.session.is_over);
        if let Some(refusal) = &refusal {
            self.session.shared.counters.protocol_errors.add(1);
            reply::error(&mut self.replies, &format!("ERR {refusal}"));
            self.write().await?;
        }
        Ok(!self.session.is_over && refusal.is_none())
    }

    /// Carries out one piece, and waits until the client has taken the replies. Returns the number of their bytes.
    async fn answer_piece(&mut self, piece: Piece) -> io::Result<usize> {
        let shared = Arc::clone(&self.session.shared);
        let load = shared.users.load();
        let Some(mut share) = load.replies.reserve(piece.reserved, load.gate.patience()).await else {
            let wait = load.gate.patience().as_millis();
            let text = format!("BUSY other clients have not read their replies: try again in {wait} ms");
            piece.commands.iter().for_each(|_| reply::error(&mut self.replies, &text));
            return self.write().await;
        };
        self.perform(piece.commands).await;
        if !load.replies.settle(&mut share, self.replies.len()) {
            load.replies.overflowed.fetch_add(1, Relaxed);
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        self.write().await
    }

    /// Carries out commands. While one of them waits for a place, watches whether the client is still there.
    async fn perform(&mut self, commands: Vec<Words>) {
        let Self { stream, session, input, replies, .. } = self;
        let client = session.client.clone();
        let watching = watch(stream, input, &client);
        let work = pin!(session.perform(commands, replies));
        tokio::select! {
            biased;
            () = serving(client.clone(), work) => {}
            () = watching => {}
        }
    }

    /// Writes the replies. Returns the number of their bytes.
    ///
    /// # Errors
    /// If the connection breaks, or if the client reads nothing for a time.
    async fn write(&mut self) -> io::Result<usize> {
        let shared = Arc::clone(&self.session.shared);
        let load = shared.users.load();
        let length = self.replies.len();
        let mut unread = load.replies.unread_by(length);
        let mut left = self.replies.as_slice();
        while !left.is_empty() {
            let count = in_time(load, self.stream.write(left)).await?;
            if count == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            unread.read(count);
            left = left.get(count..).unwrap_or_default();
        }
        in_time(load, self.stream.flush()).await?;
        self.replies.clear();
        self.replies.shrink_to(KEPT_REPLIES);
        Ok(length)
    }
}

/// Waits for a step of a write, but not longer than [`STALLED`].
async fn in_time<R>(load: &Load, step: impl Future<Output = io::Result<R>>) -> io::Result<R> {
    timeout(STALLED, step).await.unwrap_or_else(|_| {
        load.replies.stalled.fetch_add(1, Relaxed);
        Err(io::ErrorKind::TimedOut.into())
    })
}

/// Watches a client one of whose commands waits for a place. What the client sends meanwhile is kept. Never ends.
async fn watch<S: AsyncRead + Unpin>(stream: &mut S, input: &mut BytesMut, client: &Client) {
    client.queued().await;
    while input.len() < MOST_BYTES {
        input.reserve(LEAST_READ);
        // An end of the stream is taken for the end of the client. Servers do the same.
        if !matches!(stream.read_buf(input).await, Ok(1..)) {
            client.has_gone();
            break;
        }
    }
    std::future::pending().await
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
