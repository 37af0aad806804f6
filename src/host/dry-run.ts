import { type Host, NOTHING_RAN } from './host.js';

/** Runs nothing and says so: for showing what would happen. `record` gets every command that was asked for. */
export function createDryRunHost({ name, record }: { name: string; record: (command: string) => void }): Host {
  return {
    name,
    async run({ command }) {
      record(command);
      const head = `would run on ${name}: ${command}\n`;
      return { ...NOTHING_RAN, exitCode: 0, head, bytes: Buffer.byteLength(head) };
    },
  };
}
