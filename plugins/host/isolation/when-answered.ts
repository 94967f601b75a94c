import type { CheckCall } from '../../../schema/plan/plan.ts';

/** Something that is asked of plugins, and answered later. */
export interface Settling {
  /** From here on, what is asked is waited for by `settle`. */
  begin(): void;
  /** Waits for what was asked; whether anything was answered. */
  settle(): Promise<boolean>;
}

/** The rounds of questions that the answers of plugins may lead to. */
const maxRounds = 5;

/** Computes something again until isolated plugins have answered all that it asks them, before it returns. */
export const whenAnswered = async <Result>(plugins: readonly Settling[], compute: () => Result): Promise<Result> => {
  for (let round = 1; ; round += 1) {
    for (const plugin of plugins) plugin.begin();
    const result = compute();
    const answered = await Promise.all(plugins.map((plugin) => plugin.settle()));
    if (!answered.includes(true) || round === maxRounds) return result;
  }
};

/** A plugin that is asked what the linker needs to know of a plan. */
export interface Linkable extends Settling {
  /** Asks what linking the call needs to know, if the check is one of its own. */
  prepare(call: CheckCall): void;
}

/** Lets isolated plugins answer what the linker will ask of these checks. */
export const whenChecksAnswer = async (plugins: readonly Linkable[], calls: readonly CheckCall[]): Promise<void> => {
  await whenAnswered(plugins, () => {
    for (const call of calls) for (const plugin of plugins) plugin.prepare(call);
  });
};
