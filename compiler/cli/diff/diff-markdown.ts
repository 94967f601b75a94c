import { callLabels } from './call-labels.ts';
import { changeWords, undecidedText } from './change-words.ts';
import { type ConfigDiff, isSameConfig } from './compare-sources.ts';
import { maxShownChanges, moreText, oneSidedText, unchangedText } from './diff-text.ts';
import { hasWrittenCredential, planChanges } from './plan-changes.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '@': '&#64;',
  '|': '&#124;',
};

/** Escapes a text so that nothing in it is markup, a link or a mention. */
const escaped = (text: string): string =>
  text
    .replace(/[&<>@|]/g, (sign) => entities[sign] ?? sign)
    .replace(/[\\`*_{}[\]()#!~]/g, (sign) => `\\${sign}`)
    .replace(/\s*[\r\n]+\s*/g, ' ');

/** Formats lines with their indentation preserved. */
const cell = (lines: readonly string[]): string =>
  lines
    .map((line) => {
      const text = line.trimStart();
      return `${'&nbsp;'.repeat(line.length - text.length)}${escaped(text)}`;
    })
    .join('<br>');

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const configLines = (config: ConfigDiff): readonly string[] => {
  if (config.kind !== 'both') return [escaped(oneSidedText(config))];
  const { name, before, after, diff } = config;
  const labels = callLabels(diff.before, diff.after);
  const notes = hasWrittenCredential(before, after)
    ? ['', 'Credentials that are written out in a config were not compared.']
    : [];
  if (isSameConfig(config)) return [escaped(unchangedText(name)), ...notes];
  const rows = [
    ...diff.changes.slice(0, maxShownChanges).map((change) => {
      const words = changeWords(change, diff, labels);
      return row(
        cell([words.requests, ...(words.only === undefined ? [] : [words.only])]),
        cell(words.before),
        cell(words.after),
      );
    }),
    ...planChanges(before, after).map((each) => row(escaped(each.name), escaped(each.before), escaped(each.after))),
  ];
  return [
    `**${escaped(name)}**: ${diff.changes.length === 0 ? 'no change was found in where requests go.' : 'requests are treated otherwise.'}`,
    ...(rows.length === 0 ? [] : ['', row('', 'before', 'after'), row('---', '---', '---'), ...rows]),
    ...moreText(diff.changes).flatMap((more) => ['', more]),
    ...(diff.hasUnchanged && diff.changes.length > 0 ? ['', 'All other requests are treated as before.'] : []),
    ...diff.undecided.flatMap((undecided) => ['', escaped(undecidedText(undecided))]),
    ...notes,
  ];
};

/** Formats the changes of several configs as a comment for a pull request. Ends with a newline. */
export const diffMarkdown = (configs: readonly ConfigDiff[]): string =>
  `${configs.map((config) => configLines(config).join('\n')).join('\n\n')}\n`;
