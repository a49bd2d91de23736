/** The dialogs that invite people, change accounts and make tokens, and those that show a link or a token once. */
import { ROLES, type Role } from '../../../people/roles.js';
import type { AccountOnTheWire, CreatedInvitation, CreatedToken, TokenOnTheWire } from '../../people/people-schemas.js';
import { announce } from '../shared/announce.js';
import { send } from '../shared/api.js';
import { CopyButton, Field } from '../shared/controls.js';
import { FormDialog, Notice } from '../shared/dialog.js';
import { ROLE_WORDS } from '../shared/person.js';
import { momentOf } from '../shared/words.js';

interface DialogProps {
  readonly onClose: () => void;
  readonly refresh: () => Promise<void>;
}

type TextOf = (name: string) => string;

function RoleField({ value = 'viewer' }: { readonly value?: Role }) {
  return (
    <Field label="Role">
      <select name="role" defaultValue={value}>
        {ROLES.map((role) => (
          <option key={role} value={role} selected={role === value}>
            {ROLE_WORDS[role]}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function Invite({
  onClose,
  refresh,
  showLink,
}: DialogProps & { readonly showLink: (created: CreatedInvitation) => void }) {
  async function invite(textOf: TextOf): Promise<void> {
    const body = { name: textOf('name'), role: textOf('role'), expiresInDays: Number(textOf('days')) };
    showLink(await send<CreatedInvitation>('POST', '/invitations', body));
    await refresh();
  }
  return (
    <FormDialog title="Invite somebody" action="Make a link" onSubmit={invite} onClose={onClose}>
      <Field label="Name" hint="What they sign in with: best their address of mail.">
        <input name="name" required maxLength={200} autofocus autocomplete="off" />
      </Field>
      <RoleField />
      <Field label="The link works">
        <select name="days">
          <option value="7">for 7 days</option>
          <option value="1">for a day</option>
          <option value="30">for 30 days</option>
        </select>
      </Field>
    </FormDialog>
  );
}

export function ChangeAccount({ account, onClose, refresh }: DialogProps & { readonly account: AccountOnTheWire }) {
  async function change(textOf: TextOf): Promise<void> {
    const body = { role: textOf('role'), disabled: textOf('state') === 'disabled' };
    await send('PATCH', `/accounts/${account.id}`, body);
    await refresh();
    announce('Account changed');
    onClose();
  }
  const isDisabled = account.disabledAt !== null;
  return (
    <FormDialog title={`Change ${account.name}`} action="Change" onSubmit={change} onClose={onClose}>
      <RoleField value={account.role} />
      <Field label="May sign in" hint="Disabling ends all sessions of the account.">
        <select name="state">
          <option value="active" selected={!isDisabled}>
            yes
          </option>
          <option value="disabled" selected={isDisabled}>
            no: disabled
          </option>
        </select>
      </Field>
    </FormDialog>
  );
}

export function ResetPassword({
  account,
  onClose,
  refresh,
  showLink,
}: DialogProps & { readonly account: AccountOnTheWire; readonly showLink: (created: CreatedInvitation) => void }) {
  async function reset(): Promise<void> {
    showLink(await send<CreatedInvitation>('POST', `/accounts/${account.id}/reset-password`));
    await refresh();
  }
  return (
    <FormDialog title={`New password for ${account.name}?`} action="Make a link" onSubmit={reset} onClose={onClose}>
      <p>Makes a link with which they set one, once, within a day. The present password goes on until then.</p>
    </FormDialog>
  );
}

export function Link({ created, onClose }: { readonly created: CreatedInvitation; readonly onClose: () => void }) {
  const { path, invitation } = created;
  const address = location.origin + path;
  return (
    <Notice title={`The link for ${invitation.name}`} onClose={onClose}>
      <p class="warning">
        <strong>It is shown only now.</strong> Send it to {invitation.name} and to nobody else. It works once, until{' '}
        {momentOf(invitation.expiresAt)}.
      </p>
      <div class="secret">
        <code tabIndex={0}>{address}</code>
        <CopyButton text={() => address} label="Copy link" />
      </div>
    </Notice>
  );
}

export function CreateToken({
  onClose,
  refresh,
  showToken,
}: DialogProps & { readonly showToken: (created: CreatedToken) => void }) {
  async function create(textOf: TextOf): Promise<void> {
    const days = textOf('days');
    const body = { name: textOf('name'), role: textOf('role'), expiresInDays: days === '' ? null : Number(days) };
    showToken(await send<CreatedToken>('POST', '/tokens', body));
    await refresh();
  }
  return (
    <FormDialog title="New admin token" action="Create token" onSubmit={create} onClose={onClose}>
      <Field label="Name" hint="What uses it. The audit log calls it so.">
        <input
          name="name"
          required
          maxLength={60}
          pattern="[\w.@\-]+"
          autofocus
          autocomplete="off"
          placeholder="backup"
        />
      </Field>
      <RoleField />
      <Field label="Expires">
        <select name="days">
          <option value="90">after 90 days</option>
          <option value="7">after 7 days</option>
          <option value="365">after a year</option>
          <option value="">never</option>
        </select>
      </Field>
    </FormDialog>
  );
}

export function NewToken({ created, onClose }: { readonly created: CreatedToken; readonly onClose: () => void }) {
  return (
    <Notice title={`Your new token: ${created.record.name}`} onClose={onClose}>
      <p class="warning">
        <strong>It is shown only now.</strong> Whoever has it may do here what its role may.
      </p>
      <div class="secret">
        <code tabIndex={0}>{created.token}</code>
        <CopyButton text={() => created.token} label="Copy token" />
      </div>
    </Notice>
  );
}

export function RevokeToken({ record, onClose, refresh }: DialogProps & { readonly record: TokenOnTheWire }) {
  async function revoke(): Promise<void> {
    await send('POST', `/tokens/${record.id}/revoke`);
    await refresh();
    announce('Token revoked');
    onClose();
  }
  return (
    <FormDialog title={`Revoke ${record.name}?`} action="Revoke token" dangerous onSubmit={revoke} onClose={onClose}>
      <p>
        Every request with <code>{record.start}…</code> fails from now on. This cannot be undone.
      </p>
    </FormDialog>
  );
}
