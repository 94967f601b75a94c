import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import { createHooks, type Hooks } from '../../../../plugins/sdk/hooks/hooks.ts';
import { definePlugin, type Plugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { guardNotices } from '../../../../runtime/engine/plugins/guard-notices.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const plugin = (name: string, apply: (hooks: Hooks) => void): Plugin => definePlugin({ name, apply });

const fails = (): never => {
  throw new Error('no');
};

describe('a failing tap of a hook that only observes', () => {
  it.each(['attempted', 'completed', 'usageRecorded', 'attempting'] as const)(
    'at %s does not keep other plugins from observing, and is reported once',
    async (hook) => {
      const seen: string[] = [];
      const { gateway, handle } = runConfig(
        { provider: 'openai', api_key: '${env:KEY}' },
        {
          upstream: () => stubAnswer({ ok: true }),
          plugins: [
            plugin('careless', (hooks) => {
              hooks[hook].tap('careless', fails);
              hooks.failed.tap('careless', fails);
            }),
            plugin('log', (hooks) => {
              hooks[hook].tap('log', () => void seen.push(hook));
              hooks.failed.tap('log', ({ message }) => void seen.push(`failed: ${message}`));
            }),
          ],
        },
      );
      const { status } = await handle(sampleExchange({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }));
      await gateway.close();
      expect({ status, seen }).toEqual({ status: 200, seen: ['failed: no', hook] });
    },
  );

  it.each(['limitReached', 'keyRefused'] as const)('at %s is written to the log', (hook) => {
    const log: string[] = [];
    const hooks = createHooks();
    guardNotices(hooks, (text) => void log.push(text));
    const seen: unknown[] = [];
    hooks[hook].tap('careless', fails);
    hooks[hook].tap('audit', (event: unknown) => void seen.push(event));
    hooks[hook].call({ at: 0 } as never);
    expect(seen).toEqual([{ at: 0 }]);
    expect(log).toEqual([`A plugin failed in the hook "${hook}": no.`]);
  });

  it('is guarded without using hooks that nobody taps', () => {
    const hooks = createHooks();
    guardNotices(hooks, () => {});
    expect(hooks.completed.isUsed()).toBe(false);
    const exchange = sampleExchange({}) as Exchange;
    hooks.deferredUsage.for('chat').tap('careless', fails);
    expect(() => hooks.deferredUsage.get('chat')?.call({} as never, exchange)).not.toThrow();
  });
});
