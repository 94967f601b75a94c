import { describe, expect, it } from 'vitest';
import type { Identities } from '../../../plugins/sdk/control-plane/identities.ts';
import { guardIdentities } from '../../../runtime/access/guard-identities.ts';
import { joinIdentities } from '../../../runtime/access/join-identities.ts';
import { serviceKeys } from '../../../runtime/access/service-keys.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';
import { holder, scriptedIdentities } from '../../support/in-process/scripted-identities.ts';
import { testClock } from '../server/support/start-server.ts';

const file: Identities = { identify: serviceKeys([{ id: 'team', key: 'key-of-team' }]) };

describe('joined identities', () => {
  it('query the second source only for keys that the first does not know', async () => {
    const plane = scriptedIdentities({ 'gw-key': holder() }, { answering: 'later' });
    const { identify } = joinIdentities(file, plane);
    expect(identify('key-of-team')).toMatchObject({ keyId: 'team' });
    expect(plane.asked).toEqual([]);
    expect(await identify('gw-key')).toMatchObject({ keyId: 'k1' });
    expect(await identify('nobody')).toBeUndefined();
    expect(plane.asked).toEqual(['gw-key', 'nobody']);
  });

  it('query the second source after a first one that answers later', async () => {
    const first = scriptedIdentities({ one: holder({ keyId: 'one' }) }, { answering: 'later' });
    const { identify } = joinIdentities(first, file);
    expect(await identify('one')).toMatchObject({ keyId: 'one' });
    expect(await identify('key-of-team')).toMatchObject({ keyId: 'team' });
  });

  it('find workspaces in the source that has them', () => {
    const plane = scriptedIdentities({}, { workspaces: { research: 'w2' } });
    for (const joined of [joinIdentities(file, plane), joinIdentities(plane, file)]) {
      expect(joined.findWorkspace?.(holder(), 'research')).toMatchObject({ tenant: 'w2' });
      expect(joined.findWorkspace?.(holder(), 'other')).toBeUndefined();
    }
  });

  it('are confirmed at the time of the older confirmation', () => {
    expect(joinIdentities(file, file).confirmedAt).toBeUndefined();
    const at = (ms: number) => scriptedIdentities({}, { confirmedAt: () => ms });
    expect(joinIdentities(file, at(5)).confirmedAt?.()).toBe(5);
    expect(joinIdentities(at(7), at(5)).confirmedAt?.()).toBe(5);
  });

  it('report the keys that either source revoked, until the listener is removed', () => {
    const listeners = new Set<(ids: readonly string[]) => void>();
    const revoking: Identities = {
      ...file,
      onRevoked: (run) => {
        listeners.add(run);
        return () => listeners.delete(run);
      },
    };
    const revoked: string[] = [];
    const { onRevoked } = guardIdentities(joinIdentities(file, revoking), testClock);
    const stop = onRevoked?.((ids) => revoked.push(...ids));
    for (const listener of listeners) listener(['k1']);
    expect(revoked).toEqual(['k1']);
    stop?.();
    expect(listeners.size).toBe(0);
  });
});

describe('guarded identities', () => {
  it('answer at once if the source does', () => {
    const { identify } = guardIdentities(file, testClock);
    expect(identify('key-of-team')).toMatchObject({ keyId: 'team' });
    expect(identify('nobody')).toBeUndefined();
  });

  it('keep the methods of a class', async () => {
    class Plane implements Identities {
      private readonly key: string = 'gw-key';
      identify(presented: string) {
        return presented === this.key ? holder() : undefined;
      }
      findWorkspace() {
        return this.key === '' ? undefined : holder();
      }
      confirmedAt(): number {
        return this.key.length;
      }
    }
    const guarded = guardIdentities(joinIdentities(file, new Plane()), testClock);
    expect(guarded.identify('gw-key')).toMatchObject({ keyId: 'k1' });
    expect(guarded.findWorkspace?.(holder(), 'any')).toMatchObject({ keyId: 'k1' });
    expect(guarded.confirmedAt?.()).toBe(6);
  });

  it('keep the error of a source that has already reported why it cannot answer', async () => {
    const error = gatewayError('identity-unavailable', {});
    const { identify } = guardIdentities({ identify: () => Promise.reject(error) }, testClock);
    await expect(identify('gw-key')).rejects.toBe(error);
  });

  it('abort a look-up after ten seconds', async () => {
    let waited = 0;
    const clock = {
      ...testClock,
      after: (ms: number, run: () => void) => {
        waited = ms;
        queueMicrotask(run);
        return () => {};
      },
    };
    const silent = scriptedIdentities({}, { answering: 'when released' });
    const { identify, findWorkspace } = guardIdentities(silent, clock);
    await expect(identify('gw-key')).rejects.toMatchObject({ report: { code: 'identity-unavailable', status: 503 } });
    await expect(findWorkspace?.(holder(), 'w')).rejects.toMatchObject({ report: { code: 'identity-unavailable' } });
    expect(waited).toBe(10_000);
  });
});
