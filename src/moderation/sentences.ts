/** Cuts a text into passages that a reader would point at. Used to say where in the text something was detected. */

export interface Passage {
  readonly text: string;
  /** UTF-16 offsets into the text; surrounding whitespace is not part of a passage. */
  readonly start: number;
  readonly end: number;
}

/** Texts without punctuation are still cut, so that a passage stays short enough to point at. */
const MAX_PASSAGE_LENGTH = 240;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });

export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = [];
  for (const { segment, index } of segmenter.segment(text)) {
    for (const part of segment.length > MAX_PASSAGE_LENGTH ? cut(segment) : [{ segment, index: 0 }]) {
      const trimmed = part.segment.trim();
      if (trimmed === '') continue;
      const start = index + part.index + (part.segment.length - part.segment.trimStart().length);
      passages.push({ text: trimmed, start, end: start + trimmed.length });
    }
  }
  return passages;
}

/** Parts of at most MAX_PASSAGE_LENGTH, at word borders; a longer single word stays whole. */
function cut(sentence: string): { segment: string; index: number }[] {
  const parts: { segment: string; index: number }[] = [];
  let start = 0;
  let end = 0;
  for (const { segment, index } of wordSegmenter.segment(sentence)) {
    if (index + segment.length - start > MAX_PASSAGE_LENGTH && end > start) {
      parts.push({ segment: sentence.slice(start, end), index: start });
      start = end;
    }
    end = index + segment.length;
  }
  parts.push({ segment: sentence.slice(start), index: start });
  return parts;
}
