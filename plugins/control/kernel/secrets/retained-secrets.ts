import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { canonicalJson } from '../../../../schema/json/canonical.ts';
import type { Json } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { keepSealed, type SealedByPlace } from './keep-sealed.ts';
import { openLiterals } from './literals.ts';
import type { SealedAt } from './seal.ts';
import type { Sealer } from './sealer.ts';

/** What a record had before: its value with placeholders, and what these stand for. */
export interface StoredValue {
  readonly value: Json;
  readonly sealed: SealedByPlace;
  /** Where they are sealed. */
  readonly at: SealedAt;
}

export interface RetainedSecretsOptions {
  readonly sealer: Sealer;
  /** Absent for a new record, which keeps nothing. */
  readonly before?: StoredValue | undefined;
  /** All that decides where the secret at a place is sent: a secret is kept only where nothing of it has changed. */
  readonly readDestination: (value: Json, pointer: JsonPointer) => Json;
}

/** A value from a client with the secrets that its placeholders keep; without a value where something is wrong with them. */
export interface CompletedValue {
  readonly value?: Json;
  /** The places of the secrets that were kept. */
  readonly kept: readonly JsonPointer[];
  readonly problems: readonly InputProblem[];
}

const moved = (pointer: JsonPointer): InputProblem => ({
  pointer,
  message: 'The stored secret would be sent to another destination than the one it was saved for.',
  hint: 'Send the secret itself together with the new destination.',
});

/** What is wrong with secrets that were kept where a value has none; `places` are those of its secrets. */
export const misplacedSecrets = (
  kept: readonly JsonPointer[],
  places: readonly JsonPointer[],
): readonly InputProblem[] => {
  const known = new Set(places);
  return kept
    .filter((pointer) => !known.has(pointer))
    .map((pointer) => ({ pointer, message: 'There is no secret at this place.', hint: 'Send the value itself.' }));
};

/** Completes a value from a client. Rejects with a `SecretError` if a stored secret does not open. */
export const withRetainedSecrets = async (
  value: Json,
  { sealer, before, readDestination }: RetainedSecretsOptions,
): Promise<CompletedValue> => {
  const { kept: sealed, problems } = keepSealed(value, before?.sealed ?? {});
  const kept = Object.keys(sealed) as JsonPointer[];
  if (before === undefined || problems.length > 0)
    return problems.length > 0 ? { kept, problems } : { value, kept, problems };
  const faults = kept
    .filter(
      (place) => canonicalJson(readDestination(value, place)) !== canonicalJson(readDestination(before.value, place)),
    )
    .map(moved);
  if (faults.length > 0) return { kept, problems: faults };
  return { value: await openLiterals(sealer, { text: JSON.stringify(value), sealed, at: before.at }), kept, problems };
};
