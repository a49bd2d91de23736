import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeNames, encodeEscapedNames } from '../../../src/json/escaped-names.js';

function read(text: string): unknown {
  const encoded = encodeEscapedNames(text);
  const value: unknown = JSON.parse(encoded);
  if (encoded !== text) decodeNames(value);
  return value;
}

/** Every unit by its number, as a sender may write a name. */
const escaped = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;

describe('names of members', () => {
  it.each([
    ['one unit', '{"a":1,"\\\\":2}', '{"a":1,"\\n":2}', { a: 1, '\n': 2 }],
    ['several', '{"a":1,"\\\\u0062":2}', '{"a":1,"\\u0062ccccc":2}', { a: 1, bccccc: 2 }],
    ['a nested object', '[{"a":1,"\\\\":2}]', '{"x":[{"a":1,"\\"":2}]}', { x: [{ a: 1, '"': 2 }] }],
    ['a name behind an escape', '{"a":1,"b\\\\":2}', '{"a":1,"b\\"":2}', { a: 1, 'b"': 2 }],
  ])('are read right after a text with their beginning as a name: %s', (_what, before, text, expected) => {
    const met: unknown = JSON.parse(before);
    expect(read(text)).toEqual(expected);
    // Kept until here: V8 forgets names that no object has any more.
    expect(met).toBeDefined();
  });

  it('are read right however they are escaped', () => {
    const parts = fc.constantFrom('"', '\\', '%', '%25', '\n', '\u007f', ':', '": ', '__proto__', 'é', '\ud83d');
    const name = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(parts, { maxLength: 3 }).map((all) => all.join('')),
    );
    const tree = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.oneof(name, fc.integer()),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).value;
    fc.assert(
      fc.property(tree, fc.nat({ max: 2 }), (value, spaces) => {
        expect(read(JSON.stringify(value, null, spaces))).toEqual(value);
      }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 4 }), (names) => {
        const value = read(`{${names.map((each) => `${escaped(each)} :0`).join(',')}}`) as object;
        expect(Object.keys(value).sort()).toEqual([...names].sort());
      }),
    );
  });

  it('do not make JSON of what is none', () => {
    const texts = [
      '{"\\x":1}',
      '{"\\n":1',
      '{"a\\n":1}}',
      '{"\\"":1,"b\u0001":2}',
      '"\\n": 1',
      '{"\\n" : "',
      '{\\"a":1}',
    ];
    for (const text of texts) expect(() => read(text)).toThrow(SyntaxError);
  });

  it('are searched in one pass, where strings do not end either', () => {
    for (const [begin, rest] of [
      ['{"\\n":"', '\\"'],
      ['', '\\'],
      ['{"\\n":1}', '"\\n" '],
    ] as const) {
      expect(() => read(`${begin}${rest.repeat(200_000)}`)).toThrow(SyntaxError);
    }
  });
});
