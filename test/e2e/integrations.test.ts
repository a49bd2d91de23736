/**
 * Promises of docs/integrations: the settings that a page shows are what a program needs that calls as LibreChat and Coral do,
 * and Coral's door of guardrails answers as it signs.
 */
import { execFileSync } from 'node:child_process';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { analyzeCommentResponse, suggestScoreResponse } from '../../src/http/compat/perspective-schemas.js';
import { moderationResponse } from '../../src/http/compat/openai-schemas.js';
import { builtUrl } from '../support/built.js';
import { integrationExample, settingsIn } from '../support/doc-examples.js';
import { coralSignature, DOORS, SIGNING_SECRET } from '../support/guardrail-doors.js';
import { analyzeInDetail, startServiceForAll, type ReadyService } from '../support/service.js';
import { KIND, TOXIC } from '../support/texts.js';

const TOO_LONG = 'a'.repeat(10_001);

let service: ReadyService;
startServiceForAll((started) => (service = started));

const settingsOf = (page: string): Partial<Record<string, string>> => settingsIn(integrationExample(page, service));

describe('LibreChat', () => {
  /** As its api/server/middleware/moderateText.js calls. */
  async function outcomeOf(input: string): Promise<string> {
    const settings = settingsOf('librechat');
    expect(settings.OPENAI_MODERATION).toBe('true');
    const response = await fetch(settings.OPENAI_MODERATION_REVERSE_PROXY ?? '', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${settings.OPENAI_MODERATION_API_KEY ?? ''}`,
      },
      body: JSON.stringify({ input }),
    });
    if (!response.ok) return 'not judged';
    const { results } = moderationResponse.parse(await response.json());
    return results.some(({ flagged }) => flagged) ? 'flagged' : 'passed';
  }

  it('is told what is flagged, without a model in its request', async () => {
    expect(await Promise.all([KIND, TOXIC, TOO_LONG].map(outcomeOf))).toEqual(['passed', 'flagged', 'not judged']);
  });
});

describe('Coral', () => {
  /** As its services/perspective/perspective.ts calls, for a site of another language than the four that it names. */
  async function ask(operation: string, model: (name: string) => object): Promise<unknown> {
    const settings = settingsOf('coral');
    const url = new URL(settings['Custom endpoint'] ?? '');
    url.pathname = posix.join(url.pathname, `/${operation}`);
    url.searchParams.set('key', settings['API key'] ?? '');
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...model(settings['Perspective model'] ?? ''), languages: ['en'] }),
    });
    expect(response.status).toBe(200);
    return response.json();
  }

  it('has a Finnish comment judged as Finnish, although it says English', async () => {
    const judged = async (text: string): Promise<{ toxicity: number | undefined; languages: readonly string[] }> => {
      const answer = await ask('comments:analyze', (name) => ({
        comment: { text },
        doNotStore: true,
        requestedAttributes: { [name]: {} },
      }));
      const { attributeScores, detectedLanguages } = analyzeCommentResponse.parse(answer);
      return { toxicity: attributeScores.TOXICITY?.summaryScore.value, languages: detectedLanguages };
    };
    const toxic = 'Olet saatanan idiootti, turpa kiinni';
    const { toxicity, languages } = await judged(toxic);
    expect(languages).toEqual(['fi']);
    expect(toxicity).toBe((await analyzeInDetail(service, toxic)).details.labels.toxicity);
    expect(toxicity).toBeGreaterThan(0.8);
    expect((await judged('Kiitos paljon, tämä oli ihana juttu')).toxicity).toBeLessThan(0.1);
  });

  it('is answered when a moderator has decided', async () => {
    const answer = await ask('comments:suggestscore', (name) => ({
      comment: { text: TOXIC },
      context: { entries: [{ text: '{"Coral_comment_id":"c-1"}' }] },
      attributeScores: { [name]: { summaryScore: { value: 1 } } },
      communityId: 'Coral:https://comments.example.org',
      clientToken: 'comment:c-1',
    }));
    expect(suggestScoreResponse.parse(answer)).toMatchObject({ clientToken: 'comment:c-1' });
  });

  it('is answered by the signature of what it sends, HTML and all, once the command has given the key its secret', async () => {
    const door = service.address + DOORS.Coral.url.replace('KEY_ID', service.keyId);
    async function statusOf(html: string, signature?: string): Promise<unknown> {
      const body = JSON.stringify(DOORS.Coral.bodyOf(html), null, 2);
      const headers = { 'Content-Type': 'application/json', 'X-Coral-Signature': signature ?? coralSignature(body) };
      const answer = await fetch(door, { method: 'POST', headers, body });
      return answer.status === 200 ? answer.json() : answer.status;
    }
    expect(await statusOf(KIND)).toBe(401);
    const command = [fileURLToPath(builtUrl('cli/parapet.js')), 'keys', 'signing-secret', service.keyId];
    const env = { ...process.env, KEYS_FILE: service.keysFile };
    execFileSync(process.execPath, command, { input: `${SIGNING_SECRET}\n`, env });
    expect(await statusOf(`<b>${KIND}</b><br>`)).toEqual({ actions: [] });
    const rotated = `sha256=${'0'.repeat(64)},${coralSignature(JSON.stringify(DOORS.Coral.bodyOf(KIND), null, 2))}`;
    expect(await statusOf(KIND, rotated)).toEqual({ actions: [] });
    expect(await statusOf(`<div>I will <b>kill</b> you,&nbsp;you idiot</div>`)).toEqual({
      actions: [{ actionType: 'FLAG', reason: 'COMMENT_DETECTED_TOXIC' }],
      status: 'SYSTEM_WITHHELD',
    });
    expect(await statusOf(KIND, coralSignature('another body'))).toBe(401);
    expect(service.lines.join('\n')).not.toContain(SIGNING_SECRET);
  });
});
