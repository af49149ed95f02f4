//! Numbers and texts as bytes, front to back.
//!
//! A [`Reader`] returns `None` once it runs out of bytes or meets some that cannot be; it never panics
//! and never allocates by a length it has not seen the bytes of.

use ken_core::Date;

/// Appends numbers and texts to a buffer.
#[derive(Debug, Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    /// Returns how many bytes were written, as offsets are kept.
    pub(crate) fn at(&self) -> u32 {
        self.0.len() as u32
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn u32(&mut self, number: u32) {
        self.bytes(&number.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    pub(crate) fn i64(&mut self, number: i64) {
        self.bytes(&number.to_le_bytes());
    }

    pub(crate) fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.byte(number as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    /// Writes the length of a text and then the text.
    pub(crate) fn text(&mut self, text: &str) {
        self.varint(text.len() as u64);
        self.bytes(text.as_bytes());
    }
}

/// Takes numbers and texts from the front of some bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(front)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (front, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*front)
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn i64(&mut self) -> Option<i64> {
        self.array().map(i64::from_le_bytes)
    }

    pub(crate) fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let len = self.varint()?;
        str::from_utf8(self.bytes(usize::try_from(len).ok()?)?).ok()
    }
}

/// Year, month and day in one number; 0 is no date.
pub(crate) fn date_code(date: Date) -> u32 {
    u32::from(date.year() as u16) << 16 | u32::from(date.month() as u8) << 8 | u32::from(date.day() as u8)
}

/// The date of a code, none for 0 and for what is no date.
pub(crate) fn date(code: u32) -> Option<Date> {
    let [day, month, low, high] = code.to_le_bytes();
    Date::new(i16::from_le_bytes([low, high]), month as i8, day as i8).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_length_read_back() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut writer = Writer::default();
            writer.varint(number);
            assert_eq!(Reader(&writer.0).varint(), Some(number));
        }
    }

    #[test]
    fn a_number_without_an_end_is_none() {
        assert_eq!(Reader(&[0xff; 32]).varint(), None);
        assert_eq!(Reader(&[0x80]).varint(), None);
    }

    #[test]
    fn a_text_longer_than_its_bytes_is_none() {
        assert_eq!(Reader(&[5, b'a', b'b']).text(), None);
        assert_eq!(Reader(&[2, b'a', b'b']).text(), Some("ab"));
        assert_eq!(Reader(&[1, 0xff]).text(), None);
    }
}
