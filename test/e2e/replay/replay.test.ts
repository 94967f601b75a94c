import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ReplayedRequest } from '../../../compiler/cli/replay/replay-request.ts';
import { emitPlanJson } from '../../../compiler/emit/emit-plan-json.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { type GatewayProcess, startGateway, writeFolder } from '../../support/gateways/gateway-process.ts';
import { installedGw } from '../../support/gateways/installed-gateway.ts';
import { compileConfig } from '../../support/plans/compile-config.ts';
import { faultyUpstream } from '../../support/replay/faulty-upstream.ts';
import { replayCase } from '../../support/replay/replay-case.ts';
import { sendReplayRequest } from '../../support/replay/send-replay-request.ts';
import { replayKeys, servedConfig } from '../../support/replay/served-config.ts';
import { patience } from '../../support/run/patience.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

const seed = Number(process.env.REPLAY_SEED ?? 20_261_125);
const count = Number(process.env.REPLAY_CASES ?? 260);
const cases = new Map(fc.sample(replayCase, { seed, numRuns: count }).map((one, at) => [`case-${at}`, one]));

/** How many cases run at the same time. They spend most of their time waiting. */
const concurrency = 200;

interface LogLine {
  readonly trace: string;
  readonly status: number;
  readonly cause?: string;
  readonly trail: readonly TrailEvent[];
}

let upstream: TestUpstream;
let gateway: GatewayProcess;
let lines: readonly LogLine[];

const toCase = ({ trace }: LogLine): string => trace.split(':', 1)[0] ?? '';

/** Sends the requests of each case one after the other, so that its circuits have a history. */
const sendCases = async (): Promise<void> => {
  const left = [...cases];
  const send = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [config, { requests }] = next;
      for (const [at, request] of requests.entries())
        await sendReplayRequest(request, { baseUrl: gateway.baseUrl, config, trace: `${config}:${at}` });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, send));
};

/**
 * The requests whose clients waited for the answer. Other clients may disconnect before the gateway has received the request.
 */
const stayed = [...cases].flatMap(([name, { requests }]) =>
  requests.flatMap(({ leavesAfterMs }, at) => (leavesAfterMs === undefined ? [`${name}:${at}`] : [])),
);

const notLogged = (): readonly string[] => {
  const logged = new Set(gateway.records().map(({ trace }) => trace));
  return stayed.filter((trace) => !logged.has(trace));
};

const toArgv = (line: LogLine): readonly string[] => {
  writeFileSync(path.join(gateway.folder, 'line.json'), JSON.stringify(line));
  return ['explain', `plans/${toCase(line)}.plan.json`, '--request', 'line.json', '--format', 'json'];
};

const toOutcome = ({ trail, status }: Pick<ReplayedRequest, 'trail' | 'status'>): object => ({ trail, status });

beforeAll(async () => {
  upstream = await startUpstream(faultyUpstream((name) => cases.get(name)?.faults ?? []));
  const folder = writeFolder({});
  mkdirSync(path.join(folder, 'plans'));
  for (const [name, one] of cases) {
    const text = JSON.stringify(servedConfig(one, { name, origin: upstream.origin }));
    writeFileSync(path.join(folder, `plans/${name}.plan.json`), emitPlanJson(compileConfig(text, name)));
  }
  gateway = await startGateway({
    folder,
    args: ['--plans', 'plans'],
    env: { GW_LOG: 'requests', ...replayKeys },
  });
  await sendCases();
  // The gateway ends after its last request, and has written its whole log by then.
  gateway.signal('SIGTERM');
  expect(await gateway.exited).toBe(0);
  await vi.waitFor(() => expect(notLogged()).toEqual([]), patience);
  // The request lines that the gateway wrote, except those of copies: a copy sent by a mirror went through no plan.
  lines = (gateway.records() as unknown as readonly (LogLine & { readonly mirrorOf?: object })[]).filter(
    ({ mirrorOf }) => mirrorOf === undefined,
  );
}, 180_000);

afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
  if (gateway !== undefined) rmSync(gateway.folder, { recursive: true, force: true });
});

describe(`the request log of ${count} random plans, served over real sockets (seed ${seed})`, () => {
  it('covers everything that can happen to a request', () => {
    const events = lines.flatMap(({ trail }) => trail);
    expect(new Set(events.map(({ kind }) => kind))).toEqual(
      new Set<TrailEvent['kind']>([
        ...(['chose', 'unable', 'skipped', 'attempted', 'retried', 'fellBack', 'checked', 'circuitChanged'] as const),
        ...(['mirrored', 'streamFailed', 'continued', 'notContinued', 'deadlinePassed', 'clientLeft'] as const),
      ]),
    );
    const origins = events.flatMap((event) => (event.kind === 'attempted' ? [event.origin] : []));
    expect([...new Set(origins)]).toEqual(expect.arrayContaining(['upstream', 'network', 'timeout']));
    const causes = lines.map(({ cause }) => cause);
    expect(causes).toEqual(expect.arrayContaining(['malformed-body', 'invalid-request', 'checks-failed']));
  });

  it('is repeated line by line by gw explain --request, each with exactly the logged trail', async () => {
    const differing: object[] = [];
    for (const line of lines) {
      const { out, err } = await runGw(gateway.folder, toArgv(line));
      const explained: object = err === '' ? toOutcome(JSON.parse(out).request) : { err };
      if (JSON.stringify(explained) !== JSON.stringify(toOutcome(line)))
        differing.push({ line, explained, requests: cases.get(toCase(line))?.requests });
    }
    expect(differing).toEqual([]);
  }, 180_000);

  it('is repeated in the same way by the command in its own process', async () => {
    for (const line of lines.toSorted((a, b) => b.trail.length - a.trail.length).slice(0, 3)) {
      const { stdout } = await promisify(execFile)(process.execPath, [installedGw, ...toArgv(line)], {
        cwd: gateway.folder,
      });
      expect(toOutcome(JSON.parse(stdout).request)).toEqual(toOutcome(line));
    }
  });
});
