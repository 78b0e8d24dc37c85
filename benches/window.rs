//! What one frame of a long table costs without a GPU: layout, shapes and their triangles. Less than 8 ms are due,
//! with a screen reader listening as well.
//!
//! `cargo bench --bench window`.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use eframe::App;
use egui::{Context, Event, Id, Key, Modifiers, Pos2, RawInput, Rect, Ui, vec2};
use notegate::core::{Command, Core, Home, KernelDraft, KernelId, Language, StartOptions};
use notegate::ui::{Gallery, Window};

const SIZE: egui::Vec2 = vec2(1280.0, 800.0);

fn input(keys: &[Key]) -> RawInput {
    let press = |key: &Key| Event::Key {
        key: *key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    RawInput {
        screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
        events: keys.iter().map(press).collect(),
        ..RawInput::default()
    }
}

/// One frame, down to what a GPU would be given.
fn frame(ctx: &Context, keys: &[Key], draw: &mut dyn FnMut(&mut Ui)) -> usize {
    let mut output = ctx.run_ui(input(keys), |ui| draw(ui));
    // Nobody is there to take the letters' pictures.
    output.textures_delta.clear();
    ctx.tessellate(output.shapes, output.pixels_per_point).len()
}

/// Measures frames at rest, and frames that each show rows that were not there before.
fn measure(criterion: &mut Criterion, name: &str, ctx: &Context, draw: &mut dyn FnMut(&mut Ui)) {
    for reader in [false, true] {
        if reader {
            ctx.enable_accesskit();
        }
        let with = if reader { "with a screen reader" } else { "alone" };
        criterion.bench_function(&format!("{name}, at rest, {with}"), |bencher| {
            bencher.iter(|| black_box(frame(ctx, &[], draw)));
        });
        let mut count = 0_usize;
        criterion.bench_function(&format!("{name}, paging, {with}"), |bencher| {
            bencher.iter(|| {
                count += 1;
                let key = if count.is_multiple_of(20) { Key::Home } else { Key::PageDown };
                black_box(frame(ctx, &[key], draw))
            });
        });
    }
}

fn endpoints(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let core = runtime.block_on(async {
        let core = Core::start(StartOptions::new(Home::at(folder.path()).expect("a home"))).expect("a core");
        let draft = KernelDraft {
            name: "Home".into(),
            address: "http://192.0.2.1:6806".parse().expect("an address"),
            timeout_seconds: 15,
            port_file: None,
            pid: None,
        };
        let kernel = KernelId::new("home").ok();
        core.handle().request(Command::AddKernel { kernel, draft }).await.expect("a kernel");
        core
    });
    let ctx = Context::default();
    let mut window = Window::new(&ctx, core.handle().clone(), runtime.handle().clone());
    let mut shell = eframe::Frame::_new_kittest();
    let mut draw = |ui: &mut Ui| {
        let ctx = ui.ctx().clone();
        window.logic(&ctx, &mut shell);
        window.ui(ui, &mut shell);
    };
    // The fourth page of the navigation; the list comes from beside, some frames later.
    for keys in [&[][..], &[Key::Tab], &[Key::Tab], &[Key::Tab], &[Key::Tab], &[Key::Enter]] {
        frame(&ctx, keys, &mut draw);
    }
    // In its first frame the page asks, so that there is nothing yet.
    let empty = frame(&ctx, &[], &mut draw);
    while frame(&ctx, &[], &mut draw) <= empty {
        std::thread::yield_now();
    }
    // On to the table, which then takes the keys.
    let table = Id::unique(("table", "endpoints"));
    while ctx.memory(|memory| memory.focused()) != Some(table) {
        frame(&ctx, &[Key::Tab], &mut draw);
    }
    measure(criterion, "718 endpoints", &ctx, &mut draw);
    drop(window);
    runtime.block_on(core.close());
}

fn rows(criterion: &mut Criterion) {
    let ctx = Context::default();
    let mut gallery = Gallery::new(&ctx, Language::English);
    let mut draw = |ui: &mut Ui| gallery.show_table(ui);
    frame(&ctx, &[], &mut draw);
    frame(&ctx, &[Key::Tab], &mut draw);
    measure(criterion, "100,000 rows", &ctx, &mut draw);
}

criterion_group!(benches, endpoints, rows);
criterion_main!(benches);
