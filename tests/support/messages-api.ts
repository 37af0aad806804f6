import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContentBlockParam, MessageParam, Tool } from '@anthropic-ai/sdk/resources/messages';
import { serveHttp } from './http-server.js';

/** A request as the stand-in got it. */
export interface AskedOfModel {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream?: boolean;
  readonly system: readonly { readonly text: string; readonly cache_control?: unknown }[];
  readonly tools: readonly Tool[];
  readonly tool_choice: unknown;
  readonly messages: readonly MessageParam[];
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** What a scripted model says or does. */
export type Said =
  | {
      readonly kind: 'says';
      readonly content: readonly SaidBlock[];
      readonly stop?: string;
      readonly usage?: SaidUsage;
    }
  | {
      readonly kind: 'fails';
      readonly status: number;
      readonly type?: string;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Takes the request and never answers. */
  | { readonly kind: 'hangs' }
  /** Begins to answer and cuts the connection. */
  | { readonly kind: 'cuts' };

export type SaidBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: unknown };

export interface SaidUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
}

export interface MessagesApi {
  /** For ANTHROPIC_BASE_URL. */
  readonly origin: string;
  readonly requests: readonly AskedOfModel[];
  /** Requests whose connection the client closed before an answer. */
  readonly abandoned: () => number;
  close(): Promise<void>;
}

/**
 * A real server on loopback that speaks the Messages API, plain and streamed, for a model that nobody has to pay: the
 * script says what the model answers to each request.
 */
export async function serveMessagesApi(
  script: (asked: AskedOfModel, number: number) => Said | Promise<Said>,
): Promise<MessagesApi> {
  const requests: AskedOfModel[] = [];
  let abandoned = 0;
  const server = await serveHttp((request, response) => void take(request, response));
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || request.url !== '/v1/messages') {
      response.writeHead(404).end();
      return;
    }
    const asked = { ...JSON.parse(await textOf(request)), headers: request.headers } as AskedOfModel;
    requests.push(asked);
    response.on('close', () => {
      if (!response.writableFinished) abandoned += 1;
    });
    answer(await script(asked, requests.length), { asked, response, number: requests.length });
  }
  return { origin: server.origin, requests, abandoned: () => abandoned, close: server.close };
}

interface Answering {
  readonly asked: AskedOfModel;
  readonly response: ServerResponse;
  readonly number: number;
}

function answer(said: Said, { asked, response, number }: Answering): void {
  const requestId = `req_${String(number).padStart(4, '0')}`;
  switch (said.kind) {
    case 'hangs':
      return;
    case 'cuts':
      response.writeHead(200, { 'content-type': asked.stream ? 'text/event-stream' : 'application/json' });
      response.write(asked.stream ? 'event: message_start\ndata: {"type":"mess' : '{"id":"msg_');
      setImmediate(() => response.destroy());
      return;
    case 'fails': {
      const error = { type: said.type ?? 'api_error', message: said.message ?? 'it failed' };
      response.writeHead(said.status, { 'content-type': 'application/json', 'request-id': requestId, ...said.headers });
      response.end(JSON.stringify({ type: 'error', error, request_id: requestId }));
      return;
    }
    case 'says': {
      const message = messageOf(said, { asked, number });
      const headers = { 'request-id': requestId };
      if (asked.stream) return stream(message, response, headers);
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(message));
    }
  }
}

function messageOf(said: Extract<Said, { kind: 'says' }>, { asked, number }: Omit<Answering, 'response'>) {
  const content = said.content.map((block, i) =>
    block.type === 'tool_use' ? { ...block, id: `toolu_${number}_${i + 1}` } : block,
  );
  return {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: asked.model,
    content,
    stop_reason: said.stop ?? (content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: {
      input_tokens: 100,
      output_tokens: 50,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
      ...said.usage,
    },
  };
}

function stream(
  message: ReturnType<typeof messageOf>,
  response: ServerResponse,
  headers: Record<string, string>,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const { content, stop_reason, stop_sequence, usage } = message;
  send('message_start', {
    message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  });
  for (const [index, block] of content.entries()) {
    const isText = block.type === 'text';
    send('content_block_start', {
      index,
      content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
    });
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  send('message_delta', { delta: { stop_reason, stop_sequence }, usage: { output_tokens: usage.output_tokens } });
  send('message_stop', {});
  response.end();
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** All text that a request shows to the model in its last message, tool results included. */
export function lastWords({ messages }: AskedOfModel): string {
  const content = messages.at(-1)?.content ?? '';
  return typeof content === 'string' ? content : content.map(wordsOf).join('\n');
}

function wordsOf(block: ContentBlockParam): string {
  if (block.type === 'text') return block.text;
  if (block.type !== 'tool_result') return '';
  return typeof block.content === 'string' ? block.content : JSON.stringify(block.content ?? '');
}

/** A tool call of the scripted model. */
export const calls = (name: string, input: unknown): SaidBlock => ({ type: 'tool_use', name, input });
export const says = (...content: readonly SaidBlock[]): Said => ({ kind: 'says', content });
