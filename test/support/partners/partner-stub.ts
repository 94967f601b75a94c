import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../schema/json/json.ts';

/** A request as a partner's service receives it. */
export interface PartnerCall {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** The first value of a header; the name in lower case. */
  header(name: string): string | undefined;
  readonly text: string;
  /** Milliseconds since the epoch, where the service looks at its clock. */
  readonly now: number;
}

export interface PartnerAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** A check of a partner, as a config has it. */
export interface StubbedCheck {
  readonly id: string;
  readonly parameters: JsonObject;
  /** What it finds fault with; absent for one that passes whatever it finds. */
  readonly finds?: 'flagged' | 'personal';
  /** Set for one that judges calls of tools, and so needs requests that offer some. */
  readonly judgesCalls?: true;
}

/** A partner's service, which answers as its documentation says, and refuses what the documentation does not allow. */
export interface PartnerStub {
  readonly vendor: string;
  /** The origins that it has on the internet. */
  readonly origins: readonly string[];
  readonly checks: readonly StubbedCheck[];
  answer(call: PartnerCall): PartnerAnswer;
}

/** The key that all services accept, where they want one. */
export const partnerKey = 'partner-key-9f8e7d';

/** A word that every service flags, and personal data that every service finds. */
export const flaggedWord = 'plutonium';
export const personalData = 'ada@example.com';

export const isFlagged = (text: string): boolean => text.includes(flaggedWord);

/** Where personal data begins in a text, in UTF-16 units. */
export const personalAt = (text: string): readonly number[] =>
  [...text.matchAll(/ada@example\.com/g)].map(({ index }) => index);

type Shape = 'text' | 'flag' | 'number' | 'object' | 'list';

const findShape = (value: unknown): Shape | undefined => {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object' && value !== null) return 'object';
  const shapes: { readonly [type: string]: Shape } = { string: 'text', boolean: 'flag', number: 'number' };
  return shapes[typeof value];
};

/** The members that a body has and its documentation does not, or not of that type; a `?` marks those that it may lack. */
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

/** Whether method, path and headers are those of the documentation. */
export const isExpected = (call: PartnerCall, { method = 'POST', path, headers }: Expected): boolean =>
  call.method === method &&
  call.path === path &&
  isDeepStrictEqual(Object.fromEntries(Object.keys(headers).map((name) => [name, call.header(name)])), headers) &&
  call.header('content-type') === 'application/json';
