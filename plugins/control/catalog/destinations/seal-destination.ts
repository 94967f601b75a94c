import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { problem } from '../../kernel/requests/problem.ts';
import { refuse } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { DestinationBody } from './destination-body.ts';
import { type CredentialOwner, sealCredential } from './stored-credential.ts';
import { type StoredDestination, validateRecord } from './validate-record.ts';

/** A change of what a record calls, or what a new one calls. */
export interface DestinationChange {
  readonly body: DestinationBody;
  readonly owner: CredentialOwner;
  readonly before?: StoredDestination | undefined;
  /** What is wrong with the rest of the body. */
  readonly problems: readonly InputProblem[];
}

const missing = problem([], 'The member "provider" is missing.', 'Write the id of the provider that is called.');

/**
 * The columns that say what a record calls, with its credential sealed. Throws the `GatewayError` `invalid-input` with all
 * that is wrong; rejects with a `SecretError` if nothing can be sealed.
 */
export const sealDestination = async (
  parts: Pick<ControlParts, 'catalogue' | 'hostFault' | 'sealer'>,
  { body, owner, before, problems }: DestinationChange,
): Promise<StoredDestination> => {
  if (body.provider === undefined && before === undefined) refuse([...problems, missing]);
  const validated = validateRecord(body, parts, before);
  refuse([...problems, ...validated.problems]);
  const { destination, origins, kept } = validated;
  return {
    provider: destination.provider,
    settings: JSON.stringify(destination.settings),
    credential: await sealCredential(parts.sealer, { given: destination.credential, kept, owner }),
    origins: JSON.stringify(origins),
  };
};
