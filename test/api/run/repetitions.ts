import type { ApiAnswer, ApiRequest } from './exchange.ts';
import type { Asked } from './next-request.ts';
import type { World } from './world.ts';

/** Requests with an `idempotency-key`: some are repeated unchanged, and some use the key of a different request. */
export interface Repetitions {
  /** Returns the request or another one in its place, with or without a key. */
  vary(asked: Asked): Asked;
  /** Remembers an answer. Returns the errors in one that must equal the answer to an earlier request. */
  errors(asked: Asked, answer: ApiAnswer): readonly string[];
}

/** A repetition of this operation returns the current state of the response, and only if that is stored. Other tests cover it. */
const changing = 'create_response';

const keyName = 'idempotency-key';

const oddKeys: readonly string[] = ['', 'a key', 'x'.repeat(256), 'é', '\t'];

const withKey = (asked: Asked, key: string): Asked => {
  const request: ApiRequest = { ...asked.request, headers: { ...asked.request.headers, [keyName]: key } };
  return { ...asked, request };
};

const repetitionErrors = (answer: ApiAnswer, before: ApiAnswer): readonly string[] => {
  // The key may have lost its scope or expired in the meantime.
  if (answer.status === 401 || answer.status === 403) return [];
  if (answer.status !== before.status || answer.headers['idempotent-replayed'] !== 'true')
    return ['it is not the answer that was given before'];
  if (answer.headers.etag !== before.headers.etag) return ['its etag is not the one that was given before'];
  return answer.body.equals(before.body) ? [] : ['its body is not the one that was given before'];
};

const maxKept = 30;

export const createRepetitions = ({ random }: World): Repetitions => {
  const kept: Asked[] = [];
  let made = 0;

  const vary = (asked: Asked): Asked => {
    const { operation } = asked;
    const takesKey = operation.operationId !== changing && operation.parameters.some(({ name }) => name === keyName);
    if (!takesKey || asked.kind !== 'operation' || random.oneIn(2)) return asked;
    const earlier = kept.filter((each) => each.operation === operation);
    if (earlier.length > 0 && random.oneIn(3)) {
      const again = random.pick(earlier);
      return random.oneIn(3) ? withKey(asked, again.request.headers[keyName] ?? '') : again;
    }
    if (random.oneIn(10)) return withKey(asked, random.pick(oddKeys));
    made += 1;
    return withKey(asked, `key-${random.word()}-${made}`);
  };

  const errors = (asked: Asked, answer: ApiAnswer): readonly string[] => {
    if (asked.before !== undefined) return repetitionErrors(answer, asked.before);
    const isFirst = asked.request.headers[keyName] !== undefined && answer.headers['idempotent-replayed'] === undefined;
    if (isFirst && answer.status === 200) kept.push({ ...asked, before: answer });
    if (kept.length > maxKept) kept.shift();
    return [];
  };

  return { vary, errors };
};
