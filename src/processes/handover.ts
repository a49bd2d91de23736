/** In the supervisor: what becomes of a connection that was on its way to a process when that died. */
import type { Worker } from 'node:cluster';

interface Handle {
  close(): void;
}

/**
 * Node keeps a connection that it hands over (at most one a process) until the process acknowledges it, and of one that dies first for ever: its
 * client would wait without an end (https://github.com/nodejs/node-v0.x-archive/issues/7006). Nothing of it was read, so another process gets it.
 * Where Node's own messages are others than here, nothing happens.
 *
 * @param othersListen else it is closed
 */
export function handOnWhatItLeaves(worker: Worker, othersListen: () => boolean): void {
  const { process } = worker;
  let onItsWay: { readonly seq: unknown; readonly handle: Handle } | undefined;
  const send = process.send.bind(process) as (...given: unknown[]) => boolean;
  process.send = (message: { readonly act?: string; readonly seq?: number }, ...more: unknown[]): boolean => {
    if (message.act === 'newconn') onItsWay = { seq: message.seq, handle: more[0] as Handle };
    return send(message, ...more);
  };
  process.on('internalMessage', ({ ack }: { readonly ack?: number }) => {
    if (ack === onItsWay?.seq) onItsWay = undefined;
  });
  process.once('exit', () => {
    // Node strikes it off those that get connections with the event "disconnect", which does not come while one is on its way.
    worker.disconnect();
    if (onItsWay === undefined) return;
    if (othersListen()) {
      // As a process that is about to close answers.
      process.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: onItsWay.seq, accepted: false });
    } else onItsWay.handle.close();
  });
}
