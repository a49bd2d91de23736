/** The dialogs that change projects and keys, and the one that shows a new key. */
import type { CreatedKeyResponse, Key, Project } from '../../routes/admin-schemas.js';
import { announce } from '../shared/announce.js';
import { send } from '../shared/api.js';
import { CopyButton, Field } from '../shared/controls.js';
import { FormDialog, Notice } from '../shared/dialog.js';

interface DialogProps {
  readonly onClose: () => void;
  /** Reads projects and keys anew. */
  readonly refresh: () => Promise<void>;
}

interface OfProject extends DialogProps {
  readonly project: Project;
}

interface OfKey extends DialogProps {
  readonly record: Key;
}

interface NewKeyProps {
  readonly showKey: (created: CreatedKeyResponse) => void;
}

function NameField({ hint, value }: { readonly hint: string; readonly value?: string }) {
  return (
    <Field label="Name" hint={hint}>
      <input name="name" required maxLength={100} autofocus defaultValue={value} />
    </Field>
  );
}

export function CreateProject({ onClose, refresh }: DialogProps) {
  async function create(textOf: (name: string) => string): Promise<void> {
    await send('POST', '/projects', { name: textOf('name') });
    await refresh();
    announce('Project created');
    onClose();
  }
  return (
    <FormDialog title="New project" action="Create project" onSubmit={create} onClose={onClose}>
      <NameField hint="One project for each application." />
    </FormDialog>
  );
}

export function RenameProject({ project, onClose, refresh }: OfProject) {
  async function rename(textOf: (name: string) => string): Promise<void> {
    await send('PATCH', `/projects/${project.id}`, { name: textOf('name') });
    await refresh();
    announce('Project renamed');
    onClose();
  }
  return (
    <FormDialog title={`Rename ${project.name}`} action="Rename" onSubmit={rename} onClose={onClose}>
      <NameField hint="Keys stay as they are." value={project.name} />
    </FormDialog>
  );
}

export function ArchiveProject({ project, activeKeys, onClose, refresh }: OfProject & { readonly activeKeys: number }) {
  async function archive(): Promise<void> {
    await send('POST', `/projects/${project.id}/archive`);
    await refresh();
    announce('Project archived');
    onClose();
  }
  const keys = activeKeys === 1 ? 'Its active key is' : `Its ${activeKeys} active keys are`;
  return (
    <FormDialog
      title={`Archive ${project.name}?`}
      action="Archive project"
      dangerous
      onSubmit={archive}
      onClose={onClose}
    >
      <p>
        {activeKeys > 0 && `${keys} revoked at once, and for good. `}
        The project takes no new keys until it is restored; its old keys stay revoked even then.
      </p>
    </FormDialog>
  );
}

export function RestoreProject({ project, onClose, refresh }: OfProject) {
  async function restore(): Promise<void> {
    await send('POST', `/projects/${project.id}/restore`);
    await refresh();
    announce('Project restored');
    onClose();
  }
  return (
    <FormDialog title={`Restore ${project.name}?`} action="Restore project" onSubmit={restore} onClose={onClose}>
      <p>It takes new keys again. Keys that were revoked stay so: create others in their place.</p>
    </FormDialog>
  );
}

export function CreateKey({ project, showKey, onClose, refresh }: OfProject & NewKeyProps) {
  async function create(textOf: (name: string) => string): Promise<void> {
    const numberOrNull = (name: string): number | null => (textOf(name) === '' ? null : Number(textOf(name)));
    const created = await send<CreatedKeyResponse>('POST', '/keys', {
      projectId: project.id,
      name: textOf('name'),
      environment: textOf('environment'),
      expiresInDays: numberOrNull('expiresInDays'),
      rateLimitPerMinute: numberOrNull('rateLimitPerMinute'),
    });
    showKey(created);
    await refresh();
  }
  return (
    <FormDialog title={`New key in ${project.name}`} action="Create key" onSubmit={create} onClose={onClose}>
      <Field label="Label" hint="Who uses it. Separate keys can be revoked separately.">
        <input name="name" required maxLength={100} autofocus placeholder="backend" />
      </Field>
      <Field label="Environment">
        <select name="environment">
          <option value="live">live: for production</option>
          <option value="test">test: for development</option>
        </select>
      </Field>
      <Field label="Expires">
        <select name="expiresInDays">
          <option value="">never</option>
          <option value="30">after 30 days</option>
          <option value="90">after 90 days</option>
          <option value="365">after a year</option>
        </select>
      </Field>
      <Field label="Requests a minute" hint="Empty: the limit of the server.">
        <input name="rateLimitPerMinute" type="number" min={1} max={100_000_000} step={1} inputMode="numeric" />
      </Field>
    </FormDialog>
  );
}

export function RotateKey({ record, showKey, onClose, refresh }: OfKey & NewKeyProps) {
  async function rotate(textOf: (name: string) => string): Promise<void> {
    const overlapHours = Number(textOf('overlapHours'));
    showKey(await send<CreatedKeyResponse>('POST', `/keys/${record.id}/rotate`, { overlapHours }));
    await refresh();
  }
  return (
    <FormDialog title={`Rotate ${record.name}`} action="Rotate key" onSubmit={rotate} onClose={onClose}>
      <p>A new key with the same label, environment, limit and lifetime takes its place.</p>
      <Field label="The old key works">
        <select name="overlapHours">
          <option value="24">for 24 hours more</option>
          <option value="1">for 1 hour more</option>
          <option value="168">for 7 days more</option>
          <option value="0">not at all: it is revoked now</option>
        </select>
      </Field>
    </FormDialog>
  );
}

export function RevokeKey({ record, onClose, refresh }: OfKey) {
  async function revoke(): Promise<void> {
    await send('POST', `/keys/${record.id}/revoke`);
    await refresh();
    announce('Key revoked');
    onClose();
  }
  return (
    <FormDialog title={`Revoke ${record.name}?`} action="Revoke key" dangerous onSubmit={revoke} onClose={onClose}>
      <p>
        Every request with the key <code>{record.start}…</code> fails from now on. This cannot be undone.
      </p>
    </FormDialog>
  );
}

export function NewKey({ created, onClose }: { readonly created: CreatedKeyResponse; readonly onClose: () => void }) {
  return (
    <Notice title={`Your new key: ${created.record.name}`} onClose={onClose}>
      <Secret keyText={created.key} />
    </Notice>
  );
}

export function Secret({ keyText }: { readonly keyText: string }) {
  return (
    <>
      <p class="warning">
        <strong>It is shown only now.</strong> Keep it on servers: never in a page, an app or a repository.
      </p>
      <div class="secret">
        <code tabIndex={0}>{keyText}</code>
        <CopyButton text={() => keyText} label="Copy key" />
      </div>
    </>
  );
}
