/** The process behind `npx parapet policies`: hands arguments, streams, settings and, for a preview, the model to the command. */
import process from 'node:process';
import { decisionKeys, loadConfig } from '../config/config.js';
import { loadClassifier } from '../inference/load-classifier.js';
import { createAnalyzer } from '../moderation/analyzer.js';
import { policyOfSettings } from '../moderation/verdict-policy.js';
import { runPoliciesCli } from './policies/policies-command.js';
import type { PreviewModel } from './policies/policies-context.js';
import { openStoreHere } from './store-here.js';

/** As the service would judge with the same settings. */
async function loadModel(): Promise<PreviewModel> {
  const config = loadConfig();
  // Two for each worker: one that it judges and one that waits.
  const concurrency = 2 * config.inferenceThreads;
  const classifier = await loadClassifier({
    folder: config.modelDir,
    threads: config.inferenceThreads,
    maxQueue: concurrency,
    onWorkerProblem: (problem) => process.stderr.write(`${problem}\n`),
  });
  const policy = policyOfSettings(config.verdictPolicy);
  const analyzer = createAnalyzer({ classifier, policy, cacheMaxEntries: config.cacheMaxEntries });
  return { analyzer, concurrency, close: () => classifier.close() };
}

process.exitCode = await runPoliciesCli(process.argv.slice(2), {
  openStore: openStoreHere,
  settings: () => loadConfig().verdictPolicy,
  hasDecisionsKey: () => decisionKeys().length > 0,
  loadModel,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
