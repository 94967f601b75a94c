import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPlugin, createTestExchange, neverCancelled, testPolicy } from 'gatewright/testing';
import plugin, { latencyRouter } from './plugin.js';

const leaf = (path) => ({ kind: 'leaf', path, hash: 'sha256:test', target: 0, stages: [], needs: {} });

/** A router with a clock, and a request to a target that takes a time. */
const router = () => {
  let ms = 0;
  const hooks = applyPlugin(latencyRouter(() => ms));
  const ask = async (path, { takes, status = 200 }) => {
    const exchange = createTestExchange({ path: '/chat/completions' });
    const refusal = await hooks.admit.promise(leaf(path), exchange);
    if (refusal !== undefined) return 'skipped';
    const scope = { attempt: 1, cancellation: neverCancelled };
    await hooks.providerRequest.promise({}, exchange, scope);
    ms += takes;
    await hooks.providerResponse.promise({ kind: 'answer', status }, exchange, scope);
    return 'sent';
  };
  const pass = (more) => {
    ms += more;
  };
  return { ask, pass };
};

test('a target that is much slower than another of its group is skipped', async () => {
  const { ask } = router();
  assert.equal(await ask('/targets/0', { takes: 900 }), 'sent');
  assert.equal(await ask('/targets/1', { takes: 100 }), 'sent');
  assert.equal(await ask('/targets/0', { takes: 900 }), 'skipped');
  assert.equal(await ask('/targets/1', { takes: 100 }), 'sent');
  assert.equal(await ask('/other/targets/0', { takes: 900 }), 'sent');
  assert.equal(await ask('/other/targets/0', { takes: 900 }), 'sent');
});

test('it is tried again after a while', async () => {
  const { ask, pass } = router();
  await ask('/targets/0', { takes: 900 });
  await ask('/targets/1', { takes: 100 });
  pass(10_001);
  assert.equal(await ask('/targets/0', { takes: 100 }), 'sent');
});

test('nobody is skipped in favour of a target that fails', async () => {
  const { ask } = router();
  await ask('/targets/0', { takes: 900 });
  await ask('/targets/1', { takes: 100 });
  await ask('/targets/1', { takes: 1, status: 500 });
  assert.equal(await ask('/targets/0', { takes: 900 }), 'sent');
});

test('it keeps the contract of policies', () => testPolicy(plugin, [{ requests: [{ verdict: 'admitted' }] }]));
