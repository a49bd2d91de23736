/** Promises of the statistics: they survive restarts and damage, add up over servers, stay small, and stop nothing. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { overviewOf, quantileMs } from '../../../src/dashboard/routes/overview.js';
import { openFileStore } from '../../../src/storage/file-store.js';
import { countAnswer, emptyTally, noStatistics, OTHER_KEYS, sumOf } from '../../../src/storage/statistics-record.js';
import { DAY_MS, freshKeyFile, standingClock } from './store-folder.js';

const ANSWER = { keyId: 'key_a', flagged: true, cached: false, latencyMs: 7 };

const NOON = new Date('2030-01-01T12:00:00.000Z');

function setUp() {
  const keysFile = freshKeyFile();
  const clock = standingClock('2030-01-01T12:30:00.000Z');
  const problems: string[] = [];
  const open = () =>
    openFileStore(keysFile, { now: clock.now, onProblem: (problem) => problems.push(problem) }).statistics;
  const requests = async (statistics = open()) =>
    overviewOf(await statistics.current(), [], '24h', clock.now()).total.requests;
  return { file: keysFile.replace('.json', '.statistics.json'), keysFile, clock, problems, open, requests };
}

describe('statistics', () => {
  it.each(['', '{', '{"version":1}', '[]', '{"version":1,"hours":{},"days":{"2030-01-01T00:00:00.000Z":{"a":{}}}}'])(
    'are kept aside when the file holds %j, and go on from zero',
    async (damage) => {
      const { file, open, problems, requests } = setUp();
      writeFileSync(file, damage);
      const statistics = open();
      statistics.note(ANSWER);
      expect(await requests(statistics)).toBe(1);
      await statistics.flush();
      expect(readFileSync(`${file}.damaged`, 'utf8')).toBe(damage);
      expect(problems).toEqual([expect.stringContaining('was damaged')]);
      expect(await requests()).toBe(1);
    },
  );

  it('are kept for 200 keys a period, with the rest together', () => {
    const many = noStatistics();
    for (let key = 0; key < 250; key += 1) countAnswer(many, { ...ANSWER, keyId: `key_${key}` }, NOON);
    const [hour] = Object.values(many.hours);
    expect(Object.keys(hour ?? {})).toHaveLength(201);
    expect(hour?.[OTHER_KEYS]?.requests).toBe(50);
  });

  it('are kept for the latest 48 hours and 60 days in which something was counted', () => {
    let sum = noStatistics();
    const later = (ms: number) => new Date(NOON.getTime() + ms);
    for (let day = 0; day < 61; day += 1) {
      const added = noStatistics();
      countAnswer(added, ANSWER, later(day * DAY_MS));
      sum = sumOf(sum, added, later(day * DAY_MS));
    }
    expect([Object.keys(sum.hours).length, Object.keys(sum.days).length]).toEqual([48, 60]);
    expect(Object.keys(sum.days)[0]).toBe('2030-01-02T00:00:00.000Z');
    expect(Object.keys(sum.hours)[0]).toBe(later(13 * DAY_MS).toISOString());
  });

  it('give quantiles of latency that are exact to a class of the histogram', () => {
    const statistics = noStatistics();
    for (const latencyMs of [1, 2, 3, 4, 30, 40]) {
      countAnswer(statistics, { ...ANSWER, latencyMs }, new Date('2030-01-01T12:00:00Z'));
    }
    const tally = Object.values(statistics.days)[0]?.key_a ?? emptyTally();
    expect(quantileMs(tally, 0.5)).toBeLessThanOrEqual(5);
    expect(quantileMs(tally, 0.95)).toBeGreaterThan(25);
    expect(quantileMs(tally, 0.95)).toBeLessThanOrEqual(50);
    expect(quantileMs(emptyTally(), 0.5)).toBeNull();
  });
});
