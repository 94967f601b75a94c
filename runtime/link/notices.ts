import type { SyncHook } from 'tapable';
import type { Exchange } from '../../plugins/sdk/exchange.ts';
import type { Hooks } from '../../plugins/sdk/hooks.ts';
import type { TrailEvent } from '../../schema/trail.ts';

type EventOf<Kind extends TrailEvent['kind']> = Extract<TrailEvent, { kind: Kind }>;
type Notify<Kind extends TrailEvent['kind']> = (event: EventOf<Kind>, exchange: Exchange) => void;

/** How the runtime tells what it decided and did: into the trail, and to the hooks that look. */
export interface Notices {
  readonly attempted: Notify<'attempted'>;
  readonly retried: Notify<'retried'>;
  readonly fellBack: Notify<'fellBack'>;
  readonly circuitChanged: Notify<'circuitChanged'>;
}

const notify = <Kind extends TrailEvent['kind']>(hook: SyncHook<[EventOf<Kind>, Exchange]>): Notify<Kind> =>
  hook.isUsed()
    ? (event, exchange) => {
        exchange.trail.push(event);
        hook.call(event, exchange);
      }
    : (event, exchange) => {
        exchange.trail.push(event);
      };

/** Reads once which hooks are tapped, so that the others cost nothing. */
export const createNotices = (hooks: Hooks): Notices => ({
  attempted: notify<'attempted'>(hooks.attempted),
  retried: notify<'retried'>(hooks.retried),
  fellBack: notify<'fellBack'>(hooks.fellBack),
  circuitChanged: notify<'circuitChanged'>(hooks.circuitChanged),
});
