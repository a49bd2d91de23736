/** In the supervisor: what becomes of a connection that was on its way to a process when that died. */
import type { Worker } from 'node:cluster';

interface Handle {
  close(): void;
}

/**
 * Node keeps a connection that it hands over (at most one a process) until the process acknowledges it, and of one that dies first for ever: its
 * client would wait without an end. Closed, it can ask anew. Where Node's own messages are others, nothing happens.
 */
export function closeWhatItLeaves({ process }: Worker): void {
  let onItsWay: { readonly seq: unknown; readonly handle: Handle } | undefined;
  const send = process.send.bind(process) as (...given: unknown[]) => boolean;
  process.send = (message: { readonly act?: string; readonly seq?: number }, ...more: unknown[]): boolean => {
    if (message.act !== 'newconn' || more[0] === undefined) return send(message, ...more);
    onItsWay = { seq: message.seq, handle: more[0] as Handle };
    // Of its end Node hears in two ways, and goes on handing over until it has heard of both.
    if (process.exitCode !== null || process.signalCode !== null) onItsWay.handle.close();
    else send(message, ...more);
    return true;
  };
  process.on('internalMessage', ({ ack }: { readonly ack?: number }) => {
    if (ack === onItsWay?.seq) onItsWay = undefined;
  });
  // Not "disconnect", which does not come while a connection is on its way.
  process.once('exit', () => onItsWay?.handle.close());
}
