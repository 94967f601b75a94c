import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { allowedRows, areMatched } from './allowed-rows.ts';
import type { CountedCall, CountingProvider, Script } from './counting-provider.ts';
import type { Row } from './expected-rows.ts';
import { givenUse, toUse } from './given-use.ts';
import type { RandomRequest } from './random-traffic.ts';
import { type Answer, askedBytes, type KeptRow, type Traffic, toName } from './traffic-gateway.ts';

type EndSignal = 'SIGKILL' | 'SIGTERM';

interface Sent {
  readonly request: RandomRequest;
  readonly script: Script;
  readonly answer: Answer;
  /** The signal that ended the gateway after this request. Undefined before. */
  signal?: EndSignal;
}

const isHedge = ({ kind }: RandomRequest): boolean => /hedge|heldBack/i.test(kind);
const goesOn = ({ kind, stream }: RandomRequest): boolean => stream && /continued/i.test(kind);

/** Whether its client has received all of its answer. */
const isWhole = ({ request: { stream }, answer: { text } }: Sent): boolean =>
  stream ? text.includes('[DONE]') : /"choices":.*\}$/s.test(text);

/** The requests that clients have sent to a gateway that is ended meanwhile, and the rows that its ledger may have for them. */
export class SentTraffic {
  readonly #traffic: Traffic;
  readonly #hasRedis: boolean;
  readonly #sent: Sent[] = [];

  constructor(traffic: Traffic, { hasRedis }: { readonly hasRedis: boolean }) {
    this.#traffic = traffic;
    this.#hasRedis = hasRedis;
  }

  send(ticket: string, request: RandomRequest): void {
    const script: Script = { ticket, answers: request.answers };
    const { config, stream, key } = request;
    const answer = this.#traffic.ask(script, { config, stream, key: this.#traffic.keys[key] });
    this.#sent.push({ request, script, answer });
  }

  /** Resolves when no answer is under way after the gateway was ended with this signal. */
  async ended(signal: EndSignal): Promise<void> {
    for (const sent of this.#sent) sent.signal ??= signal;
    await Promise.all(this.#sent.map(({ answer }) => answer.ended));
  }

  /**
   * Compares the ledger with the calls that providers received. Each row belongs to a call and matches its count. Each call has
   * its row, unless the gateway was killed. All earlier rows are still there.
   */
  expectRows(before: readonly KeptRow[]): void {
    const { rows, claude, gpt, copies } = this.#traffic;
    const kept = Map.groupBy(rows(), toName);
    const providers = [claude, gpt, copies];
    const calls = Map.groupBy(
      providers.flatMap((provider) => provider.calls),
      toName,
    );
    expect(
      before.filter((row) => kept.get(toName(row))?.some((each) => isDeepStrictEqual(each, row)) !== true),
    ).toEqual([]);
    const byTicket = new Map(this.#sent.map((sent) => [sent.script.ticket, sent]));
    expect([...kept.values()].flat().filter(({ ticket }) => !byTicket.has(ticket))).toEqual([]);
    for (const sent of this.#sent) {
      const of = <Value>(map: ReadonlyMap<string, readonly Value[]>, { slug }: CountingProvider): readonly Value[] =>
        map.get(toName({ ticket: sent.script.ticket, slug })) ?? [];
      for (const provider of providers)
        this.#expectMatched(sent, { provider, rows: of(kept, provider), calls: of(calls, provider) });
      this.#expectGiven(sent, of(kept, claude), of(kept, gpt));
    }
  }

  #expectMatched(
    sent: Sent,
    {
      provider: { slug, wire },
      rows,
      calls,
    }: {
      readonly provider: CountingProvider;
      readonly rows: readonly KeptRow[];
      readonly calls: readonly CountedCall[];
    },
  ): void {
    const { request, script, signal } = sent;
    // A stream may continue at a target whose own call the hedge has ended.
    expect(calls.length).toBeLessThanOrEqual(request.kind === 'hedgedAndContinued' ? 2 : 1);
    const facts = {
      askedBytes: askedBytes(script),
      goesOnWith: goesOn(request) ? Math.max(...Object.values(script.answers).map(({ words }) => words)) : 0,
      wasGiven: slug !== 'copies' && !isHedge(request) && isWhole(sent),
    };
    const isAllowed = ({ keyId, ...row }: KeptRow, call: CountedCall): boolean =>
      keyId === this.#traffic.keys[request.key].id &&
      allowedRows(call, facts).some((allowed) => isDeepStrictEqual(allowed, row));
    // In a Redis, the reservations of a killed gateway are charged when they expire.
    const hasExpired = ({ kind }: Row): boolean => this.#hasRedis && signal === 'SIGKILL' && kind === 'estimated';
    // A request that is written and cancelled immediately may never reach its provider.
    const unread: CountedCall = {
      ...{ ticket: script.ticket, slug, wire, isStream: request.stream, used: { input: 0, output: 0 } },
      ...{ begun: false, words: 0, ended: false, refused: false },
    };
    const mayBeUnread = isHedge(request) || !isWhole(sent);
    const isMatched = areMatched(rows, calls, {
      isOf: (row, call) => hasExpired(row) || isAllowed(row, call),
      mayLack: () => signal === 'SIGKILL',
      mayStand: (others) =>
        others.length === 0 ||
        (mayBeUnread && others.length === 1 && others.every((row) => hasExpired(row) || isAllowed(row, unread))),
    });
    expect(isMatched ? [] : [{ kind: request.kind, signal, rows, calls, text: sent.answer.text }]).toEqual([]);
  }

  /** Checks that the usage that a client received is that of its answer, to which two targets may have contributed. */
  #expectGiven(sent: Sent, ofClaude: readonly Row[], ofGpt: readonly Row[]): void {
    if (!isWhole(sent)) return;
    const ofOne = [...ofClaude, ...ofGpt].filter(({ kind }) => kind === 'reported').map((row) => toUse(row));
    const ofBoth = goesOn(sent.request) ? ofClaude.flatMap((one) => ofGpt.map((other) => toUse(one, other))) : [];
    const given = givenUse(sent.answer);
    const isFound = [...ofOne, ...ofBoth].some((use) => isDeepStrictEqual(use, given));
    if (!isFound && sent.signal !== 'SIGKILL') expect([...ofOne, ...ofBoth]).toContainEqual(given);
  }
}
