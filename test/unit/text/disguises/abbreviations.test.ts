import { describe, expect, it } from 'vitest';
import { spellOutAbbreviations } from '../../../../src/text/disguises/abbreviations.js';
import { normalise } from '../../../../src/text/normalise.js';
import { PlacedText } from '../../../../src/text/placed-text.js';

describe('abbreviated death wishes', () => {
  it.each([
    ['kys', 'kill yourself'],
    ['KYS!', 'kill yourself!'],
    ['just (kys), loser', 'just (kill yourself), loser'],
    ['#kys kys', '#kill yourself kill yourself'],
    ['go unalive yourself', 'go kill yourself'],
    ['they unalived him', 'they killed him'],
    ['diaf and foad', 'die in a fire and fuck off and die'],
    ['thinking of sewerslide', 'thinking of suicide'],
  ])('are written out: %s', (text, meaning) => {
    expect(spellOutAbbreviations(new PlacedText(text)).text).toBe(meaning);
    expect(normalise(text)).not.toBe(text);
  });

  it.each(['k.y.s', 'k y s', 'k¥s', 'kуs'])('are read in a disguise: %s', (text) => {
    expect(normalise(text)).toBe('kill yourself');
  });

  it.each([
    'https://kys.fi/en',
    'see kys.fi',
    'mail kys@kys.fi today',
    '@kys thanks!',
    'skys',
    'kysely',
    'kys2',
    'it is 5 kms from here',
    'alive',
  ])('are left alone in what is no such word: %s', (text) => {
    expect(spellOutAbbreviations(new PlacedText(text)).text).toBe(text);
  });
});
