/** Writes dist/model-card.json: what Coop shows of the model, from its model card and manifest. Run by `npm run build`. */
import fs = require('node:fs');
import path = require('node:path');

interface Field {
  readonly label: string;
  readonly value: string;
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly fields?: readonly Field[];
  readonly subsections?: readonly { readonly title: string; readonly fields: readonly Field[] }[];
}

export interface ModelFacts {
  readonly modelCard: { readonly modelName: string; readonly version: string; readonly sections: readonly Section[] };
  /** As Coop names them. */
  readonly languages: readonly string[];
  /** By label. */
  readonly thresholds: Readonly<Record<string, number>>;
}

interface Manifest {
  readonly id: string;
  readonly version: string;
  readonly languages: readonly string[];
  readonly calibration: { readonly thresholds: Readonly<Record<string, number>> };
}

/** Where Coop's name is not the English one of the tag. */
const COOP_LANGUAGES: Readonly<Record<string, string>> = { bn: 'BENGALI', 'hi-Latn': 'HINDI', nb: 'NORWEGIAN' };

function languageName(tag: string): string {
  return COOP_LANGUAGES[tag] ?? (new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag).toUpperCase();
}

/** Of the table whose heading begins with `first`: its first cell, and the others by their heading. */
function table(markdown: string, first: string): Field[] {
  const cellsOf = (line: string): string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|') && cellsOf(line)[0] === first);
  if (start < 0) throw new Error(`the model card has no table that begins with "${first}"`);
  const head = cellsOf(lines[start] ?? '');
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) => {
    const [label = '', ...cells] = cellsOf(line);
    const told = cells.flatMap((cell, index) => (cell === '' ? [] : [`${head[index + 1] ?? ''} ${cell}`.trim()]));
    return { label, value: told.join('; ') };
  });
}

function modelCardOf(markdown: string, { id, version, calibration }: Manifest): ModelFacts['modelCard'] {
  const [head = '', ...chapters] = markdown.split(/^## /m);
  const chapter = (title: string): string => {
    const found = chapters.find((each) => each.startsWith(`${title}\n`));
    if (found === undefined) throw new Error(`the model card has no chapter "${title}"`);
    return found.slice(title.length).trim();
  };
  const paragraph = (text: string): string => (text.split('\n\n')[0] ?? '').replaceAll('\n', ' ');
  const [data, figures] = [chapter('Data'), chapter('Figures')];
  const graded = /^\*\*Written or graded by language models\*\*: (.*)$/m.exec(data)?.[1];
  if (graded === undefined) throw new Error('the model card does not say what language models wrote');
  const labels = Object.keys(calibration.thresholds).join(', ');
  return {
    modelName: id,
    version,
    sections: [
      {
        id: 'trainingData',
        title: 'Training Data',
        subsections: [
          { title: 'Model', fields: table(head, '') },
          { title: 'Texts', fields: [{ label: 'In all', value: paragraph(data) }, ...table(data, 'licence')] },
        ],
      },
      {
        id: 'policyAndTaxonomy',
        title: 'Policy and Taxonomy',
        fields: [
          { label: 'Labels', value: `${labels}: independent of each other` },
          { label: 'Policy', value: 'None: each signal is a probability, and the rule sets the threshold.' },
        ],
      },
      {
        id: 'annotationMethodology',
        title: 'Annotation Methodology',
        fields: [
          { label: 'Public sets', value: 'Labels of their authors, mapped by sources.toml and multilingual.toml.' },
          { label: 'Written or graded by language models', value: graded },
        ],
      },
      {
        id: 'performanceBenchmarks',
        title: 'Performance and Benchmarks',
        subsections: [
          { title: 'Test sets', fields: table(figures, 'set') },
          { title: 'Probes', fields: table(figures, 'probes') },
          { title: 'Labels', fields: table(figures, 'label') },
          { title: 'Languages', fields: table(figures, 'language') },
        ],
      },
      {
        id: 'biasAndLimitations',
        title: 'Bias and Limitations',
        fields: [...chapter('Weak spots').matchAll(/^- (.+)$/gm)].map(([, value = ''], index) => ({
          label: `${index + 1}`,
          value,
        })),
      },
      {
        id: 'implementationGuidance',
        title: 'Implementation Guidance',
        fields: [
          { label: 'Intended use', value: paragraph(chapter('Intended use')) },
          {
            label: 'Scores',
            value: 'Calibrated probabilities, 0 to 1. A text that cannot be judged is an error and never 0.',
          },
        ],
      },
      {
        id: 'relevantLinks',
        title: 'Relevant Links',
        fields: [{ label: 'Model card', value: `models/${id}/MODEL_CARD.md in the repository of Parapet` }],
      },
    ],
  };
}

const folder = path.join(__dirname, '../../../models/parapet-multi');
const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as Manifest;
const facts: ModelFacts = {
  modelCard: modelCardOf(fs.readFileSync(path.join(folder, 'MODEL_CARD.md'), 'utf8'), manifest),
  languages: [...new Set(manifest.languages.map(languageName))],
  thresholds: manifest.calibration.thresholds,
};
fs.writeFileSync(path.join(__dirname, 'model-card.json'), JSON.stringify(facts, null, 2));
