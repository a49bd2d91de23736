/** Which metrics and labels a PromQL expression names, by the grammar that Prometheus's own editor uses. */
import { parser } from '@prometheus-io/lezer-promql';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

export interface Selector {
  readonly metric: string;
  /** Label and value; a value of a regular expression is given as its alternatives. */
  readonly matchers: readonly { readonly label: string; readonly values: readonly string[] }[];
}

export interface Names {
  readonly selectors: readonly Selector[];
  /** Labels that the expression groups or joins by. */
  readonly groupings: readonly string[];
}

/** @throws Error when it is not PromQL */
export function namesIn(expression: string): Names {
  const selectors: Selector[] = [];
  const groupings: string[] = [];
  const textOf = (node: SyntaxNode): string => expression.slice(node.from, node.to);
  parser.parse(expression).iterate({
    enter({ node, type }) {
      if (type.isError) throw new Error(`not PromQL at ${node.from}: ${expression}`);
      if (type.name === 'VectorSelector') selectors.push(selectorOf(node, textOf));
      if (type.name === 'GroupingLabels') groupings.push(...node.getChildren('LabelName').map(textOf));
    },
  });
  return { selectors, groupings };
}

function selectorOf(node: SyntaxNode, textOf: (node: SyntaxNode) => string): Selector {
  const identifier = node.getChild('Identifier');
  if (identifier === null) throw new Error(`a selector without a metric: ${textOf(node)}`);
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  return {
    metric: textOf(identifier),
    matchers: matchers.map((matcher) => {
      const [, label = '', value = ''] = /^(\w+)\s*[=!~]+\s*"(.*)"$/.exec(textOf(matcher)) ?? [];
      return { label, values: value.split('|') };
    }),
  };
}
