import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';

/** The controls of a request to the echo provider. */
export interface EchoControls {
  /** The status of the answer. From 300, the answer is an error. */
  readonly status: number;
  /** How many milliseconds it waits before it answers. */
  readonly delay_ms: number;
  /** How many milliseconds it waits before each word of a stream. */
  readonly word_ms: number;
  /** After how many words a stream ends abruptly. Any other answer is cut in the middle. */
  readonly cut_after: number | undefined;
  /** Seconds for the header `retry-after`. */
  readonly retry_after: number | undefined;
}

/** The error for invalid controls of a request. Its message names what is wrong. */
export class EchoControlError extends Error {
  override readonly name = 'EchoControlError';
}

const ranges: Readonly<Record<keyof EchoControls, readonly [min: number, max: number]>> = {
  status: [200, 599],
  delay_ms: [0, 3_600_000],
  word_ms: [0, 3_600_000],
  cut_after: [0, 1_000_000],
  retry_after: [0, 3_600_000],
};

const none: EchoControls = { status: 200, delay_ms: 0, word_ms: 0, cut_after: undefined, retry_after: undefined };

const isControlName = (name: string): name is keyof EchoControls => Object.hasOwn(ranges, name);

const checked = (name: string, value: unknown): Partial<EchoControls> => {
  if (!isControlName(name))
    throw new EchoControlError(`The echo provider has no control "${name}". It has ${Object.keys(ranges).join(', ')}.`);
  const [min, max] = ranges[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
    throw new EchoControlError(`The echo control "${name}" must be a whole number from ${min} to ${max}.`);
  return { [name]: value };
};

const merged = (controls: Iterable<readonly [name: string, value: unknown]>): Partial<EchoControls> =>
  Object.assign({}, ...Array.from(controls, ([name, value]) => checked(name, value)));

/** Reads `echo?status=503&delay_ms=20`, the form that survives a translation from another dialect. */
const controlsOfModel = (model: unknown): Partial<EchoControls> => {
  const [, query] = typeof model === 'string' ? model.split('?', 2) : [];
  if (query === undefined) return {};
  return merged(
    [...new URLSearchParams(query)].map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]),
  );
};

/**
 * Returns the controls of a request: the member `echo` of its body, which overrides those of its model. Throws an
 * `EchoControlError` for a control that is unknown or out of range.
 */
export const echoControls = (body: JsonObject): EchoControls => {
  const { echo = {} } = body;
  if (!isJsonObject(echo)) throw new EchoControlError('The member "echo" must be an object.');
  return { ...none, ...controlsOfModel(body.model), ...merged(Object.entries(echo)) };
};
