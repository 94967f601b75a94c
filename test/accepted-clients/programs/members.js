import Portkey from 'portkey-ai';

const messages = [{ role: 'user', content: 'Say this is a test' }];

const whole = async (portkey, options) => {
  const answer = await portkey.chat.completions.create({ messages, model: 'gpt-4' }, options);
  return [answer.choices[0].message.content, answer.getHeaders()];
};

const streamed = async (portkey) => {
  let text = '';
  const stream = await portkey.chat.completions.create({ messages, model: 'gpt-4', stream: true });
  for await (const chunk of stream) text += chunk.choices[0]?.delta?.content ?? '';
  return text;
};

const main = async () => {
  const saved = new Portkey({
    provider: '@SAVED',
    traceID: 'trace-of-the-client',
    metadata: { plan: 'gold', _user: 'ada' },
    debug: false,
    cacheNamespace: 'tests',
    cacheForceRefresh: true,
    requestTimeout: 5000,
    strictOpenAiCompliance: false,
    dangerouslyAllowBrowser: true,
  });
  const [text, headers] = await whole(saved);
  console.log('whole:', text);
  console.log('trace:', headers['trace-id']);
  console.log('streamed:', await streamed(saved));

  const config = {
    strategy: {
      mode: 'conditional',
      conditions: [{ query: { 'metadata.plan': { $eq: 'gold' } }, then: 'gold' }],
      default: 'other',
    },
    targets: [
      { name: 'other', virtualKey: 'VIRTUAL_KEY', overrideParams: { model: 'of-the-default' } },
      { name: 'gold', virtualKey: 'VIRTUAL_KEY', overrideParams: { model: 'of-the-gold-plan' } },
    ],
  };
  const routed = new Portkey({ config, metadata: { plan: 'gold' } });
  const [chosen, routing] = await whole(routed);
  console.log('config:', chosen);
  console.log('target:', routing['last-used-option-index']);
  console.log('config, streamed:', await streamed(routed));
  console.log('saved config:', await streamed(new Portkey({ config: 'pc-prod-1a2b' })));
  const [, traced] = await whole(new Portkey({ virtualKey: 'VIRTUAL_KEY' }), { traceID: 'trace-of-the-request' });
  console.log('request:', traced['trace-id']);
};

main();
