import type { Detector, Finding } from '../../../../plugins/guardrails/privacy/search/finding.ts';

/** A text, and everything that a detector should find in it. */
export interface Labelled {
  readonly text: string;
  readonly labels: readonly Finding[];
}

/** Returns a text with a value in the place of `{}`. Without a kind, nothing should be found in it. */
export const labelled = (template: string, value: string, kind?: string): Labelled => {
  const from = template.indexOf('{}');
  return {
    text: template.replace('{}', () => value),
    labels: kind === undefined ? [] : [{ kind, from, to: from + value.length }],
  };
};

export interface Score {
  readonly found: number;
  readonly missed: readonly string[];
  readonly false: readonly string[];
  readonly precision: number;
  readonly recall: number;
}

const covers = (finding: Finding, label: Finding): boolean =>
  finding.kind === label.kind && finding.from <= label.from && finding.to >= label.to;

const marked = (text: string, { kind, from, to }: Finding): string =>
  `${kind}: ${text.slice(0, from)}<<${text.slice(from, to)}>>${text.slice(to)}`;

/** Scores a detector: a label is found if a finding of its kind covers it, and a finding is false if it covers no label. */
export const toScore = (corpus: readonly Labelled[], detect: Detector): Score => {
  let found = 0;
  const missed: string[] = [];
  const wrong: string[] = [];
  for (const { text, labels } of corpus) {
    const findings = detect(text);
    for (const label of labels)
      if (findings.some((finding) => covers(finding, label))) found += 1;
      else missed.push(marked(text, label));
    for (const finding of findings)
      if (!labels.some((label) => covers(finding, label))) wrong.push(marked(text, finding));
  }
  return {
    found,
    missed,
    false: wrong,
    precision: found / Math.max(1, found + wrong.length),
    recall: found / Math.max(1, found + missed.length),
  };
};
