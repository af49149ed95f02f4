//! Servers whose certificates cannot be trusted, and clocks that are wrong: nothing is sent, and nothing tried again.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;

use ken_model::{ErrorKind, Key, ModelError, ModelName, Secret, open};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::{prompt, settings};

/// What comes of a prompt to a server with a certificate; whether the server got anything to read.
fn ask(certificate: &'static [u8]) -> (ModelError, bool) {
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(include_bytes!("tls/server-key.der").as_slice()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().expect("versions");
    let config = config.with_no_client_auth().with_single_cert(vec![CertificateDer::from(certificate)], key);
    let config = Arc::new(config.expect("a certificate and its key"));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("https://{}/v1", listener.local_addr().expect("an address"));
    let listening = std::thread::spawn(move || {
        let (stream, _) = listener.accept().expect("a call");
        let connection = ServerConnection::new(config).expect("a connection");
        let mut read = [0; 16];
        StreamOwned::new(connection, stream).read(&mut read).is_ok_and(|n| n > 0)
    });
    let (mut settings, noted) = settings();
    settings.openai.url = url;
    settings.openai.key = Key::Given(Secret::new("k-123"));
    let model = open(&ModelName::OpenAi("m".to_owned()), &settings).expect("opens").expect("a model");
    let error = model.ask(&prompt()).expect_err("not to be trusted");
    assert!(noted.waits().is_empty(), "it does not become right by waiting: {error}");
    (error, listening.join().expect("it ends"))
}

#[track_caller]
fn check(certificate: &'static [u8], words: &str, hint: &str) {
    let (error, was_read) = ask(certificate);
    assert!(!was_read, "nothing was sent");
    assert_eq!((error.kind, error.usage.total()), (ErrorKind::Unreachable, 0), "{error}");
    assert!(error.message.starts_with("`openai:m` at 127.0.0.1 cannot be reached safely: "), "{error}");
    assert!(error.message.contains(words), "{error}");
    assert!(error.hints.iter().any(|known| known.starts_with(hint)), "{error}");
}

#[test]
fn a_certificate_out_of_date_may_be_a_clock_that_is_wrong() {
    check(include_bytes!("tls/expired.der"), "expired", "is the clock of this machine right?");
    check(include_bytes!("tls/early.der"), "not valid yet", "is the clock of this machine right?");
}

#[test]
fn a_certificate_that_nobody_vouches_for_is_not_trusted() {
    check(include_bytes!("tls/unknown.der"), "UnknownIssuer", "does something between here and the server");
}

#[test]
fn a_server_that_speaks_no_tls_is_told_so() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("https://{}/v1", listener.local_addr().expect("an address"));
    let listening = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a call");
        let mut read = [0; 4_096];
        let n = stream.read(&mut read).expect("a hello");
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n").expect("an answer");
        read[..n].starts_with(b"POST")
    });
    let (mut settings, noted) = settings();
    settings.openai.url = url;
    let model = open(&ModelName::OpenAi("m".to_owned()), &settings).expect("opens").expect("a model");
    let error = model.ask(&prompt()).expect_err("no TLS");
    assert!(error.hints.iter().any(|hint| hint.starts_with("does the server speak TLS?")), "{error}");
    assert!(noted.waits().is_empty() && !listening.join().expect("it ends"), "{error}");
}
