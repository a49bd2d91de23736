/** The generator's process: takes requests from the benchmark, one at a time, and answers them. Ends when the benchmark does. */
import { createTextSequence, type TextSequence } from '../texts/text-sequence.js';
import type { GeneratorReply, GeneratorRequest } from './load-plan.js';
import { runLoad } from './load-run.js';

let texts: TextSequence | undefined;

const reply = (message: GeneratorReply): unknown => process.send?.(message);

process.on('message', (request: GeneratorRequest) => {
  if (request.kind === 'texts') {
    texts = createTextSequence(request.pool);
    return;
  }
  if (texts === undefined) throw new Error('the generator has no texts yet');
  // A failure ends the process, which the benchmark notices.
  void runLoad(request.plan, { texts, onInterval: (kind) => reply({ kind }) }).then((result) =>
    reply({ kind: 'result', result }),
  );
});
// Its interrupt is the benchmark's to handle.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
