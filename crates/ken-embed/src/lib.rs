//! From texts to vectors: which texts mean something alike, whatever their words.
//!
//! An [`Embedder`] is either a model in a folder of this machine, computed on the processor ([`LocalModel`]),
//! or a server that speaks the common embeddings request ([`Endpoint`]). Both give vectors of length 1, so
//! that the product of two is how alike the texts are, and both check what they give: a vector with a hole
//! in it never leaves this crate.
//!
//! It does not know vaults, pages or where vectors are kept, and it reads no environment.
//!
//! The modules are listed in suggested reading order.

mod embedder;
mod local;
mod endpoint;

pub use embedder::{EmbedError, Embedder, Role};
pub use endpoint::{Endpoint, EndpointSettings};
pub use local::LocalModel;
