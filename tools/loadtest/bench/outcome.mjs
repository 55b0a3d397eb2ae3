/** One measurement, in the form that `plenum-load` writes and reads: tools/loadtest/src/outcome.rs. */
export function outcome(scenario, variant, settings, figures, series = []) {
  return { scenario, variant, seed: 0, started: new Date().toISOString(), settings, figures, series };
}

/** A number with its unit. */
export function figure(name, unit, value) {
  return { name, unit, value };
}

/** The first of several outcomes of the same row, with the medians of their figures. */
export function medianOutcome(outcomes) {
  const [first] = outcomes;
  const valuesOf = (name) => outcomes.map(({ figures }) => figures.find((one) => one.name === name)?.value ?? NaN);
  const figures = first.figures.map((one) => ({ ...one, value: median(valuesOf(one.name)) }));
  return { ...first, figures };
}

function median(values) {
  const sorted = values.filter((value) => !Number.isNaN(value)).toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle - 0.5)] + sorted[Math.ceil(middle - 0.5)]) / 2;
}

/** The percentiles of values in any order. */
export function percentiles(name, unit, values) {
  const sorted = Float64Array.from(values).sort();
  const at = (percent) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1))];
  return { name, unit, percentiles: [50, 90, 95, 99, 99.9, 100].map((percent) => [percent, at(percent)]) };
}
