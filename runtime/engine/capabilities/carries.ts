import { conversationRecoding, lostMembers } from '../../../plugins/sdk/provider/carried-part.ts';
import type { Recoding } from '../../../plugins/sdk/provider/recoded.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import type { CarriedPart } from '../../../schema/model-facts/request-needs.ts';
import type { PreparedTarget } from '../target/prepared-target.ts';
import type { Translation } from '../target/translation.ts';

/** By model, because what a format can carry may depend on it. */
type Known = Map<string, ReadonlyMap<CarriedPart, boolean>>;

const known = new WeakMap<Translation, Known>();

/**
 * Requests name models, so there may be any number: results are kept for this many models per translation. A longer name is not a
 * model's.
 */
const maxModels = 200;
const longestName = 256;

const isCarried = (written: Recoding, part: CarriedPart, model: string | undefined): boolean => {
  try {
    return lostMembers(written, part, model).length === 0;
  } catch (error) {
    // If the codec throws, nothing is known. The error is reported when the request is written.
    if (error instanceof GatewayError) return true;
    throw error;
  }
};

export interface CarryingTarget {
  readonly translation: Translation;
  readonly target: PreparedTarget;
  readonly model: string | undefined;
}

/** Whether a target's format can carry a part of conversations to its provider, according to its codec. */
export const carries = (part: CarriedPart, { translation, target, model: called }: CarryingTarget): boolean => {
  const before = known.get(translation);
  const model = called === undefined || called.length > longestName ? undefined : called;
  const found = before?.get(model ?? '')?.get(part);
  if (found !== undefined) return found;
  const models: Known = before ?? new Map();
  const written = conversationRecoding(translation, target);
  const carried = written === undefined || isCarried(written, part, model);
  if (models.size >= maxModels) models.clear();
  models.set(model ?? '', new Map([...(models.get(model ?? '') ?? []), [part, carried]]));
  known.set(translation, models);
  return carried;
};
