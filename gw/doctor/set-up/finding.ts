import type { SetUp } from './set-up.ts';

/**
 * `error`: the gateway does not start, or requests fail. `warning`: it works, but something will go wrong. `note`: something
 * could not be checked, which is not a problem.
 */
export type Severity = 'error' | 'warning' | 'note';

/** A problem of a set-up. All texts can be shown to people: they contain no secrets. */
export interface Finding {
  readonly severity: Severity;
  /** The part of the set-up that it is about: a file, a provider, a host, a setting. */
  readonly subject: string;
  /** The fact, in one or more sentences. */
  readonly what: string;
  /** An instruction, in one or more sentences. */
  readonly remedy: string;
}

/** A check for one possible problem. */
export interface Check {
  /** Kebab-case; stable. */
  readonly id: string;
  /** A question or a noun phrase for the list in the documentation. */
  readonly description: string;
  /** Whether it calls providers or other services on outside networks; `--offline` skips it. */
  readonly needsNetwork?: boolean;
  /** Whether it also runs if the gateway file could not be read. */
  readonly needsNoFile?: boolean;
  run(setUp: SetUp): Promise<readonly Finding[]> | readonly Finding[];
}

/** Splits a message of the runtime into the fact and the advice, which is the last sentence or follows a colon. */
export const splitAdvice = (message: string): Pick<Finding, 'what' | 'remedy'> => {
  const sentences = message.trim().split(/(?<=[.!?]) (?=[A-Z"])/);
  const remedy = sentences.pop() ?? '';
  if (sentences.length > 0) return { what: sentences.join(' '), remedy };
  const [, fact, advice] = /^([^:]+): (.+)$/s.exec(remedy) ?? [];
  if (fact === undefined || advice === undefined) return { what: remedy, remedy: 'See the documentation.' };
  return { what: `${fact}.`, remedy: `${advice.charAt(0).toUpperCase()}${advice.slice(1)}` };
};
