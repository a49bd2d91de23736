/** Speaks HTTP byte by byte over a socket, for what no HTTP client would send. */
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawConnection {
  readonly socket: Socket;
  /** The next whole answer. Rejects when the connection ends before it. */
  readonly answer: () => Promise<RawAnswer>;
  /** What came after the last answer that was taken, once the other side has closed the connection. */
  readonly ended: () => Promise<string>;
}

export function openConnection(port: number): RawConnection {
  const socket = connect({ host: '127.0.0.1', port });
  let received = '';
  let closed = false;
  let wake: () => void = () => undefined;
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    wake();
  });
  // A reset is an end like any other here.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
    wake();
  });
  const more = (): Promise<void> => new Promise((resolve) => (wake = resolve));

  return {
    socket,
    async answer() {
      for (;;) {
        const parsed = firstAnswer(received);
        if (parsed !== undefined) {
          received = parsed.rest;
          return parsed.answer;
        }
        if (closed) throw new Error(`the connection ended after: ${JSON.stringify(received)}`);
        await more();
      }
    },
    async ended() {
      while (!closed) await more();
      return received;
    },
  };
}

/** Sends bytes on a connection of their own. @returns the one answer, once the other side has closed the connection */
export async function sendBytes(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  const connection = openConnection(port);
  connection.socket.write(bytes);
  const answer = await connection.answer();
  connection.socket.end();
  const rest = await connection.ended();
  if (rest !== '') throw new Error(`more came after the answer: ${JSON.stringify(rest)}`);
  return answer;
}

/** The text of a request. Content-Length is added where there is a body and no framing header. */
export function requestText(method: string, path: string, headers: Record<string, string> = {}, body = ''): string {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  const isFramed = 'Content-Length' in headers || 'Transfer-Encoding' in headers;
  if (body !== '' && !isFramed) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

function firstAnswer(received: string): { answer: RawAnswer; rest: string } | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...headerLines] = received.slice(0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const headers = Object.fromEntries(
    headerLines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const rest = received.slice(headEnd + 4);
  // 100 Continue has no body and announces none.
  const length = status < 200 ? 0 : Number(headers['content-length']);
  if (Number.isNaN(length)) throw new Error(`an answer without Content-Length: ${statusLine}`);
  if (rest.length < length) return undefined;
  const body = Buffer.from(rest.slice(0, length), 'latin1').toString();
  return { answer: { status, headers, body }, rest: rest.slice(length) };
}
