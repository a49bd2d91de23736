import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { modelInOne } from '../../../src/inference/onnx/model-in-one.js';

/** A field with a length below 16,384, as Protocol Buffers writes it. */
function field(number: number, ...parts: readonly (string | Buffer)[]): Buffer {
  const payload = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = payload;
  return Buffer.concat([
    Buffer.of(number * 8 + 2, ...(length < 128 ? [length] : [128 + (length % 128), length >> 7])),
    payload,
  ]);
}

const entry = (key: string, value: string): Buffer => field(13, field(1, key), field(2, value));
const NAME = field(8, 'weight');
const OUTSIDE = Buffer.of(14 * 8, 1);
const IR_VERSION = Buffer.of(8, 0xac, 0x02);

function write(model: Buffer, weights: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-onnx-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'model.onnx'), model);
  writeFileSync(join(folder, 'weights'), weights);
  return join(folder, 'model.onnx');
}

describe('a model in one piece', () => {
  const tensor = (location: string): Buffer =>
    Buffer.concat([NAME, entry('location', location), entry('offset', '2'), entry('length', '3'), OUTSIDE]);

  it('has the weights where they were named, in graphs within nodes as well, and all else as it was', () => {
    const graph = (weight: Buffer): Buffer =>
      Buffer.concat([field(2, 'main'), field(5, weight), field(1, field(5, field(6, field(5, weight))))]);
    const path = write(Buffer.concat([IR_VERSION, field(7, graph(tensor('weights')))]), Buffer.from('0123456789'));
    const inside = Buffer.concat([NAME, field(9, '234')]);
    expect(Buffer.from(modelInOne(path))).toEqual(Buffer.concat([IR_VERSION, field(7, graph(inside))]));
  });

  it('is the file itself where the weights are in it', () => {
    const model = Buffer.concat([IR_VERSION, field(7, field(5, Buffer.concat([NAME, field(9, 'abc')])))]);
    const path = write(model, Buffer.of());
    expect(Buffer.from(modelInOne(path))).toEqual(readFileSync(path));
  });

  it.each([
    ['weights outside of its folder', field(7, field(5, tensor('../weights'))), 'outside of its folder'],
    ['an end that is missing', field(7, 'abc').subarray(0, 3), 'ends too early'],
    ['another kind of file', Buffer.from([0x0f, 1, 2]), 'no Protocol Buffers'],
  ])('is refused with %s', (_case, model, reason) => {
    const path = write(model, Buffer.of());
    expect(() => modelInOne(path)).toThrow(reason);
  });
});
