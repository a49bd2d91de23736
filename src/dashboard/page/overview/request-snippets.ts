/** A first request to paste, in the languages of those who will send more. Pure. */

export interface Snippet {
  readonly title: string;
  readonly code: string;
}

const CONTENT = 'Thank you so much, this was lovely.';

/** @param origin of the service: `https://moderation.example.org` */
export function requestSnippets(origin: string, key: string): Snippet[] {
  const url = `${origin}/v1/analyze`;
  return [
    {
      title: 'curl',
      code: `curl -s ${url} \\
  -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' \\
  -d '{"content":"${CONTENT}"}'`,
    },
    {
      title: 'Node',
      code: `const answer = await fetch('${url}', {
  method: 'POST',
  headers: { 'X-API-Key': '${key}', 'Content-Type': 'application/json' },
  body: JSON.stringify({ content: '${CONTENT}' }),
});
console.log(await answer.json());`,
    },
    {
      title: 'Python',
      code: `import json, urllib.request

request = urllib.request.Request(
    "${url}",
    json.dumps({"content": "${CONTENT}"}).encode(),
    {"X-API-Key": "${key}", "Content-Type": "application/json"},
)
print(json.load(urllib.request.urlopen(request)))`,
    },
  ];
}
