//! OpenCode's database `opencode.db`: tables `session`, `message` and `part`, the latter two with JSON.
//!
//! Opened for reading only. A session is written out as `opencode export` would.

use std::io;
use std::path::Path;

use ken_core::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::{Value, json};

use crate::outside;
use crate::transcript::Transcript;

use super::storage::Export;

/// Longest message or part that is read.
const VALUE_BYTES_MAX: i64 = 8 * 1024 * 1024;

fn failed(error: rusqlite::Error) -> io::Error {
    io::Error::other(error)
}

/// Returns all sessions, oldest first; a database of another program has none.
pub(in crate::transcript) fn sessions(path: &Path) -> io::Result<Vec<Transcript>> {
    let database = outside::database(path).map_err(failed)?;
    let sql = "SELECT id, directory, time_updated FROM session ORDER BY time_created, id";
    let mut rows = database.prepare(sql).map_err(failed)?;
    let transcripts = rows.query_map([], |row| {
        let changed: Option<i64> = row.get(2)?;
        Ok(Transcript {
            path: path.to_owned(),
            session: Some(row.get(0)?),
            cwd: row.get(1)?,
            at: None,
            changed: changed.and_then(|changed| Timestamp::from_millisecond(changed).ok()),
        })
    });
    transcripts.map_err(failed)?.collect::<Result<_, _>>().map_err(failed)
}

/// Writes a session out.
pub(in crate::transcript) fn export(path: &Path, session: &str) -> io::Result<Vec<u8>> {
    let database = outside::database(path).map_err(failed)?;
    let found = written_out(&database, session).map_err(failed)?;
    found.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("there is no session {session}")))
}

fn written_out(database: &Connection, session: &str) -> rusqlite::Result<Option<Vec<u8>>> {
    let sql = "SELECT id, directory, title, parent_id FROM session WHERE id = ?1";
    let info = database.query_row(sql, [session], |row| {
        let text = |at: usize| row.get::<_, Option<String>>(at);
        Ok(json!({ "id": text(0)?, "directory": text(1)?, "title": text(2)?, "parentID": text(3)? }))
    });
    let Some(info) = info.optional()? else { return Ok(None) };
    let mut export = Export::new(&info);
    let mut messages = database.prepare(
        "SELECT id, CASE WHEN length(data) <= ?2 THEN data END FROM message WHERE session_id = ?1 ORDER BY time_created, id",
    )?;
    let mut parts =
        database.prepare("SELECT data FROM part WHERE message_id = ?1 AND length(data) <= ?2 ORDER BY id")?;
    let mut rows = messages.query(params![session, VALUE_BYTES_MAX])?;
    while let Some(row) = rows.next()? {
        let id: String = row.get(0)?;
        let message = row.get::<_, Option<String>>(1)?.map_or(Value::Null, |data| value(&data));
        let found = parts.query_map(params![id, VALUE_BYTES_MAX], |row| row.get::<_, String>(0))?;
        let found: Vec<String> = found.collect::<rusqlite::Result<_>>()?;
        export.message(&message, found.iter().map(|data| value(data)));
    }
    Ok(Some(export.finish()))
}

fn value(data: &str) -> Value {
    serde_json::from_str(data).unwrap_or_default()
}
