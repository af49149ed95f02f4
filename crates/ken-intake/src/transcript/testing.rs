//! What the tests of every reader share: showing what was read, and the promises all readers make.

use std::io::BufReader;

use expect_test::Expect;
use proptest::test_runner::{Config, TestRunner};

use super::{ReadReport, Record, TranscriptReader, Unit, reader_for};

/// Reads bytes from a position.
#[track_caller]
pub(super) fn read(reader: &dyn TranscriptReader, bytes: &[u8], start: u64) -> (Vec<Record>, ReadReport) {
    let skipped = if reader.unit() == Unit::Bytes { start as usize } else { 0 };
    let mut records = Vec::new();
    // A tiny buffer, so that everything crosses its edge.
    let mut input = BufReader::with_capacity(7, &bytes[skipped..]);
    let report = reader.read(&mut input, start, &mut |record| records.push(record)).expect("bytes can be read");
    (records, report)
}

/// Returns a record as one line.
pub(super) fn show(record: &Record) -> String {
    match record {
        Record::Turn(turn) => format!("{:?}: {}", turn.role, turn.text),
        Record::Event(event) => format!("> {}", event.line),
    }
}

/// Checks the records and, after them, the counts of what gave none.
#[track_caller]
pub(super) fn check(reader: &dyn TranscriptReader, text: &str, expected: &[&str]) {
    let (records, report) = read(reader, text.as_bytes(), 0);
    let mut shown: Vec<String> = records.iter().map(show).collect();
    shown.extend(report.lines_skipped.iter().map(|(reason, n)| format!("{reason} {n}")));
    assert_eq!(shown, expected);
}

/// Checks a whole session: its place and title, the records, and the counts of what gave none.
#[track_caller]
pub(super) fn check_all(reader: &dyn TranscriptReader, bytes: &[u8], expected: &Expect) {
    let (records, report) = read(reader, bytes, 0);
    let place = [report.session, report.project, report.branch, report.title];
    let mut shown = vec![place.map(|part| part.unwrap_or_else(|| "-".to_owned())).join(" | ")];
    shown.extend(records.iter().map(show));
    let counts: Vec<String> = report.lines_skipped.iter().map(|(reason, n)| format!("{reason} {n}")).collect();
    shown.push(counts.join(", "));
    expected.assert_eq(&(shown.join("\n") + "\n"));
}

/// Checks what every reader promises of a session: what it reads, that it alone claims the file, that
/// reading on gives what is left, and that damage harms nothing.
#[track_caller]
pub(super) fn promises(reader: &dyn TranscriptReader, file_name: &str, bytes: &[u8], expected: &Expect) {
    check_all(reader, bytes, expected);
    let claimed = reader_for(file_name, bytes).map(TranscriptReader::agent);
    assert_eq!(claimed, Some(reader.agent()), "the reader that claims {file_name}");
    match reader.unit() {
        Unit::Bytes => whole_and_halves(reader, bytes),
        Unit::Messages => from_every_message(reader, bytes),
    }
    any_bytes(reader, bytes);
}

/// Checks that a file read in two goes gives what it gives in one, wherever it is cut.
#[track_caller]
pub(super) fn whole_and_halves(reader: &dyn TranscriptReader, bytes: &[u8]) {
    let whole = read(reader, bytes, 0);
    let line_ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    for cut in line_ends.flat_map(|at| [at - 1, at, at + 9]).filter(|at| *at <= bytes.len()) {
        let (mut records, first) = read(reader, &bytes[..cut], 0);
        let (rest, last) = read(reader, bytes, first.end_offset);
        records.extend(rest);
        assert_eq!(
            records.iter().map(show).collect::<Vec<_>>(),
            whole.0.iter().map(show).collect::<Vec<_>>(),
            "cut at {cut}"
        );
        assert_eq!((records, last.end_offset), (whole.0.clone(), whole.1.end_offset), "cut at {cut}");
    }
}

/// Checks that a document read from its n-th message on gives what came after it.
#[track_caller]
pub(super) fn from_every_message(reader: &dyn TranscriptReader, bytes: &[u8]) {
    let whole = read(reader, bytes, 0);
    for start in 0..=whole.1.end_offset {
        let later = |record: &&Record| position(record) >= start;
        let expected: Vec<Record> = whole.0.iter().filter(later).cloned().collect();
        let (records, report) = read(reader, bytes, start);
        assert_eq!((records, report.end_offset), (expected, whole.1.end_offset), "from {start}");
        assert_eq!(report.session, whole.1.session, "from {start}");
    }
}

fn position(record: &Record) -> u64 {
    match record {
        Record::Turn(turn) => turn.offset,
        Record::Event(event) => event.offset,
    }
}

/// Checks that damaged copies and any bytes at all are read to an end inside them.
#[track_caller]
pub(super) fn any_bytes(reader: &dyn TranscriptReader, sample: &[u8]) {
    use proptest::prelude::*;
    let damage = (0..sample.len(), 0..sample.len(), any::<u8>(), prop::collection::vec(any::<u8>(), 0..200));
    let mut runner = TestRunner::new(Config { cases: 64, failure_persistence: None, ..Config::default() });
    let result = runner.run(&damage, |(cut, at, byte, noise)| {
        let mut damaged = sample.to_vec();
        damaged[at] = byte;
        damaged.splice(cut.min(at)..cut.max(at).min(cut.min(at) + 40), noise.iter().copied());
        for bytes in [&noise[..], &damaged[..]] {
            let _ = reader.sniff("session.jsonl", bytes);
            let (records, report) = read(reader, bytes, 0);
            if reader.unit() == Unit::Bytes {
                prop_assert!(report.end_offset <= bytes.len() as u64);
            }
            prop_assert!(records.iter().all(|record| position(record) <= report.end_offset));
        }
        Ok(())
    });
    assert_eq!(result, Ok(()));
}
