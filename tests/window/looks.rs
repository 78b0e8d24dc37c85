//! Every page and every widget, in both languages and both themes, wide and narrow: everything has
//! a name (the harness fails a run otherwise) and nothing is cut off.

use eframe::egui::accesskit::Role;
use eframe::egui::{self, Theme};
use egui_kittest::Harness;
use egui_kittest::kittest::NodeT;
use notegate::core::{
    Capability, Command, GatewayState, KernelDraft, Language, Reply, RuntimeKind, Secret, TypedSecret,
    WorkMode,
};
use notegate::ui::Gallery;

use crate::approvals::{about_text, asked};
use crate::world::{Screen, World, spoken};

/// What a person reads or works.
const SEEN: [Role; 11] = [
    Role::Button,
    Role::CheckBox,
    Role::RadioButton,
    Role::Switch,
    Role::TextInput,
    Role::PasswordInput,
    Role::Tab,
    Role::Heading,
    Role::Label,
    Role::Status,
    Role::Alert,
];

/// Sixty characters, the most that a kernel's name has.
const LONG_NAME: &str = "A kernel whose name goes on for sixty characters, 思源笔记, quit";

fn furnished(language: Language) -> World {
    let world = World::with_vaults(&["笔记", "Work"]);
    world.ask(Command::SetLanguage { language: Some(language) });
    for kind in [RuntimeKind::OpenCode, RuntimeKind::Dsh] {
        let capabilities = kind.supports(Capability::Obsidian).map(|()| Capability::Obsidian);
        world.ask(Command::AddRuntime {
            kind,
            name: Some("一个名字很长的 Runtime, whose name goes on for nearly sixty".into()),
            mode: WorkMode::Ask,
            approval: Default::default(),
            capabilities: capabilities.into_iter().collect(),
        });
    }
    let long = format!("/home/me/{}", "a long way down/一条很长的路径/".repeat(8));
    world.ask(Command::SaveScope { vault_path: long.clone() });
    kernels(&world, &long);
    world.handle().report_gateway(GatewayState::Listening {
        url: "http://127.0.0.1:27277/mcp".into(),
        since: std::time::SystemTime::now(),
    });
    world
}

/// Three kernels, with names and paths as long as they may be. None of them runs.
fn kernels(world: &World, long: &str) {
    let proxied = format!("https://notes.example.org/{}", "a-prefix-that-goes-on/思源/".repeat(6));
    for (name, address, port_file, pid) in [
        ("Home", "auto", None, None),
        (LONG_NAME, "auto", Some(format!("{long}port.json")), Some(1)),
        (
            "家里的思源笔记，名字很长很长很长，一直写到第六十个字符附近为止，还要再长一点点，再长一点点才够",
            &*proxied,
            None,
            None,
        ),
    ] {
        let draft = KernelDraft {
            name: name.into(),
            address: address.parse().unwrap(),
            timeout_seconds: 15,
            port_file,
            pid,
        };
        let Reply::KernelAdded { kernel } = world.ask(Command::AddKernel { kernel: None, draft }) else {
            panic!()
        };
        // The one elsewhere is not asked anything.
        let disabled = address.starts_with("https");
        world.ask(Command::SetKernelDisabled { kernel: kernel.id.clone(), disabled });
        let token = TypedSecret(Secret::from_text("sesame"));
        world.ask(Command::SetToken { kernel: kernel.id, token });
    }
}

/// Buttons that show more on their page, and what is to be seen then.
fn unfolding(language: Language) -> [(&'static str, &'static str, Role, &'static str); 8] {
    match language {
        Language::English => [
            ("Obsidian", "Tools (19)", Role::Label, "obsidian_read_note"),
            ("Obsidian", "Advanced", Role::RadioButton, "MCPVault under Node"),
            ("Obsidian", "Test connection", Role::Alert, "This folder cannot be used"),
            ("Kernels", "Check the connection of Home", Role::Alert, "SiYuan does not run"),
            ("Kernels", "Add a kernel…", Role::TextInput, "Port file"),
            ("Kernels", "Edit Home…", Role::PasswordInput, "Token"),
            ("Runtimes", "Add a runtime…", Role::TextInput, "Name"),
            ("Runtimes", "Add runtime", Role::Label, "ng_"),
        ],
        Language::SimplifiedChinese => [
            ("Obsidian", "工具（19）", Role::Label, "obsidian_read_note"),
            ("Obsidian", "高级", Role::RadioButton, "Node 上的 MCPVault"),
            ("Obsidian", "测试连接", Role::Alert, "这个文件夹无法使用"),
            ("核心", "检查 Home 的连接", Role::Alert, "思源没有运行"),
            ("核心", "添加核心…", Role::TextInput, "端口登记文件"),
            ("核心", "编辑 Home…", Role::PasswordInput, "Token"),
            ("Runtime", "添加 Runtime…", Role::TextInput, "名称"),
            ("Runtime", "添加", Role::Label, "ng_"),
        ],
    }
}

pub fn nothing_is_cut_off(screen: &Screen, width: f32, where_: &str) {
    for node in screen.harness.root().children_recursive() {
        let role = node.accesskit_node().role();
        if !SEEN.contains(&role) || node.accesskit_node().raw_bounds().is_none() {
            continue;
        }
        let rect = node.rect();
        assert!(
            rect.right() <= width + 0.5 && rect.left() >= -0.5,
            "{where_}: {role:?} {:?} reaches from {} to {}",
            spoken(&node),
            rect.left(),
            rect.right()
        );
    }
}

#[test]
fn every_page_is_whole_at_the_narrowest_and_at_a_wide_size_in_both_languages() {
    for language in [Language::English, Language::SimplifiedChinese] {
        let world = furnished(language);
        // The last is a window of 1280 × 800 in which everything is twice as large.
        for size in [[760.0, 560.0], [1280.0, 800.0], [640.0, 400.0]] {
            let mut screen = world.window_of(size);
            screen.harness.run();
            let pages = screen.words(Role::Tab);
            assert_eq!(pages.len(), 7);
            for page in pages {
                screen.open(&page);
                nothing_is_cut_off(&screen, size[0], &format!("{language:?} {size:?} {page}"));
            }
            for (page, button, role, seen) in unfolding(language) {
                screen.open(page);
                // As a reader presses it: the button may be below the fold.
                screen.node(Role::Button, button).click_accesskit();
                screen.until(seen, |screen| screen.has(role, seen));
                nothing_is_cut_off(&screen, size[0], &format!("{language:?} {size:?} {page} {button}"));
            }
        }
    }
}

#[test]
fn a_question_and_the_details_of_a_call_are_whole_at_the_narrowest_and_at_a_wide_size() {
    for language in [Language::English, Language::SimplifiedChinese] {
        let world = furnished(language);
        let change = "siyuan_update block 20261011180002-abcdefg\ndata:\n  ".to_owned()
            + &"很长的一段文字 and a long one ".repeat(40);
        let arguments = serde_json::Map::from_iter([("a long argument".repeat(9), "x".into())]);
        for tool in ["obsidian_read_multiple_notes", "siyuan_query"] {
            let (tool, arguments) = (tool.to_owned(), arguments.clone());
            world.ask(Command::CallTool { tool, arguments, mode: WorkMode::Ask });
        }
        let (page, waiting) = match language {
            Language::English => ("Activity", "3 questions wait for your answer"),
            Language::SimplifiedChinese => ("活动", "有 3 个问题等待您的回答"),
        };
        for size in [[760.0, 560.0], [1280.0, 800.0]] {
            let mut screen = world.window_of(size);
            for session in [Some("3f0c8a52-5c0e-4a57-9f3d-2f6a1c7d9b11"), None] {
                drop(world.ask_person(asked(&world, session, &change)));
            }
            let text = format!("{}\n{}", "文字 text ".repeat(60), "word".repeat(80));
            let longer = text.replace("word", "words");
            drop(world.ask_person(about_text(&world, Some(&text), Some(&longer))));
            screen.until(waiting, |screen| screen.has(Role::Status, waiting));
            let where_ = format!("{language:?} {size:?}");
            nothing_is_cut_off(&screen, size[0], &where_);
            screen.press(waiting);
            screen.open(page);
            screen.until("rows", |screen| screen.has(Role::Row, "siyuan_query"));
            let row = screen.words(Role::Row).into_iter().find(|row| row.contains("siyuan_query")).unwrap();
            screen.node(Role::Row, &row).click_accesskit();
            screen.until("details", |screen| screen.has(Role::Heading, "siyuan_query"));
            nothing_is_cut_off(&screen, size[0], &where_);
        }
    }
}

#[test]
fn the_gallery_shows_every_widget_in_both_themes_and_languages() {
    for language in [Language::English, Language::SimplifiedChinese] {
        for theme in [Theme::Light, Theme::Dark] {
            let mut harness = Harness::builder()
                .with_size([900.0, 1600.0])
                .with_theme(theme)
                .allow_missing_glyphs()
                .build_ui_state(
                    |ui, gallery: &mut Option<Gallery>| {
                        let ctx: egui::Context = ui.ctx().clone();
                        gallery.get_or_insert_with(|| Gallery::new(&ctx, language)).show(ui);
                    },
                    None,
                );
            harness.run();
            let count = |role: Role| {
                let nodes = harness.root().children_recursive();
                nodes.filter(|node| node.accesskit_node().role() == role).count()
            };
            assert!(count(Role::Button) >= 9 && count(Role::Switch) == 2 && count(Role::RadioButton) == 2);
            assert!(count(Role::Alert) >= 2 && count(Role::Status) >= 5 && count(Role::TextInput) == 2);
        }
    }
}
