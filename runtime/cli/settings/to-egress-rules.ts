import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import type { SecretRef } from '../../../schema/plan/plan.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { createEgressRules } from '../../upstream/egress-rules.ts';
import { findAuthorityProblem } from '../../upstream/find-tls-problem.ts';
import type { EgressRules } from '../../upstream/upstreams.ts';
import { isSecretRef, type SecretReader } from './secret-reader.ts';
import { ServeFailure } from './serve-failure.ts';

/** The members of the gateway file that apply to connections to all hosts. */
export type EgressSettings = Pick<GatewayFile, 'proxy' | 'trusted_authorities'>;

/** Where the member `proxy` is, for messages. */
export const proxyPlace = 'the gateway file';

export interface EgressSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly read: SecretReader;
}

const toExtraCa = (ref: string, read: SecretReader): (() => string) => {
  const problem = findAuthorityProblem(ref, read, '"trusted_authorities" in the gateway file');
  if (problem !== undefined) throw new ServeFailure(`${problem.message} ${problem.hint}`);
  return () => {
    // The schema of the gateway file has checked that it is a reference.
    const value = read(ref as SecretRef);
    if (value === undefined) throw new Error(`${ref} has no value.`);
    return value;
  };
};

/** Creates the rules for connections to all hosts. Throws a `ServeFailure` for settings that cannot be used. */
export const toEgressRules = (
  { proxy: setting, trusted_authorities: authorities }: EgressSettings,
  { env, read }: EgressSources,
): EgressRules => {
  const extraCa = authorities === undefined ? undefined : toExtraCa(authorities, read);
  const readSetting = (text: string): string | undefined => (isSecretRef(text) ? read(text) : text);
  const proxy = setting === undefined ? undefined : { setting, place: proxyPlace, env, read: readSetting };
  try {
    return createEgressRules({ proxy, extraCa });
  } catch (error) {
    throw new ServeFailure(`${errorText(error)} Correct it, or remove "proxy".`);
  }
};
