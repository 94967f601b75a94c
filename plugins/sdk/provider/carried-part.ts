import type { JsonObject } from '../../../schema/json/json.ts';
import type { CarriedPart } from '../../../schema/model-facts/request-needs.ts';
import type { Provider } from './provider.ts';
import { createRecoding, type Recoding } from './recoded.ts';
import type { Served } from './resolve-served.ts';

/** Returns how conversations are encoded again for a provider, or undefined if they are sent as they are. */
export const conversationRecoding = (
  served: Served,
  target: { readonly provider: Provider; readonly settings: JsonObject },
): Recoding | undefined => {
  if (served.kind === 'translate') return createRecoding(served, target);
  if (served.kind !== 'same') return undefined;
  const { dialect } = served;
  // Within one dialect, nothing is lost except content that the provider lacks.
  if (dialect.conversation === undefined || target.provider.lacks?.[dialect.id] === undefined) return undefined;
  return createRecoding({ ...served, codec: dialect.conversation }, target);
};

/** Returns the members that are lost when part of a conversation is encoded. May throw the `GatewayError` of a codec. */
export const lostMembers = (
  { write }: Pick<Recoding, 'write'>,
  { sample, lost }: Pick<CarriedPart, 'sample' | 'lost'>,
  model: string | undefined,
): readonly string[] => {
  const written = write(model === undefined ? sample : { ...sample, model }, { strict: true, scope: '' });
  return written.lost.filter((member) => lost.includes(member));
};
