import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { TrailEvent } from '../../../../../schema/trail/trail.ts';
import { runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange, toTenant } from '../../../../support/in-process/sample-exchange.ts';
import { type StubHandler, stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const messages = [{ role: 'user', content: 'hi' }];

const target = (host: string, more: JsonObject = {}): JsonObject => ({
  provider: 'openai',
  api_key: '${env:KEY}',
  custom_host: `https://${host}.example`,
  ...more,
});

const divided = (by: readonly string[], ...targets: readonly JsonObject[]): JsonObject => ({
  strategy: { mode: 'fallback' },
  cb_config: { failure_threshold: 2, cooldown_interval: 30_000 },
  breaker: { by },
  targets,
});

interface Ask {
  readonly model?: string;
  readonly tenant?: string;
}

/** A config over an upstream whose first host returns the specified answer. */
const world = (config: JsonObject) => {
  let reply: Parameters<typeof stubAnswer>[1] & { readonly status: number } = { status: 200 };
  const upstream: StubHandler = ({ origin }) => stubAnswer({}, origin.includes('spare') ? { status: 200 } : reply);
  const { handle, clock } = runConfig(config, { upstream });
  const ask = async ({ model = 'm', tenant = 'tenant' }: Ask = {}): Promise<readonly TrailEvent[]> => {
    const exchange = sampleExchange({ model, messages }, { principal: { tenant: toTenant(tenant) } });
    await handle(exchange);
    return exchange.trail;
  };
  return {
    clock,
    ask,
    /** Sends one request. Returns the targets that were called, and the changes of circuits. */
    see: async (asked: Ask = {}) => {
      const trail = await ask(asked);
      return {
        called: trail.flatMap((event) => (event.kind === 'attempted' ? [event.path] : [])),
        changed: trail.flatMap((event) => (event.kind === 'circuitChanged' ? [[event.of, event.to]] : [])),
      };
    },
    answer: (status: number, headers: readonly string[] = []): void => {
      reply = { status, headers: ['content-type', 'application/json', ...headers] };
    },
  };
};

const [first, second] = ['/targets/0', '/targets/1'];

describe('circuits by error', () => {
  it('of a credential are shared by the targets that use it at one provider, but not by other tenants', async () => {
    const config = divided(
      ['error'],
      target('host', { override_params: { model: 'a' } }),
      target('host', { override_params: { model: 'b' } }),
      target('host', { api_key: '${env:OTHER}' }),
      target('spare'),
    );
    const { see, answer } = world(config);
    answer(401);
    // The first leaf counts one failure of the shared circuit, and the second leaf the other.
    expect((await see()).changed).toEqual([[{ kind: 'credential' }, 'open']]);
    expect((await see()).called).toEqual(['/targets/2', '/targets/3']);
    expect((await see({ tenant: 'other' })).called[0]).toBe(first);
  });

  it('of a credential are separate for another organisation or another host', async () => {
    const config = divided(
      ['error'],
      target('host', { llmv_organization: 'one' }),
      target('host', { llmv_organization: 'two' }),
      target('elsewhere'),
      target('spare'),
    );
    const { see, answer } = world(config);
    answer(403);
    await see();
    expect((await see()).changed.length).toBe(3);
  });

  it('of a model open only for that model', async () => {
    const { see, answer } = world(divided(['error'], target('host'), target('spare')));
    answer(404);
    await see({ model: 'gone' });
    expect((await see({ model: 'gone' })).changed).toEqual([[{ kind: 'model', model: 'gone' }, 'open']]);
    expect((await see({ model: 'gone' })).called).toEqual([second]);
    answer(200);
    expect((await see({ model: 'here' })).called).toEqual([first]);
  });

  it('of a limit open at the first 429, for as long as the provider specifies but at most five minutes', async () => {
    for (const [asked, openMs] of [
      [['retry-after', '7'], 7000],
      [['retry-after', '86400'], 300_000],
      [[], 30_000],
    ] as const) {
      const { see, answer, clock } = world(divided(['error'], target('host'), target('spare')));
      answer(429, asked);
      expect((await see()).changed).toEqual([[{ kind: 'limit' }, 'open']]);
      answer(200);
      clock.advance(openMs - 1);
      expect((await see()).called).toEqual([second]);
      clock.advance(1);
      expect(await see()).toEqual({
        called: [first],
        changed: [
          [{ kind: 'limit' }, 'half-open'],
          [{ kind: 'limit' }, 'closed'],
        ],
      });
    }
  });

  it('of a target count failures that are not refusals, up to the threshold', async () => {
    const { see, answer } = world(divided(['error'], target('host'), target('spare')));
    answer(429);
    await see();
    const other = world(divided(['error'], target('host'), target('spare')));
    other.answer(503);
    expect((await other.see()).changed).toEqual([]);
    expect((await other.see()).changed).toEqual([[{ kind: 'target' }, 'open']]);
  });

  it('are probed separately: a refused probe closes its own circuit and counts for another', async () => {
    const { see, answer, clock } = world(divided(['error'], target('host'), target('spare')));
    answer(503);
    await see();
    await see();
    clock.advance(30_000);
    answer(401);
    // The provider answers, so the circuit of the target closes. That of the credential has one failure.
    expect((await see()).changed).toEqual([
      [{ kind: 'target' }, 'half-open'],
      [{ kind: 'target' }, 'closed'],
    ]);
    expect((await see()).changed).toEqual([[{ kind: 'credential' }, 'open']]);
  });
});

describe('circuits by model', () => {
  it('open for the model that fails, while others continue', async () => {
    const { see, answer } = world(divided(['model'], target('host'), target('spare')));
    answer(503);
    await see({ model: 'a' });
    expect((await see({ model: 'a' })).changed).toEqual([[{ kind: 'target', model: 'a' }, 'open']]);
    expect((await see({ model: 'a' })).called).toEqual([second]);
    answer(200);
    expect((await see({ model: 'b' })).called).toEqual([first]);
  });

  it('are one circuit if the target sends its own model, whatever model is requested', async () => {
    const { see, answer } = world(
      divided(['model'], target('host', { override_params: { model: 'own' } }), target('spare')),
    );
    answer(503);
    await see({ model: 'a' });
    expect((await see({ model: 'b' })).changed).toEqual([[{ kind: 'target', model: 'own' }, 'open']]);
  });

  it('have a limit circuit for each model if they are also by error', async () => {
    const { see, answer } = world(divided(['model', 'error'], target('host'), target('spare')));
    answer(429);
    expect((await see({ model: 'a' })).changed).toEqual([[{ kind: 'limit', model: 'a' }, 'open']]);
    answer(200);
    expect((await see({ model: 'b' })).called).toEqual([first]);
    expect((await see({ model: 'a' })).called).toEqual([second]);
  });
});
