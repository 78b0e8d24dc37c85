//! The calls of the last hour, a bar a minute, and the numbers as text.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use egui::accesskit::Role;
use egui::{CornerRadius, Rect, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::core::{KEPT_MINUTES, Minute, Snapshot};
use crate::ui::clock;
use crate::ui::theme::space;
use crate::ui::widgets::{Look, body, card, heading, muted};

const HEIGHT: f32 = 56.0;
const GAP: f32 = 2.0;

/// Draws the card, where there was a call in the last hour.
pub fn show(ui: &mut Ui, look: Look<'_>, snapshot: &Snapshot) {
    let now = Minute::number_of(clock::now());
    let hour = last_hour(&snapshot.calls.recent, now);
    let (succeeded, failed) = hour
        .iter()
        .fold((0, 0), |(succeeded, failed), minute| (succeeded + minute.succeeded, failed + minute.failed));
    if succeeded + failed == 0 {
        return;
    }
    card(ui, look, "recent", &look.text("recent-title"), |ui| {
        ui.spacing_mut().item_spacing.y = space::S;
        heading(ui, look, look.text("recent-title"));
        let args = [
            ("count", (succeeded + failed).into()),
            ("succeeded", succeeded.into()),
            ("failed", failed.into()),
        ];
        let text = look.texts.with("recent-calls", args);
        body(ui, look, &text);
        bars(ui, look, &hour, &text);
        ui.horizontal(|ui| {
            muted(ui, look, clock::at(moment_of(now + 1 - KEPT_MINUTES)));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                muted(ui, look, clock::at(moment_of(now)));
            });
        });
    });
}

/// The bars: what succeeded from the ground, what failed above it and hatched by a gap, so that colour is not all that
/// tells them apart.
fn bars(ui: &mut Ui, look: Look<'_>, hour: &[Minute], text: &str) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, text));
    let most = hour.iter().map(|minute| minute.succeeded + minute.failed).max().unwrap_or(1).max(1);
    let step = rect.width() / hour.len() as f32;
    let painter = ui.painter();
    painter.hline(rect.x_range(), rect.bottom(), egui::Stroke::new(1.0, look.tokens.line));
    for (at, minute) in hour.iter().enumerate() {
        let left = rect.left() + at as f32 * step;
        let high = |count: u64| (HEIGHT - 6.0) * count as f32 / most as f32;
        let bar = |bottom: f32, height: f32| {
            Rect::from_min_max(pos2(left + GAP / 2.0, bottom - height), pos2(left + step - GAP / 2.0, bottom))
        };
        let ground = rect.bottom() - 1.0;
        let good = high(minute.succeeded);
        if minute.succeeded > 0 {
            painter.rect_filled(bar(ground, good.max(2.0)), CornerRadius::same(1), look.tokens.accent);
        }
        if minute.failed > 0 {
            let above = if minute.succeeded > 0 { ground - good.max(2.0) - GAP } else { ground };
            let failed = bar(above, high(minute.failed).max(2.0));
            painter.rect_filled(failed, CornerRadius::same(1), look.tokens.danger);
        }
    }
    let under = response.hover_pos().map(|pointer| ((pointer.x - rect.left()) / step) as usize);
    if let Some(minute) = under.and_then(|at| hour.get(at)) {
        let args = [
            ("time", clock::at(moment_of(minute.minute)).into()),
            ("succeeded", minute.succeeded.into()),
            ("failed", minute.failed.into()),
        ];
        response.on_hover_text(look.texts.with("recent-minute", args));
    }
}

fn moment_of(minute: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(minute * 60)
}

/// Every minute of the hour that ends now, those without a call too.
fn last_hour(recent: &[Minute], now: u64) -> Vec<Minute> {
    let first = now + 1 - KEPT_MINUTES;
    let of = |minute| recent.iter().find(|known| known.minute == minute).copied();
    (first..=now).map(|minute| of(minute).unwrap_or(Minute { minute, ..Minute::default() })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_has_all_its_minutes_and_none_before() {
        let at = |minute| Minute { minute, succeeded: 1, failed: 2 };
        let hour = last_hour(&[at(1000), at(1030), at(1059)], 1060);
        assert_eq!((hour.len(), hour[0].minute, hour[59].minute), (60, 1001, 1060));
        assert_eq!((hour[29], hour[58]), (at(1030), at(1059)));
        assert_eq!(hour.iter().map(|minute| minute.failed).sum::<u64>(), 4);
    }
}
