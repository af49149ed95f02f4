//! A model in a folder, as `sentence-transformers` keeps one: BERT, computed on the processor.
//!
//! Read are `config.json`, `model.safetensors`, the word list (`vocab.txt`, else `tokenizer.json`), and, where
//! they stand, `tokenizer_config.json`, `1_Pooling/config.json`, `sentence_bert_config.json` and
//! `config_sentence_transformers.json`. A model of another kind is refused by name, never computed wrongly.

mod files;
mod forward;
mod weights;
mod wordpiece;

use std::path::Path;

use ken_core::Digest;

use self::files::Folder;
use self::forward::Bert;
use self::wordpiece::WordPiece;
use crate::embedder::{EmbedError, Embedder, Role, normalised};

/// How the vectors of the words become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pooling {
    /// Their mean.
    Mean,
    /// The first, which stands for all.
    First,
}

/// A model in a folder.
pub struct LocalModel {
    name: String,
    digest: Digest,
    words: WordPiece,
    bert: Bert,
    pooling: Pooling,
    /// Most pieces of words that are looked at; what is behind them is not seen.
    n_pieces_max: usize,
    question_prompt: String,
    passage_prompt: String,
}

impl std::fmt::Debug for LocalModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LocalModel({})", self.name)
    }
}

impl LocalModel {
    /// Returns the model of a folder.
    ///
    /// # Errors
    /// When a file is missing or damaged, or the model is of a kind that is not computed here.
    pub fn open(folder: &Path) -> Result<LocalModel, EmbedError> {
        let folder = Folder::open(folder)?;
        let settings = folder.settings()?;
        let weights = folder.weights()?;
        let words = WordPiece::new(folder.words()?, settings.is_lower_cased)
            .ok_or_else(|| folder.refused("its word list lacks [CLS], [SEP] or [UNK]"))?;
        let bert = Bert::new(&settings.shape, weights).map_err(|why| folder.refused(&why))?;
        if words.len() > bert.n_words() {
            return Err(folder.refused("its word list is longer than its table of words"));
        }
        Ok(LocalModel {
            name: folder.name(),
            digest: folder.digest(),
            words,
            bert,
            pooling: settings.pooling,
            n_pieces_max: settings.n_pieces_max,
            question_prompt: settings.question_prompt,
            passage_prompt: settings.passage_prompt,
        })
    }

    fn embed_one(&self, role: Role, text: &str) -> Result<Vec<f32>, EmbedError> {
        let prompt = if role == Role::Question { &self.question_prompt } else { &self.passage_prompt };
        let ids = if prompt.is_empty() {
            self.words.ids(text, self.n_pieces_max)
        } else {
            self.words.ids(&format!("{prompt}{text}"), self.n_pieces_max)
        };
        let hidden = self.bert.forward(&ids);
        let pooled = match self.pooling {
            Pooling::Mean => hidden.mean_axis(ndarray::Axis(0)).map(|mean| mean.to_vec()).unwrap_or_default(),
            Pooling::First => hidden.row(0).to_vec(),
        };
        normalised(pooled).ok_or_else(|| {
            let message = format!("the model `{}` gave a vector without a length", self.name);
            EmbedError::new(message, "its weights are damaged; fetch it anew")
        })
    }
}

impl Embedder for LocalModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn digest(&self) -> Digest {
        self.digest
    }

    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from).min(texts.len());
        if n_threads <= 1 {
            return texts.iter().map(|text| self.embed_one(role, text)).collect();
        }
        // Long and short texts alternate, so that no thread is left with all the long ones.
        let parts: Vec<Result<Vec<Vec<f32>>, EmbedError>> = std::thread::scope(|scope| {
            let part = |n: usize| texts.iter().skip(n).step_by(n_threads).map(|text| self.embed_one(role, text));
            let workers: Vec<_> =
                (0..n_threads).map(|n| scope.spawn(move || part(n).collect::<Result<Vec<_>, _>>())).collect();
            workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect()
        });
        let mut parts = parts.into_iter().map(|part| part.map(Vec::into_iter)).collect::<Result<Vec<_>, _>>()?;
        Ok((0..texts.len()).filter_map(|n| parts[n % n_threads].next()).collect())
    }
}
