//! The icons: our own small set of SVG files, painted as shapes at whatever scale the screen has.
//!
//! No glyph of a font is used, since a font may lack it. The files keep to what [`parse`] reads:
//! `path` with absolute M, L, H, V, C and Z, and `circle`, on a grid of 16.

use std::collections::HashMap;
use std::sync::LazyLock;

use egui::epaint::CubicBezierShape;
use egui::{Color32, IconData, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2};

use super::theme::Tokens;

/// The side of the grid that the files are drawn on.
const GRID: f32 = 16.0;

/// Width of a stroke on that grid.
const STROKE: f32 = 1.5;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Icon {
    Activity,
    Check,
    ChevronDown,
    ChevronRight,
    Copy,
    Danger,
    Endpoint,
    Folder,
    Info,
    Kernel,
    Key,
    Mark,
    Off,
    Open,
    Overview,
    Plus,
    Question,
    Read,
    Refresh,
    Remove,
    Runtime,
    Search,
    Settings,
    Success,
    Vault,
    Waiting,
    Warning,
    Write,
}

impl Icon {
    pub const ALL: [Self; 28] = [
        Self::Activity,
        Self::Check,
        Self::ChevronDown,
        Self::ChevronRight,
        Self::Copy,
        Self::Danger,
        Self::Endpoint,
        Self::Folder,
        Self::Info,
        Self::Kernel,
        Self::Key,
        Self::Mark,
        Self::Off,
        Self::Open,
        Self::Overview,
        Self::Plus,
        Self::Question,
        Self::Read,
        Self::Refresh,
        Self::Remove,
        Self::Runtime,
        Self::Search,
        Self::Settings,
        Self::Success,
        Self::Vault,
        Self::Waiting,
        Self::Warning,
        Self::Write,
    ];

    fn source(self) -> &'static str {
        match self {
            Self::Activity => include_str!("../../assets/icons/activity.svg"),
            Self::Check => include_str!("../../assets/icons/check.svg"),
            Self::ChevronDown => include_str!("../../assets/icons/chevron-down.svg"),
            Self::ChevronRight => include_str!("../../assets/icons/chevron-right.svg"),
            Self::Copy => include_str!("../../assets/icons/copy.svg"),
            Self::Danger => include_str!("../../assets/icons/danger.svg"),
            Self::Endpoint => include_str!("../../assets/icons/endpoint.svg"),
            Self::Folder => include_str!("../../assets/icons/folder.svg"),
            Self::Info => include_str!("../../assets/icons/info.svg"),
            Self::Kernel => include_str!("../../assets/icons/kernel.svg"),
            Self::Key => include_str!("../../assets/icons/key.svg"),
            Self::Mark => include_str!("../../assets/icons/mark.svg"),
            Self::Off => include_str!("../../assets/icons/off.svg"),
            Self::Open => include_str!("../../assets/icons/open.svg"),
            Self::Overview => include_str!("../../assets/icons/overview.svg"),
            Self::Plus => include_str!("../../assets/icons/plus.svg"),
            Self::Question => include_str!("../../assets/icons/question.svg"),
            Self::Read => include_str!("../../assets/icons/read.svg"),
            Self::Refresh => include_str!("../../assets/icons/refresh.svg"),
            Self::Remove => include_str!("../../assets/icons/remove.svg"),
            Self::Runtime => include_str!("../../assets/icons/runtime.svg"),
            Self::Search => include_str!("../../assets/icons/search.svg"),
            Self::Settings => include_str!("../../assets/icons/settings.svg"),
            Self::Success => include_str!("../../assets/icons/success.svg"),
            Self::Vault => include_str!("../../assets/icons/vault.svg"),
            Self::Waiting => include_str!("../../assets/icons/waiting.svg"),
            Self::Warning => include_str!("../../assets/icons/warning.svg"),
            Self::Write => include_str!("../../assets/icons/write.svg"),
        }
    }

    /// Paints the icon into `rect`, as large as its shorter side.
    pub fn paint(self, painter: &Painter, rect: Rect, colour: Color32) {
        let side = rect.size().min_elem();
        let scale = side / GRID;
        let origin = rect.center() - Vec2::splat(side / 2.0);
        let place = |point: Pos2| origin + point.to_vec2() * scale;
        let stroke = Stroke::new(STROKE * scale, colour);
        for part in PARTS.get(&self).into_iter().flatten() {
            match part {
                Part::Lines { points, closed } => {
                    let points = points.iter().copied().map(place).collect();
                    painter.add(if *closed {
                        Shape::closed_line(points, stroke)
                    } else {
                        Shape::line(points, stroke)
                    });
                }
                Part::Curve(points) => {
                    let points = points.map(place);
                    let shape =
                        CubicBezierShape::from_points_stroke(points, false, Color32::TRANSPARENT, stroke);
                    painter.add(shape);
                }
                Part::Circle { centre, radius, filled: true } => {
                    painter.circle_filled(place(*centre), radius * scale, colour);
                }
                Part::Circle { centre, radius, filled: false } => {
                    // The stroke lies outside of the circle that is asked for, and on its line in the file.
                    let inner = radius * scale - stroke.width / 2.0;
                    painter.circle_stroke(place(*centre), inner, stroke);
                }
            }
        }
    }
}

/// The mark as a picture, for the desktop's list of windows.
pub fn of_the_window() -> IconData {
    const SIDE: u32 = 64;
    let (ink, ground) = (Tokens::of(egui::Theme::Light).accent, Color32::TRANSPARENT);
    let mut rgba = Vec::with_capacity((SIDE * SIDE * 4) as usize);
    for at in 0..SIDE * SIDE {
        // Two diamonds in each other, measured from the middle to a corner.
        let off = |pixel: u32| (f64::from(pixel) + 0.5 - f64::from(SIDE) / 2.0).abs();
        let reach = off(at % SIDE) + off(at / SIDE);
        let inked = (24.0..30.0).contains(&reach) || reach < 12.0;
        rgba.extend(if inked { ink } else { ground }.to_array());
    }
    IconData { rgba, width: SIDE, height: SIDE }
}

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Lines { points: Vec<Pos2>, closed: bool },
    Curve([Pos2; 4]),
    Circle { centre: Pos2, radius: f32, filled: bool },
}

static PARTS: LazyLock<HashMap<Icon, Vec<Part>>> = LazyLock::new(|| {
    // A file that cannot be read would leave its icon empty; the tests read every one.
    Icon::ALL.into_iter().map(|icon| (icon, parse(icon.source()).unwrap_or_default())).collect()
});

/// Reads the parts of one file; `None` when it holds something else than the few forms we use.
fn parse(svg: &str) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    for tag in svg.split('<').skip(1) {
        let number = |name: &str| attribute(tag, name)?.parse::<f32>().ok();
        match tag.split([' ', '/', '>']).next()? {
            "path" => parse_path(attribute(tag, "d")?, &mut parts)?,
            "circle" => parts.push(Part::Circle {
                centre: pos2(number("cx")?, number("cy")?),
                radius: number("r")?,
                filled: attribute(tag, "fill").is_some(),
            }),
            "svg" | "" => {}
            _ => return None,
        }
    }
    Some(parts)
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

fn parse_path(d: &str, parts: &mut Vec<Part>) -> Option<()> {
    let mut words = d.split_whitespace().peekable();
    let mut line: Vec<Pos2> = Vec::new();
    let end = |line: &mut Vec<Pos2>, closed: bool, parts: &mut Vec<Part>| {
        if line.len() > 1 {
            parts.push(Part::Lines { points: std::mem::take(line), closed });
        }
        line.clear();
    };
    while let Some(word) = words.next() {
        // The letter may touch its first number: `M3` or `M 3`.
        let (letter, first) = word.split_at(1);
        let mut numbers = |count: usize| -> Option<Vec<f32>> {
            let mut found = Vec::new();
            if !first.is_empty() {
                found.push(first.parse().ok()?);
            }
            while found.len() < count {
                found.push(words.next()?.parse().ok()?);
            }
            Some(found)
        };
        match letter {
            "M" => {
                let to = numbers(2)?;
                end(&mut line, false, parts);
                line.push(pos2(to[0], to[1]));
            }
            "L" => {
                let to = numbers(2)?;
                line.push(pos2(to[0], to[1]));
            }
            "H" => {
                let (x, y) = (numbers(1)?[0], line.last()?.y);
                line.push(pos2(x, y));
            }
            "V" => {
                let (x, y) = (line.last()?.x, numbers(1)?[0]);
                line.push(pos2(x, y));
            }
            "C" => {
                let to = numbers(6)?;
                let from = *line.last()?;
                let target = pos2(to[4], to[5]);
                parts.push(Part::Curve([from, pos2(to[0], to[1]), pos2(to[2], to[3]), target]));
                line = vec![target];
            }
            "Z" => end(&mut line, true, parts),
            _ => return None,
        }
    }
    end(&mut line, false, parts);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read_whole_and_stays_on_its_grid() {
        for icon in Icon::ALL {
            let parts = parse(icon.source()).unwrap_or_else(|| panic!("{icon:?} cannot be read"));
            assert!(!parts.is_empty(), "{icon:?} is empty");
            for part in parts {
                let points = match part {
                    Part::Lines { points, .. } => points,
                    Part::Curve(points) => points.to_vec(),
                    Part::Circle { centre, radius, .. } => {
                        vec![centre - Vec2::splat(radius), centre + Vec2::splat(radius)]
                    }
                };
                for point in points {
                    let grid = Rect::from_min_max(pos2(0.5, 0.5), pos2(15.5, 15.5));
                    assert!(grid.contains(point), "{icon:?} leaves its grid at {point:?}");
                }
            }
        }
    }
}
