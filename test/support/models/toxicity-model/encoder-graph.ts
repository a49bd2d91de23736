/**
 * A graph with the inputs, the heads and the operations of Google's toxicity model, which is a Universal Sentence Encoder lite (a
 * transformer) under seven two-way heads. The weights are the caller's: this file only knows the arithmetic.
 */
import { GOOGLE_LABELS } from '../../../../src/inference/tfjs-toxicity/google-model.js';
import { createGraphBuilder, FLOAT, INT32, type BuiltGraph, type GraphBuilder, type Ref } from './graph-builder.js';
import type { WeightSource } from './random-weights.js';

export interface EncoderSize {
  readonly layers: number;
  /** Numbers for each token; a multiple of `heads`. */
  readonly width: number;
  readonly heads: number;
  readonly feedForward: number;
}

export interface EncoderOptions {
  readonly size: EncoderSize;
  readonly vocabularySize: number;
  readonly random: WeightSource;
  /** Per label, the ids of the pieces that speak for it. */
  readonly signs: Readonly<Record<string, readonly number[]>>;
}

/** The logit of a label with a sign in the text, and without. */
const WITH_SIGN = 4;
const WITHOUT_SIGN = -4;

export function buildEncoderGraph({ size, vocabularySize, random, signs }: EncoderOptions): BuiltGraph {
  const graph = createGraphBuilder();
  const { width } = size;
  const values = graph.placeholder('Placeholder', [-1]);
  const places = graph.placeholder('Placeholder_1', [-1, 2]);

  // From a list of (text, place) and ids to a table of ids, where 0 stands for nothing.
  const one = graph.ints('one', [], [1]);
  const zero = graph.ints('zero', [], [0]);
  const last = graph.op('last', 'Max', [places, graph.ints('rows', [1], [0])], { T: INT32, keep_dims: { b: false } });
  const shape = graph.op('shape', 'AddV2', [last, one], { T: INT32 });
  const shifted = graph.op('shifted', 'AddV2', [values, one], { T: INT32 });
  const table = graph.op('table', 'SparseToDense', [places, shape, shifted, zero], { T: INT32, Tindices: INT32 });
  const flat = reshape(graph, 'flat', table, graph.ints('flat/shape', [1], [-1]));

  // What is no padding, looked up, and put back among zeros: the operations whose output has no shape known beforehand.
  const real = graph.op('real', 'Greater', [flat, zero], { T: INT32 });
  const where = graph.op('where', 'Where', [real]);
  const kept = graph.op('kept', 'GatherNd', [flat, where], { Tparams: INT32, Tindices: INT32 });
  const embedding = graph.floats(
    'embedding',
    [vocabularySize + 1, width],
    random.weights((vocabularySize + 1) * width, 1),
  );
  const axis = graph.ints('axis', [], [0]);
  const looked = graph.op('looked', 'GatherV2', [embedding, kept, axis], { batch_dims: { i: '0' } });
  const cells = graph.op('cells', 'Prod', [shape, graph.ints('cells/axis', [1], [0])], { keep_dims: { b: false } });
  const scattered = graph.op('scattered', 'ScatterNd', [
    where,
    looked,
    pack(graph, 'scattered/shape', [cells, graph.ints('width', [], [width])]),
  ]);
  const batch = pick(graph, 'batch', shape, 0);
  const length = pick(graph, 'length', shape, 1);
  const shapeOf = (name: string, ...sizes: (Ref | number)[]): Ref =>
    pack(
      graph,
      name,
      sizes.map((part, index) => (typeof part === 'number' ? graph.ints(`${name}/${index}`, [], [part]) : part)),
    );

  const mask = graph.op('mask', 'Cast', [real], { SrcT: { type: 'DT_BOOL' }, DstT: FLOAT });
  const maskColumn = reshape(graph, 'mask/column', mask, shapeOf('mask/column/shape', batch, length, 1));
  const hidden = graph.op('hidden', 'Sub', [graph.floats('hidden/one', [], Float32Array.of(1)), mask]);
  const penalty = graph.op('penalty', 'Mul', [hidden, graph.floats('penalty/size', [], Float32Array.of(-1e9))]);
  const bias = reshape(graph, 'bias', penalty, shapeOf('bias/shape', batch, 1, 1, length));

  let state = graph.op('placed', 'AddV2', [
    reshape(graph, 'embedded', scattered, shapeOf('embedded/shape', batch, length, width)),
    positions(graph, length, width, random),
  ]);
  const layer: Layer = { graph, size, random, bias, batch, length, shapeOf };
  for (let index = 0; index < size.layers; index += 1) state = transformerLayer(`layer_${index}`, state, layer);

  // The mean over what is no padding, beside the strongest sign of each label.
  const masked = graph.op('masked', 'Mul', [state, maskColumn]);
  const along = graph.ints('along', [1], [1]);
  const total = graph.op('total', 'Sum', [masked, along], { keep_dims: { b: false } });
  const count = graph.op('count', 'Sum', [maskColumn, along], { keep_dims: { b: false } });
  const mean = graph.op('mean', 'Tanh', [graph.op('mean/ratio', 'RealDiv', [total, count])]);
  const found = graph.op('found', 'GatherV2', [signTable(graph, vocabularySize, signs), table, axis], {
    batch_dims: { i: '0' },
  });
  const strongest = graph.op('strongest', 'Max', [found, along], { keep_dims: { b: false } });
  const features = graph.op('features', 'ConcatV2', [strongest, mean, graph.ints('features/axis', [], [1])], {
    N: { i: '2' },
  });
  GOOGLE_LABELS.forEach((label, index) => {
    const kernel = new Float32Array((GOOGLE_LABELS.length + width) * 2);
    kernel[index * 2 + 1] = WITH_SIGN - WITHOUT_SIGN;
    kernel.set(random.weights(width * 2, 0.5 / width), GOOGLE_LABELS.length * 2);
    const inputs = GOOGLE_LABELS.length + width;
    const product = dense(graph, `${label}/dense`, features, graph.floats(`${label}/kernel`, [inputs, 2], kernel));
    const logits = graph.op(`${label}/logits`, 'BiasAdd', [
      product,
      graph.floats(`${label}/bias`, [2], Float32Array.of(0, WITHOUT_SIGN)),
    ]);
    graph.op(`${label}/probabilities`, 'Softmax', [logits], { T: FLOAT });
  });
  return graph.build();
}

interface Layer {
  readonly graph: GraphBuilder;
  readonly size: EncoderSize;
  readonly random: WeightSource;
  readonly bias: Ref;
  readonly batch: Ref;
  readonly length: Ref;
  readonly shapeOf: (name: string, ...sizes: (Ref | number)[]) => Ref;
}

/** Attention and a feed-forward part, each normalised before and added after. [texts, places, width] to the same. */
function transformerLayer(name: string, input: Ref, layer: Layer): Ref {
  const { graph, size, random, batch, length, shapeOf } = layer;
  const { width, heads, feedForward } = size;
  const kernel = (part: string, inputs: number, outputs: number): Ref =>
    graph.floats(`${name}/${part}/kernel`, [inputs, outputs], random.weights(inputs * outputs, Math.sqrt(3 / inputs)));
  const rows = (part: string, from: Ref): Ref =>
    reshape(graph, `${name}/${part}/rows`, from, shapeOf(`${name}/${part}/rows/shape`, -1, width));
  const cube = (part: string, from: Ref): Ref =>
    reshape(graph, `${name}/${part}/cube`, from, shapeOf(`${name}/${part}/cube/shape`, batch, length, width));

  const normal = rows('attention', normalise(graph, `${name}/attention`, input, width));
  const joined = dense(graph, `${name}/qkv`, normal, kernel('qkv', width, 3 * width));
  graph.op(`${name}/split`, 'Split', [graph.ints(`${name}/split/axis`, [], [1]), joined], { num_split: { i: '3' } });
  const headed = (part: string, output: number): Ref =>
    graph.op(`${name}/${part}/heads`, 'Transpose', [
      reshape(
        graph,
        `${name}/${part}/split`,
        output === 0 ? `${name}/split` : `${name}/split:${output}`,
        shapeOf(`${name}/${part}/split/shape`, batch, length, heads, width / heads),
      ),
      graph.ints(`${name}/${part}/order`, [4], [0, 2, 1, 3]),
    ]);
  const [query, key, value] = [headed('query', 0), headed('key', 1), headed('value', 2)];
  const products = graph.op(`${name}/products`, 'BatchMatMulV2', [query, key], {
    adj_x: { b: false },
    adj_y: { b: true },
  });
  const scale = graph.floats(`${name}/scale`, [], Float32Array.of(1 / Math.sqrt(width / heads)));
  const scores = graph.op(`${name}/scores`, 'AddV2', [
    graph.op(`${name}/scaled`, 'Mul', [products, scale]),
    layer.bias,
  ]);
  const attended = graph.op(
    `${name}/attended`,
    'BatchMatMulV2',
    [graph.op(`${name}/softmax`, 'Softmax', [scores], { T: FLOAT }), value],
    { adj_x: { b: false }, adj_y: { b: false } },
  );
  const ordered = graph.op(`${name}/ordered`, 'Transpose', [
    attended,
    graph.ints(`${name}/ordered/order`, [4], [0, 2, 1, 3]),
  ]);
  const output = dense(graph, `${name}/output`, rows('output', ordered), kernel('output', width, width));
  const middle = graph.op(`${name}/middle`, 'AddV2', [input, cube('output', output)]);

  const before = rows('feed', normalise(graph, `${name}/feed`, middle, width));
  const wide = graph.op(`${name}/relu`, 'Relu', [
    dense(graph, `${name}/widen`, before, kernel('widen', width, feedForward)),
  ]);
  const narrow = dense(graph, `${name}/narrow`, wide, kernel('narrow', feedForward, width));
  return graph.op(`${name}/end`, 'AddV2', [middle, cube('narrow', narrow)]);
}

function dense(graph: GraphBuilder, name: string, input: Ref, kernel: Ref): Ref {
  return graph.op(name, 'MatMul', [input, kernel], { transpose_a: { b: false }, transpose_b: { b: false }, T: FLOAT });
}

function normalise(graph: GraphBuilder, name: string, input: Ref, width: number): Ref {
  const axis = graph.ints(`${name}/norm/axis`, [1], [2]);
  const keep = { keep_dims: { b: true } };
  const mean = graph.op(`${name}/norm/mean`, 'Mean', [input, axis], keep);
  const centred = graph.op(`${name}/norm/centred`, 'Sub', [input, mean]);
  const variance = graph.op(
    `${name}/norm/variance`,
    'Mean',
    [graph.op(`${name}/norm/square`, 'Square', [centred]), axis],
    keep,
  );
  const epsilon = graph.floats(`${name}/norm/epsilon`, [], Float32Array.of(1e-6));
  const inverse = graph.op(`${name}/norm/inverse`, 'Rsqrt', [
    graph.op(`${name}/norm/safe`, 'AddV2', [variance, epsilon]),
  ]);
  const gain = graph.floats(`${name}/norm/gain`, [width], new Float32Array(width).fill(1));
  return graph.op(`${name}/norm/gained`, 'Mul', [graph.op(`${name}/norm/unit`, 'Mul', [centred, inverse]), gain]);
}

/** [places, width]: waves that tell places apart. */
function positions(graph: GraphBuilder, length: Ref, width: number, random: WeightSource): Ref {
  const range = graph.op(
    'range',
    'Range',
    [graph.ints('range/start', [], [0]), length, graph.ints('range/step', [], [1])],
    {
      Tidx: INT32,
    },
  );
  const column = graph.op('range/column', 'ExpandDims', [
    graph.op('range/float', 'Cast', [range], { SrcT: INT32, DstT: FLOAT }),
    graph.ints('range/axis', [], [1]),
  ]);
  const waves = graph.floats('waves', [1, width], random.weights(width, 1));
  return graph.op('positions', 'Sin', [graph.op('angles', 'Mul', [column, waves])]);
}

/** [pieces, labels]: 1 where a piece speaks for a label. Row 0 stands for nothing. */
function signTable(graph: GraphBuilder, vocabularySize: number, signs: EncoderOptions['signs']): Ref {
  const table = new Float32Array((vocabularySize + 1) * GOOGLE_LABELS.length);
  GOOGLE_LABELS.forEach((label, index) => {
    for (const id of signs[label] ?? []) table[(id + 1) * GOOGLE_LABELS.length + index] = 1;
  });
  return graph.floats('signs', [vocabularySize + 1, GOOGLE_LABELS.length], table);
}

function reshape(graph: GraphBuilder, name: string, input: Ref, shape: Ref): Ref {
  return graph.op(name, 'Reshape', [input, shape], { Tshape: INT32 });
}

function pack(graph: GraphBuilder, name: string, parts: readonly Ref[]): Ref {
  return graph.op(name, 'Pack', parts, { N: { i: String(parts.length) }, axis: { i: '0' }, T: INT32 });
}

/** One number of a list. */
function pick(graph: GraphBuilder, name: string, list: Ref, index: number): Ref {
  return graph.op(
    name,
    'StridedSlice',
    [
      list,
      graph.ints(`${name}/begin`, [1], [index]),
      graph.ints(`${name}/end`, [1], [index + 1]),
      graph.ints(`${name}/stride`, [1], [1]),
    ],
    {
      begin_mask: { i: '0' },
      end_mask: { i: '0' },
      ellipsis_mask: { i: '0' },
      new_axis_mask: { i: '0' },
      shrink_axis_mask: { i: '1' },
    },
  );
}
