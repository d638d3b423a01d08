//! The recorded and hand-made hellos in `testdata`.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

/// One file and the row that describes it, by column name.
pub(crate) struct Sample {
    pub(crate) id: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) row: HashMap<String, String>,
}

impl Sample {
    pub(crate) fn get(&self, column: &str) -> &str {
        &self.row[column]
    }
}

/// What real clients sent; the first column names the file.
pub(crate) fn captures() -> Vec<Sample> {
    samples("", "manifest.tsv")
}

/// What nobody should send, and near misses that somebody does.
pub(crate) fn vectors() -> Vec<Sample> {
    samples("vectors", "vectors.tsv")
}

fn samples(directory: &str, table: &str) -> Vec<Sample> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let text = fs::read_to_string(root.join(table)).unwrap();
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let columns: Vec<String> = lines.next().unwrap().collect();
    let samples: Vec<Sample> = lines
        .map(|cells| {
            let row: HashMap<_, _> = columns.iter().cloned().zip(cells).collect();
            let id = row[&columns[0]].clone();
            let bytes = fs::read(root.join(directory).join(format!("{id}.bin"))).unwrap();
            Sample { id, bytes, row }
        })
        .collect();
    let files = fs::read_dir(root.join(directory)).unwrap();
    let files = files.filter(|file| {
        let path = file.as_ref().unwrap().path();
        path.extension().is_some_and(|extension| extension == "bin")
    });
    assert_eq!(
        samples.len(),
        files.count(),
        "every file has a row in {table}"
    );
    samples
}
