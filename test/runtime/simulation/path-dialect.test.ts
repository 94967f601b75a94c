import { describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { replay } from '../../../runtime/simulation/replay.ts';
import type { RequestScript } from '../../../schema/trail/request-script.ts';
import { runConfig } from '../../support/in-process/run-config.ts';
import { stubAnswer } from '../../support/in-process/stub-upstreams.ts';
import { tongueWith } from '../../support/plugins/tongue.ts';

const chat = '/v1/chat/completions';

const replayed = (script: Partial<RequestScript>, provider: Partial<Provider> = {}) => {
  const tongues = [tongueWith({ tongue: '/spoken/{model}', chat: '/chat' }, provider)];
  const { plan } = runConfig({ provider: 'own' }, { upstream: () => stubAnswer({}), plugins: tongues });
  return replay({
    plan,
    plugins: [...builtinPlugins, ...tongues],
    clock: createVirtualClock(),
    script: { method: 'POST', path: '/v1/say/m', headers: {}, metadata: {}, upstream: [], seed: 1, ...script },
  });
};

/** Returns the status of a replay, and the kinds of its events. */
const outcome = ({ trail, status }: Awaited<ReturnType<typeof replayed>>) => [status, ...trail.map(({ kind }) => kind)];

describe('a replay of a dialect whose path names the model', () => {
  it('is answered as a whole, or with a stream in its framing', async () => {
    expect(outcome(await replayed({}))).toEqual([200, 'attempted']);
    const cut = { upstream: [{ error: 'cut' as const, stream: true }] };
    expect(outcome(await replayed({ path: '/v1/say/m:slowly' }))).toEqual([200, 'attempted']);
    expect(outcome(await replayed({ path: '/v1/say/m:slowly', ...cut }))).toEqual([200, 'attempted', 'streamFailed']);
    const inBand = { upstream: [{ error: 'in-band' as const }] };
    expect(outcome(await replayed({ path: '/v1/say/m:slowly', ...inBand }))).toEqual([502, 'attempted']);
  });

  it('is answered in the dialect of its model', async () => {
    const models: (string | undefined)[] = [];
    const dialectsOf = (model: string | undefined) => {
      models.push(model);
      return ['tongue'];
    };
    expect(outcome(await replayed({ path: chat, stream: true }, { dialectsOf }))).toEqual([200, 'attempted']);
    expect(new Set(models)).toEqual(new Set(['replay']));
  });

  it('rejects a loss if the gateway does', async () => {
    const tongues = [tongueWith({ tongue: '/spoken/{model}' })];
    const { plan } = runConfig({ provider: 'own' }, { upstream: () => stubAnswer({}), plugins: tongues });
    const body = { model: 'm', seed: 1, messages: [{ role: 'user', content: 'hi' }] };
    const script = { method: 'POST', path: chat, headers: {}, metadata: {}, upstream: [], seed: 1, body } as const;
    const options = { plan, plugins: [...builtinPlugins, ...tongues], clock: createVirtualClock(), script };
    expect(await replay(options)).toMatchObject({ status: 200 });
    expect(await replay({ ...options, onLoss: 'refuse' })).toMatchObject({ status: 400, cause: 'loss-refused' });
  });
});
