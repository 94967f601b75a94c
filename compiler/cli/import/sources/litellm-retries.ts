import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';

/** The attempts of a request at the deployments of one model. */
export interface Attempts {
  /** The balance that chooses among them; absent: they are drawn by weight. */
  readonly balance: string | undefined;
  /** The attempts after the first, each of which the other gateway draws anew. */
  readonly retries: number;
}

/** The most places of targets that a model has in its config: more of them nobody would read. */
const maxPlaces = 16;

/** The places that targets have where so many further attempts are each drawn among those that have not failed. */
const countPlaces = (targets: number, drawn: number): number =>
  drawn === 0 || targets < 2 ? targets : targets * (1 + countPlaces(targets - 1, drawn - 1));

/** The further attempts that have a target of their own, while each target is asked once. */
export const wantedDraws = (targets: number, { retries }: Attempts): number => Math.min(retries, targets - 1);

/** The further attempts that are drawn among the other targets; those after them are at the target that was drawn last. */
export const drawnAttempts = (targets: number, attempts: Attempts): number => {
  let drawn = wantedDraws(targets, attempts);
  while (drawn > 0 && countPlaces(targets, drawn) > maxPlaces) drawn -= 1;
  return drawn;
};

/**
 * The answers after which the other gateway draws again: `should_retry` and `should_retry_this_error`, which asks after a 401
 * where a model has several deployments. Deployments whose budget is spent are not drawn there; here they answer 412.
 */
const drawnAgain: readonly number[] = [401, 408, 409, 412, 429, 500, 502, 503, 504, 529];

/** The strategy of a target before others. */
export const thenOthers: JsonObject = { mode: 'fallback', on_status_codes: [...drawnAgain] };

/** The retries at one and the same target; a group states that it has none, since those of the config are inherited. */
export const sameTarget = (attempts: number): JsonObject => ({ retry: { attempts } });

/** A config whose targets are not asked twice says nothing of retries. */
export const withoutNoRetry = (config: JsonObject): JsonObject => {
  const { retry, ...others } = config;
  return isJsonObject(retry) && retry.attempts === 0 ? others : config;
};
