/** Keeps the first and the last part of a stream, whatever its length, and counts the rest. */
export class HeadTail {
  readonly #sizes: { readonly headBytes: number; readonly tailBytes: number };
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #bytes = 0;

  constructor(sizes: { readonly headBytes: number; readonly tailBytes: number }) {
    this.#sizes = sizes;
  }

  push(chunk: Uint8Array): void {
    const room = Math.max(0, this.#sizes.headBytes - this.#bytes);
    this.#bytes += chunk.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    const rest = chunk.subarray(room);
    if (rest.length === 0 || this.#sizes.tailBytes === 0) return;
    const joined = Buffer.concat([this.#tail, rest.subarray(-this.#sizes.tailBytes)]);
    this.#tail = Buffer.from(joined.subarray(-this.#sizes.tailBytes));
  }

  /** As text; a character cut in two shows as U+FFFD. */
  read(): { readonly head: string; readonly tail: string; readonly bytes: number } {
    return { head: this.#head.toString('utf8'), tail: this.#tail.toString('utf8'), bytes: this.#bytes };
  }
}
