//! The demonstration.

use crate::home::{Home, Process};

#[test]
fn demo_works_without_a_display_and_leaves_nothing_behind() {
    for arguments in
        [&["demo", "--json", "--headless", "--port", "0"][..], &["demo", "--json", "--port", "0"]]
    {
        let home = Home::new();
        let mut command = home.command(arguments);
        command.env("PATH", ""); // it needs no other program
        let mut demo = Process::start(command);
        let fields: Vec<&String> = demo.ready.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["mcp", "tools", "key", "vault", "home"]);
        let vault = std::path::PathBuf::from(demo.text("vault"));
        assert!(vault.starts_with(home.tmp()) && vault.join("Welcome.md").exists());
        assert!(vault.join("笔记/欢迎.md").exists() && vault.join("attachments/garden.png").exists());
        assert!(!home.path().exists(), "the person's own home is left alone");

        // Our own command line reaches it by its home.
        let own = home.command(&["stop", "--json"]).env("NOTEGATE_HOME", demo.text("home")).output().unwrap();
        assert!(own.status.success(), "{own:?}");
        assert_eq!(demo.wait(), Some(0));
        assert_eq!(std::fs::read_dir(home.tmp()).unwrap().count(), 0);
    }
}
