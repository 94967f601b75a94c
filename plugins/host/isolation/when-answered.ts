import type { CheckCall } from '../../../schema/plan/plan.ts';

/** Collects questions to plugins, which are answered later. */
export interface Settling {
  /** Starts a round: `settle` waits for the questions asked from now on. */
  begin(): void;
  /** Waits for the questions. Returns whether any was answered. */
  settle(): Promise<boolean>;
}

/** The maximum number of rounds, because answers may lead to further questions. */
const maxRounds = 5;

/** Computes a result, and computes it again until isolated plugins have answered every question that the computation asks. */
export const whenAnswered = async <Result>(plugins: readonly Settling[], compute: () => Result): Promise<Result> => {
  for (let round = 1; ; round += 1) {
    for (const plugin of plugins) plugin.begin();
    const result = compute();
    const answered = await Promise.all(plugins.map((plugin) => plugin.settle()));
    if (!answered.includes(true) || round === maxRounds) return result;
  }
};

/** A plugin that can be asked what the linker needs to know about a plan. */
export interface Linkable extends Settling {
  /** Asks for what is needed to link the call, if the check is one of its own. */
  prepare(call: CheckCall): void;
}

/** Waits until isolated plugins have answered what the linker will ask about these checks. */
export const whenChecksAnswer = async (plugins: readonly Linkable[], calls: readonly CheckCall[]): Promise<void> => {
  await whenAnswered(plugins, () => {
    for (const call of calls) for (const plugin of plugins) plugin.prepare(call);
  });
};
