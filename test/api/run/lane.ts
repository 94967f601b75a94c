import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { type AnswerErrors, passedOnErrors } from '../document/answer-errors.ts';
import type { Operation } from '../document/operations.ts';
import type { ApiAnswer, Send } from './exchange.ts';
import { type Api, type Asked, nextRequest } from './next-request.ts';
import { createRepetitions } from './repetitions.ts';
import { forget, remember, type World } from './world.ts';

/** An answer that does not match the document, or that must never occur. */
export interface Finding {
  readonly number: number;
  readonly asked: Asked;
  /** Absent if the connection ended without an answer. */
  readonly answer?: ApiAnswer;
  readonly errors: readonly string[];
}

export interface LaneOptions {
  readonly api: Api;
  readonly world: World;
  readonly send: Send;
  readonly answerErrors: AnswerErrors;
  /** Whether the sequence continues after this number of requests. */
  readonly shouldContinue: (requests: number) => boolean;
  /** Operations that are requested more often after this number of requests. */
  readonly wanted: (requests: number) => readonly Operation[];
  /** Called with each answer. */
  readonly seen: (asked: Asked, answer: ApiAnswer) => void;
  /** Called with each finding. Returns true if no more are wanted. */
  readonly found: (finding: Finding) => boolean;
}

const parsed = ({ body }: ApiAnswer): Json => {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
};

const maxKeys = 20;

/** Remembers what an answer created or deleted, so that later requests can refer to it. */
const learn = ({ keys }: World, { operation, collection, caller, name }: Asked, answer: ApiAnswer): void => {
  if (answer.status !== 200) return;
  if (operation.method === 'DELETE' && name !== undefined && operation.path.endsWith('}'))
    forget(caller.place, collection, name);
  if (operation.method !== 'POST') return;
  const body = parsed(answer);
  const made = isJsonObject(body) && isJsonObject(body.data ?? null) ? body.data : body;
  if (!isJsonObject(made ?? null)) return;
  const { id, slug, key } = made as { readonly id?: Json; readonly slug?: Json; readonly key?: Json };
  if (typeof id === 'string' && operation.path !== `${collection}/{id}/completions`)
    remember(caller.place, collection, { id, slug: typeof slug === 'string' ? slug : undefined });
  if (typeof key === 'string') {
    keys.push(key);
    if (keys.length > maxKeys) keys.shift();
  }
};

/** Some requests are rejected before their operation is known, so their answers count as answers to no operation. */
const toFaults = (answerReasons: AnswerErrors, { kind, operation, request }: Asked, answer: ApiAnswer) => {
  const { method } = request;
  // Other paths and methods of a shared operation belong to the data path.
  const isBeside = kind !== 'operation' && answer.headers['cache-control'] === undefined;
  const passedOn = passedOnErrors(answer, operation, isBeside);
  if (passedOn !== undefined) return passedOn;
  if (kind === 'operation') return answerReasons(answer, operation, method);
  if (kind === 'method') return answerReasons(answer, method === 'HEAD' ? operation : undefined, method);
  const asNone = answerReasons(answer, undefined, method);
  return asNone.length === 0 ? [] : answerReasons(answer, operation, method);
};

/** Picks the requests that are sent at the same time: usually one, sometimes the same one twice or two unrelated ones. */
const together = (world: World, next: () => Asked): readonly Asked[] => {
  const first = next();
  if (!world.random.oneIn(10)) return [first];
  return [first, world.random.oneIn(2) ? first : next()];
};

/** Sends a sequence of requests, each after the answer to the previous one or together with it. */
export const runLane = async (options: LaneOptions): Promise<void> => {
  const { api, world, send, answerErrors, shouldContinue: goesOn, wanted, seen, found } = options;
  const repetitions = createRepetitions(world);
  let number = 0;
  while (goesOn(number)) {
    const all = together(world, () => repetitions.vary(nextRequest(api, world, wanted(number))));
    const answers = await Promise.all(all.map(({ request }) => send(request).catch((error: Error) => error)));
    for (const [at, asked] of all.entries()) {
      const answer = answers[at];
      number += 1;
      if (answer === undefined || answer instanceof Error) {
        if (found({ number, asked, errors: [`there is no answer: ${answer?.message}`] })) return;
        continue;
      }
      const reasons = [...toFaults(answerErrors, asked, answer), ...repetitions.errors(asked, answer)];
      if (reasons.length > 0 && found({ number, asked, answer, errors: reasons })) return;
      learn(world, asked, answer);
      seen(asked, answer);
    }
  }
};
