/** Stands between a client and a server of this machine, and fails as a network does. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Ends connections, and refuses new ones as soon as they are made. */
  cut(): void;
  /** Passes nothing on, and says nothing. */
  stall(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function startProxy(target: number): Promise<TcpProxy> {
  let state: 'passing' | 'cut' | 'stalled' = 'passing';
  const sockets = new Set<Socket>();

  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined).on('close', () => sockets.delete(client));
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect(target, '127.0.0.1').on('error', () => undefined);
    sockets.add(upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('close', () => to.destroy());
      from.on('close', () => sockets.delete(from));
      from.setNoDelay(true).pipe(to);
      if (state === 'stalled') from.pause();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  function end(): void {
    for (const socket of sockets) socket.destroy();
  }

  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      state = 'cut';
      end();
    },
    stall() {
      state = 'stalled';
      for (const socket of sockets) socket.pause();
    },
    restore() {
      state = 'passing';
      for (const socket of sockets) socket.resume();
    },
    async close() {
      end();
      server.close();
      await once(server, 'close');
    },
  };
}
