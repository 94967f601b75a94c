import { checkFailedStatus, deniedStatus } from '../../../schema/http/status.ts';
import type { Asked, AskedHook, Try, Way } from './asked.ts';

/** The texts of a request and of a model's answer. */
export interface Said {
  readonly prompt: string;
  readonly answer: string;
}

/** What a config promises for a new request. */
export interface ExpectedAnswer {
  readonly status: number;
  /** How often models are called. */
  readonly calls: number;
  /** What the config specifies for the target that answers. */
  readonly asked: Asked;
  /** The hooks whose results the answer reports. */
  readonly before: readonly AskedHook[];
  readonly after: readonly AskedHook[];
}

const waitedFor = (hooks: readonly AskedHook[]): readonly AskedHook[] => hooks.filter(({ async }) => !async);

const judged = (hooks: readonly AskedHook[], text: string): number => {
  const failed = waitedFor(hooks).filter(({ passes }) => !passes(text));
  if (failed.length === 0) return 200;
  return failed.some(({ denies }) => denies) ? deniedStatus : checkFailedStatus;
};

const expectedAt = ({ asked }: Try, { prompt, answer }: Said): ExpectedAnswer => {
  const { input, output, retry } = asked;
  const before = waitedFor(input);
  const ofPrompt = judged(input, prompt);
  if (ofPrompt === deniedStatus) return { status: ofPrompt, calls: 0, asked, before, after: [] };
  const ofAnswer = judged(output, answer);
  return {
    status: Math.max(ofPrompt, ofAnswer),
    calls: retry.on.includes(ofAnswer) ? 1 + retry.attempts : 1,
    asked,
    before,
    after: waitedFor(output),
  };
};

const toExpected = ([first, ...others]: readonly Try[], said: Said): ExpectedAnswer => {
  if (first === undefined) throw new Error('A request tries at least one target.');
  const expected = expectedAt(first, said);
  if (others.length === 0 || !first.goesOnAfter(expected.status)) return expected;
  const next = toExpected(others, said);
  return { ...next, calls: expected.calls + next.calls };
};

/** Returns the expected answer of the targets that a request tries, up to the one that answers. */
export const expectedAnswer = ({ tries }: Way, said: Said): ExpectedAnswer => toExpected(tries, said);

/** Returns the words that do not pass at some target, in prompts or in answers. */
export const toWords = ({ tries }: Way, phase: 'input' | 'output'): readonly string[] => [
  ...new Set(tries.flatMap(({ asked }) => asked[phase].flatMap(({ word }) => word ?? []))),
];
