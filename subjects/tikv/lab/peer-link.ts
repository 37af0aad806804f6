import { connect, createServer, type Server, type Socket } from 'node:net';
import { createFrameDecoder, encodeFrame } from './frames.js';

/** What became of a message: on its way (no promise that it arrives), or given up at once. */
export type SendResult = 'queued' | 'dropped';

/** One side of an open connection. */
export interface Connection {
  /** `address:port` of the other side, for log lines. */
  readonly remote: string;
  /** Queues a message; all messages of one turn of the event loop leave in one write. */
  send(message: unknown): SendResult;
  /** Ends the connection; what is still queued may be lost. */
  close(): void;
}

/** Callbacks get what JSON gave; checking its shape is the receiver's business. */
export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free port, to be read from {@link LinkServer.port}. */
  readonly port: number;
  /** A message came in; answer through `connection`. */
  readonly onFrame: (message: unknown, connection: Connection) => void;
  readonly onOpen?: (connection: Connection) => void;
  readonly onClose?: (connection: Connection) => void;
  /** Default {@link MAX_QUEUED_BYTES}. */
  readonly maxQueuedBytes?: number;
}

/** A listening socket. */
export interface LinkServer {
  readonly port: number;
  /** Stops listening and cuts every open connection. */
  close(): Promise<void>;
}

/** Why a link is not up: `refused` means that nothing listens there, the strongest hint that the process is gone. */
export type DownReason = 'refused' | 'closed' | 'error';

export interface LinkOptions {
  readonly host: string;
  readonly port: number;
  readonly onFrame: (message: unknown) => void;
  readonly onUp?: () => void;
  /** The connection broke, or an attempt to connect failed. */
  readonly onDown?: (reason: DownReason) => void;
  /** An attempt to connect was refused; Raft is told that this peer is unreachable. */
  readonly reportUnreachable?: () => void;
  /** Messages were given up, because the queue was full or the connection broke under them. */
  readonly onDropped?: (count: number) => void;
  /**
   * Wait before the next attempt, by the number of failures since the link was last up (from 1). Absent: one attempt
   * and no reconnect.
   */
  readonly retryMs?: (failures: number) => number;
  /** Default {@link MAX_QUEUED_BYTES}. */
  readonly maxQueuedBytes?: number;
}

/** The connecting side, over any number of connections. */
export interface Link {
  readonly up: boolean;
  /** Queues a message, also while the first attempt to connect runs; `dropped` while the link is down. */
  send(message: unknown): SendResult;
  /** Cuts the connection and stops reconnecting; no callback follows. */
  close(): void;
}

/** A queue longer than this belongs to a peer that does not read (paused, cut off): further messages are dropped. */
export const MAX_QUEUED_BYTES = 8 * 1024 * 1024;

/**
 * Listens for framed JSON.
 *
 * @throws the error of `listen(2)`, most of all EADDRINUSE
 */
export async function listen(options: ListenOptions): Promise<LinkServer> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    accept(socket, options);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return { port: boundPort(server), close: () => closeServer(server, open) };
}

/** Opens a link and keeps it open as {@link LinkOptions.retryMs} says. Loss is normal: callers must tolerate it. */
export function connectLink(options: LinkOptions): Link {
  let failures = 0;
  let closed = false;
  let up = false;
  let timer: NodeJS.Timeout | undefined;
  let outbox = open();

  function open(): Outbox {
    const socket = connect({ host: options.host, port: options.port, noDelay: true });
    const box = createOutbox(socket, options.maxQueuedBytes ?? MAX_QUEUED_BYTES);
    let reason: DownReason = 'closed';
    socket.on('connect', () => {
      up = true;
      failures = 0;
      options.onUp?.();
    });
    readFrames(socket, options.onFrame);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      reason = error.code === 'ECONNREFUSED' ? 'refused' : 'error';
    });
    socket.on('close', () => down(box, reason));
    return box;
  }

  function down(box: Outbox, reason: DownReason): void {
    up = false;
    if (closed) return;
    failures += 1;
    const lost = box.abandon();
    if (lost > 0) options.onDropped?.(lost);
    if (reason === 'refused') options.reportUnreachable?.();
    options.onDown?.(reason);
    if (options.retryMs === undefined || closed) return;
    timer = setTimeout(() => {
      outbox = open();
    }, options.retryMs(failures));
  }

  return {
    get up() {
      return up;
    },
    send(message) {
      const result = outbox.send(message);
      if (result === 'dropped') options.onDropped?.(1);
      return result;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      outbox.socket.destroy();
    },
  };
}

function accept(socket: Socket, options: ListenOptions): void {
  socket.setNoDelay(true);
  const outbox = createOutbox(socket, options.maxQueuedBytes ?? MAX_QUEUED_BYTES);
  const connection: Connection = {
    remote: `${socket.remoteAddress}:${socket.remotePort}`,
    send: outbox.send,
    close: () => socket.destroy(),
  };
  readFrames(socket, (message) => options.onFrame(message, connection));
  socket.on('error', () => socket.destroy());
  socket.on('close', () => options.onClose?.(connection));
  options.onOpen?.(connection);
}

interface Outbox {
  readonly socket: Socket;
  send(message: unknown): SendResult;
  /** Gives up what was not written yet and returns how many messages that were. */
  abandon(): number;
}

function createOutbox(socket: Socket, maxQueuedBytes: number): Outbox {
  let queue: Buffer[] = [];
  let queuedBytes = 0;
  let scheduled: NodeJS.Immediate | undefined;
  const flush = () => {
    scheduled = undefined;
    // Without a connection messages stay here, so that the loss can be counted.
    if (socket.connecting || socket.destroyed) return;
    if (queue.length > 0) socket.write(Buffer.concat(queue));
    queue = [];
    queuedBytes = 0;
  };
  socket.once('connect', flush);
  return {
    socket,
    send(message) {
      if (socket.destroyed || queuedBytes + socket.writableLength > maxQueuedBytes) return 'dropped';
      const frame = encodeFrame(message);
      queue.push(frame);
      queuedBytes += frame.length;
      scheduled ??= setImmediate(flush);
      return 'queued';
    },
    abandon() {
      if (scheduled !== undefined) clearImmediate(scheduled);
      scheduled = undefined;
      const lost = queue.length;
      queue = [];
      queuedBytes = 0;
      return lost;
    },
  };
}

function readFrames(socket: Socket, onFrame: (message: unknown) => void): void {
  const decode = createFrameDecoder();
  socket.on('data', (chunk) => {
    const messages = decodeOrCut(socket, () => decode(chunk));
    for (const message of messages) onFrame(message);
  });
}

/** Bytes that are no frames come from a stranger on our port: the connection is cut, the process lives on. */
function decodeOrCut(socket: Socket, decode: () => unknown[]): unknown[] {
  try {
    return decode();
  } catch (error) {
    socket.destroy(error instanceof Error ? error : new Error(String(error)));
    return [];
  }
}

function boundPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has an address with a port');
  return address.port;
}

function closeServer(server: Server, open: ReadonlySet<Socket>): Promise<void> {
  for (const socket of open) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}
