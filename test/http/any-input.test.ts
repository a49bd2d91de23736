/** Whatever is sent: never a fault of ours, never a crash, always JSON of the promised shape; for valid content always a verdict. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERROR_TABLE, type ErrorCode } from '../../src/errors.js';
import { createFakeAnalyzer, HARMLESS } from '../support/fake-analyzer.js';
import { createHttpService } from '../support/http-service.js';
import { expectProblem, statusOf, type AnswerWithStatus } from '../support/problem.js';
import { openConnection, requestText, sendBytes } from '../support/raw-http.js';

const RUNS = { numRuns: 300 };
const JSON_TYPE = 'application/json; charset=utf-8';

/** Scores vary with the text, so that a mixed-up answer would show. */
const scoreOf = (text: string): number => text.length % 11;
const analyzer = () => createFakeAnalyzer((text) => ({ ...HARMLESS, score: scoreOf(text) }));

/** A verdict or a problem of the table that is not our fault. */
function expectGoodAnswer(answer: AnswerWithStatus): void {
  if (statusOf(answer) === 200) {
    expect(answer.headers['content-type']).toBe(JSON_TYPE);
    const { score, status } = JSON.parse(answer.body) as { score?: number; status?: string };
    expect(status ?? score).toSatisfy((value) => value === 'healthy' || (Number(value) >= 0 && Number(value) <= 10));
    return;
  }
  const { code } = JSON.parse(answer.body) as { code: ErrorCode };
  expect(ERROR_TABLE[code].status).toBeLessThan(500);
  expectProblem(answer, code);
}

const codePoints = (text: string): number => Array.from(text).length;

/** Any sequence of UTF-16 units, halves of surrogate pairs included. */
const anyUnits = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff })), { maxLength: 200 })
  .map((units) => String.fromCharCode(...units));

describe('any content', () => {
  it('of 1 to 10,000 characters gets its verdict, and reaches the analyzer unchanged', async () => {
    const judged = analyzer();
    const { analyze } = await createHttpService({ analyzer: judged });
    const content = fc
      .oneof(fc.string({ unit: 'binary', maxLength: 500 }), fc.string({ unit: 'grapheme', maxLength: 500 }), anyUnits)
      .filter((text) => text.length > 0);
    await fc.assert(
      fc.asyncProperty(content, async (text) => {
        const answer = await analyze({ content: text });
        expect(answer.statusCode).toBe(200);
        expect(answer.json()).toMatchObject({ passed: true, score: scoreOf(text) });
        expect(judged.texts.at(-1)).toBe(text);
      }),
      RUNS,
    );
  });

  it('may be escaped in JSON in any way', async () => {
    const judged = analyzer();
    const { analyze } = await createHttpService({ analyzer: judged });
    const escaped = (text: string): string =>
      Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
        '',
      );
    await fc.assert(
      fc.asyncProperty(
        anyUnits.filter((text) => text.length > 0),
        async (text) => {
          expect((await analyze(`{"content":"${escaped(text)}"}`)).statusCode).toBe(200);
          expect(judged.texts.at(-1)).toBe(text);
        },
      ),
      RUNS,
    );
  });

  it('is too long from 10,001 characters on, however they are made up', async () => {
    const { analyze } = await createHttpService({ analyzer: analyzer() });
    const around = fc
      .tuple(fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00', '\u0000', '\u202e'), fc.integer({ min: -3, max: 3 }))
      .chain(([unit, more]) => fc.tuple(fc.constant(unit), fc.constant(more), fc.constantFrom('', 'x', '😀', '\ud83d')))
      .map(([unit, more, end]) => unit.repeat(9_999 + more) + end);
    await fc.assert(
      fc.asyncProperty(around, async (text) => {
        const answer = await analyze({ content: text });
        if (codePoints(text) <= 10_000) expect(answer.statusCode).toBe(200);
        else expectProblem(answer, 'content_too_long');
      }),
      { numRuns: 60 },
    );
  });
});

describe('any body', () => {
  it('of JSON gets a verdict exactly if it has valid content and no wrong metadata', async () => {
    const { analyze } = await createHttpService({ analyzer: analyzer() });
    const nearly = fc.record(
      { content: fc.oneof(fc.string(), fc.jsonValue()), metadata: fc.oneof(fc.object(), fc.jsonValue()) },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), nearly), async (value) => {
        const body = JSON.stringify(value);
        const sent: unknown = JSON.parse(body);
        const answer = await analyze(body);
        expectGoodAnswer(answer);
        expect(answer.statusCode === 200).toBe(isValidBody(sent));
      }),
      RUNS,
    );
  });

  it('of JSON is told that it has a member twice exactly if it has', async () => {
    const { analyze } = await createHttpService({ analyzer: analyzer() });
    const name = fc.oneof(fc.string(), fc.constantFrom('"', '\\', ':', '__proto__', 'constructor', 'prototype'));
    const members = fc.dictionary(name, fc.jsonValue({ stringUnit: 'binary' }), { minKeys: 1 });
    await fc.assert(
      fc.asyncProperty(members, fc.boolean(), fc.nat({ max: 2 }), async (metadata, isTwice, spaces) => {
        const written = JSON.stringify({ content: 'hi', metadata }, null, spaces);
        const first = JSON.stringify(Object.keys(metadata)[0]);
        const body = isTwice ? written.replace(/"metadata"\s*:\s*\{/, (begin) => `${begin}${first} : 0,`) : written;
        const answer = await analyze(body);
        expect([answer.statusCode, answer.body.includes('two members of one name')]).toEqual(
          isTwice ? [400, true] : [200, false],
        );
      }),
      RUNS,
    );
  });
});

describe('any head of a request', () => {
  it('with any method and path is answered', async () => {
    const { listen, app } = await createHttpService({ analyzer: analyzer() });
    const port = await listen();
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PURGE', 'get', 'X');
    const words = fc.constantFrom(
      'v1',
      'analyze',
      'docs',
      'static',
      '/',
      '//',
      '..',
      '*',
      ':a',
      '(',
      '%2f',
      '%',
      '%00',
      '?',
    );
    const path = fc.array(fc.oneof(words, fc.webSegment())).map((parts) => `/v/${parts.join('')}`);
    await fc.assert(
      fc.asyncProperty(method, path, async (name, text) => {
        expectGoodAnswer(await sendBytes(port, requestText(name, text, { Connection: 'close' })));
      }),
      RUNS,
    );
    expect((await app.inject('/v1/health')).statusCode).toBe(200);
  });

  it('made of any bytes does not disturb the next request', async () => {
    const { listen, key } = await createHttpService({ analyzer: analyzer() });
    const port = await listen();
    const whole = requestText(
      'POST',
      '/v1/analyze',
      { 'X-API-Key': key, 'Content-Type': 'application/json' },
      '{"content":"hi"}',
    );
    const bytes = fc.uint8Array({ maxLength: 100 }).map((each) => Buffer.from(each));
    const broken = fc
      .tuple(fc.nat({ max: whole.length }), fc.nat({ max: 5 }), bytes)
      .map(([at, removed, inserted]) =>
        Buffer.concat([Buffer.from(whole.slice(0, at)), inserted, Buffer.from(whole.slice(at + removed))]),
      );
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, broken), async (sent) => {
        const { socket, ended } = openConnection(port);
        socket.end(sent);
        const statuses = [...(await ended()).matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map((match) => Number(match[1]));
        for (const status of statuses) expect(status).toBeLessThan(500);
        expect((await sendBytes(port, requestText('GET', '/v1/health', { Connection: 'close' }))).status).toBe(200);
      }),
      RUNS,
    );
  });
});

function isValidBody(value: unknown): boolean {
  const isObject = (each: unknown): each is object => typeof each === 'object' && each !== null && !Array.isArray(each);
  if (!isObject(value) || !Object.hasOwn(value, 'content')) return false;
  const { content, metadata } = value as { content: unknown; metadata?: unknown };
  const hasContent = typeof content === 'string' && content.length > 0 && codePoints(content) <= 10_000;
  return hasContent && (!Object.hasOwn(value, 'metadata') || isObject(metadata));
}
