import type { UnusableSecret } from '../../engine/link-error.ts';
import type { Finding } from '../../file-plans/load-files.ts';
import type { ServeServices } from '../services/serve-services.ts';
import type { ReferringFile } from '../settings/secret-place.ts';

type Reporting = Pick<ServeServices, 'io' | 'render'>;
type Secrets = Finding & Required<Pick<Finding, 'unusable'>>;

const isOfSecrets = (finding: Finding): finding is Secrets => finding.unusable !== undefined;

/** Reports each unusable secret once, whatever needs it. */
const reportSecrets = async (findings: readonly Secrets[], io: Reporting['io'], from: ReferringFile): Promise<void> => {
  if (findings.length === 0) return;
  const { secretPlace } = await import('../settings/secret-place.ts');
  const secrets = new Map<string, UnusableSecret>(
    findings.flatMap(({ unusable }) => unusable).map((secret) => [secret.ref, secret]),
  );
  for (const { ref, problem } of secrets.values()) {
    const users = findings.filter(({ unusable }) => unusable.some((each) => each.ref === ref));
    io.stderr(`${secretPlace(ref, users, from)}: ${problem}\n`);
  }
};

/** Reports the findings of a reload to the operator. Returns true if a file was refused. */
export const reportDiagnostics = async (
  reported: readonly Finding[],
  { io, render }: Reporting,
  from: ReferringFile,
): Promise<boolean> => {
  const files = new Map<string, readonly string[]>();
  for (const { source, diagnostics, reason, unusable } of reported) {
    if ('text' in source && diagnostics.length > 0) io.stderr(await render(diagnostics, source));
    // Errors name their file. Other reasons need it added, and often belong to several files.
    const isNamed = diagnostics.some(({ severity }) => severity === 'error');
    if (reason !== undefined && unusable === undefined && !isNamed)
      files.set(reason, [...(files.get(reason) ?? []), source.file]);
  }
  for (const [reason, named] of files) io.stderr(`${[...new Set(named)].join(', ')}: ${reason}\n`);
  await reportSecrets(reported.filter(isOfSecrets), io, from);
  return reported.some(({ reason }) => reason !== undefined);
};

/** Returns what to do before the gateway starts. If only secrets are unusable, no plan has to be corrected. */
export const startRemedy = (reported: readonly Finding[]): string => {
  const refused = reported.filter(({ reason }) => reason !== undefined);
  if (!refused.every(isOfSecrets)) return 'Correct the problems above, and start the gateway again.';
  const refs = refused.flatMap(({ unusable }) => unusable.map(({ ref }) => ref));
  const isWritten = refs.some((ref) => ref.startsWith('${file:'));
  const isSet = refs.some((ref) => !ref.startsWith('${file:'));
  if (isSet && isWritten) return 'Set the variables, write the files, and start the gateway again.';
  return `${isSet ? 'Set the variables' : 'Write the files'} and start the gateway again.`;
};
