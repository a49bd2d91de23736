/** Texts that the tests judge. What is said of them holds for any model that is good enough to be shipped. */

export const KIND = 'Thank you so much, this was lovely';
export const TOXIC = 'You are a stupid idiot, shut up';
/** Severe enough to stand out among thousands of harmless characters. */
export const HATEFUL = 'I hope you die, you filthy piece of trash';

/** Each says something else, so that no cache and no repetition helps. */
const HARMLESS_SENTENCES = [
  'The museum opens at nine and closes at six.',
  'We walked along the river and had lunch at a small place near the bridge.',
  'My sister is learning to play the piano.',
  'The recipe needs two eggs, some flour and a little sugar.',
  'Tomorrow we take the early train to the coast.',
  'The library has a new section on gardening.',
  'It rained all morning, but the afternoon was sunny.',
  'Please remember to bring the tickets.',
];

/** Sentences up to exactly `characters`, starting with `mark`, which makes the text one of its own. */
export function harmlessText(characters: number, mark = ''): string {
  let text = mark;
  for (let index = 0; text.length < characters; index += 1) {
    const sentence = HARMLESS_SENTENCES[index % HARMLESS_SENTENCES.length] ?? '';
    text += `${text === '' ? '' : ' '}Day ${index + 1}: ${sentence}`;
  }
  return text.slice(0, characters);
}
