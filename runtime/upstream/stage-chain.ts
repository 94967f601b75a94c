import type { Frame } from '../../plugins/sdk/dialect.ts';
import { SseSplitter, writeFrame } from '../../plugins/sdk/framings/sse.ts';
import type { StreamStage } from '../../plugins/sdk/hooks.ts';

/** The stages of a stream, in order, applied to the client's bytes. */
export interface StageChain {
  push(bytes: Buffer): Buffer;
  /** The bytes that the stages still hold back. */
  end(): Buffer;
}

/** Every stage sees frames in the client's dialect; the last one's are written out. */
export const createStageChain = (stages: readonly StreamStage[]): StageChain => {
  const splitter = new SseSplitter();
  let text = '';

  const pass = (at: number, frame: Frame): void => {
    const stage = stages[at];
    if (stage === undefined) text += writeFrame(frame);
    else stage.part(frame, (next) => pass(at + 1, next));
  };

  const take = (): Buffer => {
    const taken = Buffer.from(text);
    text = '';
    return taken;
  };

  return {
    push: (bytes) => {
      for (const frame of splitter.push(bytes).frames) pass(0, frame);
      return take();
    },
    end: () => {
      for (const frame of splitter.rest().frames) pass(0, frame);
      for (const [at, stage] of stages.entries()) stage.end((frame) => pass(at + 1, frame));
      return take();
    },
  };
};
