import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { suggestion } from '../../diagnostics/closest.ts';
import { type Failure, readFailure } from '../../reliability/failure.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** The tokens of a request, for its cost. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** The values of `--odds`, `--fail` and `--tokens`. */
export interface OddsRequest {
  readonly failures: ReadonlyMap<string, Failure>;
  readonly tokens: Tokens | undefined;
}

const readFail = (text: string, { targets }: Pick<RoutingPlan, 'targets'>): readonly [string, Failure] => {
  const at = text.lastIndexOf('=');
  const [id, value] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  const ids = targets.map((target) => target.id);
  const failure = at === -1 ? undefined : readFailure(value);
  if (at !== -1 && !ids.includes(id))
    throw new UsageError(`The plan has no target "${id}".`, suggestion(id, ids, 'Its targets are'));
  if (failure === undefined)
    throw new UsageError(
      `The flag --fail cannot be "${text}".`,
      'Write TARGET=SHARE, with a share of its calls from 0 to 1 and at most six decimals, and optionally how they fail: fast=0.1, fast=0.1:429, fast=0.1:timeout or fast=0.1:network.',
    );
  return [id, failure];
};

/** Parses the values of `--fail`. Throws a `UsageError`. */
export const readFailures = (
  texts: readonly string[],
  plan: Pick<RoutingPlan, 'targets'>,
): ReadonlyMap<string, Failure> => {
  const failures = new Map<string, Failure>();
  for (const text of texts) {
    const [id, failure] = readFail(text, plan);
    if (failures.has(id))
      throw new UsageError(`The flag --fail is given twice for "${id}".`, 'The calls of a target fail in one way.');
    failures.set(id, failure);
  }
  return failures;
};

/** Parses the value of `--tokens`. Throws a `UsageError`. */
export const readTokens = (text: string | undefined): Tokens | undefined => {
  if (text === undefined) return undefined;
  const [, input, output] = /^(\d{1,9}),(\d{1,9})$/.exec(text) ?? [];
  if (input === undefined || output === undefined)
    throw new UsageError(
      `The flag --tokens cannot be "${text}".`,
      'Write those of the request and of its answer: --tokens 2000,500.',
    );
  return { input: Number(input), output: Number(output) };
};
