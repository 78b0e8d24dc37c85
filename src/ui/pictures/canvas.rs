//! Paints what egui wants to have on the screen, without a screen: the arithmetic of `egui_glow`'s shader over its triangles.
//!
//! A picture is the same on every machine, whatever its graphics are, since nothing but whole numbers decides which pixels
//! a triangle covers.

use std::collections::HashMap;

use eframe::egui::epaint::{ImageDelta, Primitive, Vertex};
use eframe::egui::{self, Color32, ColorImage, ImageData, Mesh, Pos2, Rect, TextureId, TexturesDelta};
use egui_kittest::TestRenderer;
use image::RgbaImage;

/// A pixel is so many units wide.
const UNITS: f32 = 256.0;

/// The textures that egui has handed out; none is thrown away, a picture is soon done.
#[derive(Default)]
pub struct Canvas(HashMap<TextureId, ColorImage>);

impl TestRenderer for Canvas {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        for (id, changes) in delta.set.drain() {
            for ImageDelta { image: ImageData::Color(part), pos, .. } in changes {
                match (pos, self.0.get_mut(&id)) {
                    (Some([left, top]), Some(whole)) => {
                        for (y, row) in part.pixels.chunks(part.width()).enumerate() {
                            let start = (top + y) * whole.width() + left;
                            whole.pixels[start..start + row.len()].copy_from_slice(row);
                        }
                    }
                    _ => drop(self.0.insert(id, ColorImage::clone(&part))),
                }
            }
        }
        delta.free.clear();
    }

    fn render(&mut self, ctx: &egui::Context, output: &egui::FullOutput) -> Result<RgbaImage, String> {
        let scale = output.pixels_per_point;
        let size = (ctx.content_rect().size() * scale).round();
        let (width, height) = (size.x as usize, size.y as usize);
        let mut surface = Surface { width, height, pixels: vec![[0; 4]; width * height] };
        for part in ctx.tessellate(output.shapes.clone(), scale) {
            let Primitive::Mesh(mesh) = part.primitive else {
                return Err("a callback paints nothing here".into());
            };
            let Some(texture) = self.0.get(&mesh.texture_id) else {
                return Err("a texture is missing".into());
            };
            surface.mesh(&mesh, texture, part.clip_rect, scale);
        }
        let bytes = surface.pixels.into_iter().flatten().collect();
        RgbaImage::from_raw(width as u32, height as u32, bytes).ok_or_else(|| "the size is wrong".into())
    }
}

struct Surface {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 4]>,
}

/// A corner of a triangle, in units.
#[derive(Clone, Copy)]
struct Corner {
    x: i64,
    y: i64,
}

impl Corner {
    fn of(position: Pos2, scale: f32) -> Self {
        let units = |at: f32| (at * scale * UNITS).round() as i64;
        Self { x: units(position.x), y: units(position.y) }
    }

    /// Twice the area of the triangle of an edge and this point; positive at the edge's right, with y downwards.
    fn beyond(self, from: Self, to: Self) -> i64 {
        (to.x - from.x) * (self.y - from.y) - (to.y - from.y) * (self.x - from.x)
    }
}

impl Surface {
    fn mesh(&mut self, mesh: &Mesh, texture: &ColorImage, clip: Rect, scale: f32) {
        let within = |at: f32, most: usize| (at * scale).round().clamp(0.0, most as f32) as i64;
        let (left, right) = (within(clip.left(), self.width), within(clip.right(), self.width));
        let (top, bottom) = (within(clip.top(), self.height), within(clip.bottom(), self.height));
        for triangle in mesh.indices.chunks_exact(3) {
            let mut corners = [0, 1, 2].map(|n| mesh.vertices[triangle[n] as usize]);
            let at = |vertex: &Vertex| Corner::of(vertex.pos, scale);
            let area = at(&corners[2]).beyond(at(&corners[0]), at(&corners[1]));
            if area == 0 {
                continue;
            }
            if area < 0 {
                corners.swap(1, 2);
            }
            self.triangle(&corners, area.abs(), texture, [left, right, top, bottom], scale);
        }
    }

    fn triangle(
        &mut self,
        corners: &[Vertex; 3],
        area: i64,
        texture: &ColorImage,
        [left, right, top, bottom]: [i64; 4],
        scale: f32,
    ) {
        let [a, b, c] = corners.map(|vertex| Corner::of(vertex.pos, scale));
        let unit = UNITS as i64;
        let edges = [(b, c), (c, a), (a, b)];
        let flat =
            corners.iter().all(|vertex| vertex.uv == corners[0].uv && vertex.color == corners[0].color);
        let paint = |weights: [i64; 3]| {
            let part = weights.map(|weight| weight as f32 / area as f32);
            let mix = |one: f32, two: f32, three: f32| one * part[0] + two * part[1] + three * part[2];
            let [one, two, three] = corners;
            let uv = Pos2::new(mix(one.uv.x, two.uv.x, three.uv.x), mix(one.uv.y, two.uv.y, three.uv.y));
            let (texel, channel) =
                (sample(texture, uv), |vertex: &Vertex, n: usize| f32::from(vertex.color[n]));
            [0, 1, 2, 3].map(|n| mix(channel(one, n), channel(two, n), channel(three, n)) * texel[n])
        };
        let everywhere = if flat { paint([area, 0, 0]) } else { [0.0; 4] };
        for y in (a.y.min(b.y).min(c.y) / unit - 1).max(top)..(a.y.max(b.y).max(c.y) / unit + 2).min(bottom) {
            // Along a row the area beyond an edge changes by the same step from pixel to pixel, so each edge leaves a
            // piece of the row. A pixel on an edge of two triangles belongs to the one below or at the right of it.
            let begin = Corner { x: unit / 2, y: y * unit + unit / 2 };
            let (mut from, mut to) = (left, right);
            for (start, end) in edges {
                let owned = (end.y == start.y && end.x > start.x) || end.y < start.y;
                let (needed, step) = (i64::from(!owned) - begin.beyond(start, end), (start.y - end.y) * unit);
                match step {
                    1.. => from = from.max(-(-needed).div_euclid(step)),
                    0 if needed > 0 => to = from,
                    0 => {}
                    _ => to = to.min((-needed).div_euclid(-step) + 1),
                }
            }
            if from >= to {
                continue;
            }
            let row = y as usize * self.width;
            let row = &mut self.pixels[row + from as usize..row + to as usize];
            if flat && everywhere[3] >= 254.5 {
                row.fill(everywhere.map(|channel| channel.round() as u8));
                continue;
            }
            for (x, pixel) in (from..).zip(row) {
                let centre = Corner { x: x * unit + unit / 2, ..begin };
                let colour = if flat {
                    everywhere
                } else {
                    paint(edges.map(|(start, end)| centre.beyond(start, end)))
                };
                blend(pixel, colour);
            }
        }
    }
}

/// The texture between its four nearest points, each channel from 0 to 1.
fn sample(texture: &ColorImage, uv: Pos2) -> [f32; 4] {
    let place = |at: f32, size: usize| {
        let at = (at * size as f32 - 0.5).clamp(0.0, (size - 1) as f32);
        (at as usize, (at as usize + 1).min(size - 1), at.fract())
    };
    let ((left, right, x), (top, bottom, y)) = (place(uv.x, texture.width()), place(uv.y, texture.height()));
    let at = |x: usize, y: usize| -> Color32 { texture.pixels[y * texture.width() + x] };
    let (four, between) =
        ([at(left, top), at(right, top), at(left, bottom), at(right, bottom)], |a: f32, b: f32, t: f32| {
            a + (b - a) * t
        });
    [0, 1, 2, 3].map(|n| {
        let [a, b, c, d] = four.map(|colour| f32::from(colour[n]) / 255.0);
        between(between(a, b, x), between(c, d, x), y)
    })
}

/// Lays a colour, its alpha multiplied into it, over what is there.
fn blend(pixel: &mut [u8; 4], colour: [f32; 4]) {
    let through = 1.0 - colour[3] / 255.0;
    for (under, over) in pixel.iter_mut().zip(colour) {
        *under = (over + f32::from(*under) * through).round().clamp(0.0, 255.0) as u8;
    }
}
