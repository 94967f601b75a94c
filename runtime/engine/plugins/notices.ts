import type { SyncHook } from 'tapable';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { JudgedHook } from '../../../plugins/sdk/hooks/hook-result.ts';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';
import type { UnreadAnswer } from '../../../plugins/sdk/hooks/unread-answer.ts';
import type { TrailEvent, TrailEventOf } from '../../../schema/trail/trail.ts';
import { observeEvent } from './observe.ts';

type Notify<Kind extends TrailEvent['kind']> = (event: TrailEventOf<Kind>, exchange: Exchange) => void;

/** How the runtime reports what it decided and did: to the trail, and to the notice hooks. */
export interface Notices {
  readonly attempted: Notify<'attempted'>;
  readonly usageRecorded: Notify<'settled'>;
  /** Reports an answer that plugins read themselves. It is not part of the trail. */
  readonly deferredUsage: (answer: UnreadAnswer, exchange: Exchange) => void;
  readonly retried: Notify<'retried'>;
  readonly fellBack: Notify<'fellBack'>;
  readonly hedged: Notify<'hedged'>;
  readonly hedgeEnded: Notify<'hedgeEnded'>;
  readonly circuitChanged: Notify<'circuitChanged'>;
  /** Reports the result of a hook. It is not part of the trail, because it may come after the answer. */
  readonly judged: (event: JudgedHook, exchange: Exchange) => void;
}

const notify = <Kind extends TrailEvent['kind']>(
  hooks: Hooks,
  hook: SyncHook<[TrailEventOf<Kind>, Exchange]>,
): Notify<Kind> =>
  hook.isUsed()
    ? (event, exchange) => {
        exchange.trail.push(event);
        observeEvent(hooks, hook, event, exchange);
      }
    : (event, exchange) => {
        exchange.trail.push(event);
      };

/** Checks once which hooks are tapped, so that the others cost nothing. */
export const createNotices = (hooks: Hooks): Notices => ({
  attempted: notify<'attempted'>(hooks, hooks.attempted),
  usageRecorded: notify<'settled'>(hooks, hooks.usageRecorded),
  deferredUsage: (answer, exchange) => {
    const hook = hooks.deferredUsage.get(answer.dialect);
    if (hook !== undefined) observeEvent(hooks, hook, answer, exchange);
  },
  retried: notify<'retried'>(hooks, hooks.retried),
  fellBack: notify<'fellBack'>(hooks, hooks.fellBack),
  hedged: notify<'hedged'>(hooks, hooks.hedged),
  hedgeEnded: notify<'hedgeEnded'>(hooks, hooks.hedgeEnded),
  circuitChanged: notify<'circuitChanged'>(hooks, hooks.circuitChanged),
  judged: hooks.judged.isUsed() ? (event, exchange) => observeEvent(hooks, hooks.judged, event, exchange) : () => {},
});
