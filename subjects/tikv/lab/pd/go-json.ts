/** Go's complaint about a text that is no JSON (Go: `json.SyntaxError`). */
export interface SyntaxFault {
  readonly message: string;
  /** Bytes read when it was noticed, the wrong one included. */
  readonly offset: number;
}

/** What Go calls a JSON value in its errors. */
export type GoKind = 'string' | 'number' | 'bool' | 'array' | 'object' | 'null';

export function goKind(value: unknown): GoKind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : (typeof value as 'string' | 'number' | 'object');
}

/** The bytes up to and including the value of `key`, which is where Go stops when the value has a wrong type. */
export function offsetAfter(body: string, key: string): number {
  const value = new RegExp(`${JSON.stringify(key).replace(/[$.*+?()[\]|]/g, '\\$&')}\\s*:\\s*("[^"]*"|[^,}\\s]+)`);
  const found = value.exec(body);
  return found === null ? body.length : found.index + found[0].length;
}

/** Go's complaint, null for valid JSON. */
export function syntaxFault(text: string): SyntaxFault | null {
  const scanner = new Scanner(text);
  try {
    scanner.value();
    scanner.end();
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.fault;
    throw error;
  }
}

class Fault extends Error {
  constructor(readonly fault: SyntaxFault) {
    super(fault.message);
  }
}

/** Reads JSON as Go's scanner does, for its complaints only. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): void {
    const start = this.#peek();
    if (start === '{') this.#object();
    else if (start === '[') this.#array();
    else if (start === '"') this.#string();
    else if (/[-\d]/.test(start)) this.#number();
    else if (start === 't') this.#literal('true');
    else if (start === 'f') this.#literal('false');
    else if (start === 'n') this.#literal('null');
    else this.#fail('looking for beginning of value');
  }

  end(): void {
    this.#skipBlanks();
    if (this.#at < this.#text.length) this.#fail('after top-level value');
  }

  #object(): void {
    this.#at += 1;
    if (this.#peek() === '}') return this.#step();
    for (;;) {
      if (this.#peek() !== '"') this.#fail('looking for beginning of object key string');
      this.#string();
      if (this.#peek() !== ':') this.#fail('after object key');
      this.#at += 1;
      this.value();
      const next = this.#peek();
      if (next === '}') return this.#step();
      if (next !== ',') this.#fail('after object key:value pair');
      this.#at += 1;
    }
  }

  #array(): void {
    this.#at += 1;
    if (this.#peek() === ']') return this.#step();
    for (;;) {
      this.value();
      const next = this.#peek();
      if (next === ']') return this.#step();
      if (next !== ',') this.#fail('after array element');
      this.#at += 1;
    }
  }

  #string(): void {
    for (this.#at += 1; this.#char() !== '"'; this.#at += 1) {
      if (this.#char() < ' ') this.#fail('in string literal');
      if (this.#char() === '\\') this.#escape();
    }
    this.#at += 1;
  }

  #escape(): void {
    this.#at += 1;
    if (this.#char() !== 'u') {
      if (!/["\\/bfnrt]/.test(this.#char())) this.#fail('in string escape code');
      return;
    }
    for (let digit = 0; digit < 4; digit += 1) {
      this.#at += 1;
      if (!/[\da-fA-F]/.test(this.#char())) this.#fail('in \\u hexadecimal character escape');
    }
  }

  #number(): void {
    const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/.exec(this.#text.slice(this.#at));
    this.#at += number?.[0].length ?? 1;
    if (number === null) this.#fail('in numeric literal');
  }

  #literal(word: string): void {
    for (const [index, letter] of [...word].entries()) {
      if (this.#char() !== letter) this.#fail(`in literal ${word} (expecting ${quoted(word[index] ?? '')})`);
      this.#at += 1;
    }
  }

  #step(): void {
    this.#at += 1;
  }

  #skipBlanks(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #peek(): string {
    this.#skipBlanks();
    return this.#char();
  }

  #char(): string {
    const char = this.#text[this.#at];
    if (char === undefined) throw new Fault({ message: 'unexpected end of JSON input', offset: this.#text.length });
    return char;
  }

  #fail(where: string): never {
    throw new Fault({ message: `invalid character ${quoted(this.#char())} ${where}`, offset: this.#at + 1 });
  }
}

function quoted(char: string): string {
  return char === "'" ? `'\\''` : `'${char}'`;
}
