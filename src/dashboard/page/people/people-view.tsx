/** Who may do what: accounts, invitations, who is signed in, and tokens of scripts. For owners. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type {
  AccountOnTheWire,
  CreatedInvitation,
  CreatedToken,
  InvitationOnTheWire,
  SessionOnTheWire,
  TokenOnTheWire,
} from '../../people/people-schemas.js';
import { announce } from '../shared/announce.js';
import { send } from '../shared/api.js';
import { Alert } from '../shared/controls.js';
import { FoldingTable } from '../shared/folding-table.js';
import { SessionTable } from '../shared/session-table.js';
import { useAnswer } from '../shared/use-answer.js';
import { dateOf, messageOf, momentOf } from '../shared/words.js';
import { ChangeAccount, CreateToken, Invite, Link, NewToken, ResetPassword, RevokeToken } from './people-dialogs.js';

export function PeopleView() {
  const accounts = useAnswer<{ accounts: AccountOnTheWire[] }>('/accounts');
  const invitations = useAnswer<{ invitations: InvitationOnTheWire[] }>('/invitations');
  const sessions = useAnswer<{ sessions: SessionOnTheWire[] }>('/sessions');
  const tokens = useAnswer<{ tokens: TokenOnTheWire[] }>('/tokens');
  const [dialog, setDialog] = useState<ComponentChildren>();
  const [problem, setProblem] = useState<string>();

  async function refresh(): Promise<void> {
    await Promise.all([accounts, invitations, sessions, tokens].map((each) => each.refresh()));
  }
  const context = { refresh, onClose: () => setDialog(undefined) };
  const showLink = (created: CreatedInvitation): void =>
    setDialog(<Link created={created} onClose={context.onClose} />);
  const showToken = (created: CreatedToken): void =>
    setDialog(<NewToken created={created} onClose={context.onClose} />);

  async function withdraw({ id, name }: InvitationOnTheWire): Promise<void> {
    try {
      await send('DELETE', `/invitations/${id}`);
      announce(`Invitation of ${name} withdrawn`);
      await refresh();
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  return (
    <div class="stack people">
      <div class="title">
        <h1>People</h1>
        <button type="button" class="primary" onClick={() => setDialog(<Invite {...context} showLink={showLink} />)}>
          Invite somebody
        </button>
      </div>
      <Alert>{problem ?? accounts.problem ?? invitations.problem ?? sessions.problem ?? tokens.problem}</Alert>
      {accounts.answer && (
        <Section id="accounts" title="Accounts" empty="Only the owner, with the password of the service.">
          {accounts.answer.accounts.length > 0 && (
            <AccountTable
              accounts={accounts.answer.accounts}
              buttonsOf={(account) => (
                <>
                  {account.disabledAt === null && (
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`New password for ${account.name}`}
                      onClick={() => setDialog(<ResetPassword {...context} account={account} showLink={showLink} />)}
                    >
                      New password
                    </button>
                  )}
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`Change ${account.name}`}
                    onClick={() => setDialog(<ChangeAccount {...context} account={account} />)}
                  >
                    Change
                  </button>
                </>
              )}
            />
          )}
        </Section>
      )}
      {invitations.answer && invitations.answer.invitations.length > 0 && (
        <Section id="invitations" title="Invitations">
          <FoldingTable
            headings={['For', 'Role', 'From', 'Works until']}
            rows={invitations.answer.invitations.map((each) => ({
              key: each.id,
              head: each.name,
              cells: [
                each.resetsPassword ? 'new password' : each.role,
                each.createdBy,
                new Date(each.expiresAt) > new Date() ? momentOf(each.expiresAt) : 'expired',
              ],
              buttons: (
                <button
                  type="button"
                  class="quiet danger"
                  aria-label={`Withdraw the invitation of ${each.name}`}
                  onClick={() => void withdraw(each)}
                >
                  Withdraw
                </button>
              ),
            }))}
          />
        </Section>
      )}
      {sessions.answer && (
        <Section id="sessions" title="Signed in now">
          <SessionTable
            sessions={sessions.answer.sessions}
            path="/sessions"
            onProblem={(error) => setProblem(messageOf(error))}
            refresh={refresh}
          />
        </Section>
      )}
      {tokens.answer && (
        <Section
          id="tokens"
          title="Admin tokens"
          empty="With one a script does here what its role may, as Authorization: Bearer."
          button={
            <button type="button" onClick={() => setDialog(<CreateToken {...context} showToken={showToken} />)}>
              New token
            </button>
          }
        >
          {tokens.answer.tokens.length > 0 && (
            <TokenTable
              tokens={tokens.answer.tokens}
              onRevoke={(record) => setDialog(<RevokeToken {...context} record={record} />)}
            />
          )}
        </Section>
      )}
      {dialog}
    </div>
  );
}

interface SectionProps {
  readonly id: string;
  readonly title: string;
  /** Said where there is nothing in it. */
  readonly empty?: string;
  readonly button?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Section({ id, title, empty, button, children }: SectionProps) {
  return (
    <section class="card" id={id} tabIndex={-1} aria-labelledby={`${id}-title`}>
      <div class="title">
        <h2 id={`${id}-title`}>{title}</h2>
        {button}
      </div>
      {children === false && empty !== undefined ? <p class="hint">{empty}</p> : children}
    </section>
  );
}

interface AccountTableProps {
  readonly accounts: readonly AccountOnTheWire[];
  readonly buttonsOf: (account: AccountOnTheWire) => ComponentChildren;
}

function AccountTable({ accounts, buttonsOf }: AccountTableProps) {
  const rows = accounts.map((account) => ({
    key: account.id,
    class: account.disabledAt === null ? '' : 'ended',
    head: account.name,
    cells: [
      <span class="badge">{account.role}</span>,
      account.disabledAt === null ? waysInWords(account) : `disabled ${dateOf(account.disabledAt)}`,
      `${dateOf(account.createdAt)}, by ${account.createdBy}`,
    ],
    buttons: buttonsOf(account),
  }));
  return <FoldingTable headings={['Name', 'Role', 'Signs in', 'Since']} rows={rows} />;
}

function waysInWords({ hasPassword, signsInElsewhere }: AccountOnTheWire): string {
  const ways = [...(hasPassword ? ['by password'] : []), ...(signsInElsewhere ? ['with a provider'] : [])];
  return ways.join(', ') || 'at the proxy';
}

interface TokenTableProps {
  readonly tokens: readonly TokenOnTheWire[];
  readonly onRevoke: (record: TokenOnTheWire) => void;
}

function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  const rows = tokens.map((record) => {
    const { id, name, start, role, createdBy, expiresAt, revokedAt, usedAt } = record;
    return {
      key: id,
      class: revokedAt === null ? '' : 'ended',
      head: (
        <>
          <span class="name">{name}</span>
          <code>{start}…</code>
        </>
      ),
      cells: [
        <span class="badge">{role}</span>,
        createdBy,
        revokedAt !== null ? `revoked ${dateOf(revokedAt)}` : expiresAt === null ? 'never' : momentOf(expiresAt),
        usedAt === null ? 'never' : momentOf(usedAt),
      ],
      buttons:
        revokedAt === null ? (
          <button type="button" class="quiet danger" aria-label={`Revoke ${name}`} onClick={() => onRevoke(record)}>
            Revoke
          </button>
        ) : (
          ''
        ),
    };
  });
  return <FoldingTable headings={['Token', 'Role', 'From', 'Ends', 'Last used']} rows={rows} />;
}
