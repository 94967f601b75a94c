import { isJsonObject, type JsonObject } from '../../../schema/json.ts';

/** What a request may ask of the echo, beside its answer. */
export interface EchoWishes {
  /** Status to answer with; from 400 on the answer is an error. */
  readonly status: number;
  /** Milliseconds before it answers. */
  readonly delay_ms: number;
  /** Milliseconds before each word of a stream. */
  readonly word_ms: number;
  /** Breaks off after this many words of a stream, or in the middle of a whole answer. */
  readonly cut_after: number | undefined;
  /** Seconds for the header `retry-after`. */
  readonly retry_after: number | undefined;
}

/** The echo cannot do what it was asked to; the message says what is wrong. */
export class EchoWishError extends Error {
  override readonly name = 'EchoWishError';
}

const ranges: Readonly<Record<keyof EchoWishes, readonly [least: number, most: number]>> = {
  status: [200, 599],
  delay_ms: [0, 3_600_000],
  word_ms: [0, 3_600_000],
  cut_after: [0, 1_000_000],
  retry_after: [0, 3_600_000],
};

const none: EchoWishes = { status: 200, delay_ms: 0, word_ms: 0, cut_after: undefined, retry_after: undefined };

const isWishName = (name: string): name is keyof EchoWishes => Object.hasOwn(ranges, name);

const checked = (name: string, value: unknown): Partial<EchoWishes> => {
  if (!isWishName(name))
    throw new EchoWishError(`The echo knows no wish "${name}". It knows ${Object.keys(ranges).join(', ')}.`);
  const [least, most] = ranges[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
    throw new EchoWishError(`The echo's wish "${name}" must be a whole number from ${least} to ${most}.`);
  return { [name]: value };
};

const merged = (wishes: Iterable<readonly [name: string, value: unknown]>): Partial<EchoWishes> =>
  Object.assign({}, ...Array.from(wishes, ([name, value]) => checked(name, value)));

/** `echo?status=503&delay_ms=20`: the form that survives a translation from another dialect. */
const wishesOfModel = (model: unknown): Partial<EchoWishes> => {
  const [, query] = typeof model === 'string' ? model.split('?', 2) : [];
  if (query === undefined) return {};
  return merged(
    [...new URLSearchParams(query)].map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]),
  );
};

/**
 * The wishes of a request: the member `echo` of its body, over what its model asks for. Throws an `EchoWishError` for
 * a wish that is unknown or out of range.
 */
export const echoWishes = (body: JsonObject): EchoWishes => {
  const { echo = {} } = body;
  if (!isJsonObject(echo)) throw new EchoWishError('The member "echo" must be an object.');
  return { ...none, ...wishesOfModel(body.model), ...merged(Object.entries(echo)) };
};
