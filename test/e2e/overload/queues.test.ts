import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { patience } from '../../support/run/patience.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';
import { ask, guardedGateway, heldUpstream, readLines, target, waitingAt } from './support/guarded-gateway.ts';

const answer = openaiAnswer({ text: 'Hello!' });
/** One attempt at a time, and no request is refused because of its expected wait. */
const one = { min_concurrency: 1, max_concurrency: 1, queue_ms: 600_000, event_loop_ms: 60_000 };
const named = '{plan="main",target="main"}';

describe('a target at its limit', () => {
  it('makes requests wait for their turn, and reports how long they waited', async () => {
    const held = await heldUpstream();
    const gateway = await guardedGateway({ overload: one }, { ...target(held), name: 'main' });
    const first = ask(gateway);
    await held.call(0);
    const second = ask(gateway);
    await waitingAt(gateway, 'main', 1);
    expect(held.calls).toHaveLength(1);
    expect(await readLines(gateway, 'target_concurrency_limit')).toEqual({ [named]: 1 });
    expect(await readLines(gateway, 'target_attempts_open')).toEqual({ [named]: 1 });
    const ready = await (await fetch(`${gateway.origin}/readyz`)).json();
    expect(ready).toMatchObject({
      status: 'ready',
      overload: { admitted: 1, targets: [{ plan: 'main', target: 'main', limit: 1, open: 1, waiting: 1 }] },
    });
    (await held.call(0)).json(answer);
    expect((await first).status).toBe(200);
    (await held.call(1)).json(answer);
    expect((await second).status).toBe(200);
    await waitingAt(gateway, 'main', 0);
    expect(await readLines(gateway, 'target_queued_total')).toEqual({ [named]: 1 });
    expect((await readLines(gateway, 'target_queue_seconds_total'))[named]).toBeGreaterThan(0);
    await vi.waitFor(
      () => expect(gateway.records().filter(({ route }) => route !== undefined)).toHaveLength(2),
      patience,
    );
    const [waited, ...others] = gateway.records().filter(({ queuedMs }) => queuedMs !== undefined);
    expect([others, waited?.status, Number(waited?.queuedMs) > 0]).toEqual([[], 200, true]);
    // The event of the attempt reports it too, and so does gw explain.
    expect(waited?.trail).toContainEqual(expect.objectContaining({ kind: 'attempted', queuedMs: waited?.queuedMs }));
    expect(await explained(gateway.folder, waited)).toEqual([200, waited?.trail]);
    const { out } = await runGw(gateway.folder, ['explain', 'configs/main.json', '--request', 'line.json']);
    expect(out).toMatch(/attempt 1 at main, after [\d.]+ m?s in its queue: 200/);
    expect(out).toContain('The trail is the one recorded');
  });

  it('keeps the place of a stream occupied until the stream ends', async () => {
    const held = await heldUpstream();
    const gateway = await guardedGateway({ overload: one }, { ...target(held), name: 'main' });
    const frames = openaiStream({ text: 'Hello' });
    const streamed = ask(gateway, { body: { stream: true } });
    const stream = (await held.call(0)).sse();
    for (const frame of frames) stream.send(frame);
    const second = ask(gateway);
    await waitingAt(gateway, 'main', 1);
    stream.end();
    expect((await streamed).text).toContain('[DONE]');
    (await held.call(1)).json(answer);
    expect((await second).status).toBe(200);
  });

  it('serves the higher priority first, and gives it the last place in the queue', async () => {
    const held = await heldUpstream();
    const gateway = await guardedGateway(
      {
        overload: { ...one, queue_requests: 2, priority_from: 'metadata.priority' },
      },
      { ...target(held), name: 'main' },
    );
    const low = { 'x-gw-metadata': JSON.stringify({ priority: 'low' }) };
    const first = ask(gateway);
    await held.call(0);
    const later = ask(gateway, { headers: low, body: { user: 'later' } });
    await waitingAt(gateway, 'main', 1);
    const last = ask(gateway, { headers: low, body: { user: 'last' } });
    await waitingAt(gateway, 'main', 2);
    const refused = await ask(gateway, { headers: low });
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([503, 'target-overloaded']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const normal = ask(gateway, { body: { user: 'normal' } });
    expect((await last).status).toBe(503);
    for (const at of [0, 1, 2]) (await held.call(at)).json(answer);
    expect([(await first).status, (await normal).status, (await later).status]).toEqual([200, 200, 200]);
    const users = held.calls.map(({ request }) => JSON.parse(request.body.toString()).user);
    expect(users).toEqual([undefined, 'normal', 'later']);
    expect(await readLines(gateway, 'shed_total')).toMatchObject({
      '{reason="queue-full",priority="low"}': 1,
      '{reason="displaced",priority="low"}': 1,
    });
  });

  it('sends nothing for a client that disconnected while it waited', async () => {
    const held = await heldUpstream();
    const gateway = await guardedGateway({ overload: one }, { ...target(held), name: 'main' });
    const first = ask(gateway);
    await held.call(0);
    const leaving = new AbortController();
    const left = ask(gateway, { signal: leaving.signal });
    await waitingAt(gateway, 'main', 1);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await waitingAt(gateway, 'main', 0);
    (await held.call(0)).json(answer);
    expect((await first).status).toBe(200);
    const next = ask(gateway);
    (await held.call(1)).json(answer);
    expect((await next).status).toBe(200);
    expect(held.calls).toHaveLength(2);
  });

  it('makes a fallback continue at once, and gw explain repeats that request exactly', async () => {
    const [held, other] = [await heldUpstream(), await heldUpstream()];
    other.upstream.handle((call) => call.json(answer));
    const config = {
      strategy: { mode: 'fallback' },
      targets: [
        { ...target(held), name: 'main' },
        { ...target(other), name: 'other' },
      ],
    };
    const gateway = await guardedGateway({ overload: { ...one, queue_requests: 0 } }, config);
    const first = ask(gateway);
    await held.call(0);
    const second = await ask(gateway);
    expect([second.status, second.headers.get('x-gw-last-used-option-index')]).toEqual([200, 'config.targets[1]']);
    (await held.call(0)).json(answer);
    expect((await first).status).toBe(200);
    await vi.waitFor(
      () => expect(gateway.records().some(({ trail }) => JSON.stringify(trail).includes('fellBack'))).toBe(true),
      patience,
    );
    const line = gateway.records().find(({ trail }) => JSON.stringify(trail).includes('fellBack'));
    expect(line?.trail).toMatchObject([
      { kind: 'fellBack', from: 0, to: 1, status: 503 },
      { kind: 'attempted', target: 'other', status: 200 },
    ]);
    expect(await explained(gateway.folder, line)).toEqual([200, line?.trail]);
  });

  it('refuses a retry as it refuses a first attempt, and does not retry after that', async () => {
    const held = await heldUpstream();
    const retried = { name: 'main', retry: { attempts: 3, on_status_codes: [500] } };
    const gateway = await guardedGateway({ overload: { ...one, queue_requests: 0 } }, { ...target(held), ...retried });
    const first = ask(gateway);
    (await held.call(0)).json({ error: { message: 'Not now.' } }, { status: 500 });
    // The first request waits for its second attempt, and gives its place to another request.
    await vi.waitFor(async () => expect(await readLines(gateway, 'retries_total')).not.toEqual({}), patience);
    const second = ask(gateway);
    await held.call(1);
    const refused = await first;
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([503, 'target-overloaded']);
    (await held.call(1)).json(answer);
    expect((await second).status).toBe(200);
    await vi.waitFor(() => expect(gateway.records().some(({ status }) => status === 503)).toBe(true), patience);
    const line = gateway.records().find(({ status }) => status === 503);
    expect(await explained(gateway.folder, line)).toEqual([503, line?.trail]);
  });
});

/** Returns the status and the trail of a log line as `gw explain` repeats them. */
const explained = async (folder: string, line: unknown): Promise<readonly unknown[]> => {
  writeFileSync(path.join(folder, 'line.json'), JSON.stringify(line));
  const { out, err } = await runGw(folder, [
    ...['explain', 'configs/main.json', '--request', 'line.json', '--format', 'json'],
  ]);
  expect(err).toBe('');
  const { request } = JSON.parse(out);
  return [request.status, request.trail];
};
