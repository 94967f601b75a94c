import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import { hashValue } from '../../../../schema/json/canonical.ts';
import { isNonEmpty } from '../../../../schema/json/json.ts';
import type { OutputChecksStage, PluginNeeds } from '../../../../schema/plan/plan.ts';
import { toFingerprint } from '../../target/state-key.ts';

/**
 * Returns a fingerprint of the checks that a stored answer has passed. It includes the plugins' files, because the next version
 * of a check may deny what this one passed, and the secrets that a caller brings, because a service may judge by the key that it
 * is called with.
 */
export const checksFingerprint = (
  stage: OutputChecksStage | undefined,
  { integrity = {} }: Pick<PluginNeeds, 'integrity'>,
): ((exchange: Exchange) => string) => {
  const hash = hashValue(stage === undefined ? null : { stage, integrity });
  const calls = stage?.hooks.flatMap(({ checks }) => checks) ?? [];
  const slots = calls
    .flatMap(({ secrets = {} }) => Object.values(secrets))
    .flatMap((secret) => (secret.kind === 'slot' ? [secret.slot] : []));
  if (!isNonEmpty(slots)) return () => hash;
  return ({ secrets }) =>
    `${hash} ${toFingerprint(Object.fromEntries(slots.map((slot) => [String(slot), secrets[slot] ?? ''])))}`;
};
