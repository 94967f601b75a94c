import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import { CancellationSource } from '../../async/cancellation-source.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Run, RunDeadline } from '../call/run.ts';
import { discard } from '../error-responses/discard.ts';

/** Ends one of two branches of a run, together with the run or before it. Released at the end of the branch's answer. */
class ArmEnd extends CancellationSource implements RunDeadline {
  readonly #run: Run;
  readonly #stopListening: () => void;

  constructor(run: Run) {
    super();
    this.#run = run;
    const { cancellation } = run;
    this.#stopListening = cancellation.onCancel(() => this.cancel(cancellation.cause));
  }

  get leftMs(): number {
    return this.#run.deadline?.leftMs ?? Number.POSITIVE_INFINITY;
  }

  release(): void {
    this.#stopListening();
  }
}

/** How long to wait for a cancelled branch to end. A plugin may ignore its cancellation. */
const endingMs = 50;

/** One of two branches that run at the same time. */
export class HedgeArm {
  readonly answer: Promise<GatewayResponse>;
  readonly #end: ArmEnd;

  constructor(execute: (run: Run) => Promise<GatewayResponse>, run: Run) {
    this.#end = new ArmEnd(run);
    this.answer = this.#run(execute, run);
  }

  /**
   * Cancels everything that it does, as if its client had disconnected, and waits for its end, so that the trail has its attempt.
   */
  cut(clock: Pick<Clock, 'after'>): Promise<void> {
    this.#end.cancel();
    const discarded = this.answer.then(discard, () => {});
    return new Promise((settle) => {
      const stopTimer = clock.after(endingMs, settle);
      discarded.then(() => {
        stopTimer();
        settle();
      });
    });
  }

  async #run(execute: (run: Run) => Promise<GatewayResponse>, run: Run): Promise<GatewayResponse> {
    let isStreaming = false;
    try {
      const response = await execute(run.branch(this.#end));
      const { body } = response;
      isStreaming = body.kind === 'stream';
      if (body.kind === 'stream') body.onEnd(() => this.#end.release());
      return response;
    } finally {
      if (!isStreaming) this.#end.release();
    }
  }
}
