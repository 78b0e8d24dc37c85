//! How fast the output filter passes on what holds no secret. At least 500 MB/s are due.
//!
//! `cargo bench --bench filter`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use notegate::secrets::filter::Filter;
use notegate::secrets::{Purpose, Secret};
use serde_json::json;

/// A runtime's key, and the tokens of so many kernels.
fn filter(kernels: usize) -> Filter {
    let tokens = (0..kernels).map(|number| Secret::from_text(format!("k7QzB9wZ2mP4xT{number:02}")));
    let key = Secret::generate(Purpose::RuntimeKey).unwrap();
    Filter::new(&tokens.chain([key]).collect::<Vec<_>>())
}

fn passing(criterion: &mut Criterion) {
    let line = "The garden was quiet, and nobody had been there since the snow melted; 笔记里写着春天的计划。 \
                See [[Projects/Plan]] for 12 more.\n";
    let prose = line.repeat(20_000);
    let inner = json!({"path": "Journal/2026.md", "content": &prose}).to_string();
    let nested = json!({"content": [{"type": "text", "text": inner}]}).to_string();
    for (name, text) in [("prose", &prose), ("JSON within JSON", &nested)] {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(text.len() as u64));
        for kernels in [1, 8] {
            let filter = filter(kernels);
            for chunk in [16 * 1024, 1024 * 1024] {
                group.bench_function(
                    format!("{kernels} kernels, chunks of {} KiB", chunk / 1024),
                    |bencher| {
                        let mut out = Vec::with_capacity(text.len());
                        bencher.iter(|| {
                            out.clear();
                            let mut stream = filter.stream();
                            for chunk in text.as_bytes().chunks(chunk) {
                                stream.push(chunk, &mut out);
                            }
                            stream.finish(&mut out);
                            black_box(out.len())
                        });
                    },
                );
            }
        }
        group.finish();
    }
    criterion.bench_function("making a filter for a key and a kernel", |bencher| bencher.iter(|| filter(1)));
}

criterion_group!(benches, passing);
criterion_main!(benches);
