//! The window: navigation at the left, one page at the right.

use std::fmt;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{CentralPanel, Context, Frame, Margin, Panel, Rect, Stroke, Ui, UiBuilder, ViewportCommand};

use super::approvals::ApprovalsPanel;
use super::fonts;
use super::icons::Icon;
use super::link::{CoreLink, Link};
use super::pages::Page;
use super::pages::activity::ActivityPage;
use super::pages::endpoints::EndpointsPage;
use super::pages::kernels::KernelsPage;
use super::pages::obsidian::ObsidianPage;
use super::pages::overview::{self, gateway_line};
use super::pages::runtimes::RuntimesPage;
use super::pages::settings::SettingsPage;
use super::text::{Texts, resolve};
use super::theme::{self, Tokens, medium, size, space};
use super::widgets::{
    Look, NavItem, Tone, caption, copy_icon, give_back_focus, icon_and_text, muted, shortened_path,
};
use crate::core::{GatewayState, Handle, Snapshot, Theme};

/// Below this width of the window, in points, the navigation shows icons only.
const FOLD_BELOW: f32 = 900.0;
const NAV_WIDE: f32 = 200.0;
const NAV_FOLDED: f32 = 56.0;
const FOOT_HEIGHT: f32 = 52.0;

/// Our own name; the same in every language.
pub const PRODUCT: &str = "Notegate";

/// Everything that the window keeps between two frames.
pub struct Window {
    link: Box<dyn Link>,
    snapshot: Arc<Snapshot>,
    texts: Texts,
    system_language: Option<String>,
    theme: Option<Theme>,
    page: Page,
    approvals: ApprovalsPanel,
    obsidian: ObsidianPage,
    kernels: KernelsPage,
    endpoints: EndpointsPage,
    activity: ActivityPage,
    runtimes: RuntimesPage,
    settings: SettingsPage,
    /// The requests to come to the front that were served already.
    raised: u64,
}

impl fmt::Debug for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Window").field("page", &self.page).finish_non_exhaustive()
    }
}

impl Window {
    /// A window on a running core, drawn on `ctx`.
    pub fn new(ctx: &Context, handle: Handle, runtime: tokio::runtime::Handle) -> Self {
        let link = CoreLink::new(handle, runtime, ctx.clone());
        Self::on(ctx, Box::new(link))
    }

    /// A window on anything that behaves like a core.
    pub(super) fn on(ctx: &Context, link: Box<dyn Link>) -> Self {
        theme::install(ctx);
        fonts::install(ctx);
        // A system that says nothing of its theme gets the one that most of them begin with.
        ctx.options_mut(|options| options.fallback_theme = egui::Theme::Light);
        let snapshot = link.snapshot();
        let system_language = sys_locale::get_locale();
        let texts = Texts::new(resolve(snapshot.language, system_language.as_deref()));
        fonts::follow(ctx, texts.language());
        Self {
            system_language,
            texts,
            theme: None,
            page: Page::default(),
            approvals: ApprovalsPanel::default(),
            obsidian: ObsidianPage::new(&snapshot),
            kernels: KernelsPage::default(),
            endpoints: EndpointsPage::default(),
            activity: ActivityPage::default(),
            runtimes: RuntimesPage::default(),
            settings: SettingsPage::new(&snapshot),
            raised: snapshot.raised,
            snapshot,
            link,
        }
    }

    /// Takes in what has happened. Runs also while the window is hidden; draws nothing.
    fn receive(&mut self, ctx: &Context) {
        self.snapshot = self.link.snapshot();
        let snapshot = &self.snapshot;
        let link = self.link.as_ref();
        self.approvals.receive(ctx, snapshot, link, &self.texts);
        self.obsidian.receive(snapshot);
        self.kernels.receive(snapshot, link);
        self.endpoints.receive(snapshot, link);
        self.activity.receive(snapshot, link);
        self.runtimes.receive(snapshot);
        self.settings.receive(snapshot);

        let language = resolve(snapshot.language, self.system_language.as_deref());
        if language != self.texts.language() {
            self.texts = Texts::new(language);
            fonts::follow(ctx, language);
        }
        if self.theme != Some(snapshot.theme) {
            self.theme = Some(snapshot.theme);
            ctx.set_theme(match snapshot.theme {
                Theme::System => egui::ThemePreference::System,
                Theme::Light => egui::ThemePreference::Light,
                Theme::Dark => egui::ThemePreference::Dark,
            });
        }
        let zoom = f32::from(snapshot.text_percent) / 100.0;
        if ctx.zoom_factor() != zoom {
            ctx.set_zoom_factor(zoom);
        }
        // Whoever keeps it running closes the window alone; it comes back when Notegate is started again.
        let closes = ctx.input(|input| input.viewport().close_requested());
        if closes && snapshot.keep_running && !self.link.is_ending() {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            ctx.send_viewport_cmd(ViewportCommand::Visible(false));
        }
        let was_called = self.link.was_called();
        if was_called {
            self.approvals.show_all();
        }
        if was_called || snapshot.raised > self.raised {
            self.raised = snapshot.raised;
            ctx.send_viewport_cmd(ViewportCommand::Minimized(false));
            ctx.send_viewport_cmd(ViewportCommand::Visible(true));
            ctx.send_viewport_cmd(ViewportCommand::Focus);
        }
        if self.link.is_ending() {
            ctx.send_viewport_cmd(ViewportCommand::Close);
        }
    }

    fn draw(&mut self, ui: &mut Ui) {
        let tokens = Tokens::of(ui.ctx().theme());
        ui.ctx().accesskit_node_builder(egui::accesskit_root_id(), |node| node.set_label(PRODUCT));
        let mut goto = self.navigation(ui, tokens);
        CentralPanel::default().frame(Frame::new().fill(tokens.bg)).show(ui, |ui| {
            let look = Look { tokens, texts: &self.texts };
            let (snapshot, link) = (Arc::clone(&self.snapshot), self.link.as_ref());
            let builder = UiBuilder::new()
                .scope_id(egui::Id::unique(("page", self.page)))
                .accessibility_role(Role::Main)
                .accessibility_label(look.text(self.page.key()));
            ui.scope_builder(builder, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                self.approvals.show(ui, look, &snapshot, link);
                match self.page {
                    Page::Overview => {
                        goto = overview::show(ui, look, &snapshot, link, &mut self.approvals).or(goto)
                    }
                    Page::Obsidian => goto = self.obsidian.show(ui, look, &snapshot, link).or(goto),
                    Page::Kernels => goto = self.kernels.show(ui, look, &snapshot, link).or(goto),
                    Page::Endpoints => goto = self.endpoints.show(ui, look, &snapshot, link).or(goto),
                    Page::Activity => self.activity.show(ui, look, &snapshot, link),
                    Page::Runtimes => self.runtimes.show(ui, look, &snapshot, link),
                    Page::Settings => self.settings.show(ui, look, &snapshot, link),
                }
            });
        });
        give_back_focus(ui.ctx());
        if let Some(page) = goto {
            if page == Page::Runtimes && self.page != page && self.snapshot.runtimes.is_empty() {
                self.runtimes.begin_adding();
            }
            self.page = page;
            ui.ctx().request_repaint();
        }
    }

    fn navigation(&mut self, ui: &mut Ui, tokens: &Tokens) -> Option<Page> {
        let look = Look { tokens, texts: &self.texts };
        let folded = ui.ctx().content_rect().width() < FOLD_BELOW;
        let width = if folded { NAV_FOLDED } else { NAV_WIDE };
        let frame = Frame::new().fill(tokens.nav).inner_margin(Margin::symmetric(12, 16));
        let panel = Panel::left("navigation").exact_size(width).resizable(false).show_separator_line(false);
        let mut goto = None;
        let shown = panel.frame(frame).show(ui, |ui| {
            brand(ui, look, folded);
            ui.add_space(space::L);
            let builder = UiBuilder::new()
                .scope_id(egui::Id::unique("pages"))
                .accessibility_role(Role::TabList)
                .accessibility_label(look.text("navigation"));
            ui.scope_builder(builder, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                for page in Page::ALL {
                    if page == Page::Activity && !folded {
                        ui.add_space(space::S);
                    }
                    if page == Page::Kernels && !folded {
                        ui.add_space(space::S);
                        // In line with the icons of the pages.
                        ui.horizontal(|ui| {
                            ui.add_space(space::S);
                            caption(ui, look, look.text("nav-siyuan"));
                        });
                    }
                    let item = NavItem {
                        salt: page.key(),
                        icon: page.icon(),
                        text: look.text(page.key()),
                        current: page == self.page,
                        folded,
                    };
                    if item.show(ui, look).clicked() {
                        goto = Some(page);
                    }
                }
            });
            // After the pages, so that the keyboard comes to it in the order of reading.
            let mut rect = ui.max_rect();
            rect.set_top(rect.bottom() - FOOT_HEIGHT - ApprovalsPanel::count_height(&self.snapshot));
            let builder = UiBuilder::new().scope_id(egui::Id::unique("foot")).max_rect(rect);
            ui.scope_builder(builder, |ui| {
                self.approvals.count(ui, look, &self.snapshot, folded);
                foot(ui, look, &self.snapshot, folded);
            });
        });
        let edge = shown.response.rect;
        ui.painter().vline(edge.right(), edge.y_range(), Stroke::new(1.0, tokens.line_soft));
        goto
    }
}

impl eframe::App for Window {
    fn logic(&mut self, ctx: &Context, _frame: &mut eframe::Frame) {
        self.receive(ctx);
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.draw(ui);
    }
}

fn brand(ui: &mut Ui, look: Look<'_>, folded: bool) {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(egui::vec2(32.0, 24.0), egui::Sense::hover());
        let square = Rect::from_center_size(rect.center(), egui::Vec2::splat(18.0));
        Icon::Mark.paint(ui.painter(), square, look.tokens.accent);
        if !folded {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.label(egui::RichText::new(PRODUCT).font(medium(size::SECTION)).color(look.tokens.text));
        }
    });
}

/// The state of the gateway and its address: always in sight.
fn foot(ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, folded: bool) {
    ui.spacing_mut().item_spacing.y = space::XS;
    let (tone, word) = gateway_line(look, snapshot);
    if !folded {
        let indented = ui.available_rect_before_wrap().with_min_x(ui.min_rect().left() + space::S);
        foot_in_words(&mut ui.new_child(UiBuilder::new().max_rect(indented)), look, snapshot, tone, word);
    } else {
        let (rect, _) = ui.allocate_exact_size(egui::vec2(32.0, 20.0), egui::Sense::hover());
        let square = Rect::from_center_size(rect.center(), egui::Vec2::splat(16.0));
        tone.icon().paint(ui.painter(), square, tone.colour(look));
        let response = ui.interact(rect, egui::Id::unique("foot-state"), egui::Sense::hover());
        response.widget_info(|| egui::WidgetInfo::labeled(Role::Image, true, &word));
        response.on_hover_text(word);
        if let GatewayState::Listening { url, .. } = &snapshot.gateway {
            copy_icon(ui, look, "foot-address", &look.text("address"), url);
        }
    }
}

fn foot_in_words(ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot, tone: Tone, word: String) {
    ui.spacing_mut().item_spacing.y = space::XS;
    icon_and_text(ui, tone.icon(), tone.colour(look), |ui| muted(ui, look, word));
    if let GatewayState::Listening { url, .. } = &snapshot.gateway {
        // Host and port are enough to know it by; what is copied is the whole address.
        let address = url.strip_prefix("http://").and_then(|rest| rest.split('/').next()).unwrap_or(url);
        ui.horizontal(|ui| {
            shortened_path(ui, look, address, ui.available_width() - 36.0);
            copy_icon(ui, look, "foot-address", &look.text("address"), url);
        });
    }
}
