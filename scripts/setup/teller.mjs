const WIDTH = 80;

/** Says what setup does, one line each, durations at the right edge: `setup   build ok            3.1 s`. */
export function createTeller({ out = process.stdout, err = process.stderr } = {}) {
  // In a pipe every line is dated, as the demo's lines behind it are.
  const say = (line) => out.write(`${out.isTTY ? '' : `${new Date().toISOString()} `}${line}\n`);
  return {
    step: (text, durationMs) => say(row('setup', text, durationMs)),
    note: (text) => say(row('setup', text)),
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
