//! Where a package has put the full texts of the licences of parts by others.

use std::path::Path;

use url::Url;

const FILE: &str = "THIRD-PARTY-LICENSES";

/// Their `file:` address: in the folder of `program`, or where a system keeps a program's documents.
pub(super) fn beside(program: &Path) -> Option<String> {
    let folder = program.parent()?;
    let places = [folder.to_owned(), folder.parent()?.join("share/doc/notegate")];
    let file = places.into_iter().map(|place| place.join(FILE)).find(|file| file.is_file())?;
    Url::from_file_path(file).ok().map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_are_found_beside_the_program_and_among_the_systems_documents() {
        let root = tempfile::tempdir().unwrap();
        let program = root.path().join("bin/notegate");
        let (documents, beside_it) = (root.path().join("share/doc/notegate"), root.path().join("bin"));
        assert_eq!(beside(&program), None);
        for place in [documents, beside_it] {
            std::fs::create_dir_all(&place).unwrap();
            std::fs::write(place.join(FILE), "MIT").unwrap();
            let expected = format!("file://{}", place.join(FILE).display());
            assert_eq!(beside(&program).as_deref(), Some(&*expected));
        }
        assert_eq!(beside(Path::new("/")), None);
    }
}
