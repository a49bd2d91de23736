/** Words and figures for people: times, shares, names of labels and categories. */
import { LABELS } from '../../../labels.js';
import { CATEGORY_OF_LABEL, CATEGORY_WORDING } from '../../../moderation/categories.js';

const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
/** The clock of this browser, by the name of the IANA: "Europe/Berlin". */
export const LOCAL_ZONE = clock.resolvedOptions().timeZone;
const weekdayAndClock = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const number = new Intl.NumberFormat('en');
const language = new Intl.DisplayNames('en', { type: 'language' });

export const dateOf = (time: string): string => date.format(new Date(time));
export const momentOf = (time: string): string => moment.format(new Date(time));
export const hourOf = (time: string): string => clock.format(new Date(time));
export const weekdayAndHourOf = (time: string): string => weekdayAndClock.format(new Date(time));
/** Days are counted in UTC. */
export const dayOf = (time: string): string => day.format(new Date(time));
export const numberOf = (value: number): string => number.format(value);

export function shareOf(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (part / whole) * 100;
  return `${percent.toFixed(percent > 0 && percent < 10 ? 1 : 0)} %`;
}

export function millisecondsOf(value: number | null): string {
  if (value === null) return '–';
  return value > 0 && value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`;
}

/** Of a probability: "40 %", and with a decimal where it is small. */
export function percentOf(probability: number): string {
  return `${(probability * 100).toFixed(probability > 0 && probability < 0.1 ? 1 : 0)} %`;
}

/** Of a tag of BCP 47, or `other`: "Hindi (Latin)". */
export const languageOf = (tag: string): string => (tag === 'other' ? 'another' : (language.of(tag) ?? tag));

/** The name of the API as words: `severe_toxicity` reads "severe toxicity". */
export const labelOf = (name: string): string => name.replaceAll('_', ' ');

const PLAIN: ReadonlyMap<string, string> = new Map(
  LABELS.flatMap((label) => {
    const category = CATEGORY_OF_LABEL[label];
    return [label, category].map((name) => [name, CATEGORY_WORDING[category]] as const);
  }),
);

/** The plain words for a label or a category of the API: both `identity_attack` and `hate` read "hate against a group". */
export const plainOf = (name: string): string => PLAIN.get(name) ?? labelOf(name);

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
