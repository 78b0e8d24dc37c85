//! stub
#[derive(Debug, thiserror::Error)]
pub enum UiError {
    #[error("there is no display")]
    NoDisplay,
}
pub fn run(_handle: crate::core::Handle, _runtime: tokio::runtime::Handle) -> Result<(), UiError> {
    Err(UiError::NoDisplay)
}
