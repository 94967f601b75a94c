import { recoding } from '../../../plugins/sdk/provider/recoded.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import type { CarriedPart } from '../../../schema/model-facts/request-needs.ts';
import type { PreparedTarget } from '../target/prepared-target.ts';
import type { Translation } from '../target/translation.ts';

/** By the model, since what a format carries may depend on it. */
type Known = Map<string, ReadonlyMap<CarriedPart, boolean>>;

const known = new WeakMap<Translation, Known>();

/** Requests name models: of so many, what is known of one translation is kept. A longer name is no model's. */
const maxModels = 200;
const longestName = 256;

type Recoding = ReturnType<typeof recoding>;

/** How a target writes conversations anew; undefined where they are sent as they are. */
const findRecoding = (translation: Translation, target: PreparedTarget): Recoding | undefined => {
  if (translation.kind === 'translate') return recoding(translation, target);
  if (translation.kind !== 'same') return undefined;
  const { dialect } = translation;
  // Within one dialect nothing is lost but what the provider lacks.
  if (dialect.conversation === undefined || target.provider.lacks?.[dialect.id] === undefined) return undefined;
  return recoding({ ...translation, codec: dialect.conversation }, target);
};

const isCarried = ({ write }: Recoding, { sample, lost }: CarriedPart, model: string | undefined): boolean => {
  try {
    const written = write(model === undefined ? sample : { ...sample, model }, { strict: true, scope: '' });
    return !written.lost.some((member) => lost.includes(member));
  } catch (error) {
    // What cannot be asked is not known, and is reported where a request is written.
    if (error instanceof GatewayError) return true;
    throw error;
  }
};

export interface CarryingTarget {
  readonly translation: Translation;
  readonly target: PreparedTarget;
  readonly model: string | undefined;
}

/** Whether a target's format carries a part of conversations to its provider, as its codec says. */
export const carries = (part: CarriedPart, { translation, target, model: called }: CarryingTarget): boolean => {
  const models: Known = known.get(translation) ?? new Map();
  const model = called === undefined || called.length > longestName ? undefined : called;
  const found = models.get(model ?? '')?.get(part);
  if (found !== undefined) return found;
  const written = findRecoding(translation, target);
  const carried = written === undefined || isCarried(written, part, model);
  if (models.size >= maxModels) models.clear();
  models.set(model ?? '', new Map([...(models.get(model ?? '') ?? []), [part, carried]]));
  known.set(translation, models);
  return carried;
};
