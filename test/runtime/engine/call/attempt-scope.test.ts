import { describe, expect, it } from 'vitest';
import { createCancellation, neverCancelled } from '../../../../plugins/testkit/route/cancellation.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { Deadlines } from '../../../../runtime/async/deadlines.ts';
import { AttemptScope } from '../../../../runtime/engine/call/attempt-scope.ts';

const begin = (client = neverCancelled) => {
  const clock = createVirtualClock();
  return { clock, scope: new AttemptScope(client, { deadlines: new Deadlines(clock), timeoutMs: 100, attempt: 3 }) };
};

describe('the scope of an attempt', () => {
  it('is cancelled by its time-out, and notifies each listener once', () => {
    const { clock, scope } = begin();
    let calls = 0;
    scope.onCancel(() => {
      calls += 1;
    });
    clock.advance(99);
    expect([scope.cancelled, calls]).toEqual([false, 0]);
    clock.advance(100);
    expect([scope.cancelled, scope.reason, calls]).toEqual([true, 'timeout', 1]);
  });

  it('is cancelled when the client disconnects, and its timer is cleared', () => {
    const { cancellation, cancel } = createCancellation();
    const { clock, scope } = begin(cancellation);
    cancel();
    expect(scope.reason).toBe('left');
    expect(clock.pending).toBe(0);
  });

  it('is cancelled from the start if the client has disconnected', () => {
    const { cancellation, cancel } = createCancellation();
    cancel();
    const { clock, scope } = begin(cancellation);
    let notified = false;
    const stop = scope.onCancel(() => {
      notified = true;
    });
    stop();
    expect([scope.reason, notified, clock.pending]).toEqual(['left', true, 0]);
  });

  it('does not notify a listener that was removed', () => {
    const { clock, scope } = begin();
    const notified: string[] = [];
    const stop = scope.onCancel(() => notified.push('a'));
    scope.onCancel(() => notified.push('b'));
    stop();
    stop();
    clock.advance(100);
    expect(notified).toEqual(['b']);
  });

  it('outlives its time-out once it is disarmed, and the client once it is released', () => {
    const { cancellation, cancel } = createCancellation();
    const { clock, scope } = begin(cancellation);
    scope.disarm();
    clock.advance(1000);
    expect(scope.cancelled).toBe(false);
    scope.release();
    cancel();
    expect(scope.cancelled).toBe(false);
  });

  it('is its own cancellation and knows its attempt number', () => {
    const { scope } = begin();
    expect(scope.cancellation).toBe(scope);
    expect(scope.attempt).toBe(3);
  });
});
