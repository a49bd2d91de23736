/** The webhook of a project: its address, its secret, and what could not be sent. */
import { useState } from 'preact/hooks';
import type { Project } from '../../routes/admin-schemas.js';
import type { WebhookResponse, WebhookSecretResponse } from '../../routes/webhook-schemas.js';
import { announce } from '../shared/announce.js';
import { send } from '../shared/api.js';
import { Alert, CopyButton, Facts, Field } from '../shared/controls.js';
import { Notice } from '../shared/dialog.js';
import { FoldingTable } from '../shared/folding-table.js';
import { useAnswer } from '../shared/use-answer.js';
import { useQuestion } from '../shared/use-question.js';
import { momentOf } from '../shared/words.js';

interface WebhookDialogProps {
  readonly project: Project;
  readonly onClose: () => void;
}

const OVERLAP_HOURS = 24;

export function WebhookDialog({ project, onClose }: WebhookDialogProps) {
  const path = `/projects/${project.id}/webhook`;
  const { answer, problem, refresh } = useAnswer<WebhookResponse>(path);
  const [secret, setSecret] = useState<string | null>(null);
  const { problem: refusal, isAsking, ask } = useQuestion<undefined>();

  const act = (work: () => Promise<void>, done: string): void =>
    void ask(async () => {
      await work();
      await refresh();
      announce(done);
      return undefined;
    });

  function save(event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): void {
    event.preventDefault();
    const url = new FormData(event.currentTarget).get('url');
    act(async () => {
      const created = await send<WebhookSecretResponse>('PUT', path, { url });
      if (created.secret !== null) setSecret(created.secret);
    }, 'Saved');
  }

  const { webhook = null, deliveries = [] } = answer ?? {};
  const given = deliveries.filter(({ state }) => state === 'dead').length;
  return (
    <Notice title={`Webhook of ${project.name}`} onClose={onClose}>
      <Alert>{refusal ?? problem}</Alert>
      {webhook?.disabledAt && (
        <p class="warning">
          Switched off on {momentOf(webhook.disabledAt)}: nothing came through for a day, or the other side wants no
          more. Send again, or save the address, to switch it on.
        </p>
      )}
      {answer && (
        <form onSubmit={save}>
          <Field label="Address" hint="Told what comes of reviews and appeals, signed, without a text.">
            <input
              name="url"
              type="url"
              required
              maxLength={2000}
              placeholder="https://shop.example/parapet"
              defaultValue={webhook?.url}
            />
          </Field>
          <div class="actions">
            <button class="primary" disabled={isAsking}>
              Save
            </button>
          </div>
        </form>
      )}
      {secret !== null && (
        <div class="secret">
          <p>This is the only time that the secret is shown. Requests are signed with it.</p>
          <code>{secret}</code>
          <CopyButton text={() => secret} label="Copy secret" />
        </div>
      )}
      {webhook && (
        <>
          <Facts
            facts={[
              ['Taken last', webhook.succeededAt === null ? 'never' : momentOf(webhook.succeededAt)],
              ...(webhook.earlierSecretUntil === null
                ? []
                : [['Earlier secret signs until', momentOf(webhook.earlierSecretUntil)] as const]),
            ]}
          />
          <div class="buttons">
            <button
              type="button"
              disabled={isAsking}
              onClick={() => act(() => send('POST', `${path}/test`), 'A test is on its way')}
            >
              Send a test
            </button>
            <button
              type="button"
              disabled={isAsking}
              onClick={() =>
                act(async () => {
                  const rotated = await send<WebhookSecretResponse>('POST', `${path}/rotate`, {
                    overlapHours: OVERLAP_HOURS,
                  });
                  setSecret(rotated.secret);
                }, 'New secret')
              }
            >
              New secret
            </button>
            {given > 0 && (
              <button
                type="button"
                disabled={isAsking}
                onClick={() => act(() => send('POST', `${path}/send-again`), 'Sent again')}
              >
                Send again ({given})
              </button>
            )}
            <button
              type="button"
              class="danger"
              disabled={isAsking}
              onClick={() =>
                act(async () => {
                  await send('DELETE', path);
                  setSecret(null);
                }, 'Removed')
              }
            >
              Remove
            </button>
          </div>
          <p class="hint">
            For {OVERLAP_HOURS} hours after a new secret the earlier one signs too. Removing forgets what waits.
          </p>
        </>
      )}
      {deliveries.length > 0 && <Deliveries deliveries={deliveries} />}
    </Notice>
  );
}

function Deliveries({ deliveries }: Pick<WebhookResponse, 'deliveries'>) {
  return (
    <FoldingTable
      headings={['Event', 'Attempts', 'Next', 'Problem']}
      rows={deliveries.map(({ id, type, createdAt, attempts, nextAt, problem }) => ({
        key: id,
        head: (
          <>
            {type}
            <small>{momentOf(createdAt)}</small>
          </>
        ),
        cells: [attempts, nextAt === null ? 'given up' : momentOf(nextAt), problem ?? '–'],
      }))}
    />
  );
}
