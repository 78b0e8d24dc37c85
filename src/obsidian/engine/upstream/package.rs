//! Finding MCPVault on disk. A missing package or another version is an error; nothing is downloaded.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Part, UpstreamConfig};
use crate::obsidian::errors::MissingPart;

/// The one version whose tools we offer.
pub const MCPVAULT_VERSION: &str = "0.16.0";

/// The variable that names the folder with MCPVault's `node_modules`.
pub const MCPVAULT_VARIABLE: &str = "NOTEGATE_MCPVAULT";

const NAME: &str = "@bitbonsai/mcpvault";

/// The program of the package.
pub(super) fn server(package: &Path) -> PathBuf {
    package.join("dist/server.js")
}

/// The package that is to be run: its folder and version.
pub(super) fn find(config: &UpstreamConfig) -> Result<Part, MissingPart> {
    let looked: Vec<PathBuf> = match &config.package {
        Some(folder) => vec![folder.clone()],
        None => config
            .bundled
            .iter()
            .map(|folder| folder.join("mcpvault"))
            .chain(config.checkout.clone())
            .collect(),
    };
    for folder in &looked {
        let package = folder.join("node_modules").join(NAME);
        match fs::read_to_string(package.join("package.json")) {
            Ok(manifest) => return check(package, &manifest),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(MissingPart::PackageUnusable { path: package, problem: error.to_string() });
            }
        }
    }
    Err(MissingPart::Package { looked })
}

fn check(path: PathBuf, manifest: &str) -> Result<Part, MissingPart> {
    #[derive(Deserialize)]
    struct Manifest {
        name: String,
        version: String,
    }
    let unusable = |problem: String| Err(MissingPart::PackageUnusable { path: path.clone(), problem });
    match serde_json::from_str::<Manifest>(manifest) {
        Err(error) => unusable(format!("its package.json cannot be read ({error})")),
        Ok(Manifest { name, .. }) if name != NAME => unusable(format!("it is {name:?}")),
        Ok(Manifest { version, .. }) if version != MCPVAULT_VERSION => {
            unusable(format!("it is version {version}, and {MCPVAULT_VERSION} is needed"))
        }
        Ok(_) if !server(&path).is_file() => unusable("its dist/server.js is missing".into()),
        Ok(Manifest { version, .. }) => Ok(Part { path, version }),
    }
}

/// The `vendor/mcpvault` of the checkout whose `target` folder holds the program.
pub(super) fn checkout(program: &Path) -> Option<PathBuf> {
    let target =
        program.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "target"))?;
    Some(target.parent()?.join("vendor/mcpvault"))
}

/// The same where `cargo run` builds into another folder; it tells what it runs then.
pub(super) fn checkout_of_cargo() -> Option<PathBuf> {
    let is_ours = std::env::var("CARGO_PKG_NAME").is_ok_and(|name| name == env!("CARGO_PKG_NAME"));
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").filter(|_| is_ours)?;
    Some(Path::new(&folder).join("vendor/mcpvault"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn installed(folder: &Path, manifest: &str, with_server: bool) {
        let package = folder.join("node_modules").join(NAME);
        fs::create_dir_all(package.join("dist")).unwrap();
        fs::write(package.join("package.json"), manifest).unwrap();
        if with_server {
            fs::write(server(&package), "").unwrap();
        }
    }

    #[test]
    fn another_version_or_a_missing_part_is_an_error_that_says_what_to_do() {
        let check = |manifest: &str, with_server: bool, expected: &str| {
            let folder = tempfile::tempdir().unwrap();
            installed(folder.path(), manifest, with_server);
            let config = UpstreamConfig { package: Some(folder.path().into()), ..Default::default() };
            let said = find(&config).unwrap_err().to_string();
            assert!(said.contains(expected) && said.contains("npm ci --omit=dev --ignore-scripts"), "{said}");
        };
        check(r#"{"name":"@bitbonsai/mcpvault","version":"0.16.1"}"#, true, "it is version 0.16.1");
        check(r#"{"name":"@bitbonsai/mcpvault","version":"0.16.0"}"#, false, "dist/server.js is missing");
        check(r#"{"name":"other","version":"0.16.0"}"#, true, "it is \"other\"");
        check("{", true, "package.json cannot be read");
    }

    #[test]
    fn places_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let manifest = r#"{"name":"@bitbonsai/mcpvault","version":"0.16.0"}"#;
        let mut config = UpstreamConfig {
            bundled: vec![at("bin"), at("lib")],
            checkout: Some(at("checkout")),
            ..Default::default()
        };
        let said = find(&config).unwrap_err().to_string();
        assert!(
            said.contains("bin/mcpvault") && said.contains("lib/mcpvault") && said.contains("checkout"),
            "{said}"
        );
        for (place, installed_in) in
            [("checkout", "checkout"), ("lib", "lib/mcpvault"), ("bin", "bin/mcpvault")]
        {
            installed(&at(installed_in), manifest, true);
            let part = find(&config).unwrap();
            assert!(part.path.starts_with(at(place)), "{part:?}");
        }
        config.package = Some(at("explicit"));
        assert!(matches!(find(&config), Err(MissingPart::Package { looked }) if looked == [at("explicit")]));
    }

    #[test]
    fn a_program_in_a_target_folder_knows_its_checkout() {
        let vendor = Some(PathBuf::from("/src/notegate/vendor/mcpvault"));
        assert_eq!(checkout(Path::new("/src/notegate/target/release/notegate")), vendor);
        assert_eq!(checkout(Path::new("/src/notegate/target/debug/deps/obsidian-1")), vendor);
        assert_eq!(checkout(Path::new("/usr/bin/notegate")), None);
    }
}
