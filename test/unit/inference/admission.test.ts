import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAdmission, type Admission } from '../../../src/inference/workers/admission.js';

function text(project: string, name: string, refused: string[] = [], hasBegun = false) {
  return { project, hasBegun, refuse: () => refused.push(name) };
}

/** Of a project, named by its number. */
function admit(admission: Admission, project: string, count: number, refused: string[], hasBegun = false) {
  return Array.from({ length: count }, (_, index) => {
    const each = text(project, `${project}${index}`, refused, hasBegun);
    admission.admit(each);
    return each;
  });
}

describe('admission', () => {
  it('refuses a project alone what is too much, and nothing that it has accepted', () => {
    const admission = createAdmission(3);
    const refused: string[] = [];
    const [first] = admit(admission, 'a', 3, refused);
    expect(() => admission.admit(text('a', 'late'))).toThrow(expect.objectContaining({ code: 'queue_full' }) as Error);
    expect(refused).toEqual([]);
    if (first !== undefined) admission.leave(first);
    admit(admission, 'a', 1, refused);
    expect(admission.size).toBe(3);
  });

  it('takes the place of the newest waiting text of the project that holds most, for one that holds fewer', () => {
    const admission = createAdmission(6);
    const refused: string[] = [];
    admit(admission, 'a', 2, refused, true);
    admit(admission, 'a', 3, refused);
    admit(admission, 'b', 1, refused);
    admit(admission, 'c', 1, refused);
    expect(refused).toEqual(['a2']);
    expect(admission.size).toBe(6);
  });

  it('takes what a worker has begun only where nothing else waits', () => {
    const admission = createAdmission(3);
    const refused: string[] = [];
    admit(admission, 'a', 3, refused, true);
    admit(admission, 'b', 1, refused);
    expect(refused).toEqual(['a2']);
  });

  it('does not move places to and fro between projects that hold as many', () => {
    const admission = createAdmission(4);
    const refused: string[] = [];
    admit(admission, 'a', 2, refused);
    admit(admission, 'b', 2, refused);
    expect(() => admission.admit(text('b', 'late'))).toThrow('queue_full');
    expect(refused).toEqual([]);
  });

  it('never holds more than its places, and never refuses whoever holds fewer than an even share', () => {
    const steps = fc.array(fc.record({ project: fc.constantFrom('a', 'b', 'c', 'd'), leaves: fc.boolean() }));
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 12 }), steps, (places, given) => {
        const admission = createAdmission(places);
        const held = new Map<string, Set<unknown>>();
        for (const { project, leaves } of given) {
          const own = held.get(project) ?? new Set();
          held.set(project, own);
          const each = { project, hasBegun: false, refuse: () => own.delete(each) };
          try {
            admission.admit(each);
            own.add(each);
          } catch {
            expect(own.size + 1).toBeGreaterThan(Math.floor(places / held.size));
          }
          if (leaves) {
            for (const oldest of [...own].slice(0, 1)) {
              own.delete(oldest);
              admission.leave(oldest as typeof each);
            }
          }
          expect(admission.size).toBeLessThanOrEqual(places);
          expect(admission.size).toBe([...held.values()].reduce((sum, { size }) => sum + size, 0));
        }
      }),
    );
  });
});
