import { expect, it } from 'vitest';
import { GiveUp, reasonOf } from '../../src/give-up.js';

it('what aborts tells everybody who still listens, once, and keeps its first reason', () => {
  const giveUp = new GiveUp();
  const told: string[] = [];
  const gone = (): void => void told.push('gone');
  giveUp.addEventListener('abort', gone);
  giveUp.addEventListener('abort', () => told.push('one'));
  giveUp.addEventListener('abort', () => told.push('other'));
  giveUp.removeEventListener('abort', gone);
  giveUp.abort(new Error('first'));
  giveUp.abort(new Error('second'));
  expect(told).toEqual(['one', 'other']);
  expect(giveUp.aborted).toBe(true);
  expect(reasonOf(giveUp)).toEqual(new Error('first'));
});

it('who stops listening because of what an earlier one did is told nothing', () => {
  const giveUp = new GiveUp();
  const told: string[] = [];
  const later = (): void => void told.push('later');
  giveUp.addEventListener('abort', () => giveUp.removeEventListener('abort', later));
  giveUp.addEventListener('abort', later);
  giveUp.abort(new Error('reason'));
  expect(told).toEqual([]);
});
