/** A small file server on the loopback address that can be told to misbehave. Knows ranges (RFC 9110, 14). */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FileServer {
  readonly address: string;
  /** What was asked for, in order: `name` or `name from BYTE`. */
  readonly requests: readonly string[];
  /** Files by name; a test may change them. */
  readonly files: Map<string, Buffer>;
  /** By file: the connection is cut after so many bytes of the next answer. */
  readonly cutAfter: Map<string, number>;
  close(): Promise<void>;
}

export async function startFileServer(files: Iterable<readonly [string, Buffer]>): Promise<FileServer> {
  const requests: string[] = [];
  const cutAfter = new Map<string, number>();
  const served = new Map(files);

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const name = new URL(request.url ?? '/', 'http://loopback').pathname.split('/').at(-1) ?? '';
    const content = served.get(name);
    if (content === undefined) {
      requests.push(name);
      response.writeHead(404).end();
      return;
    }
    const tag = `"${content.length}-${content.readUInt8(0)}"`;
    const asked = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const begin = request.headers['if-range'] === tag ? asked : 0;
    requests.push(begin === 0 ? name : `${name} from ${begin}`);
    const body = content.subarray(begin);
    response.writeHead(begin === 0 ? 200 : 206, {
      ETag: tag,
      'Content-Length': body.length,
      ...(begin > 0 && { 'Content-Range': `bytes ${begin}-${content.length - 1}/${content.length}` }),
    });
    const cut = cutAfter.get(name);
    cutAfter.delete(name);
    if (cut === undefined) response.end(body);
    // An orderly end of the connection, so that what was sent arrives.
    else response.write(body.subarray(0, cut), () => request.socket.end());
  }

  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    requests,
    files: served,
    cutAfter,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
