import type { Exchange } from '../../../plugins/sdk/exchange.ts';
import { hashOf } from '../../../schema/canonical.ts';
import { isNonEmpty } from '../../../schema/json.ts';
import type { OutputChecksStage } from '../../../schema/plan.ts';
import { credentialFingerprint } from '../state-key.ts';

/**
 * Names the checks that a stored answer has passed. The secrets that a caller brings for them belong to it, since a service
 * may judge by whose key it is asked with.
 */
export const checksFingerprint = (stage: OutputChecksStage | undefined): ((exchange: Exchange) => string) => {
  const hash = hashOf(stage ?? null);
  const calls = stage?.hooks.flatMap(({ checks }) => checks) ?? [];
  const slots = calls
    .flatMap(({ secrets = {} }) => Object.values(secrets))
    .flatMap((secret) => (secret.kind === 'slot' ? [secret.slot] : []));
  if (!isNonEmpty(slots)) return () => hash;
  return ({ secrets }) =>
    `${hash} ${credentialFingerprint(Object.fromEntries(slots.map((slot) => [String(slot), secrets[slot] ?? ''])))}`;
};
