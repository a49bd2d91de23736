/** One of several that run the network at once, in a process or a thread of its own: told what to run, begins when told, and tells what that took. */
import process from 'node:process';
import { parentPort } from 'node:worker_threads';
import { openNetwork, type EncodedText } from 'parapet/engine';
import { judgeText } from '../load/peers/judge-text.js';

export type MemberRequest =
  | { readonly kind: 'texts'; readonly texts: readonly EncodedText[]; readonly modelFolder: string }
  | { readonly kind: 'begin'; readonly forMs: number };
/** `cpuMs` of the whole process. */
export type MemberReply =
  { readonly kind: 'ready' } | { readonly kind: 'done'; readonly texts: number; readonly cpuMs: number };

const tell = (reply: MemberReply): void => {
  if (parentPort === null) process.send?.(reply);
  else parentPort.postMessage(reply);
};

let judge: (index: number) => Promise<void> = () => Promise.reject(new Error('no texts were told'));

async function take(request: MemberRequest): Promise<void> {
  if (request.kind === 'texts') {
    const network = await openNetwork(request.modelFolder);
    const { texts } = request;
    judge = async (index) => {
      const text = texts[index % texts.length];
      if (text !== undefined) await judgeText(text, network);
    };
    for (let index = 0; index < texts.length; index += 1) await judge(index);
    tell({ kind: 'ready' });
    return;
  }
  const before = process.cpuUsage();
  const end = performance.now() + request.forMs;
  let texts = 0;
  while (performance.now() < end) {
    await judge(texts);
    texts += 1;
  }
  const { user, system } = process.cpuUsage(before);
  tell({ kind: 'done', texts, cpuMs: (user + system) / 1000 });
}

(parentPort ?? process).on('message', (request: MemberRequest) => void take(request));
