import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPlugin, createTestExchange } from 'gatewright/testing';
import plugin from './plugin.js';

const hooks = applyPlugin(plugin, { patterns: ['(?i)project\\s+falcon'] });

const ask = (body) => hooks.request.promise(createTestExchange({ path: '/chat/completions', body }));

test('a request with a forbidden text is refused, wherever the text stands', async () => {
  for (const body of [
    { messages: [{ role: 'user', content: 'What is Project  Falcon?' }] },
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'project falcon' }] }] },
    { tools: [{ function: { description: 'Of project falcon' } }] },
  ])
    await assert.rejects(
      ask(body),
      ({ report }) => report.status === 446 && /keeps to itself/.test(report.message),
      JSON.stringify(body),
    );
});

test('other requests are passed on as they are', async () => {
  const body = { messages: [{ role: 'user', content: 'What is a falcon?' }] };
  assert.deepEqual((await ask(body)).json(), body);
});

test('a request without a body has nothing to refuse', async () => {
  const exchange = createTestExchange({ path: '/models' });
  assert.equal(await hooks.request.promise(exchange), exchange);
});
