import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../schema/json/json.ts';

/** A request as a partner's service receives it. */
export interface PartnerCall {
  readonly method: string;
  /** The path and query. */
  readonly path: string;
  /** Returns the first value of a header. The name is in lower case. */
  header(name: string): string | undefined;
  readonly text: string;
  /** Milliseconds since the epoch, for services that check the time. */
  readonly now: number;
}

export interface PartnerAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** A partner's check, as a config contains it. */
export interface StubbedCheck {
  readonly id: string;
  readonly parameters: JsonObject;
  /** What it finds fault with. Absent for a check that passes whatever it finds. */
  readonly finds?: 'flagged' | 'personal';
  /** Set for a check of tool calls, which needs requests that offer tools. */
  readonly judgesCalls?: true;
}

/** A partner's service that answers as its documentation describes, and rejects what the documentation does not allow. */
export interface PartnerStub {
  readonly vendor: string;
  /** Its public origins. */
  readonly origins: readonly string[];
  readonly checks: readonly StubbedCheck[];
  answer(call: PartnerCall): PartnerAnswer;
}

/** The key that all services accept if they require one. */
export const partnerKey = 'partner-key-9f8e7d';

/** A word that every service flags, and personal data that every service finds. */
export const flaggedWord = 'plutonium';
export const personalData = 'ada@example.com';

export const isFlagged = (text: string): boolean => text.includes(flaggedWord);

/** Returns where personal data starts in a text, in UTF-16 units. */
export const personalAt = (text: string): readonly number[] =>
  [...text.matchAll(/ada@example\.com/g)].map(({ index }) => index);

type Shape = 'text' | 'flag' | 'number' | 'object' | 'list';

const findShape = (value: unknown): Shape | undefined => {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object' && value !== null) return 'object';
  const shapes: { readonly [type: string]: Shape } = { string: 'text', boolean: 'flag', number: 'number' };
  return shapes[typeof value];
};

/**
 * Returns the members of a body that are undocumented or have a wrong type, and the missing ones. A `?` marks optional members.
 */
export const misfits = (body: JsonObject, shape: Readonly<Record<string, Shape | `${Shape}?`>>): readonly string[] => {
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(shape, name));
  const wrong = Object.entries(shape).flatMap(([name, wanted]) => {
    if (!Object.hasOwn(body, name)) return wanted.endsWith('?') ? [] : [name];
    return findShape(body[name]) === wanted.replace('?', '') ? [] : [name];
  });
  return [...unknown, ...wrong];
};

export interface Expected {
  readonly method?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Whether the method, path and headers match the documentation. */
export const isExpected = (call: PartnerCall, { method = 'POST', path, headers }: Expected): boolean =>
  call.method === method &&
  call.path === path &&
  isDeepStrictEqual(Object.fromEntries(Object.keys(headers).map((name) => [name, call.header(name)])), headers) &&
  call.header('content-type') === 'application/json';
