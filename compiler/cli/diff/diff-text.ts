import { formatCount } from '../../../schema/text/format-count.ts';
import { printable } from '../../../schema/text/printable.ts';
import { callLabels } from './call-labels.ts';
import { changeWords, undecidedText } from './change-words.ts';
import { type ConfigDiff, isSameConfig } from './compare-sources.ts';
import { hasWrittenCredential, planChanges } from './plan-changes.ts';

const labelled = (label: string, lines: readonly string[]): readonly string[] =>
  lines.map((line, index) => `  ${(index === 0 ? label : '').padEnd(7)}  ${line}`);

const pairs = (rows: readonly { readonly name: string; readonly before: string; readonly after: string }[]) => {
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  return rows.map(({ name, before, after }) => `  ${name.padEnd(width)}  ${before} → ${after}`);
};

/** Further changes of one config are only counted. */
export const maxShownChanges = 50;

/** States that not all changes are shown; empty if they are. */
export const moreText = (changes: readonly unknown[]): readonly string[] =>
  changes.length > maxShownChanges
    ? [`${changes.length - maxShownChanges} more kinds of requests change; --format json has all of them.`]
    : [];

const writtenNote = 'Credentials that are written out in a config were not compared.';

/** The sentence for a config that is unchanged. */
export const unchangedText = (name: string): string => `${name}: no change in behaviour.`;

/** Returns a sentence on a config that only one side has. */
export const oneSidedText = (config: Exclude<ConfigDiff, { readonly kind: 'both' }>): string =>
  config.kind === 'added'
    ? `${config.name}: is new (${config.after.file}).`
    : `${config.name}: is gone (${config.before.file}).`;

const configLines = (config: ConfigDiff): readonly string[] => {
  if (config.kind !== 'both') return [oneSidedText(config)];
  const { name, before, after, diff } = config;
  const labels = callLabels(diff.before, diff.after);
  const notes = hasWrittenCredential(before, after) ? [writtenNote] : [];
  if (isSameConfig(config)) return [unchangedText(name), ...notes];
  const whole = planChanges(before, after);
  const { changes, undecided, hasUnchanged } = diff;
  return [
    `${name}: ${changes.length === 0 ? 'no change was found in where requests go' : `behaviour changes for ${formatCount(changes.length, 'kind')} of requests`}.`,
    ...changes.slice(0, maxShownChanges).flatMap((change) => {
      const words = changeWords(change, diff, labels);
      return [
        '',
        [words.requests, ...(words.only === undefined ? [] : [words.only])].join(', '),
        ...labelled('before', words.before),
        ...labelled('after', words.after),
        ...(words.example === undefined ? [] : labelled('such as', [words.example])),
      ];
    }),
    ...moreText(changes).flatMap((more) => ['', more]),
    ...(hasUnchanged && changes.length > 0 ? ['', 'All other requests are treated as before.'] : []),
    ...(undecided.length === 0 ? [] : ['', ...undecided.map(undecidedText)]),
    ...(whole.length === 0 ? [] : ['', 'The whole config', ...pairs(whole)]),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ];
};

/** Formats the changes of several configs as text. Ends with a newline. */
export const diffText = (configs: readonly ConfigDiff[]): string =>
  `${configs.map((config) => configLines(config).map(printable).join('\n')).join('\n\n')}\n`;
