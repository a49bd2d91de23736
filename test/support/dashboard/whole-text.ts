/** Looks at a page as somebody does who reads: is all text there, and does one see where the keyboard is? */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Texts of which a part is outside the window, beside the box that it belongs in, or behind the edge of something that cannot be scrolled. Not those that end
 * in an ellipsis, or that are there for screen readers alone.
 */
const CUT_OFF = `(() => {
  const found = [];
  const isOutside = (rect, { left, right, top, bottom }) =>
    rect.left < left - 1 || rect.right > right + 1 || rect.top < top - 1 || rect.bottom > bottom + 1;
  const sidesOf = (box) => {
    const { left, right } = box.getBoundingClientRect();
    return { left, right, top: -Infinity, bottom: Infinity };
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility() || parent.closest('.unseen, .skip, option, svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
    let block = parent;
    while (/^(inline|contents)$/.test(getComputedStyle(block).display)) block = block.parentElement;
    const edges = [{ left: 0, right: innerWidth, top: -Infinity, bottom: Infinity }, sidesOf(block)];
    let isMeant = false;
    for (let box = parent; box !== document.body && !isMeant; box = box.parentElement) {
      const { textOverflow, webkitLineClamp, overflowX, overflowY } = getComputedStyle(box);
      isMeant = textOverflow === 'ellipsis' || webkitLineClamp !== 'none' || /auto|scroll/.test(overflowX + overflowY);
      if (/hidden|clip/.test(overflowX)) edges.push(box.getBoundingClientRect());
    }
    if (!isMeant && rects.some((rect) => edges.some((edge) => isOutside(rect, edge)))) found.push(node.data.trim().slice(0, 80));
  }
  return found;
})()`;

export async function expectWholeTexts(page: Page, where: string): Promise<void> {
  expect([where, await page.evaluate<string[]>(CUT_OFF)]).toEqual([where, []]);
}

/** What is wrong with the sight of the focus, if anything. Headings and sections get it as places to read on from, and are not marked. */
const UNSEEN_FOCUS = `(() => {
  const element = document.activeElement;
  const { left, top, right, bottom } = element.getBoundingClientRect();
  if (left < 0 || right > innerWidth || bottom < 0 || top > innerHeight) return 'outside the window';
  const shown = document.elementFromPoint((left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2);
  if (!element.contains(shown) && !shown?.contains(element)) return 'under something else';
  const isMarked = getComputedStyle(element).outlineStyle !== 'none';
  return isMarked || /^(H1|MAIN|SECTION)$/.test(element.tagName) ? '' : 'not marked';
})()`;

/** It has the focus, or gets it in a moment, and one sees that. */
export async function expectFocus(on: Locator): Promise<void> {
  const page = on.page();
  await on.and(page.locator(':focus')).waitFor();
  expect([String(on), await page.evaluate<string>(UNSEEN_FOCUS)]).toEqual([String(on), '']);
}
