import { describe, expect, it } from 'vitest';
import { decisionIdAt } from '../../../src/decisions/decision-record.js';
import { createTextCipher, newDecisionsKey } from '../../../src/decisions/text-cipher.js';

const ID = decisionIdAt(1_795_000_000_000);
const newKey = () => Buffer.from(newDecisionsKey(), 'base64');

function cipherOf(...keys: Buffer[]) {
  const cipher = createTextCipher(keys);
  if (cipher === undefined) throw new Error('there is a key');
  return cipher;
}

describe('a text that is kept', () => {
  it.each(['', 'You are an idiot.', '\u0000 \u202eevil', '💩'.repeat(10_000)])(
    'comes back as it was, and cannot be read without the key',
    (text) => {
      const cipher = cipherOf(newKey());
      const sealed = cipher.seal(text, ID);
      expect(cipher.open(sealed, ID)).toBe(text);
      if (text !== '') expect(Buffer.from(sealed).includes(text)).toBe(false);
      expect(cipherOf(newKey()).open(sealed, ID)).toBeUndefined();
    },
  );

  it('is opened by an older key after a newer one came, which seals from then on', () => {
    const [older, newer] = [newKey(), newKey()];
    const both = cipherOf(newer, older);
    expect(both.open(cipherOf(older).seal('text', ID), ID)).toBe('text');
    expect(cipherOf(newer).open(both.seal('text', ID), ID)).toBe('text');
  });

  it('does not open where a bit of it was changed, it was cut, or it stands at another decision', () => {
    const cipher = cipherOf(newKey());
    const sealed = cipher.seal('a text', ID);
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Uint8Array.from(sealed, (byte, at) => (at === index ? byte ^ 1 : byte));
      expect(cipher.open(changed, ID)).toBeUndefined();
      expect(cipher.open(sealed.subarray(0, index), ID)).toBeUndefined();
    }
    expect(cipher.open(sealed, decisionIdAt(1_795_000_000_000))).toBeUndefined();
  });

  it('is sealed differently each time', () => {
    const cipher = cipherOf(newKey());
    expect(cipher.seal('a text', ID)).not.toEqual(cipher.seal('a text', ID));
  });
});
