//! The secrets that are configured now, and the filters for them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Filter, mask_own_keys};
use crate::secrets::Secret;
use crate::settings::KeyDigest;

/// Filters with a request's key are kept for so many keys; more than there are runtimes, mostly.
const KEPT: usize = 256;

/// The one place that knows what must not get out. Cheap to clone; all clones are one.
#[derive(Debug, Clone, Default)]
pub struct Filters {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug)]
struct Inner {
    configured: HashMap<String, Secret>,
    filter: Filter,
    with_key: HashMap<KeyDigest, Filter>,
}

impl Default for Inner {
    fn default() -> Self {
        Self { configured: HashMap::new(), filter: Filter::new([]), with_key: HashMap::new() }
    }
}

impl Filters {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on `secret` is taken out; `owner` names whose it is, and has one at a time. Call it before
    /// the secret is used for the first time.
    pub fn set(&self, owner: &str, secret: Secret) {
        self.change(|configured| {
            configured.insert(owner.to_owned(), secret);
        });
    }

    /// The secret of `owner` is none any more.
    pub fn remove(&self, owner: &str) {
        self.change(|configured| {
            configured.remove(owner);
        });
    }

    fn change(&self, edit: impl FnOnce(&mut HashMap<String, Secret>)) {
        let mut inner = self.inner();
        edit(&mut inner.configured);
        inner.filter = Filter::new(inner.configured.values());
        inner.with_key.clear();
    }

    /// The filter for what is configured now.
    pub fn now(&self) -> Filter {
        self.inner().filter.clone()
    }

    /// The same, and the key that a request came with. Only for keys that were let in.
    pub fn with_key(&self, key: &Secret) -> Filter {
        let digest = key.digest();
        let mut inner = self.inner();
        if let Some(filter) = inner.with_key.get(&digest) {
            return filter.clone();
        }
        let filter = Filter::new(inner.configured.values().chain([key]));
        if inner.with_key.len() >= KEPT {
            inner.with_key.clear();
        }
        inner.with_key.insert(digest, filter.clone());
        filter
    }

    /// A text that is written down: without what is configured, and without any key of our own.
    pub fn written<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match mask_own_keys(text) {
            Cow::Borrowed(text) => match self.now().text(text) {
                Cow::Borrowed(_) => Cow::Borrowed(text),
                Cow::Owned(clean) => Cow::Owned(clean),
            },
            Cow::Owned(text) => Cow::Owned(self.now().text(&text).into_owned()),
        }
    }
}
