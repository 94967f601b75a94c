import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';

/** The attempts of a request at the deployments of one model. */
export interface Attempts {
  /** The balance that chooses among them; if absent, they are drawn by weight. */
  readonly balance: string | undefined;
  /** The number of attempts after the first, each of which the other gateway draws anew. */
  readonly retries: number;
}

/** The maximum number of target places in the config of a model; nobody would read more of them. */
const maxPlaces = 16;

/** Counts the places of targets if `drawn` further attempts are each drawn among the targets that have not failed. */
const countPlaces = (targets: number, drawn: number): number =>
  drawn === 0 || targets < 2 ? targets : targets * (1 + countPlaces(targets - 1, drawn - 1));

/** The number of further attempts that have a target of their own if each target is called once. */
export const wantedDraws = (targets: number, { retries }: Attempts): number => Math.min(retries, targets - 1);

/** The number of further attempts that are drawn among the other targets. Later attempts go to the target that was drawn last. */
export const drawnAttempts = (targets: number, attempts: Attempts): number => {
  let drawn = wantedDraws(targets, attempts);
  while (drawn > 0 && countPlaces(targets, drawn) > maxPlaces) drawn -= 1;
  return drawn;
};

/**
 * The statuses after which the other gateway draws again: `should_retry` and `should_retry_this_error`, which retries after a 401
 * if a model has several deployments. Deployments whose budget is spent are not drawn there; here they answer 412.
 */
const drawnAgain: readonly number[] = [401, 408, 409, 412, 429, 500, 502, 503, 504, 529];

/** The strategy of a target that is followed by others. */
export const fallbackToOthers: JsonObject = { mode: 'fallback', on_status_codes: [...drawnAgain] };

/** The retries at one target. A group states that it has none, because those of the config are inherited. */
export const retryOf = (attempts: number): JsonObject => ({ retry: { attempts } });

/** Removes `retry` from a config without retries. */
export const withoutZeroRetry = (config: JsonObject): JsonObject => {
  const { retry, ...others } = config;
  return isJsonObject(retry) && retry.attempts === 0 ? others : config;
};
