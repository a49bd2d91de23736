/**
 * Promises of docs/integrations: the code and the settings that a page shows are what runs here, with the real packages, against the built
 * service. Where a package cannot be had, a test is skipped; in CI it fails.
 */
import { writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { analyzeCommentResponse, suggestScoreResponse } from '../../src/http/compat/perspective-schemas.js';
import { moderationResponse } from '../../src/http/compat/openai-schemas.js';
import { run } from '../support/client-package.js';
import { examplesOf } from '../support/doc-examples.js';
import { hadOrSkipped, pythonWith } from '../support/python-environment.js';
import { analyzeInDetail, startServiceForAll, temporaryFolder, type ReadyService } from '../support/service.js';
import { KIND, TOXIC } from '../support/texts.js';

const PYTHON_PACKAGES = [
  ...['any-guardrail==0.7.7', 'langchain==1.5.2', 'langchain-openai==1.7.4', 'litellm==1.110.2'],
  // What LiteLLM's proxy has beside it.
  'fastapi',
];
const PYTHON_PACKAGES_OF = '2026-11-28';
/** The version of policyserv's go.mod. */
const OPENAI_GO = 'github.com/openai/openai-go/v3@v3.17.0';
/** Nobody listens. */
const STOPPED = 'http://127.0.0.1:1';

const TOO_LONG = 'a'.repeat(10_001);

let service: ReadyService;
startServiceForAll((started) => (service = started));

/** The one example of a page, with the address and key of the service in place of those that it shows. */
function exampleOf(name: string): string {
  const [example, ...others] = examplesOf(`docs/integrations/${name}.md`);
  expect(others).toEqual([]);
  const code = example?.code ?? '';
  return code.replaceAll('http://127.0.0.1:3000', service.address).replaceAll('YOUR_KEY', service.key);
}

const settingsIn = (ini: string): Partial<Record<string, string>> =>
  Object.fromEntries([...ini.matchAll(/^(.+?) ?= ?(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

/** @returns the lines of standard output */
async function output(
  command: string,
  argv: readonly string[],
  variables: Record<string, string> = {},
): Promise<string[]> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, PARAPET_URL: service.address, PARAPET_KEY: service.key, ...variables };
  return (await run(command, argv, { env })).stdout.trimEnd().split('\n');
}

describe('programs in Python', () => {
  let python: string | undefined;
  beforeAll(async () => {
    python = await hadOrSkipped(pythonWith(PYTHON_PACKAGES, PYTHON_PACKAGES_OF));
  }, 600_000);

  /** Python that goes on where the example of a page ends. */
  const goesOn = (page: string, ...code: string[]): Promise<string[]> => {
    const given = ['import sys', 'kind, toxic, too_long, stopped = sys.argv[1:]'];
    const program = [page, ...given, ...code].join('\n');
    // LiteLLM would ask for its list of prices.
    return output(python ?? '', ['-c', program, KIND, TOXIC, TOO_LONG, STOPPED], {
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    });
  };
  const inPython = (name: string, promise: string, test: () => Promise<void>): void => {
    it(`${name} ${promise}`, { timeout: 300_000 }, async ({ skip }) => {
      skip(python === undefined, 'its packages cannot be installed');
      await test();
    });
  };

  inPython('LiteLLM', 'refuses what Parapet flags or cannot judge', async () => {
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

  inPython(
    'LangChain',
    'ends a conversation before and after the model, and raises where nothing is judged',
    async () => {
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
    },
  );

  inPython('any-guardrail', 'finds valid what Parapet does not flag, and raises where nothing is judged', async () => {
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

  inPython('Open WebUI', 'refuses a message that does not pass or could not be judged', async () => {
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
});

describe('policyserv', () => {
  /** As its ai/openai_omni_moderation.go calls. */
  const PROGRAM = `package main

import (
	"context"
	"fmt"
	"os"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

func main() {
	client := openai.NewClient(option.WithAPIKey(os.Getenv("PS_OPENAI_FILTER_API_KEY")))
	for _, text := range os.Args[1:] {
		res, err := client.Moderations.New(context.Background(), openai.ModerationNewParams{
			Model: openai.ModerationModelOmniModerationLatest,
			Input: openai.ModerationNewParamsInputUnion{OfString: openai.String(text)},
		})
		if err != nil {
			fmt.Println("error")
			continue
		}
		fmt.Println(res.Results[0].Flagged, res.Results[0].Categories.Harassment, res.Results[0].Categories.SexualMinors)
	}
}
`;

  it(
    'is told by the client for Go what is flagged, at the address of the environment',
    { timeout: 600_000 },
    async ({ skip }) => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'main.go'), PROGRAM);
      const go = (...argv: string[]) => run('go', ['-C', folder, ...argv]);
      const built = await hadOrSkipped(
        go('mod', 'init', 'policyserv')
          .then(() => go('get', OPENAI_GO))
          .then(() => go('build', '-o', 'program', '.')),
      );
      skip(built === undefined, 'Go or its packages are not at hand');
      const { OPENAI_BASE_URL = '', PS_OPENAI_FILTER_API_KEY = '' } = settingsIn(exampleOf('policyserv'));
      const variables = { OPENAI_BASE_URL, PS_OPENAI_FILTER_API_KEY };
      const outcomes = await output(join(folder, 'program'), [KIND, TOXIC, TOO_LONG, ''], variables);
      expect(outcomes).toEqual(['false false false', 'true true false', 'error', 'error']);
    },
  );
});

describe('LibreChat', () => {
  /** As its api/server/middleware/moderateText.js calls. */
  async function outcomeOf(input: string): Promise<string> {
    const settings = settingsIn(exampleOf('librechat'));
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
    const settings = settingsIn(exampleOf('coral'));
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
});

describe('WordPress', () => {
  /** The functions of WordPress that the plug-in calls; then what it makes of comments that are approved or not. */
  const PROGRAM = `<?php
define('PARAPET_URL', $argv[2]);
define('PARAPET_KEY', getenv('PARAPET_KEY'));
function add_filter($name, $callback, $priority, $arguments) { $GLOBALS['filter'] = $callback; }
function wp_json_encode($value) { return json_encode($value); }
function wp_remote_post($url, $given) {
    $header = array_map(fn ($name, $value) => "$name: $value", array_keys($given['headers']), $given['headers']);
    $http = ['method' => 'POST', 'header' => $header, 'content' => $given['body'], 'timeout' => $given['timeout'], 'ignore_errors' => true];
    $body = @file_get_contents($url, false, stream_context_create(['http' => $http]));
    return $body === false ? null : ['code' => (int) explode(' ', $http_response_header[0])[1], 'body' => $body];
}
function wp_remote_retrieve_response_code($answer) { return $answer['code'] ?? ''; }
function wp_remote_retrieve_body($answer) { return $answer['body'] ?? ''; }
require $argv[1];
foreach (array_slice($argv, 3) as $text) echo json_encode($filter(1, ['comment_content' => $text])), "\n";
echo json_encode($filter('spam', ['comment_content' => $argv[3]])), "\n";
`;

  it('holds a comment that does not pass or could not be judged, and leaves others as they are', async ({ skip }) => {
    const folder = temporaryFolder();
    const [plugin, program] = [join(folder, 'parapet.php'), join(folder, 'program.php')];
    writeFileSync(plugin, exampleOf('wordpress'));
    writeFileSync(program, PROGRAM);
    const linted = await hadOrSkipped(run('php', ['-l', plugin]));
    skip(linted === undefined, 'PHP is not at hand');
    const outcomes = await output('php', [program, plugin, service.address, KIND, TOXIC, TOO_LONG]);
    expect(outcomes).toEqual(['1', '0', '0', '"spam"']);
    expect(await output('php', [program, plugin, STOPPED, KIND])).toEqual(['0', '"spam"']);
  });
});
