/**
 * Makes a recorded history fit to be committed: folders of the machine become `/medic`, and who ran the worker is left
 * out. Payloads are base64 in a JSON history, so they are opened for it; nothing else changes, and it still replays.
 */
export function scrubHistory(text: string, folders: readonly string[]): string {
  const plain = (value: string) =>
    folders.reduce((result, folder) => cutOff(result.replaceAll(folder, '/medic'), folder), value);
  const walk = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => walk(item, key));
    if (typeof value === 'string') return scrubText(value, { key, plain });
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walk(member, name)]));
  };
  return `${JSON.stringify(walk(JSON.parse(text), ''), null, 1)}\n`;
}

/** An excerpt may end in the middle of a folder's name. */
function cutOff(text: string, folder: string): string {
  let result = text;
  for (let length = folder.length - 1; length > 4; length -= 1)
    result = result.replaceAll(`${folder.slice(0, length)}"`, '/medic"');
  return result;
}

function scrubText(value: string, { key, plain }: { key: string; plain: (text: string) => string }): string {
  if (key === 'identity') return 'worker';
  if (key !== 'data') return plain(value);
  return Buffer.from(plain(Buffer.from(value, 'base64').toString('utf8'))).toString('base64');
}
