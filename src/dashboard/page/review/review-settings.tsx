/** How one person reviews, in this browser: texts shown at once, a reminder to rest, letters as shortcuts. */
import { useState } from 'preact/hooks';
import { Choice } from '../shared/choice.js';
import { Field } from '../shared/controls.js';

export interface ReviewSettings {
  readonly showsTexts: boolean;
  /** 0: no reminder. */
  readonly breakAfter: number;
  readonly hasShortcuts: boolean;
}

const DEFAULTS: ReviewSettings = { showsTexts: false, breakAfter: 50, hasShortcuts: true };
const NAME = 'parapet-review';
const BREAKS = ['0', '25', '50', '100', '200'] as const;

/** A browser may refuse to keep anything. */
function kept(): ReviewSettings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(NAME) ?? '{}') as Partial<ReviewSettings>) };
  } catch {
    return DEFAULTS;
  }
}

export function useReviewSettings() {
  const [settings, setSettings] = useState(kept);
  function change(changed: Partial<ReviewSettings>): void {
    const next = { ...settings, ...changed };
    setSettings(next);
    try {
      localStorage.setItem(NAME, JSON.stringify(next));
    } catch {
      // They hold until the page is left.
    }
  }
  return { settings, change };
}

export function SettingsFields({ settings, change }: ReturnType<typeof useReviewSettings>) {
  return (
    <details class="card">
      <summary>How you review</summary>
      <div class="fields">
        <label class="check">
          <input
            type="checkbox"
            checked={settings.showsTexts}
            onChange={({ currentTarget }) => change({ showsTexts: currentTarget.checked })}
          />
          Always show texts
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={settings.hasShortcuts}
            onChange={({ currentTarget }) => change({ hasShortcuts: currentTarget.checked })}
          />
          Letters as shortcuts
        </label>
        <Field label="Remind me to rest">
          <Choice
            values={BREAKS}
            wordsOf={(count) => (count === '0' ? 'never' : `after ${count} decisions`)}
            value={BREAKS.find((count) => Number(count) === settings.breakAfter)}
            onChoose={(count) => change({ breakAfter: Number(count ?? 0) })}
          />
        </Field>
      </div>
    </details>
  );
}
