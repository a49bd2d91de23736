/**
 * One keep-alive HTTP/1.1 connection, one request at a time. Writes bytes that are ready made and reads no more of an answer than
 * its status and length: on a machine shared with the server, a full HTTP client would be measured along with it.
 */
import { connect, type Socket } from 'node:net';
import type { Answer } from './load-plan.js';

export interface HttpConnection {
  /** Resolves when the first connection stands, or has failed. */
  readonly opened: Promise<void>;
  /** `done` is called exactly once, later. A lost connection is opened anew for the next request. */
  send(request: Uint8Array, done: (answer: Answer) => void): void;
  /** What is under way is never answered. */
  close(): void;
}

const NOTHING: Buffer = Buffer.alloc(0);

export function openHttpConnection({ host, port }: { host: string; port: number }): HttpConnection {
  let received: Buffer = NOTHING;
  let waiting: ((answer: Answer) => void) | undefined;
  let markOpened: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (markOpened = resolve));
  let socket: Socket | undefined = openSocket();

  function openSocket(): Socket {
    const fresh = connect({ host, port, noDelay: true });
    fresh.once('connect', markOpened);
    fresh.on('data', take);
    // 'close' follows.
    fresh.on('error', () => undefined);
    fresh.on('close', () => {
      markOpened();
      drop(fresh, 'connection lost');
    });
    return fresh;
  }

  function take(chunk: Buffer): void {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const head = readHead(received);
    if (head === 'incomplete' || (typeof head === 'object' && received.length < head.length)) return;
    if (head === 'not HTTP' || received.length > head.length || head.status < 200) {
      drop(socket, 'not HTTP');
      return;
    }
    received = NOTHING;
    if (head.closes) drop(socket, head.status);
    else finish(head.status);
  }

  function drop(dropped: Socket | undefined, answer: Answer): void {
    if (dropped !== socket) return;
    socket?.destroy();
    socket = undefined;
    received = NOTHING;
    finish(answer);
  }

  function finish(answer: Answer): void {
    const done = waiting;
    waiting = undefined;
    done?.(answer);
  }

  return {
    opened,
    send(request, done) {
      if (waiting !== undefined) throw new Error('the connection is waiting for an answer');
      waiting = done;
      socket ??= openSocket();
      socket.write(request);
    },
    close() {
      waiting = undefined;
      drop(socket, 'connection lost');
    },
  };
}

interface Head {
  readonly status: number;
  /** Of the whole answer in bytes. */
  readonly length: number;
  /** Whether the server ends the connection after it. */
  readonly closes: boolean;
}

/** Answers without Content-Length are refused: no server that is measured here sends one. */
export function readHead(bytes: Buffer): Head | 'incomplete' | 'not HTTP' {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return 'incomplete';
  const head = bytes.toString('latin1', 0, headEnd);
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
  const contentLength = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (status === undefined || contentLength === undefined) return 'not HTTP';
  return {
    status: Number(status),
    length: headEnd + 4 + Number(contentLength),
    closes: /\r\nconnection: *close/i.test(head),
  };
}
