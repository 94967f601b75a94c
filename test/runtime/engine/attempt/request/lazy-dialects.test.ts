import { describe, expect, it } from 'vitest';
import { chat } from '../../../../../plugins/dialects/chat/chat.ts';
import type { Dialect, LazyDialect } from '../../../../../plugins/sdk/dialect/dialect.ts';
import { definePlugin } from '../../../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider } from '../../../../../plugins/sdk/provider/provider.ts';
import { createCancellation } from '../../../../../plugins/testkit/route/cancellation.ts';
import { runConfig, toJson } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const completion = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
};

/** Two lazy dialects, `near` and `far`, with a provider that speaks only `far`, and one that speaks both. */
const world = (load: (dialect: Dialect) => Promise<Dialect> = async (dialect) => dialect) => {
  const loads: string[] = [];
  const lazy = (id: string): LazyDialect => ({
    id,
    operation: 'converse',
    routes: [{ path: `/${id}` }],
    encodeError: ({ message }) => ({ oops: message }),
    load: () => {
      loads.push(id);
      return load({ ...chat, id });
    },
  });
  const provider = (id: string, dialects: readonly string[]) =>
    defineProvider({
      id,
      documentation: 'here',
      baseUrl: `https://${id}.example`,
      credential: 'none',
      speaks: Object.fromEntries(dialects.map((dialect) => [dialect, `/${dialect}`])),
      headers: () => [],
    });
  const plugin = definePlugin({
    name: 'test',
    dialects: [lazy('near'), lazy('far')],
    providers: [provider('both', ['far', 'near']), provider('other', ['far'])],
  });
  return { loads, plugins: [plugin] };
};

const running = (provider: string, { plugins }: ReturnType<typeof world>) =>
  runConfig({ provider }, { upstream: () => stubAnswer(completion), plugins });

const asking = (dialect: string, more: Parameters<typeof sampleExchange>[1] = {}) =>
  sampleExchange(question, { route: { operation: 'converse', dialect }, ...more });

describe('a lazy dialect', () => {
  it('is loaded by the first request in it, and no other dialect is loaded if the provider speaks it', async () => {
    const own = world();
    const { handle, upstreams } = running('both', own);
    expect(own.loads).toEqual([]);
    for (const _ of [1, 2]) expect(await handle(asking('near'))).toMatchObject({ status: 200 });
    expect(own.loads).toEqual(['near']);
    expect(upstreams.requests.map(({ path }) => path)).toEqual(['/near', '/near']);
  });

  it('is loaded once, and so is the dialect of a provider that speaks another', async () => {
    const own = world();
    const { handle } = running('other', own);
    for (const _ of [1, 2]) expect(await handle(asking('near'))).toMatchObject({ status: 200 });
    expect(own.loads).toEqual(['near', 'far']);
  });

  it('serves the requests that arrive while it is being loaded', async () => {
    const own = world();
    const { handle } = running('other', own);
    const answers = await Promise.all([1, 2, 3].map(() => handle(asking('near'))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it.each(['near', 'far'])(
    'such as %s answers 500 if it cannot be loaded, and is loaded again by the next request',
    async (broken) => {
      let isBroken = true;
      const own = world(async (dialect) => {
        if (isBroken && dialect.id === broken) throw new Error('The file is gone.');
        return dialect;
      });
      const { handle, upstreams } = running('other', own);
      const failed = await handle(asking('near'));
      expect(failed).toMatchObject({ status: 500, cause: 'internal-error' });
      expect(JSON.stringify(toJson(failed))).not.toContain('The file is gone.');
      expect(upstreams.requests).toEqual([]);
      isBroken = false;
      expect(await handle(asking('near'))).toMatchObject({ status: 200 });
      expect(own.loads.filter((id) => id === broken)).toHaveLength(2);
    },
  );

  it.each(['near', 'far'])(
    'such as %s causes no request to be sent if the client disconnects while it is being loaded',
    async (awaited) => {
      const { cancellation, cancel } = createCancellation();
      const own = world(async (dialect) => {
        if (dialect.id === awaited) cancel();
        return dialect;
      });
      const { handle, upstreams, clock } = running('other', own);
      expect(await handle(asking('near', { cancellation }))).toMatchObject({ status: 499 });
      expect(upstreams.requests).toEqual([]);
      expect(clock.pending).toBe(0);
    },
  );
});
