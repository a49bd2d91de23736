/** A list of terms to type, import and export. What is wrong with it is said, and it stays as it was typed. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TermField } from '../../../policies/policy-schema.js';
import { formatTermList, termLines } from '../../../text/terms/term-lines.js';
import type { TermsResponse } from '../../routes/policy-schemas.js';
import { announce } from '../shared/announce.js';
import { send } from '../shared/api.js';
import { messageOf, numberOf } from '../shared/words.js';
import type { Editing } from './drafts.js';

interface TermsFieldProps {
  readonly editing: Editing;
  readonly field: TermField;
  readonly title: string;
  readonly hint: string;
  readonly fileName: string;
}

const MOST_PROBLEMS_SHOWN = 20;

const termsIn = (text: string): string[] => [...new Set(termLines(text).map(({ term }) => term))];

export function TermsField({ editing: { draft, change }, field, title, hint, fileName }: TermsFieldProps) {
  const terms = draft.policy[field] ?? [];
  const [text, setText] = useState(() => formatTermList(terms));
  const [problems, setProblems] = useState<readonly string[]>([]);
  const checked = useRef('');
  const file = useRef<HTMLInputElement>(null);

  // What is typed stays as it is typed; only another list takes its place.
  useEffect(() => {
    if (formatTermList(terms) === formatTermList(termsIn(text))) return;
    setText(formatTermList(terms));
    setProblems([]);
  }, [terms]);

  function read(typed: string): void {
    setText(typed);
    change({ ...draft.policy, [field]: termsIn(typed) });
  }

  async function check(typed: string): Promise<void> {
    if (typed === checked.current) return;
    checked.current = typed;
    let found: string[];
    try {
      found = inWords((await send<TermsResponse>('POST', '/policy-terms', { text: typed })).problems);
    } catch (error) {
      found = [messageOf(error)];
    }
    if (typed !== checked.current) return;
    setProblems(found);
    if (found.length > 0) announce(`${title}: ${found.join(' ')}`);
  }

  async function take(input: HTMLInputElement): Promise<void> {
    const [chosen] = input.files ?? [];
    if (chosen === undefined) return;
    const present = text.replace(/\n*$/, '');
    const added = await chosen.text();
    // So that the same file can be chosen again.
    input.value = '';
    const joined = present === '' ? added : `${present}\n${added}`;
    read(joined);
    announce(`${numberOf(termsIn(added).length)} terms imported`);
    await check(joined);
  }

  function give(): void {
    const link = document.createElement('a');
    link.download = fileName;
    link.href = URL.createObjectURL(new Blob([formatTermList(terms)], { type: 'text/plain' }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  return (
    <div class="terms">
      <label class="field">
        <span>{title}</span>
        <textarea
          rows={8}
          dir="auto"
          spellcheck={false}
          autocapitalize="off"
          value={text}
          onInput={({ currentTarget }) => read(currentTarget.value)}
          onChange={({ currentTarget }) => void check(currentTarget.value)}
        />
        <small>{hint}</small>
      </label>
      <div class="buttons">
        <small class="count">{terms.length === 1 ? '1 term' : `${numberOf(terms.length)} terms`}</small>
        <button type="button" class="quiet" onClick={() => file.current?.click()}>
          Import {fileName}
        </button>
        <button type="button" class="quiet" onClick={give}>
          Export {fileName}
        </button>
        <input
          ref={file}
          type="file"
          accept=".txt,text/plain"
          hidden
          onChange={({ currentTarget }) => void take(currentTarget)}
        />
      </div>
      {problems.length > 0 && (
        <ul class="problems" aria-label={`Lines of "${title}" that can be left out`}>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function inWords(problems: TermsResponse['problems']): string[] {
  const more = problems.length - MOST_PROBLEMS_SHOWN;
  return [
    ...problems.slice(0, MOST_PROBLEMS_SHOWN).map(({ line, message }) => `Line ${line} ${message}.`),
    ...(more > 0 ? [`${numberOf(more)} lines more.`] : []),
  ];
}
