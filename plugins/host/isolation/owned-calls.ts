import { fromJson } from '../../../schema/json/from-json.ts';
import type { Verdict } from '../../sdk/guardrail/guardrail.ts';
import type { Cancellation } from '../../sdk/http/http.ts';
import { createCancellation } from '../../sdk/time/cancellation.ts';
import type { NewCall } from './calls.ts';
import type { IsolationLink, OwnedOutcome, OwnedRequest } from './messages.ts';
import { readError } from './protocol/read-message.ts';

/** The owner itself ends a call that is late. If it takes this much longer, in milliseconds, the owner does not answer. */
const overtimeMs = 30_000;

interface RunningCall extends Pick<NewCall, 'http' | 'tenant'> {
  /** Cancelled when the call ends. */
  readonly cancellation: Cancellation;
}

/** The calls of this worker's checks, which run in the processes of its owner. */
export class OwnedCalls {
  readonly #link: IsolationLink;
  readonly #running = new Map<number, RunningCall>();
  #last = 0;

  constructor(link: IsolationLink) {
    this.#link = link;
    link.onRequest((request) => this.#send(request as OwnedRequest));
  }

  async run(plugin: string, version: number, given: NewCall): Promise<Verdict> {
    const { check, tenant, withinMs, members, http, cancellation, recordTargetRead } = given;
    this.#last += 1;
    const call = this.#last;
    const own = createCancellation(cancellation);
    this.#running.set(call, { http, tenant, cancellation: own.cancellation });
    const asked = this.#link.ask(
      { of: 'run', plugin, call, version, check, tenant, withinMs, members },
      withinMs + overtimeMs,
    );
    const stopListening = cancellation.onCancel(() => {
      own.cancel();
      void this.#link.ask({ of: 'cancel', call }, overtimeMs).catch(() => {});
    });
    // Work in another process does not count as the gateway's own time.
    const endWait = cancellation.waits?.begin();
    try {
      const outcome = (await asked) as OwnedOutcome;
      if ('failed' in outcome) throw readError(outcome.failed.name, outcome.failed.message);
      if (outcome.isOfTarget) recordTargetRead();
      // The linker validates verdicts, as for plugins in this process.
      return fromJson(outcome.verdict) as Verdict;
    } finally {
      this.#running.delete(call);
      stopListening();
      endWait?.();
      own.cancel();
    }
  }

  /** Sends a check's request over this worker's connections, under the rules of the plan that has the check. */
  async #send({ call, request }: OwnedRequest): Promise<unknown> {
    const running = this.#running.get(call);
    if (running === undefined) throw new Error('The call of the check that sends the request has ended.');
    const { http, tenant, cancellation } = running;
    return http.send({ ...request, tenant, cancellation });
  }
}
