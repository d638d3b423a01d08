//! JSON whose objects keep the order they were built in, which decides in OpenCode.

use serde::ser::{Serialize, SerializeMap, Serializer};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Json {
    Object(Vec<(String, Self)>),
    Text(&'static str),
}

impl Json {
    pub(super) fn object<const N: usize>(entries: [(&str, Self); N]) -> Self {
        Self::Object(entries.map(|(key, value)| (key.to_owned(), value)).to_vec())
    }

    /// The document, with two spaces of indentation.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        // Every key is a string, so that writing to memory cannot fail.
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}
