import type { Attributes } from '@opentelemetry/api';
import type { AnswerReader } from '../../../sdk/hooks/answer-reader.ts';
import { KnownModels, otherModel } from '../../known-models.ts';
import type { AttemptRecord } from '../records/records.ts';
import { destinationFacts } from './destination-facts.ts';

/**
 * The most sets of attributes that are distinguished: of models of plans, and of all that callers choose. OpenTelemetry has room for
 * 2,000 of one metric, and an attempt that used tokens needs two.
 */
export const maxSets = { plans: 600, callers: 300 } as const;

/** Stands for failures of the sets that there is no room for. */
const otherError = '_OTHER';

/** How an attempt failed, before its answer or in the midst of it; null if it did not. */
const toError = ({ error, streamFailure }: AttemptRecord): string | null => error ?? streamFailure;

/** Removes from an attempt's facts the names that its caller chose. */
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

/** The attributes of measurements: their number is bounded, whatever callers ask for. */
export class MeasuredAttributes {
  readonly #models = new KnownModels();
  readonly #listed: AnswerReader['listedModel'];
  readonly #sets = new Map<string, Attributes>();
  #left: { plans: number; callers: number } = { ...maxSets };

  constructor(listed: AnswerReader['listedModel']) {
    this.#listed = listed;
  }

  /** Takes the names of the models of a plan. */
  addModels(names: Iterable<string>): void {
    this.#models.add(names);
  }

  /** Of the same attributes, the same object. */
  of(record: AttemptRecord): Attributes {
    const { isCallers, operation, provider, origin, askedModel, model } = record;
    const error = toError(record);
    const asked = askedModel ? this.#toName(askedModel, record) : '';
    // An attempt that failed before its answer has no model that answered.
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
