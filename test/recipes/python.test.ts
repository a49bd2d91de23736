/** Promises of docs/integrations: what a page shows runs in Python with the real packages, and LiteLLM's own guardrail understands Parapet's. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { PolicyFields } from '../../src/policies/policy-schema.js';
import { openFileStore } from '../../src/storage/file-store.js';
import { integrationExample } from '../support/doc-examples.js';
import { pythonWith } from '../support/environments.js';
import { startServiceForAll, temporaryFolder, type ReadyService } from '../support/service.js';
import { KIND, TOXIC } from '../support/texts.js';
import { output, STOPPED, TOO_LONG } from './program.js';

const PACKAGES = [
  ...['any-guardrail==0.7.7', 'langchain==1.5.2', 'langchain-openai==1.7.4', 'litellm==1.110.2'],
  // What LiteLLM's proxy has beside it.
  'fastapi',
];
const PACKAGES_OF = '2026-11-28';
const LITELLM_GUARD = fileURLToPath(new URL('litellm-guard.py', import.meta.url));
const THREAT = 'I will find you and kill you';

interface GuardedCase {
  readonly options?: object;
  readonly inputs: object;
  readonly input_type?: 'request' | 'response';
}

let service: ReadyService;
startServiceForAll((started) => (service = started));

describe('programs in Python', () => {
  let python = '';
  beforeAll(async () => {
    python = await pythonWith(PACKAGES, PACKAGES_OF);
  }, 600_000);
  const exampleOf = (name: string): string => integrationExample(name, service);
  const runPython = (...argv: string[]): Promise<string[]> =>
    output(python, argv, {
      PARAPET_URL: service.address,
      PARAPET_KEY: service.key,
      // LiteLLM would ask for its list of prices.
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    });

  /** Python that goes on where the example of a page ends. */
  const goesOn = (page: string, ...code: string[]): Promise<string[]> => {
    const given = ['import sys', 'kind, toxic, too_long, stopped = sys.argv[1:]'];
    const program = [page, ...given, ...code].join('\n');
    return runPython('-c', program, KIND, TOXIC, TOO_LONG, STOPPED);
  };

  it('LiteLLM refuses what Parapet flags or cannot judge', async () => {
    const { guardrails } = z.object({ guardrails: z.tuple([z.unknown()]) }).parse(parse(exampleOf('litellm')));
    const outcomes = await goesOn(
      `given = ${JSON.stringify(JSON.stringify(guardrails[0]))}`,
      'import asyncio, json',
      'from litellm.proxy.guardrails.guardrail_hooks.openai import guardrail_class_registry',
      'from litellm.secret_managers.main import get_secret',
      'shown = json.loads(given)',
      'params = shown["litellm_params"]',
      'kind_of_guardrail = guardrail_class_registry[params["guardrail"]]',
      'async def tell(text, api_base=params["api_base"]):',
      '    guardrail = kind_of_guardrail(guardrail_name=shown["guardrail_name"], api_key=get_secret(params["api_key"]), api_base=api_base)',
      '    try:',
      '        await guardrail.apply_guardrail(inputs={"texts": [text]}, request_data={}, input_type="request")',
      '        print("passed")',
      '    except Exception as error:',
      '        print("refused:", getattr(error, "detail", {}).get("error", "not judged"))',
      'async def main():',
      '    for text in (kind, toxic, too_long):',
      '        await tell(text)',
      '    await tell(kind, stopped)',
      'asyncio.run(main())',
    );
    expect(outcomes).toEqual([
      'passed',
      'refused: Violated OpenAI moderation policy',
      'refused: not judged',
      'refused: not judged',
    ]);
  });

  it('LangChain ends a conversation before and after the model, and raises where nothing is judged', async () => {
    const outcomes = await goesOn(
      exampleOf('langchain'),
      'from langchain_core.language_models.fake_chat_models import GenericFakeChatModel',
      'from langchain_core.messages import AIMessage',
      'agent = guarded(GenericFakeChatModel(messages=iter([AIMessage("Hello."), AIMessage(toxic)])))',
      'for said in (kind, toxic, kind):',
      '    print(agent.invoke({"messages": [("user", said)]})["messages"][-1].content)',
      'try:',
      '    print(agent.invoke({"messages": [("user", too_long)]}))',
      'except Exception as error:',
      '    print(type(error).__name__)',
    );
    const refused = expect.stringContaining('flagged for harassment') as string;
    expect(outcomes).toEqual(['Hello.', refused, refused, 'BadRequestError']);
  });

  it('any-guardrail finds valid what Parapet does not flag, and raises where nothing is judged', async () => {
    const outcomes = await goesOn(
      exampleOf('any-guardrail'),
      'print(guardrail.validate(kind).valid)',
      'try:',
      '    print(guardrail.validate(too_long).valid)',
      'except Exception as error:',
      '    print(type(error).__name__)',
    );
    expect(outcomes).toEqual(["False ['harassment']", 'True', 'BadRequestError']);
  });

  it('Open WebUI refuses a message that does not pass or could not be judged', async () => {
    const outcomes = await goesOn(
      exampleOf('open-webui'),
      'import asyncio, os',
      'picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}',
      'def tell(content, **valves):',
      '    shown = Filter()',
      '    shown.valves = Filter.Valves(**({"url": os.environ["PARAPET_URL"], "key": os.environ["PARAPET_KEY"]} | valves))',
      '    body = {"messages": [{"role": "user", "content": toxic}, {"role": "user", "content": content}]}',
      '    try:',
      '        print(asyncio.run(shown.inlet(body)) == body)',
      '    except Exception as error:',
      '        print(error)',
      'for content in (kind, toxic, [picture, {"type": "text", "text": toxic}], [picture], too_long):',
      '    tell(content)',
      'tell(kind, key="wrong")',
      'tell(kind, url=stopped)',
    );
    const [failed, unknown] = [/^Failed: /, /^The message could not be checked/].map(
      (pattern) => expect.stringMatching(pattern) as string,
    );
    expect(outcomes).toEqual(['True', failed, failed, 'True', unknown, unknown, unknown]);
  });

  describe("LiteLLM's class for guardrails", () => {
    async function outcomesOf(...cases: readonly GuardedCase[]): Promise<unknown[]> {
      const options = { api_base: service.address, api_key: service.key };
      const file = join(temporaryFolder(), 'cases.json');
      writeFileSync(file, JSON.stringify(cases.map((each) => ({ ...each, options: { ...options, ...each.options } }))));
      return (await runPython(LITELLM_GUARD, file)).map((line) => JSON.parse(line) as unknown);
    }

    it('lets through, blocks with the reason, masks, and fails closed', async () => {
      const { policies } = openFileStore(service.keysFile);
      const { projectId = '' } = (await openFileStore(service.keysFile).keys.list())[0] ?? {};
      const texts = [KIND, KIND];
      const image = { texts, images: ['data:image/png;base64,AAAA'] };
      expect(
        await outcomesOf(
          { inputs: { texts } },
          { inputs: { texts: Array<string>(300).fill(KIND) }, input_type: 'response' },
          { inputs: { texts: [KIND, THREAT] } },
          { inputs: { texts: [KIND, THREAT] }, input_type: 'response' },
          { inputs: { texts: ['x'.repeat(10_001)] } },
          { inputs: image },
          { inputs: { texts: Array<string>(10_000).fill(KIND) } },
          { inputs: { texts }, options: { api_key: `${service.key}x` } },
          { inputs: { texts }, options: { api_base: 'http://127.0.0.1:9' } },
          { inputs: { texts }, options: { api_key: `${service.key}x`, unreachable_fallback: 'fail_open' } },
        ),
      ).toEqual([
        { through: { texts } },
        { through: { texts: Array<string>(300).fill(KIND) } },
        { blocked: expect.stringMatching(/^Failed: threat/) as string },
        { blocked: expect.stringMatching(/^Failed: threat/) as string },
        { blocked: 'Not judged: a text of more than 10000 characters.' },
        { blocked: 'Not judged: images.' },
        { failed: expect.stringContaining('400 Bad Request') as string },
        { failed: expect.stringContaining('401 Unauthorized') as string },
        { failed: expect.stringMatching(/^Generic Guardrail API failed/) as string },
        { failed: expect.stringContaining('401 Unauthorized') as string },
      ]);
      const masking: PolicyFields = {
        unreadable: 'pass',
        categories: { insult: { action: 'mask' } },
        blockedTerms: ['train*'],
        blockedTermsAction: 'mask',
      };
      await policies.edit(projectId, () => masking, { by: 'command line' });
      const insulting = `The train leaves at nine. ${TOXIC}. ${KIND}.`;
      expect(await outcomesOf({ inputs: { texts: [KIND, insulting] } }, { inputs: image })).toEqual([
        {
          through: {
            texts: [KIND, expect.stringMatching(/^The \[masked\] leaves at nine\. \[masked\] .*lovely/) as string],
          },
        },
        { through: image },
      ]);
      expect(service.lines.join('\n')).not.toContain('PLANTED');
      // It is imported twice, which takes longest.
    }, 180_000);
  });
});
