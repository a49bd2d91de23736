/** Which judged row is in which groups. Knows nothing of labels or probabilities. */
import type { Membership } from '../metrics/groups.js';

export interface GroupRows {
  /** In the order in which rows are judged; a row may be in no group, or in several. */
  add(groups: readonly string[]): void;
  /** In the order of their first row. */
  names(): readonly string[];
  /** @param order the judged rows, from 0, in the order that is wanted */
  membership(order: Uint32Array): Membership;
}

export function createGroupRows(): GroupRows {
  const numbers = new Map<string, number>();
  const groupsOfRow: (readonly number[])[] = [];
  const numberOf = (name: string): number => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  return {
    add: (groups) => void groupsOfRow.push([...new Set(groups)].map(numberOf)),
    names: () => [...numbers.keys()],
    membership(order) {
      const starts = new Uint32Array(order.length + 1);
      const groups: number[] = [];
      order.forEach((row, index) => {
        groups.push(...(groupsOfRow[row] ?? []));
        starts[index + 1] = groups.length;
      });
      return { groupCount: numbers.size, starts, groups: Uint32Array.from(groups) };
    },
  };
}
