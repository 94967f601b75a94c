import type { Step, StreamStage } from '../../../plugins/sdk/hooks/hooks.ts';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import { ReleasedEvents } from './released-events.ts';
import type { StreamJudge } from './stream-judge.ts';

/** Releases everything immediately, and judges the answer when its client has received it. */
export class ReportStage implements StreamStage {
  readonly #judge: StreamJudge;
  readonly #taken: Promise<void>;
  readonly #released = new ReleasedEvents();

  /** `taken` settles when the client is given the stream. A group may also discard it. */
  constructor(judge: StreamJudge, taken: Promise<void>) {
    this.#judge = judge;
    this.#taken = taken;
  }

  push(event: AnswerEvent): Step {
    this.#released.add(event);
    return { do: 'release' };
  }

  async end(): Promise<Step> {
    await this.#taken;
    await this.#judge.whole(this.#released);
    return { do: 'release' };
  }
}
