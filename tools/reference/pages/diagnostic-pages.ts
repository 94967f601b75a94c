import { fixedHint, withoutPlaceholders } from '../../../compiler/cli/explain/error-codes/open-text.ts';
import { renderDiagnostic } from '../../../compiler/diagnostic-text/render.ts';
import { codeExamples } from '../../../compiler/diagnostics/examples/code-examples.ts';
import { credentialDiagnostics } from '../../../compiler/diagnostics/table/credential-diagnostics.ts';
import { nameDiagnostics } from '../../../compiler/diagnostics/table/name-diagnostics.ts';
import { routingDiagnostics } from '../../../compiler/diagnostics/table/routing-diagnostics.ts';
import { settingDiagnostics } from '../../../compiler/diagnostics/table/setting-diagnostics.ts';
import { shapeDiagnostics } from '../../../compiler/diagnostics/table/shape-diagnostics.ts';
import { type DiagnosticCode, diagnosticTable } from '../../../compiler/diagnostics/table.ts';
import type { FindingExplanation } from '../../../schema/errors/explanations/finding-explanation.ts';
import { findingExplanations } from '../../../schema/errors/explanations/finding-explanations.ts';
import { caseFile, codeCases, compileCase } from '../../../test/compiler/diagnostics/compile-case.ts';
import { errorLink, isError } from '../error-links.ts';
import { code, described, fence, prose, type ReferencePage, table, toPage } from '../markdown.ts';

const areas = [
  { title: 'The shape of configs', rows: shapeDiagnostics },
  { title: 'Names', rows: nameDiagnostics },
  { title: 'Weights, statuses and conditions', rows: routingDiagnostics },
  { title: 'Providers, hosts and credentials', rows: credentialDiagnostics },
  { title: 'Settings of targets', rows: settingDiagnostics },
] as const;

const maxLines = 40;
const longestLine = 200;

/** A config as it stands, or its beginning and end where it is very long. */
const shownConfig = (lines: readonly string[]): string => {
  const isWhole = lines.length <= maxLines && lines.every((line) => line.length <= longestLine);
  const shown = lines.length > maxLines ? [...lines.slice(0, maxLines - 2), '…', lines.at(-1) ?? ''] : lines;
  return fence(
    isWhole ? 'jsonc' : 'text',
    shown.map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)),
  );
};

const severities = {
  error: 'A config with this error has no plan.',
  warning: 'The config has a plan, but it may not do what was meant.',
  note: 'Worth knowing, but nothing fails because of it.',
} as const;

const findingSeverities = {
  error: '`gw check` exits with 1.',
  warning: 'It stops nothing, but `gw check --max-warnings 0` exits with 1.',
} as const;

const toDiagnosticPage = (name: DiagnosticCode): ReferencePage => {
  const { severity, text, hint } = diagnosticTable[name];
  const { cause, remedy, right } = codeExamples[name];
  const found = codeCases.find((each) => each.code === name);
  if (found === undefined) throw new Error(`The diagnostic ${name} has no example.`);
  const { diagnostics } = compileCase(found, found.text, caseFile(found));
  const printed = diagnostics.map((each) => renderDiagnostic(each, { text: found.text })).join('\n\n');
  const line = printed.split('\n').map((each) => (each.length > longestLine ? `${each.slice(0, longestLine)}…` : each));
  return toPage(`diagnostics/${name}.md`, {
    title: code(name),
    from: 'compiler/diagnostics',
    parts: [
      prose(withoutPlaceholders(text)),
      `**${severity}.** ${severities[severity]}`,
      `**Cause.** ${prose(described(cause, name))}`,
      `**Remedy.** ${prose(described(remedy, name))}`,
      ...fixedHint(hint).map((each) => `**Hint.** ${prose(each)}`),
      found.trust === 'operator' || found.trust === undefined
        ? 'A config with this diagnostic:'
        : 'A config with this diagnostic, from the header `x-gw-config`:',
      shownConfig(found.text.split('\n')),
      '`gw check` prints:',
      fence('text', line),
      'A config without it:',
      shownConfig(right),
      `\`gw explain --code ${name}\` prints this page. [All diagnostics](README.md)`,
    ],
  });
};

const toRow = ([name, { severity, text }]: readonly [string, (typeof diagnosticTable)[DiagnosticCode]]) => [
  `[${code(name)}](${name}.md)`,
  severity,
  prose(withoutPlaceholders(text)),
];

const toFindingRow = ([name, { severity, text }]: readonly [string, FindingExplanation]) => [
  `[${code(name)}](${name}.md)`,
  severity,
  prose(text),
];

/** Creates the page of a finding about the gateway file, a plugin or a config file. */
const toFindingPage = ([name, { severity, text, cause, remedy, example }]: readonly [
  string,
  FindingExplanation,
]): ReferencePage =>
  toPage(`diagnostics/${name}.md`, {
    title: code(name),
    from: 'schema/errors/explanations',
    parts: [
      prose(text),
      `**${severity}.** ${findingSeverities[severity]}`,
      `**Cause.** ${prose(described(cause, name))}`,
      `**Remedy.** ${prose(described(remedy, name))}`,
      ...(example === undefined
        ? []
        : ['A file with this finding:', shownConfig(example.wrong), 'A file without it:', shownConfig(example.right)]),
      // Some are also codes of error answers.
      ...(isError(name) ? [`Errors of requests can have this code too: ${errorLink(name, '../errors/')}.`] : []),
      `\`gw explain --code ${name}\` prints this page. [All diagnostics](README.md)`,
    ],
  });

const index = (): ReferencePage =>
  toPage('diagnostics/README.md', {
    title: 'Diagnostics',
    from: 'compiler/diagnostics/table',
    parts: [
      'Everything that the compiler reports about configs. `gw check`, editors, `gw serve` and the control plane (when a config is saved) report the same. Codes are stable. A config with an error has no plan; warnings and notes stop nothing.',
      '`gw explain --code CODE` prints the page of a code.',
      ...areas.flatMap(({ title, rows }) => [
        `## ${title}`,
        table(['code', 'severity', 'says'], Object.entries(rows).map(toRow)),
      ]),
      '## The gateway file, plugins and files',
      'These findings are not about the content of a config, but about the gateway file, the plugins and sinks that it names, and the files of configs.',
      table(['code', 'severity', 'says'], Object.entries(findingExplanations).map(toFindingRow)),
    ],
  });

/** Creates a page for each diagnostic and each other finding, and their index. */
export const diagnosticPages = (): readonly ReferencePage[] => [
  index(),
  ...Object.entries(findingExplanations).map(toFindingPage),
  ...Object.keys(diagnosticTable).map((name) => toDiagnosticPage(name as DiagnosticCode)),
];
