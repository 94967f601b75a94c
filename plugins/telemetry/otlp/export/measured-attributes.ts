import type { Attributes } from '@opentelemetry/api';
import type { AnswerReader } from '../../../sdk/hooks/answer-reader.ts';
import { KnownModels, otherModel } from '../../known-models.ts';
import type { AttemptRecord } from '../records/records.ts';
import { destinationFacts } from './destination-facts.ts';

/**
 * The maximum number of attribute sets that are distinguished, for models of plans and for everything that callers choose.
 * OpenTelemetry has room for 2,000 for each metric, and an attempt that used tokens needs two.
 */
export const maxSets = { plans: 600, callers: 300 } as const;

/** Stands for failures of the sets for which there is no room. */
const otherError = '_OTHER';

/** Returns how an attempt failed, before or during its answer. Null if it did not. */
const toError = ({ error, streamFailure }: AttemptRecord): string | null => error ?? streamFailure;

/** Removes the names that the caller chose from the facts of an attempt. */
const withoutNames = (record: AttemptRecord): Attributes => {
  const { operation, provider, origin, askedModel } = record;
  const facts = destinationFacts(operation, provider, origin);
  return {
    'gen_ai.operation.name': facts['gen_ai.operation.name'],
    'gen_ai.provider.name': facts['gen_ai.provider.name'],
    ...(askedModel ? { 'gen_ai.request.model': otherModel } : {}),
    ...(toError(record) === null ? {} : { 'error.type': otherError }),
  };
};

/** The attributes of measurements. Their number is bounded, whatever callers request. */
export class MeasuredAttributes {
  readonly #models = new KnownModels();
  readonly #listed: AnswerReader['listedModel'];
  readonly #sets = new Map<string, Attributes>();
  #left: { plans: number; callers: number } = { ...maxSets };

  constructor(listed: AnswerReader['listedModel']) {
    this.#listed = listed;
  }

  /** Adds the names of the models in a plan. */
  addModels(names: Iterable<string>): void {
    this.#models.add(names);
  }

  /** Returns the same object for the same attributes. */
  of(record: AttemptRecord): Attributes {
    const { isCallers, operation, provider, origin, askedModel, model } = record;
    const error = toError(record);
    const asked = askedModel ? this.#toName(askedModel, record) : '';
    // For an attempt that failed before its answer, no model answered.
    const answered = record.error === null && model !== '' ? this.#toName(model, record) : '';
    const key = [operation, provider, origin, asked, answered, error ?? ''].join('\n');
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    const whose = !isCallers && (askedModel === null || this.#models.isOfPlan(askedModel)) ? 'plans' : 'callers';
    if (this.#left[whose] === 0) return withoutNames(record);
    this.#left[whose] -= 1;
    const made: Attributes = {
      ...destinationFacts(operation, provider, origin),
      ...(asked === '' ? {} : { 'gen_ai.request.model': asked }),
      ...(answered === '' ? {} : { 'gen_ai.response.model': answered }),
      ...(error === null ? {} : { 'error.type': error }),
    };
    this.#sets.set(key, made);
    return made;
  }

  #toName(model: string, { provider, listedAs }: AttemptRecord): string {
    return this.#models.toName(model, (name) => this.#listed({ provider, listedAs, model: name }));
  }
}
