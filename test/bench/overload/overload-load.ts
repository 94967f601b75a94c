/**
 * The clients of `overload.ts`, in a separate process: `node overload-load.ts '{"port":…,"rate":1000,"seconds":10,…}'` prints one
 * line of JSON (`OverloadResult`). They send at a fixed rate, regardless of the answers. A client disconnects if its answer does
 * not arrive in time, because a late answer is worthless to it.
 */
import { Agent, request } from 'node:http';
import { chatRequest } from '../harness/payloads.ts';

export interface OverloadLoad {
  readonly port: number;
  /** Requests per second. */
  readonly rate: number;
  readonly seconds: number;
  /** How many seconds requests are sent before they count. The gateway finds its limits in this time. */
  readonly uncountedSeconds: number;
  /** After how many milliseconds a client disconnects. */
  readonly patienceMs: number;
  /** The priorities of the clients, each with its share of the requests. */
  readonly priorities: Readonly<Record<string, number>>;
}

/** The results of the requests of one priority. */
export interface PriorityResult {
  readonly sent: number;
  /** Answered with a 200 in time. */
  readonly good: number;
  /** Answered with a 503. */
  readonly refused: number;
  /** Requests whose clients disconnected. */
  readonly late: number;
  readonly failed: number;
  /** Milliseconds until the answer, for good answers in `p50` and `p99`, and for answers with a 503 in `refusedP99`. */
  readonly p50: number;
  readonly p99: number;
  readonly refusedP99: number;
}

export type OverloadResult = Readonly<Record<string, PriorityResult>>;

const { port, rate, seconds, uncountedSeconds, patienceMs, priorities }: OverloadLoad = JSON.parse(
  process.argv[2] ?? '',
);
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 10_000 });
const body = chatRequest();

const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

class Tally {
  sent = 0;
  late = 0;
  failed = 0;
  readonly good: number[] = [];
  readonly refused: number[] = [];

  result(): PriorityResult {
    const { sent, good, refused, late, failed } = this;
    return {
      ...{ sent, good: good.length, refused: refused.length, late, failed },
      ...{ p50: quantile(good, 0.5), p99: quantile(good, 0.99), refusedP99: quantile(refused, 0.99) },
    };
  }
}

const tallies = new Map(Object.keys(priorities).map((priority) => [priority, new Tally()]));

const send = (priority: string, tally: Tally | undefined): void => {
  const begun = performance.now();
  let isOver = false;
  const over = (note: (tally: Tally, ms: number) => void): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(leaving);
    if (tally !== undefined) note(tally, performance.now() - begun);
  };
  const sent = request(
    {
      ...{ host: '127.0.0.1', port, agent, method: 'POST', path: '/v1/chat/completions' },
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-gw-api-key': `key-${priority}`,
      },
    },
    (answer) => {
      answer.resume();
      answer.on('end', () =>
        over((to, ms) => {
          if (answer.statusCode === 200) to.good.push(ms);
          else if (answer.statusCode === 503) to.refused.push(ms);
          else to.failed += 1;
        }),
      );
      answer.on('error', () => over((to) => (to.failed += 1)));
    },
  );
  const leaving = setTimeout(() => {
    over((to) => (to.late += 1));
    sent.destroy();
  }, patienceMs);
  sent.on('error', () => over((to) => (to.failed += 1)));
  sent.end(body);
  if (tally !== undefined) tally.sent += 1;
};

/** The debt of each priority. The next request has the priority that is furthest behind its share, which spreads them evenly. */
const debts = new Map(Object.keys(priorities).map((priority) => [priority, 0]));
const nextPriority = (): string => {
  let most = '';
  for (const [priority, share] of Object.entries(priorities)) {
    debts.set(priority, (debts.get(priority) ?? 0) + share);
    if (most === '' || (debts.get(priority) ?? 0) > (debts.get(most) ?? 0)) most = priority;
  }
  debts.set(most, (debts.get(most) ?? 0) - 1);
  return most;
};

const begun = performance.now();
let count = 0;
const tick = (): void => {
  const passedMs = performance.now() - begun;
  for (; count < (passedMs / 1000) * rate; count += 1) {
    const priority = nextPriority();
    send(priority, passedMs < uncountedSeconds * 1000 ? undefined : tallies.get(priority));
  }
  if (passedMs < (uncountedSeconds + seconds) * 1000) setTimeout(tick, 2);
  else
    setTimeout(() => {
      const result: OverloadResult = Object.fromEntries(
        [...tallies].map(([priority, tally]) => [priority, tally.result()]),
      );
      process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
    }, patienceMs + 500);
};
tick();
