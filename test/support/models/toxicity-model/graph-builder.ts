/** Writes TensorFlow graphs as TensorFlow.js stores them: nodes in JSON, constants in one file. Knows operations, not models. */

/** The name of a node, or of one of its outputs. */
export type Ref = string;

export interface BuiltGraph {
  readonly nodes: readonly object[];
  readonly weightSpecs: readonly object[];
  readonly weights: Buffer;
}

type Attributes = Readonly<Record<string, object>>;

export interface GraphBuilder {
  /** A node of any operation. */
  op(name: string, operation: string, input: readonly Ref[], attributes?: Attributes): Ref;
  placeholder(name: string, shape: readonly number[]): Ref;
  floats(name: string, shape: readonly number[], values: Float32Array): Ref;
  ints(name: string, shape: readonly number[], values: readonly number[]): Ref;
  build(): BuiltGraph;
}

export const FLOAT = { type: 'DT_FLOAT' };
export const INT32 = { type: 'DT_INT32' };

export function createGraphBuilder(): GraphBuilder {
  const nodes: object[] = [];
  const weightSpecs: object[] = [];
  const weights: Buffer[] = [];

  function op(name: string, operation: string, input: readonly Ref[], attr: Attributes = {}): Ref {
    nodes.push({ name, op: operation, input, attr });
    return name;
  }

  function constant(
    name: string,
    shape: readonly number[],
    dtype: 'float32' | 'int32',
    values: Float32Array | Int32Array,
  ): Ref {
    if (shape.reduce((product, size) => product * size, 1) !== values.length) throw new Error(`${name}: wrong shape`);
    weightSpecs.push({ name, shape, dtype });
    weights.push(Buffer.from(values.buffer, values.byteOffset, values.byteLength));
    const type = dtype === 'float32' ? FLOAT : INT32;
    return op(name, 'Const', [], {
      dtype: type,
      value: { tensor: { dtype: type.type, tensorShape: { dim: shape.map((size) => ({ size: String(size) })) } } },
    });
  }

  return {
    op,
    placeholder: (name, shape) =>
      op(name, 'Placeholder', [], {
        dtype: INT32,
        shape: { shape: { dim: shape.map((size) => ({ size: String(size) })) } },
      }),
    floats: (name, shape, values) => constant(name, shape, 'float32', values),
    ints: (name, shape, values) => constant(name, shape, 'int32', Int32Array.from(values)),
    build: () => ({ nodes, weightSpecs, weights: Buffer.concat(weights) }),
  };
}
