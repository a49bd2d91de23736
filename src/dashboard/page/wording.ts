/** Words and figures for people: times, shares, names of labels. */

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
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const number = new Intl.NumberFormat('en');
const language = new Intl.DisplayNames('en', { type: 'language' });

export const dateOf = (time: string): string => date.format(new Date(time));
export const momentOf = (time: string): string => moment.format(new Date(time));
export const hourOf = (time: string): string => clock.format(new Date(time));
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
  return value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`;
}

/** Of a probability: "40 %", and with a decimal where it is small. */
export function percentOf(probability: number): string {
  return `${(probability * 100).toFixed(probability > 0 && probability < 0.1 ? 1 : 0)} %`;
}

/** Of a tag of BCP 47, or `other`: "Hindi (Latin)". */
export const languageOf = (tag: string): string => (tag === 'other' ? 'another' : (language.of(tag) ?? tag));

/** `severe_toxicity` reads "severe toxicity". */
export const labelOf = (name: string): string => name.replaceAll('_', ' ');

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
