import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { formatCount } from '../../../../schema/text/format-count.ts';
import { RefusalError } from '../client/ask-gateway.ts';
import { type ApiEvent, ControlPlane, callApi, NoControlPlane, streamEvents } from '../client/control-plane.ts';
import { type GatewayAccess, gatewayAccess, refuseKeyFlag } from '../client/gateway-access.ts';
import { CommandFailure, type ControlServices, type ExitCode, withArguments } from '../command-line/services.ts';
import { flagMembers, toSpec } from './flag-values.ts';
import { reportRefusal } from './format-refusal.ts';
import { recordColumns, recordFlags } from './logs.ts';
import { memberText, requireShape } from './show.ts';
import { jsonLine, padText } from './texts.ts';

const betweenMs = 1000;
/** The number of records that are listed at first. */
const firstRecords = 10;

const follow = {
  summary: 'Shows requests as they arrive, until the command is interrupted.',
  route: 'GET /logs/events',
  flags: recordFlags,
  shows: { as: 'table', columns: recordColumns },
  notes: 'It continues when the gateway is restarted.',
} as const;

const toId = ({ id }: JsonObject): string => findText(id) ?? '';

/** Wide enough for common values; a wider value shifts the rest of its line. */
const widths: Readonly<Record<string, number>> = {
  TIME: 24,
  STATUS: 6,
  MODEL: 24,
  PROVIDER: 12,
  MS: 10,
  TOKENS: 7,
  ID: 36,
};

const line = (cells: readonly (readonly [head: string, text: string])[]): string =>
  `${cells
    .map(([head, text]) => padText(text, widths[head] ?? 8))
    .join('  ')
    .trimEnd()}\n`;

const leftOutText = (count: number): string =>
  `${formatCount(count, 'request is', 'requests are')} omitted, because they arrived faster than they were read.`;

interface Shown {
  /** The stream has started or resumed. */
  readonly begun: () => void;
  readonly record: (record: JsonObject) => void;
  /** `count` records arrived faster than they were read. */
  readonly leftOut: (count: number) => void;
}

/** Shows the newest records, the oldest first, and then new ones, each once. */
class Followed {
  readonly #access: GatewayAccess;
  readonly #query: Readonly<Record<string, string>>;
  readonly #shown: Shown;
  #plane: ControlPlane | undefined;
  /** The id of the last event. */
  #last = '';
  /** The listed records, for which there may be events, too. */
  #listed: ReadonlySet<string> | undefined;

  constructor(access: GatewayAccess, query: Readonly<Record<string, string>>, shown: Shown) {
    this.#access = access;
    this.#query = query;
    this.#shown = shown;
  }

  /** Resolves when the gateway ends the stream. The next call continues after its last event. */
  async read(): Promise<void> {
    this.#plane ??= await ControlPlane.find(this.#access);
    const plane = this.#plane;
    const headers = this.#last === '' ? {} : { 'last-event-id': this.#last };
    const request = { method: 'GET', path: '/logs/events', query: this.#query, headers };
    await streamEvents(plane, request, (event) => this.#take(plane, event));
  }

  async #take(plane: ControlPlane, { id, event, data }: ApiEvent): Promise<void> {
    // The first event marks the start of the stream. A record that is listed later was written before that or has an event.
    this.#shown.begun();
    this.#listed ??= await this.#list(plane);
    const value = parseObject(data) ?? {};
    if (event === 'log' && !this.#listed.has(toId(value))) this.#shown.record(value);
    if (event === 'left_out') this.#shown.leftOut(findNumber(value.count) ?? 0);
    if (id !== '') this.#last = id;
  }

  async #list(plane: ControlPlane): Promise<ReadonlySet<string>> {
    const query = { ...this.#query, limit: String(firstRecords) };
    const answer = await callApi(plane, { method: 'GET', path: '/logs', query });
    requireShape(follow.shows, answer, {});
    const records = toObjects(findObject(answer)?.data).toReversed();
    for (const record of records) this.#shown.record(record);
    return new Set(records.map(toId));
  }
}

/** Checks whether a retry may succeed soon. */
const isPassing = (error: unknown): error is Error =>
  error instanceof RefusalError
    ? error.refusal.status >= 500 || error.refusal.status === 429
    : error instanceof CommandFailure && !(error instanceof NoControlPlane);

/** `gw logs --follow`: lists records as they arrive, until the process is interrupted. */
export const followLogs = (services: ControlServices, argv: readonly string[]): Promise<ExitCode> => {
  refuseKeyFlag(argv, Object.keys(recordFlags));
  return withArguments(services, toSpec('gw logs --follow', follow), argv, async ({ values }) => {
    const access = await gatewayAccess(services, values);
    const { query } = flagMembers(recordFlags, values, services.env);
    const isJson = values.format === 'json';
    const shown = (record: JsonObject): string =>
      isJson
        ? jsonLine(record)
        : line(Object.entries(recordColumns).map(([head, member]) => [head, memberText(record, member)]));
    let begun = false;
    const followed = new Followed(access, query, {
      record: (record) => services.out.write(shown(record)),
      leftOut: (count) => services.err.write(`gw: ${leftOutText(count)}\n`),
      begun: () => {
        begun = true;
      },
    });
    if (!isJson) services.out.write(line(Object.keys(recordColumns).map((head) => [head, head])));
    let lastShown = '';
    for (;;) {
      begun = false;
      try {
        await followed.read();
      } catch (error) {
        const origin = { file: undefined, flags: recordFlags, given: new Set(Object.keys(values)) };
        if (!isPassing(error)) return reportRefusal(error, { access, origin }, services);
        // A stream that had started continues after its last event, so a failure is reported only if it cannot.
        if (!begun && error.message !== lastShown)
          services.err.write(`gw: ${error.message} The request is sent again.\n`);
        lastShown = begun ? '' : error.message;
      }
      await setTimeout(betweenMs);
    }
  });
};
