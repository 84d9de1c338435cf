//! A connection: reads what the client sends, answers all whole commands of it, and reads on only when the client has
//! taken the replies.

use std::io;

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio_util::sync::CancellationToken;

use super::reply;
use super::request::{Parser, Refusal, Words};
use super::room::Room;
use super::session::Session;
use super::users::Users;

/// The commands that are carried out together, at most.
const MOST_COMMANDS: usize = 1_024;
/// The same as long as it is not known how long the replies are.
const FIRST_COMMANDS: usize = 64;
/// The bytes of the words of commands that are carried out together, about.
const MOST_BYTES: usize = 1 << 20;
/// The bytes of their replies, about. Whoever asks for more than that at once must neither fill the memory nor hold up
/// the others who share the connections to the servers.
const MOST_REPLIES: usize = 4 << 20;
/// What is read at once: little for a client that sends single commands, more where it fills what there is.
const LEAST_READ: usize = 4 << 10;
const MOST_READ: usize = 64 << 10;
/// A buffer for replies that has grown beyond this is not kept.
const KEPT_REPLIES: usize = 64 << 10;

/// A client, and what is between it and the door.
struct Connection<S, U: Users> {
    stream: S,
    session: Session<U>,
    parser: Parser,
    input: BytesMut,
    /// How much to read at once.
    size: usize,
    room: Room,
    replies: Vec<u8>,
    /// How many commands to carry out together.
    most: usize,
}

/// Serves a client until it goes, is not understood, or the gateway ends.
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
    /// Whole commands that have come.
    fn batch(&mut self) -> Batch {
        let mut batch = Batch::take(&mut self.parser, &mut self.input, self.most);
        if batch.refusal.is_none() {
            batch.refusal = self.room.fit(self.parser.held()).err();
        }
        batch
    }

    /// Reads what comes next. Nothing comes from a client that is gone, or to a gateway that ends.
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

    /// Carries out commands, and waits until the client has taken the replies. Whether more can come.
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

/// Whole commands that have come, and why no more can come, if so.
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
