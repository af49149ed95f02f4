//! How much the streams of a PDF file unfold to, before anything reads them: what reads the file unfolds them without a
//! bound, and takes some sixty times as much memory for the instructions of a page.

use std::io::Read;

use flate2::read::{DeflateDecoder, ZlibDecoder};
use memchr::memmem;
use pdf_extract::{Dictionary, Document, Object, Stream};

/// To how many bytes a stream may unfold, and an image, of which only its place is read.
const STREAM_BYTES_MAX: u64 = 16 * 1024 * 1024;
const IMAGE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// To how many bytes all that are no images may unfold together.
const ALL_BYTES_MAX: u64 = 128 * 1024 * 1024;

/// Looks at the streams as they stand in the file: some are unfolded as soon as it is opened.
///
/// # Errors
/// When they unfold to too much, or are packed in a way that cannot be measured.
pub(super) fn check_bytes(bytes: &[u8]) -> Result<(), String> {
    let mut all = 0;
    for at in memmem::find_iter(bytes, b"stream").filter(|at| !bytes[..*at].ends_with(b"end")) {
        let head = memmem::rfind(&bytes[..at], b"obj").map_or(&bytes[..at], |from| &bytes[from..at]);
        let body = &bytes[at + b"stream".len()..];
        let body = body.strip_prefix(b"\r\n").or_else(|| body.strip_prefix(b"\n")).unwrap_or(body);
        let body = memmem::find(body, b"endstream").map_or(body, |end| &body[..end]);
        all += measured(&names(head), body)?;
        within(all, ALL_BYTES_MAX)?;
    }
    Ok(())
}

/// The same of the streams of an open file, which may have been enciphered.
///
/// # Errors
/// As [`check_bytes`].
pub(super) fn check(file: &Document) -> Result<(), String> {
    let mut all = 0;
    for object in file.objects.values() {
        let Object::Stream(Stream { dict, content, .. }) = object else { continue };
        all += measured(format!("{dict:?}").as_bytes(), content)?;
        within(all, ALL_BYTES_MAX)?;
    }
    Ok(())
}

/// To how much a stream unfolds that counts, by what stands before it.
fn measured(head: &[u8], body: &[u8]) -> Result<u64, String> {
    let n = |name: &[u8]| memmem::find_iter(head, name).count();
    if n(b"LZWDecode") > 0 || n(b"FlateDecode") > 1 {
        return Err("it is packed in a way that is not read: print it to a new PDF file".to_owned());
    }
    if n(b"FlateDecode") == 0 {
        return Ok(0);
    }
    let plain = (n(b"ASCII85Decode") > 0).then(|| of_letters(body));
    let is_image = n(b"Image") > 0 && n(b"ObjStm") + n(b"XRef") == 0;
    let max = if is_image { IMAGE_BYTES_MAX } else { STREAM_BYTES_MAX };
    let amount = unfolded(plain.as_deref().unwrap_or(body), max);
    within(amount, max)?;
    Ok(if is_image { 0 } else { amount })
}

fn within(amount: u64, max: u64) -> Result<(), String> {
    match amount <= max {
        true => Ok(()),
        false => Err(format!("it unfolds to more than {} MiB: print it to a new PDF file, or split it", max >> 20)),
    }
}

/// The bytes that are written as letters.
fn of_letters(body: &[u8]) -> Vec<u8> {
    let dict: Dictionary = [("Filter", Object::from("ASCII85Decode"))].into_iter().collect();
    Stream::new(dict, body.to_vec()).decompressed_content().unwrap_or_default()
}

/// To how many bytes a stream unfolds, as far as one more than `max`; what is damaged counts as far as it is read.
fn unfolded(body: &[u8], max: u64) -> u64 {
    let count = |from: &mut dyn Read| {
        let (mut buffer, mut all) = ([0; 16 * 1024], 0);
        while let Ok(n @ 1..) = from.read(&mut buffer) {
            all += n as u64;
            if all > max {
                break;
            }
        }
        all
    };
    match count(&mut ZlibDecoder::new(body)) {
        // Without its beginning, as what reads the file tries it.
        0 => count(&mut DeflateDecoder::new(body.get(2..).unwrap_or_default())),
        n => n,
    }
}

/// What names say of which letters are written as numbers: `/Flate#44ecode`.
fn names(head: &[u8]) -> Vec<u8> {
    let digit = |at: usize| head.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let (mut out, mut at) = (Vec::with_capacity(head.len()), 0);
    while at < head.len() {
        match (head[at], digit(at + 1), digit(at + 2)) {
            (b'#', Some(high), Some(low)) => {
                out.push(u8::try_from(16 * high + low).unwrap_or(b'?'));
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    fn packed(n: u64) -> Vec<u8> {
        let mut out = ZlibEncoder::new(Vec::new(), Compression::best());
        let blanks = [b' '; 1024];
        (0..n.div_ceil(1024)).for_each(|_| out.write_all(&blanks).expect("it is in memory"));
        out.finish().expect("it is in memory")
    }

    /// A file of one stream as often as `n`.
    fn file(head: &str, body: &[u8], n: usize) -> Vec<u8> {
        let one = [format!("4 0 obj\n<< {head} >>\nstream\n").as_bytes(), body, b"\nendstream\nendobj\n"].concat();
        one.repeat(n)
    }

    #[track_caller]
    fn check_refused(head: &str, body: &[u8], n: usize, expected: &str) {
        let why = check_bytes(&file(head, body, n)).expect_err(head);
        assert!(why.contains(expected), "{head}: {why}");
    }

    #[test]
    fn what_unfolds_to_too_much_is_refused_before_it_is_read() {
        let large = packed(STREAM_BYTES_MAX + 1);
        for head in ["/Filter /FlateDecode", "/Filter /Flate#44ecode", "/Filter /FlateDecode /Type /ObjStm /X /Image"] {
            check_refused(head, &large, 1, "more than 16 MiB");
        }
        check_refused("/Filter /FlateDecode", &[b"xx", &large[2..]].concat(), 1, "more than 16 MiB");
        check_refused("/Filter /FlateDecode /Subtype /Image", &packed(IMAGE_BYTES_MAX + 1), 1, "more than 64 MiB");
        check_refused("/Filter /FlateDecode", &packed(STREAM_BYTES_MAX), 9, "more than 128 MiB");
        check_refused("/Filter [/FlateDecode /FlateDecode]", b"x", 1, "a way that is not read");
        check_refused("/Filter /LZWDecode", b"x", 1, "a way that is not read");
        assert_eq!(check_bytes(&file("/Filter /FlateDecode /Subtype /Image", &large, 20)), Ok(()));
        assert_eq!(check_bytes(&file("/Filter /FlateDecode", &packed(STREAM_BYTES_MAX), 8)), Ok(()));
        for odd in [&b""[..], b"stream", b"endstream", b"obj#stream\r\n#4", b"#zz obj <</Filter/FlateDecode>> stream\n"]
        {
            assert_eq!(check_bytes(odd), Ok(()));
        }
    }

    #[test]
    fn a_stream_of_an_open_file_is_measured_by_what_it_says_of_itself() {
        let mut file = Document::with_version("1.4");
        let dict: Dictionary = [("Filter", Object::from("FlateDecode"))].into_iter().collect();
        file.add_object(Stream::new(dict.clone(), packed(1024)));
        assert_eq!(check(&file), Ok(()));
        file.add_object(Stream::new(dict, packed(STREAM_BYTES_MAX + 1)));
        assert!(check(&file).is_err_and(|why| why.contains("16 MiB")));
    }
}
