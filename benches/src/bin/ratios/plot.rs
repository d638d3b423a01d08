//! The cost of a decision against the number of rules, as a picture.

use benches::hosts::{Kind, List};
use benches::measure::least_times;
use benches::peers::{Fst, Globs, HashWalk, Linear, Peer, Sorted};
use plotters::prelude::*;
use policy_core::Host;

use crate::calls::{each, ignore, touch};

const SIZES: [usize; 10] = [
    10, 30, 100, 300, 1_000, 3_000, 10_000, 100_000, 300_000, 1_000_000,
];
const HOSTS: usize = 8_192;

/// A way of matching, and what it costs by number of rules, in nanoseconds.
struct Line {
    name: &'static str,
    colour: RGBColor,
    points: Vec<(f64, f64)>,
}

/// Measures exact hits and misses and writes the picture.
pub(crate) fn write(file: &str, passes: usize) {
    let root = SVGBackend::new(file, (1_000, 460)).into_drawing_area();
    root.fill(&WHITE).unwrap();
    let panels = root.split_evenly((1, 2));
    for (panel, kind) in panels.iter().zip([Kind::Exact, Kind::Miss]) {
        let mut chart = ChartBuilder::on(panel)
            .caption(kind.name(), ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(56)
            .build_cartesian_2d(
                (10.0..1_200_000.0).log_scale(),
                (5.0..1_000_000.0).log_scale(),
            )
            .unwrap();
        chart
            .configure_mesh()
            .x_desc("rules")
            .y_desc("nanoseconds a decision")
            .x_label_formatter(&|rules| format!("{rules:.0}"))
            .y_label_formatter(&|nanoseconds| format!("{nanoseconds:.0}"))
            .light_line_style(TRANSPARENT)
            .draw()
            .unwrap();
        for line in lines(kind, passes) {
            let colour = line.colour;
            let style = colour.stroke_width(if line.name == "ours" { 3 } else { 1 });
            chart
                .draw_series(LineSeries::new(line.points, style))
                .unwrap()
                .label(line.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE)
            .draw()
            .unwrap();
    }
    root.present().unwrap();
}

fn lines(kind: Kind, passes: usize) -> Vec<Line> {
    let line = |name, colour| Line {
        name,
        colour,
        points: Vec::new(),
    };
    let mut lines = vec![
        line("ours", RGBColor(0, 90, 200)),
        line(HashWalk::NAME, RGBColor(0, 150, 80)),
        line(Sorted::NAME, RGBColor(150, 150, 150)),
        line(Fst::NAME, RGBColor(130, 60, 170)),
        line(Linear::NAME, RGBColor(220, 120, 0)),
        line("glob set, first seen", RGBColor(200, 0, 0)),
    ];
    for rules in SIZES {
        let list = List::new(rules);
        let egress = list.builder(usize::MAX).build().unwrap();
        let (walk, sorted) = (HashWalk::build(&list.rules), Sorted::build(&list.rules));
        let (fst, linear) = (Fst::build(&list.rules), Linear::build(&list.rules));
        let texts = list.hosts(kind, HOSTS);
        let hosts = list.parsed(kind, HOSTS);
        let pairs: Vec<(&String, &Host)> = texts.iter().zip(&hosts).collect();
        let times = least_times(
            &pairs,
            passes,
            touch,
            &mut [
                &mut |pairs| each(pairs, |(_, host)| ignore(egress.decide(host))),
                &mut |pairs| each(pairs, |(text, _)| ignore(walk.matches(text))),
                &mut |pairs| each(pairs, |(text, _)| ignore(sorted.matches(text))),
                &mut |pairs| each(pairs, |(text, _)| ignore(fst.matches(text))),
                &mut |pairs| each(pairs, |(text, _)| ignore(linear.matches(text))),
            ],
        );
        let rules_on_axis = rules as f64;
        for (line, nanoseconds) in lines.iter_mut().zip(times) {
            line.points.push((rules_on_axis, nanoseconds));
        }
        if rules <= 1_000
            && let Some(line) = lines.last_mut()
        {
            let globs = Globs::build(&list.rules);
            let start = std::time::Instant::now();
            texts
                .iter()
                .take(256)
                .for_each(|text| ignore(globs.matches(text)));
            line.points
                .push((rules_on_axis, start.elapsed().as_secs_f64() * 1e9 / 256.0));
        }
    }
    lines
}
