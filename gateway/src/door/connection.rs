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
/// The bytes of their words, about.
const MOST_BYTES: usize = 1 << 20;
/// What is read at once: little for a client that sends single commands, more where it fills what there is.
const LEAST_READ: usize = 4 << 10;
const MOST_READ: usize = 64 << 10;
/// A buffer for replies that has grown beyond this is not kept.
const KEPT_REPLIES: usize = 64 << 10;

/// Serves a client until it goes, is not understood, or the gateway ends.
///
/// # Errors
/// If the connection breaks.
pub async fn serve<S, U>(
    mut stream: S,
    mut session: Session<U>,
    stopping: CancellationToken,
) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
    U: Users,
{
    let (mut input, mut parser, mut replies) = (BytesMut::new(), Parser::default(), Vec::new());
    let (mut size, mut room) = (LEAST_READ, Room::new(&session.shared.memory));
    loop {
        let Batch { commands, refusal } = Batch::take(&mut parser, &mut input);
        let refusal = refusal.or_else(|| room.fit(parser.held()).err());
        let is_idle = commands.is_empty() && refusal.is_none();
        if is_idle {
            input.reserve(size);
            let count = tokio::select! {
                count = stream.read_buf(&mut input) => count?,
                () = stopping.cancelled() => 0,
            };
            if count == 0 {
                break;
            }
            size =
                if count >= size { size.saturating_mul(2).min(MOST_READ) } else { LEAST_READ.max(size / 2) };
            continue;
        }
        session.perform(commands, &mut replies).await;
        let is_over = session.is_over || refusal.is_some();
        if let Some(refusal) = refusal.filter(|_| !session.is_over) {
            session.shared.counters.protocol_errors.add(1);
            reply::error(&mut replies, &format!("ERR {refusal}"));
        }
        stream.write_all(&replies).await?;
        stream.flush().await?;
        replies.clear();
        replies.shrink_to(KEPT_REPLIES);
        if is_over {
            break;
        }
    }
    stream.shutdown().await
}

/// Whole commands that have come, and why no more can come, if so.
struct Batch {
    commands: Vec<Words>,
    refusal: Option<Refusal>,
}

impl Batch {
    fn take(parser: &mut Parser, input: &mut BytesMut) -> Self {
        let (mut commands, mut bytes) = (Vec::new(), 0_usize);
        while commands.len() < MOST_COMMANDS && bytes < MOST_BYTES {
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
