import { setTimeout } from 'node:timers/promises';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { RefusalError } from '../client/ask-gateway.ts';
import { ControlPlane, callApi, NoControlPlane } from '../client/control-plane.ts';
import { type GatewayAccess, gatewayAccess, refuseKeyFlag } from '../client/gateway-access.ts';
import { CommandFailure, type ControlServices, type ExitCode, withArguments } from '../command-line/services.ts';
import { flagMembers, toSpec } from '../engine/flag-values.ts';
import { reportRefusal } from '../engine/format-refusal.ts';
import { recordColumns, recordFlags } from '../resources/logs.ts';
import { memberText, requireShape } from '../show/show.ts';
import { jsonLine, padText } from '../show/texts.ts';

const betweenMs = 1000;
const pageSize = 100;
/** The number of records that are listed at first. */
const firstRecords = 10;
/** Records of several processes are written in any order, within this time. */
const lateMs = 5000;

const follow = {
  summary: 'Shows requests as they come, until it is interrupted.',
  route: 'GET /logs',
  flags: recordFlags,
  shows: { as: 'table', columns: recordColumns },
  notes: 'It goes on when the gateway is started again.',
} as const;

const toId = ({ id }: JsonObject): string => findText(id) ?? '';

/** Wide enough for what is usual; what is wider moves the rest of its line. */
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

/** The records that came since they were last asked for, the oldest first. */
class Newcomers {
  readonly #access: GatewayAccess;
  readonly #query: Readonly<Record<string, string>>;
  readonly #seen = new Map<string, number>();
  #newest: number | undefined;
  #plane: ControlPlane | undefined;

  constructor(access: GatewayAccess, query: Readonly<Record<string, string>>) {
    this.#access = access;
    this.#query = query;
  }

  async ask(): Promise<readonly JsonObject[]> {
    const found = await (this.#newest === undefined
      ? this.#page({ limit: String(firstRecords) })
      : this.#since(this.#newest));
    const fresh = found.filter((record) => !this.#seen.has(toId(record)));
    for (const record of fresh) this.#note(record);
    this.#newest ??= Date.now() - lateMs;
    const newest = this.#newest;
    for (const [id, at] of this.#seen) if (at < newest - 2 * lateMs) this.#seen.delete(id);
    return fresh.toReversed();
  }

  async #page(query: Readonly<Record<string, string>>): Promise<readonly JsonObject[]> {
    this.#plane ??= await ControlPlane.find(this.#access);
    const answer = await callApi(this.#plane, { method: 'GET', path: '/logs', query: { ...this.#query, ...query } });
    requireShape(follow.shows, answer, {});
    return toObjects(findObject(answer)?.data);
  }

  async #since(time: number): Promise<readonly JsonObject[]> {
    const all: JsonObject[] = [];
    const query = { time_min: String((time - lateMs) / 1000), limit: String(pageSize) };
    for (;;) {
      const last = all.at(-1);
      const page = await this.#page(last === undefined ? query : { ...query, after: toId(last) });
      all.push(...page);
      if (page.length < pageSize) return all;
    }
  }

  #note(record: JsonObject): void {
    const at = Date.parse(findText(record.time) ?? '');
    this.#seen.set(toId(record), at);
    this.#newest = Math.max(this.#newest ?? 0, at);
  }
}

const isPassing = (error: unknown): error is Error =>
  error instanceof RefusalError
    ? error.refusal.status >= 500
    : error instanceof CommandFailure && !(error instanceof NoControlPlane);

/** `gw logs --follow`: lists records as they come, until the process is interrupted. */
export const followLogs = (services: ControlServices, argv: readonly string[]): Promise<ExitCode> => {
  refuseKeyFlag(argv);
  return withArguments(services, toSpec('gw logs --follow', follow), argv, async ({ values }) => {
    const access = await gatewayAccess(services, values);
    const { query } = flagMembers(recordFlags, values, services.env);
    const isJson = values.format === 'json';
    const newcomers = new Newcomers(access, query);
    const shown = (record: JsonObject): string =>
      isJson
        ? jsonLine(record)
        : line(Object.entries(recordColumns).map(([head, member]) => [head, memberText(record, member)]));
    if (!isJson) services.out.write(line(Object.keys(recordColumns).map((head) => [head, head])));
    let lastShown = '';
    for (;;) {
      try {
        for (const record of await newcomers.ask()) services.out.write(shown(record));
        lastShown = '';
      } catch (error) {
        const origin = { file: undefined, flags: recordFlags, given: new Set(Object.keys(values)) };
        if (!isPassing(error)) return reportRefusal(error, { access, origin }, services);
        if (error.message !== lastShown) services.err.write(`gw: ${error.message} It is asked again.\n`);
        lastShown = error.message;
      }
      await setTimeout(betweenMs);
    }
  });
};
