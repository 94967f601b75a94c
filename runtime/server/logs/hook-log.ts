import type { JudgedHook } from '../../../plugins/sdk/hooks/hook-result.ts';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { escapeUnprintableJson } from '../../../schema/json/escape-unprintable-json.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import { HttpExchange } from '../../http/exchange/http-exchange.ts';
import type { Clock } from '../../ports/clock.ts';

/** One line about a hook that ran in the background. Like the request log, it contains nothing of the judged content. */
export interface HookLine {
  readonly kind: 'judged';
  /** When the verdict came, in ISO 8601. */
  readonly time: string;
  readonly trace: string;
  /** `name@hash`. Null if no plan was chosen. */
  readonly plan: string | null;
  /** The path of the leaf. */
  readonly path: string;
  readonly phase: CheckPhase;
  readonly hook: string;
  readonly verdict: boolean;
  /** Milliseconds. */
  readonly ms: number;
  readonly checks: readonly CheckLine[];
}

interface CheckLine {
  readonly id: string;
  readonly verdict: boolean;
  /** Set if the check failed to judge. */
  readonly erred?: true;
}

export interface HookLogOptions {
  readonly clock: Clock;
  readonly write: (line: string) => void;
}

const toLine = ({ path, phase, result }: JudgedHook, exchange: HttpExchange, clock: Clock): HookLine => ({
  kind: 'judged',
  time: new Date(clock.wall()).toISOString(),
  trace: exchange.traceId,
  plan: exchange.plan?.label ?? null,
  path,
  phase,
  hook: result.id,
  verdict: result.verdict,
  ms: result.execution_time,
  checks: result.checks.map(({ id, verdict, error }) => ({
    id,
    verdict,
    ...(error === undefined ? {} : { erred: true }),
  })),
});

/** Writes a JSON line for each hook that ran in the background, because no answer shows its findings. */
export const hookLog = ({ clock, write }: HookLogOptions): Plugin =>
  definePlugin({
    name: 'gatewright/hook-log',
    apply: (hooks) => {
      hooks.judged.tap('gatewright/hook-log', (judged, exchange) => {
        if (judged.result.async && exchange instanceof HttpExchange)
          write(`${escapeUnprintableJson(JSON.stringify(toLine(judged, exchange, clock)))}\n`);
      });
    },
  });
