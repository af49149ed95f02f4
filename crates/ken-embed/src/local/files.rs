//! The files of a model's folder, read and checked.

use std::path::{Path, PathBuf};

use ken_core::Digest;
use serde::Deserialize;

use super::Pooling;
use super::forward::Shape;
use super::weights::Weights;
use crate::embedder::EmbedError;

/// Largest file of weights: what is larger is no model for the processor of a desk.
const WEIGHTS_BYTES_MAX: u64 = 4 << 30;
/// Largest other file.
const FILE_BYTES_MAX: u64 = 64 << 20;
/// Most pieces of words when the folder does not say.
const PIECES_MAX: usize = 512;

/// A model's folder.
pub(super) struct Folder {
    path: PathBuf,
    weights: Vec<u8>,
    digest: Digest,
}

/// What the files say about the model.
pub(super) struct Settings {
    pub(super) shape: Shape,
    pub(super) pooling: Pooling,
    pub(super) is_lower_cased: bool,
    pub(super) n_pieces_max: usize,
    pub(super) question_prompt: String,
    pub(super) passage_prompt: String,
}

#[derive(Deserialize)]
struct ConfigFile {
    #[serde(default)]
    model_type: String,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    #[serde(default = "gelu")]
    hidden_act: String,
    #[serde(default = "epsilon")]
    layer_norm_eps: f64,
    max_position_embeddings: usize,
    #[serde(default = "absolute")]
    position_embedding_type: String,
}

fn gelu() -> String {
    "gelu".to_owned()
}

fn absolute() -> String {
    "absolute".to_owned()
}

fn epsilon() -> f64 {
    1e-12
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct PoolingFile {
    pooling_mode_cls_token: bool,
    pooling_mode_mean_tokens: bool,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct LengthFile {
    max_seq_length: Option<usize>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct TokenizerConfigFile {
    do_lower_case: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct PromptsFile {
    prompts: std::collections::BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct TokenizerFile {
    model: TokenizerModel,
}

#[derive(Deserialize)]
struct TokenizerModel {
    #[serde(default, rename = "type")]
    kind: String,
    vocab: serde_json::Value,
}

/// The files whose bytes make the digest, besides the weights.
const SMALL_FILES: [&str; 7] = [
    "config.json",
    "vocab.txt",
    "tokenizer.json",
    "tokenizer_config.json",
    "1_Pooling/config.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
];

impl Folder {
    /// Returns the folder with its weights.
    pub(super) fn open(path: &Path) -> Result<Folder, EmbedError> {
        let mut folder = Folder { path: path.to_owned(), weights: Vec::new(), digest: Digest::of(b"") };
        if !path.is_dir() {
            let message = format!("`{}` is no folder", path.display());
            return Err(EmbedError::new(message, "name the folder of a model that has `config.json` in it"));
        }
        // Before the weights: whoever named the wrong folder should hear that.
        folder.read("config.json")?.ok_or_else(|| folder.lacks("config.json"))?;
        folder.weights = folder.read_up_to("model.safetensors", WEIGHTS_BYTES_MAX)?.ok_or_else(|| {
            if path.join("pytorch_model.bin").exists() {
                folder.refused("its weights are a `pytorch_model.bin`, and only `model.safetensors` is read")
            } else {
                folder.lacks("model.safetensors")
            }
        })?;
        let mut digests = Digest::of(&folder.weights).as_bytes().to_vec();
        for name in SMALL_FILES {
            digests.extend(Digest::of(&folder.read(name)?.unwrap_or_default()).as_bytes());
        }
        folder.digest = Digest::of(&digests);
        Ok(folder)
    }

    pub(super) fn digest(&self) -> Digest {
        self.digest
    }

    /// Returns the name of the folder, with that of the one above when it says nothing.
    pub(super) fn name(&self) -> String {
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let own = name(&self.path).unwrap_or_default();
        match self.path.parent().and_then(name).filter(|_| own == "model") {
            Some(above) => format!("{above}/{own}"),
            None => own,
        }
    }

    /// Returns the error that this model cannot be used.
    pub(super) fn refused(&self, why: &str) -> EmbedError {
        let message = format!("the model in `{}` cannot be used: {why}", self.path.display());
        EmbedError::new(message, "use a BERT model such as all-MiniLM-L6-v2, or an endpoint")
    }

    fn lacks(&self, name: &str) -> EmbedError {
        let message = format!("`{}` has no `{name}`", self.path.display());
        EmbedError::new(message, "name the folder of a model that has `config.json` and `model.safetensors` in it")
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, EmbedError> {
        self.read_up_to(name, FILE_BYTES_MAX)
    }

    fn read_up_to(&self, name: &str, len_max: u64) -> Result<Option<Vec<u8>>, EmbedError> {
        let path = self.path.join(name);
        let Ok(meta) = std::fs::metadata(&path) else { return Ok(None) };
        if !meta.is_file() || meta.len() > len_max {
            return Err(self.refused(&format!("`{name}` is no file, or larger than {len_max} bytes")));
        }
        let read = std::fs::read(&path);
        read.map(Some).map_err(|error| self.refused(&format!("`{name}` cannot be read: {error}")))
    }

    fn json<T: serde::de::DeserializeOwned>(&self, name: &str) -> Result<Option<T>, EmbedError> {
        let Some(bytes) = self.read(name)? else { return Ok(None) };
        let read = serde_json::from_slice(&bytes);
        read.map(Some).map_err(|error| self.refused(&format!("`{name}` does not read: {error}")))
    }

    /// Returns the settings.
    pub(super) fn settings(&self) -> Result<Settings, EmbedError> {
        let config: ConfigFile = self.json("config.json")?.ok_or_else(|| self.lacks("config.json"))?;
        if config.model_type != "bert" {
            return Err(self.refused(&format!("it is of the kind `{}`, not `bert`", config.model_type)));
        }
        if config.hidden_act != "gelu" || config.position_embedding_type != "absolute" {
            return Err(self.refused("only `gelu` and absolute positions are computed"));
        }
        let pooling = match self.json::<PoolingFile>("1_Pooling/config.json")? {
            None => Pooling::Mean,
            Some(PoolingFile { pooling_mode_mean_tokens: true, .. }) => Pooling::Mean,
            Some(PoolingFile { pooling_mode_cls_token: true, .. }) => Pooling::First,
            Some(_) => return Err(self.refused("only means and the first vector are pooled")),
        };
        let said = self.json::<LengthFile>("sentence_bert_config.json")?.unwrap_or_default().max_seq_length;
        let lower = self.json::<TokenizerConfigFile>("tokenizer_config.json")?.unwrap_or_default().do_lower_case;
        let mut prompts = self.json::<PromptsFile>("config_sentence_transformers.json")?.unwrap_or_default().prompts;
        let mut prompt = |names: [&str; 2]| names.iter().find_map(|name| prompts.remove(*name)).unwrap_or_default();
        Ok(Settings {
            pooling,
            is_lower_cased: lower.unwrap_or(true),
            n_pieces_max: said.unwrap_or(PIECES_MAX).min(config.max_position_embeddings).max(2),
            question_prompt: prompt(["query", "question"]),
            passage_prompt: prompt(["document", "passage"]),
            shape: Shape {
                n_layers: config.num_hidden_layers,
                n_heads: config.num_attention_heads,
                width: config.hidden_size,
                inner_width: config.intermediate_size,
                n_positions: config.max_position_embeddings,
                epsilon: config.layer_norm_eps as f32,
            },
        })
    }

    /// Returns the word list, by number.
    pub(super) fn words(&self) -> Result<Vec<String>, EmbedError> {
        if let Some(bytes) = self.read("vocab.txt")? {
            let text = String::from_utf8(bytes).map_err(|_| self.refused("`vocab.txt` is not UTF-8 text"))?;
            return Ok(text.lines().map(str::to_owned).collect());
        }
        let file: TokenizerFile = self.json("tokenizer.json")?.ok_or_else(|| self.lacks("vocab.txt"))?;
        let known = file.model.vocab.as_object().filter(|_| file.model.kind == "WordPiece");
        let known = known.ok_or_else(|| self.refused("its word list is not of the kind WordPiece"))?;
        let mut words = vec![String::new(); known.len()];
        for (word, id) in known {
            let place = id.as_u64().and_then(|id| words.get_mut(usize::try_from(id).ok()?));
            *place.ok_or_else(|| self.refused("its word list has a number twice or leaves one out"))? = word.clone();
        }
        Ok(words)
    }

    /// Returns the weights.
    pub(super) fn weights(&self) -> Result<Weights<'_>, EmbedError> {
        Weights::read(&self.weights).ok_or_else(|| self.refused("`model.safetensors` is damaged"))
    }
}
