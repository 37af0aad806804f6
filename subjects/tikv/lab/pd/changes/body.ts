import { type Answer, inputError } from '../answers/answer.js';
import { goKind, syntaxFault } from '../go-json.js';

/** A body that was understood, or the answer to one that was not. */
export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly answer: Answer };

export type JsonObject = Readonly<Record<string, unknown>>;

/** A body as a JSON object. PD reads most bodies into Go's `map[string]any`, so wrong types are noticed key by key. */
export function readObject(body: string, goType = 'map[string]interface {}'): Read<JsonObject> {
  const read = readJson(body);
  if (!read.ok) return read;
  if (goKind(read.value) === 'object') return { ok: true, value: read.value as JsonObject };
  if (read.value === null) return { ok: true, value: {} };
  return { ok: false, answer: wrongType({ got: goKind(read.value), goType, offset: startOffset(read.value, body) }) };
}

/** A body as any JSON. */
export function readJson(body: string): Read<unknown> {
  const fault = syntaxFault(body);
  if (fault === null) return { ok: true, value: JSON.parse(body) as unknown };
  return { ok: false, answer: inputError(fault.message, { Offset: fault.offset }) };
}

export interface WrongType {
  /** Go's word for what came, with the number itself where that is out of range. */
  readonly got: string;
  readonly goType: string;
  readonly offset: number;
}

/** Go's complaint about a value of a wrong type, with its error as JSON. */
export function wrongType({ got, goType, offset }: WrongType): Answer {
  const data = { Value: got, Type: {}, Offset: offset, Struct: '', Field: '' };
  return inputError(`json: cannot unmarshal ${got} into Go value of type ${goType}`, data);
}

/** Go notices an array at its first byte and a plain value at its last. */
function startOffset(value: unknown, body: string): number {
  return Array.isArray(value) ? 1 : body.trimEnd().length;
}
