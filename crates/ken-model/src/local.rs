//! Which models servers on this machine have: Ollama, and LM Studio.
//!
//! Only addresses of this machine are asked, without a key, and not for long: nobody may be there.

use std::time::Duration;

use serde_json::Value;
use ureq::http::Uri;

/// Where LM Studio listens unless told otherwise, as a server of its protocol.
pub const LM_STUDIO_URL: &str = "http://127.0.0.1:1234/v1";
/// How long a server on this machine may take to say what it has.
const WAIT: Duration = Duration::from_millis(800);
/// Longest answer that is read.
const ANSWER_BYTES_MAX: u64 = 1 << 20;
/// Most models of a server that are named.
const MODELS_MAX: usize = 8;

/// Returns the names of Ollama's models; none when nobody is there or the address is not of this machine.
pub fn ollama_models(url: &str) -> Vec<String> {
    let base = url.trim_end_matches('/').trim_end_matches("/v1");
    names(&format!("{base}/api/tags"), "models", "name")
}

/// Returns the names of the models of a server that speaks OpenAI's protocol on this machine.
pub fn served_models(url: &str) -> Vec<String> {
    names(&format!("{}/models", url.trim_end_matches('/')), "data", "id")
}

fn names(address: &str, list: &str, name: &str) -> Vec<String> {
    let uri: Option<Uri> = address.parse().ok();
    let host = uri.as_ref().and_then(Uri::host).unwrap_or_default().trim_matches(['[', ']']);
    if !crate::http::is_loopback(host) {
        return Vec::new();
    }
    let config =
        ureq::Agent::config_builder().max_redirects(0).proxy(None).timeout_global(Some(WAIT)).user_agent("ken");
    let answer = config.build().new_agent().get(address).call();
    let body = answer
        .ok()
        .and_then(|mut answer| answer.body_mut().with_config().limit(ANSWER_BYTES_MAX).read_to_string().ok());
    let value: Value = body.and_then(|body| serde_json::from_str(&body).ok()).unwrap_or_default();
    let models = value[list].as_array().map_or(&[][..], Vec::as_slice);
    let named = models.iter().filter_map(|model| model[name].as_str());
    // What is named is shown and written into a file.
    let is_plain = |name: &&str| !name.is_empty() && name.chars().all(|ch| ch.is_ascii_graphic() && ch != '"');
    named.filter(is_plain).take(MODELS_MAX).map(str::to_owned).collect()
}
