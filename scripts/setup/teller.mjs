const WIDTH = 80;

/** Says what setup does, one line each, durations at the right edge: `setup   build ok            3.1 s`. */
export function createTeller({ out = process.stdout, err = process.stderr } = {}) {
  return {
    step: (text, durationMs) => out.write(`${row('setup', text, durationMs)}\n`),
    note: (text) => out.write(`${row('setup', text)}\n`),
    detail: (text) => err.write(`${text.trimEnd()}\n`),
    failure: (text) => err.write(`${text}\n`),
  };
}

/** One line of at least 80 columns when it has a duration; the label takes 8. */
export function row(label, text, durationMs) {
  const line = `${label.padEnd(7)} ${text}`;
  if (durationMs === undefined) return line;
  const duration = `${(durationMs / 1000).toFixed(1)} s`;
  return `${line.padEnd(WIDTH - duration.length - 1)} ${duration}`;
}
