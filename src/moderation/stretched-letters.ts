/** Shortens letters that were stretched for effect or to slip past a filter: "fuuuuck", "stuupid", "loooove". */
import {
  isFamiliarWord,
  isMaskedWord,
  isOrdinaryWord,
  ordinaryWordsWithSameLetters,
  wordsWithSameLetters,
} from './familiar-words.js';

const REPEATED = /(.)\1/iu;
const STRETCHED = /(\p{Script=Latin})\1{2,}/giu;
const RUN = /(.)\1*/giu;
const ROMAN_NUMERAL = /^[IVXLCDM]+$/;

// Ordinary words that a doubled letter makes out of a masked word.
const NOT_STRETCHED = new Set(['assess', 'gunn', 'looser', 'rapped', 'rapper', 'rappers', 'rapping']);

/** Rarer words of their own, and names, that are an ordinary word with a letter doubled. */
const DOUBLED = new Set(
  `
  addams allan allison barre barron basses beets bellow biassed boone booth bragg brittney brooke busses cameroon
  cannon carrey carroll chilli collin commandeer connor cooke counselling deems denny dessert dianne dragoon droop
  feeds focussed focussing forrest freed garry gazza gregg groove hallo hillary holliday hooping hopped hopping jarred
  labelling latte libellous licensee licensees lilly looses manny matte moods mooney noose parris petter phillip pitty
  polly poole poops posse posses ratted ratting reefer reefs refereed retiree ridding rooster salle scarred shoots
  signalling slott somme sonny starr steep stoop stoops supper tinny tonne tonnes toons wolff
`
    .trim()
    .split(/\s+/),
);

/** A shorter word with a letter too many is too often another word, or a name: "Matt" is no "mat". */
const SHORTEST_ORDINARY = 4;

/**
 * @param word letters only
 * @returns the word with runs of three or more letters shortened to what a familiar word has, else to two; doubled letters are only
 * touched where that uncovers a word that people hide, or an ordinary one in what is no word
 */
export function shortenStretchedLetters(word: string): string {
  if (!REPEATED.test(word)) return word;
  const lower = word.toLowerCase();
  if (isFamiliarWord(lower) || NOT_STRETCHED.has(lower) || ROMAN_NUMERAL.test(word)) return word;
  const runs = lower.match(RUN) ?? [];
  const candidates = wordsWithSameLetters(lower).filter((candidate) => isShortened(candidate, runs));
  const longest = candidates.reduce((best, candidate) => (candidate.length > best.length ? candidate : best), '');
  if (longest !== '') return shortenTo(word, longest);
  const ordinary = isOrdinaryWord(lower) || DOUBLED.has(lower) ? undefined : ordinaryWordIn(lower, runs);
  if (ordinary !== undefined) return shortenTo(word, ordinary);
  // One letter alone (www, AAA, #FFFFFF, zzzz) says the same at any length, and in short codes (IIIB) three are three.
  if (runs.length === 1 || (word === word.toUpperCase() && runs.every((run) => run.length <= 3))) return word;
  return word.replace(STRETCHED, '$1$1');
}

function isShortened(candidate: string, runs: readonly string[]): boolean {
  const mayShortenPairs = isMaskedWord(candidate);
  return (candidate.match(RUN) ?? []).every((wanted, index) => {
    const length = runs[index]?.length ?? 0;
    return wanted.length === length || (wanted.length < length && (length >= 3 || mayShortenPairs));
  });
}

function ordinaryWordIn(lower: string, runs: readonly string[]): string | undefined {
  return ordinaryWordsWithSameLetters(lower).find(
    (candidate) =>
      candidate.length >= SHORTEST_ORDINARY &&
      (candidate.match(RUN) ?? []).every((wanted, index) => wanted.length <= (runs[index]?.length ?? 0)),
  );
}

/** Keeps the case of the letters that stay. */
function shortenTo(word: string, shorter: string): string {
  const runs = word.match(RUN) ?? [];
  const wanted = shorter.match(RUN) ?? [];
  return runs.map((run, index) => run.slice(0, wanted[index]?.length ?? run.length)).join('');
}
