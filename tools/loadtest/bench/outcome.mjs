/** One measurement, in the form that `plenum-load` writes and reads: tools/loadtest/src/outcome.rs. */
export function outcome(scenario, variant, settings, figures, series = []) {
  return { scenario, variant, seed: 0, started: new Date().toISOString(), settings, figures, series };
}

/** A number with its unit. */
export function figure(name, unit, value) {
  return { name, unit, value };
}

/** The percentiles of values in any order. */
export function percentiles(name, unit, values) {
  const sorted = Float64Array.from(values).sort();
  const at = (percent) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1))];
  return { name, unit, percentiles: [50, 90, 95, 99, 99.9, 100].map((percent) => [percent, at(percent)]) };
}
