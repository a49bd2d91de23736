/**
 * A model whose weights lie in a file beside it, as one piece in memory. ONNX Runtime in WebAssembly has no files, and refuses weights that are handed to
 * it beside the model (1.30: "external data path could not be canonicalized").
 *
 * Copies the messages of ONNX (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto) on the way to a tensor, and knows no other.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

type Kind = 'model' | 'graph' | 'node' | 'attribute' | 'tensor';

/** By the number of the field: where messages lie that can hold a tensor. */
const INSIDE: Readonly<Record<Exclude<Kind, 'tensor'>, Readonly<Record<number, Kind>>>> = {
  model: { 7: 'graph' },
  graph: { 1: 'node', 5: 'tensor' },
  node: { 5: 'attribute' },
  attribute: { 5: 'tensor', 6: 'graph', 10: 'tensor', 11: 'graph' },
};

const OF_TENSOR = { rawData: 9, externalData: 13, dataLocation: 14 };
const OF_ENTRY = { key: 1, value: 2 };

/** The wire types of Protocol Buffers (https://protobuf.dev/programming-guides/encoding/). */
const WIRE = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 };

interface Field {
  readonly number: number;
  readonly isDelimited: boolean;
  /** With its tag. */
  readonly bytes: Uint8Array;
  readonly payload: Uint8Array;
}

/** @throws Error where the model is no Protocol Buffers, or names weights outside of its folder */
export function modelInOne(modelPath: string): Uint8Array {
  const weights = new Map<string, Uint8Array>();
  const weightsIn = (location: string): Uint8Array => {
    if (basename(location) !== location) throw new Error('the model names weights outside of its folder');
    const known = weights.get(location) ?? readFileSync(join(dirname(modelPath), location));
    weights.set(location, known);
    return known;
  };
  return Buffer.concat(inOne(readFileSync(modelPath), 'model', weightsIn));
}

function inOne(message: Uint8Array, kind: Kind, weightsIn: (location: string) => Uint8Array): Uint8Array[] {
  if (kind === 'tensor') return tensorInOne(message, weightsIn);
  return fieldsOf(message).flatMap(({ number, isDelimited, bytes, payload }) => {
    const inside = isDelimited ? INSIDE[kind][number] : undefined;
    return inside === undefined ? [bytes] : delimited(number, inOne(payload, inside, weightsIn));
  });
}

function tensorInOne(message: Uint8Array, weightsIn: (location: string) => Uint8Array): Uint8Array[] {
  const fields = fieldsOf(message);
  const outside = new Map(
    fields
      .filter(({ number }) => number === OF_TENSOR.externalData)
      .map(({ payload }) => {
        const entry = fieldsOf(payload);
        const textOf = (wanted: number): string =>
          new TextDecoder().decode(entry.find(({ number }) => number === wanted)?.payload);
        return [textOf(OF_ENTRY.key), textOf(OF_ENTRY.value)];
      }),
  );
  const location = outside.get('location');
  if (location === undefined) return [message];
  const offset = Number(outside.get('offset') ?? 0);
  const length = outside.get('length');
  const weights = weightsIn(location).subarray(offset, length === undefined ? undefined : offset + Number(length));
  const kept = fields.filter(({ number }) => number !== OF_TENSOR.externalData && number !== OF_TENSOR.dataLocation);
  return [...kept.map(({ bytes }) => bytes), ...delimited(OF_TENSOR.rawData, [weights])];
}

function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  for (let start = 0; start < message.length;) {
    const [tag, afterTag] = varintAt(message, start);
    const wire = tag % 8;
    const [length, begin] = payloadAt(message, afterTag, wire);
    const end = begin + length;
    if (end > message.length) throw new Error('the model file ends too early');
    const [bytes, payload] = [message.subarray(start, end), message.subarray(begin, end)];
    fields.push({ number: Math.floor(tag / 8), isDelimited: wire === WIRE.delimited, bytes, payload });
    start = end;
  }
  return fields;
}

/** @returns its length, and where it begins */
function payloadAt(message: Uint8Array, start: number, wire: number): [length: number, begin: number] {
  if (wire === WIRE.delimited) return varintAt(message, start);
  if (wire === WIRE.varint) return [varintAt(message, start)[1] - start, start];
  if (wire === WIRE.fixed64) return [8, start];
  if (wire === WIRE.fixed32) return [4, start];
  throw new Error('the model file is no Protocol Buffers');
}

/** @returns the value, exact up to 2^53, and where it ends */
function varintAt(message: Uint8Array, start: number): [value: number, end: number] {
  let value = 0;
  for (let index = start; index < message.length; index += 1) {
    const byte = message[index] ?? 0;
    value += (byte % 128) * 128 ** (index - start);
    if (byte < 128) return [value, index + 1];
  }
  throw new Error('the model file ends too early');
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [128 + (value % 128), ...varint(Math.floor(value / 128))];
}

function delimited(number: number, parts: readonly Uint8Array[]): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [Uint8Array.from([...varint(number * 8 + WIRE.delimited), ...varint(length)]), ...parts];
}
