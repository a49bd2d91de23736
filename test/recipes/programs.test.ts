/** Promises of docs/integrations: the code and the settings that a page shows are what runs here in Go and PHP, against the built service. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../support/client-package.js';
import { integrationExample, settingsIn } from '../support/doc-examples.js';
import { startServiceForAll, temporaryFolder, type ReadyService } from '../support/service.js';
import { KIND, TOXIC } from '../support/texts.js';
import { output, STOPPED, TOO_LONG } from './program.js';

/** The version of policyserv's go.mod. */
const OPENAI_GO = 'github.com/openai/openai-go/v3@v3.17.0';

let service: ReadyService;
startServiceForAll((started) => (service = started));

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
    async () => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'main.go'), PROGRAM);
      const go = (...argv: string[]) => run('go', ['-C', folder, ...argv]);
      await go('mod', 'init', 'policyserv');
      await go('get', OPENAI_GO);
      await go('build', '-o', 'program', '.');
      const { OPENAI_BASE_URL = '', PS_OPENAI_FILTER_API_KEY = '' } = settingsIn(
        integrationExample('policyserv', service),
      );
      const variables = { OPENAI_BASE_URL, PS_OPENAI_FILTER_API_KEY };
      const outcomes = await output(join(folder, 'program'), [KIND, TOXIC, TOO_LONG, ''], variables);
      expect(outcomes).toEqual(['false false false', 'true true false', 'error', 'error']);
    },
  );
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

  it('holds a comment that does not pass or could not be judged, and leaves others as they are', async () => {
    const folder = temporaryFolder();
    const [plugin, program] = [join(folder, 'parapet.php'), join(folder, 'program.php')];
    writeFileSync(plugin, integrationExample('wordpress', service));
    writeFileSync(program, PROGRAM);
    await run('php', ['-l', plugin]);
    const tell = (...argv: string[]) => output('php', [program, plugin, ...argv], { PARAPET_KEY: service.key });
    expect(await tell(service.address, KIND, TOXIC, TOO_LONG)).toEqual(['1', '0', '0', '"spam"']);
    expect(await tell(STOPPED, KIND)).toEqual(['0', '"spam"']);
  });
});
