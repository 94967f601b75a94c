import type { Frame } from '../../plugins/sdk/dialect.ts';
import type { StreamStage } from '../../plugins/sdk/hooks.ts';

/** The stages of a stream, in order. */
export interface StageChain {
  push(frames: readonly Frame[]): readonly Frame[];
  /** The frames that the stages still hold back. */
  end(): readonly Frame[];
}

/** Every stage sees frames in the client's dialect, whatever they are framed in; those of the last one go out. */
export const createStageChain = (stages: readonly StreamStage[]): StageChain => {
  let passed: Frame[] = [];

  const pass = (at: number, frame: Frame): void => {
    const stage = stages[at];
    if (stage === undefined) passed.push(frame);
    else stage.part(frame, (next) => pass(at + 1, next));
  };

  const take = (): readonly Frame[] => {
    const taken = passed;
    passed = [];
    return taken;
  };

  return {
    push: (frames) => {
      for (const frame of frames) pass(0, frame);
      return take();
    },
    end: () => {
      for (const [at, stage] of stages.entries()) stage.end((frame) => pass(at + 1, frame));
      return take();
    },
  };
};
