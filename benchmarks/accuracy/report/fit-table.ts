/** Words fitted thresholds as settings to use. */
import type { Fit } from '../results.js';
import type { Table } from './table.js';
import { decimal, probability } from './wording.js';

export function fitTable(fits: readonly Fit[], label: string, target: string): Table {
  return {
    title: `Thresholds for ${label}, fitted for ${target}`,
    headings: ['setting', 'precision', 'recall', 'F1', 'held-out precision', 'held-out recall', 'held-out F1'],
    rows: fits.map(({ setting, value, fitted, heldOut }) => [
      settingLine(setting, value),
      ...[fitted.precision, fitted.recall, fitted.f1, heldOut.precision, heldOut.recall, heldOut.f1].map(decimal),
    ]),
    note:
      'Held-out figures are cross-validated: expect those on other texts. PASS_MAX_SCORE is a setting of the service; a threshold ' +
      'of details.labels is for your own code, on answers to ?details=true.',
  };
}

function settingLine(setting: string, value: number | null): string {
  if (value === null) return `${setting}: nothing meets the target`;
  return setting.startsWith('details.') ? `${setting} >= ${probability(value)}` : `${setting}=${value}`;
}
