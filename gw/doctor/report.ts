import type { TextOutput } from '../../compiler/cli/command-line/services.ts';
import { formatCount } from '../../schema/text/format-count.ts';
import { printable } from '../../schema/text/printable.ts';
import type { CheckFinding } from './run-checks.ts';

/** The result of checking a set-up. */
export interface Report {
  readonly findings: readonly CheckFinding[];
  /** The ids of the checks that ran. */
  readonly checks: readonly string[];
  readonly milliseconds: number;
}

const colours = { error: 31, warning: 33, note: 36 } as const;

const painted = (text: string, code: number, { colour }: Pick<TextOutput, 'colour'>): string =>
  colour ? `\u001b[${code}m${text}\u001b[0m` : text;

const findingText = ({ severity, check, subject, what, remedy }: CheckFinding, out: TextOutput): string =>
  `${painted(`${severity}[${check}]`, colours[severity], out)} ${printable(subject)}\n  ${printable(what)}\n  ${painted('=', 36, out)} ${printable(remedy)}\n\n`;

const countOf = (findings: readonly CheckFinding[], severity: CheckFinding['severity']): number =>
  findings.filter((each) => each.severity === severity).length;

/** Formats the report as text. */
export const reportText = ({ findings, checks, milliseconds }: Report, out: TextOutput): string => {
  const [errors, warnings] = [countOf(findings, 'error'), countOf(findings, 'warning')];
  const counts = [
    ...(errors === 0 ? [] : [formatCount(errors, 'error')]),
    ...(warnings === 0 ? [] : [formatCount(warnings, 'warning')]),
  ];
  const result = counts.length === 0 ? 'No problem was found' : counts.join(' and ');
  const seconds = (milliseconds / 1000).toFixed(1);
  return `${findings.map((each) => findingText(each, out)).join('')}${result}, by ${formatCount(checks.length, 'check')} in ${seconds} s.\n`;
};

/** Formats the report as JSON. */
export const reportJson = ({ findings, checks, milliseconds }: Report): string =>
  `${JSON.stringify(
    {
      ok: countOf(findings, 'error') === 0,
      findings: findings.map(({ check, severity, subject, what, remedy }) => ({
        check,
        severity,
        subject,
        what,
        remedy,
      })),
      checks,
      milliseconds,
    },
    undefined,
    2,
  )}\n`;
