import { GatewayError } from '../../../schema/errors/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';

/** Called once: something has been received, or the error says why not. */
type Settle<Failure extends Error> = (error?: Failure | GatewayError) => void;

interface AwaitedBody<Failure extends Error> {
  readonly received: Settle<Failure>;
  /** Stops reading the body. */
  readonly leave: () => void;
}

interface Deadline {
  /** The value of the request's header. */
  readonly ms: number;
  readonly remainingMs: number;
  readonly clock: Pick<Clock, 'after'>;
}

const endedAfter = <Failure extends Error>(
  { ms, remainingMs, clock }: Deadline,
  { received, leave }: AwaitedBody<Failure>,
): Settle<Failure> => {
  let isOver = false;
  const settle: Settle<Failure> = (error) => {
    if (isOver) return;
    isOver = true;
    stopTimer();
    received(error);
  };
  const stopTimer = clock.after(remainingMs, () => {
    leave();
    // Loaded on demand, because most requests have no deadline.
    void import('../../engine/stages/timed-deadline.ts').then(({ deadlineReport }) =>
      settle(new GatewayError(deadlineReport(ms))),
    );
  });
  return settle;
};

/** Returns the callback of a body whose wait is limited by the request's deadline. */
export const untilDeadline = <Failure extends Error>(
  { overrides: { deadlineMs: ms }, startedAt }: HttpExchange,
  { clock }: { readonly clock?: Pick<Clock, 'after' | 'monotonic'> },
  awaited: AwaitedBody<Failure>,
): Settle<Failure> => {
  if (ms === undefined || clock === undefined) return awaited.received;
  const remainingMs = Math.ceil(Math.max(0, ms - (clock.monotonic() - startedAt)));
  return endedAfter({ ms, remainingMs, clock }, awaited);
};
