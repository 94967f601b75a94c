import { type RequestLine, requestLine } from '../../../plugins/sdk/logs/request-line.ts';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { withoutServiceKeys } from '../../../schema/credentials/without-service-keys.ts';
import { escapeUnprintableJson } from '../../../schema/json/escape-unprintable-json.ts';
import { HttpExchange } from '../../http/exchange/http-exchange.ts';
import type { Clock } from '../../ports/clock.ts';

export interface RequestLogOptions {
  readonly clock: Clock;
  readonly write: (line: string) => void;
}

/** Writes a JSON line for each request when its answer has ended, and for each copy that a mirror has sent. */
export const requestLog = ({ clock, write }: RequestLogOptions): Plugin =>
  definePlugin({
    name: 'gatewright/request-log',
    apply: (hooks) => {
      hooks.completed.tap('gatewright/request-log', (response, exchange, end) => {
        if (!(exchange instanceof HttpExchange) && exchange.mirrorOf === undefined) return;
        const ending = { end, wall: clock.wall(), monotonic: clock.monotonic() };
        const line: RequestLine = requestLine(exchange, response, ending);
        write(`${withoutServiceKeys(escapeUnprintableJson(JSON.stringify(line)))}\n`);
      });
    },
  });
