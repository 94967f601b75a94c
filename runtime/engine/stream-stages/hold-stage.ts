import type { Step, StreamStage } from '../../../plugins/sdk/hooks/hooks.ts';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import { unfoldAnswer } from '../../../schema/conversation/unfold-answer.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import type { CheckResult } from '../../../schema/trail/trail.ts';
import { type MaybePromise, thenMaybe } from '../../async/maybe-promise.ts';
import { ReleasedEvents } from './released-events.ts';
import type { StreamJudge } from './stream-judge.ts';

export interface HoldOptions {
  readonly judge: StreamJudge;
  /** Called with the verdict before anything is sent. */
  readonly onJudged: (result: CheckResult) => void;
}

/** Holds the whole answer until it is judged, like an answer that is not a stream. */
export class HoldStage implements StreamStage {
  readonly #options: HoldOptions;
  readonly #released = new ReleasedEvents();

  constructor(options: HoldOptions) {
    this.#options = options;
  }

  push(event: AnswerEvent): Step {
    this.#released.add(event);
    return { do: 'hold' };
  }

  end(): MaybePromise<Step> {
    const { judge, onJudged } = this.#options;
    return thenMaybe(judge.whole(this.#released), ({ result, changed }): Step => {
      onJudged(result);
      if (result === 'denied') return { do: 'refuse', report: errorReport('checks-failed', { phase: 'answer' }) };
      return changed === undefined ? { do: 'release' } : { do: 'replace', events: unfoldAnswer(changed) };
    });
  }
}
