import type { Diagnostic } from '../../../../schema/errors/diagnostic.ts';
import type { Check, Finding } from '../../set-up/finding.ts';
import { type SetUp, shownFile } from '../../set-up/set-up.ts';

/** Converts a diagnostic of the compiler to a finding. */
export const toFinding = ({ severity, message, hint, span, code }: Diagnostic, file: string): Finding => ({
  severity,
  subject: span.length === 0 && span.offset === 0 ? file : `${file}:${span.line}:${span.column}`,
  what: message,
  remedy: hint ?? `Correct it; gw check shows the place (${code}).`,
});

/** Returns the findings of a file. Untrusted hosts are reported once, by the check that resolves them if it runs. */
export const foundInFile = (
  { isOffline }: Pick<SetUp, 'isOffline'>,
  diagnostics: readonly Diagnostic[],
  file: string,
): readonly Finding[] =>
  diagnostics.filter(({ code }) => isOffline || code !== 'untrusted-host').map((each) => toFinding(each, file));

export const gatewayFile: Check = {
  id: 'gateway-file',
  description:
    'the gateway file: its members, saved providers, prices, models, and plugins with the versions that they are written for',
  needsNoFile: true,
  run: (setUp) => {
    const { file, environment } = setUp;
    if (file === undefined) return [];
    return foundInFile(setUp, environment.diagnostics, shownFile(setUp, file));
  },
};
