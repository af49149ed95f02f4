//! What comes in from outside: transcripts to turns, turns to what an entry says, texts without secrets.
//!
//! It reads files that lie outside of every vault and returns values. It knows no vault, no file of a page and
//! no engine, and writes nothing; where what came in is kept is for those who use it to say.
//!
//! The modules are listed in suggested reading order.

pub mod outside;
pub mod document;
pub mod transcript;
pub mod scrub;
pub mod extract;
