import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import { expectPlain, overTheWire } from '../support/expect-plain.ts';
import { oddBody } from '../support/odd-body.ts';
import type { FuzzCase, Subject } from '../support/subject.ts';

const statuses: readonly number[] = [200, 302, 400, 401, 404, 413, 418, 429, 500, 503, 529, 599, 0];
const headers: readonly (readonly string[])[] = [
  [],
  ['x-amzn-errortype', 'ThrottlingException:http://x'],
  ['X-Amzn-ErrorType', ''],
  ['retry-after', '\u00ff'],
  ['odd'],
];

/** Tests an error answer, which must always have a message and be expressible in every dialect. */
export const errorCase = (subject: Subject, { random, note }: FuzzCase): void => {
  const { dialect, corpus } = subject;
  const bodies = random.oneIn(4) ? corpus.answers : corpus.errors;
  const text = bodies.length === 0 || random.oneIn(30) ? random.pick(corpus.words) : oddBody(bodies, subject, random);
  const status = random.pick(statuses);
  note('error', { status, text });
  const error = dialect.decodeError(status, text, random.pick(headers));
  expectPlain(error);
  if (error.message === '') throw new Error('An error has no message.');
  for (const other of builtinDialects) {
    note('in', other.id);
    const translated = other.decodeError(status, JSON.stringify(overTheWire(other.encodeWireError(error, status))));
    if (translated.message === '') throw new Error('A translated error has no message.');
  }
};
