import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../runtime/in-memory/system-clock.ts';

describe('the system clock', () => {
  it('calls back once the time has passed', async () => {
    const start = systemClock.monotonic();
    await new Promise<void>((resolve) => systemClock.after(20, resolve));
    // A timer counts whole milliseconds from the last turn of the event loop.
    expect(systemClock.monotonic() - start).toBeGreaterThan(18);
  });

  it('does not call back if the timer was cancelled', async () => {
    let called = false;
    const stop = systemClock.after(0, () => {
      called = true;
    });
    stop();
    await new Promise<void>((resolve) => systemClock.after(2, resolve));
    expect(called).toBe(false);
  });

  it('does not call back if an event cancels the timer that arrived while this thread was busy', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [socket]: net.Socket[] = await once(server, 'connection');
    const events: string[] = [];
    const stop = systemClock.after(20, () => events.push('timer'));
    client.on('data', () => {
      events.push('data');
      stop();
    });
    // After an immediate, the event loop calls timers that are due before it reads sockets.
    setImmediate(() => {
      socket?.write('in time');
      const end = performance.now() + 100;
      while (performance.now() < end);
    });
    await new Promise<void>((resolve) => systemClock.after(150, resolve));
    client.destroy();
    server.close();
    expect(events).toEqual(['data']);
  });

  it('returns the wall time in milliseconds since the epoch, and a monotonic time that never decreases', () => {
    expect(systemClock.wall()).toBeGreaterThan(Date.UTC(2024, 0, 1));
    const before = systemClock.monotonic();
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(before);
  });
});
