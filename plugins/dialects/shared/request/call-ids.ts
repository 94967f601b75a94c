import type { Json } from '../../../../schema/json/json.ts';

/** Characters that not every format accepts in an id. */
const foreign = /[^\w-]/g;

/** OpenAI's chat accepts ids of at most 40 characters. */
const longestBase = 24;

/** Creates the id of a call from the id of its answer, so that it is unique in a conversation, and the number of the call. */
export const makeCallId = (answer: string, number: number): string => {
  const base = answer.replaceAll(foreign, '').slice(-longestBase);
  return `gw-call-${base === '' ? '' : `${base}-`}${number}`;
};

export interface CallPlace {
  /** The id of the answer, or empty. */
  readonly answer: string;
  readonly number: number;
}

/** Returns the id that a provider gives a call, or an empty text. Mistral writes `null` as a text: https://docs.mistral.ai/api */
export const givenCallId = (id: Json | undefined): string => (typeof id === 'string' && id !== 'null' ? id : '');

/** Returns the id of a call, which is made if its provider sends none: clients need it to pair the call with its result. */
export const readCallId = (id: Json | undefined, { answer, number }: CallPlace): string => {
  const given = givenCallId(id);
  return given === '' ? makeCallId(answer, number) : given;
};
