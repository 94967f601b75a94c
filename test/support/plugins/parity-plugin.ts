/**
 * The source of a plugin whose check `acme.act` does what its parameter `how` names, and reports every kind of error that a
 * check can report about its parameters.
 */
export const parityPlugin = `
let calls = 0;
const pass = (data = {}) => ({ pass: true, data });
const replaced = (spans, pattern, make) => spans.flatMap(({ text }, span) =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ span, from: index, to: index + found.length, with: make(found) })));
const acts = {
  deny: ({ text }, { word }) => ({ pass: !text.includes(word), data: { length: text.includes(word) } }),
  replace: ({ spans }, { word }) => ({ ...pass(), replace: replaced(spans, new RegExp(word, 'g'), () => '[word]') }),
  restore: ({ spans, tenant }, _parameters, { placeholder }) => {
    const restore = {};
    const replace = replaced(spans, /[0-9]+/g, (text) => {
      const name = placeholder(tenant, { kind: 'NUMBER', text });
      restore[name] = text;
      return name;
    });
    return { ...pass(), replace, restore };
  },
  body: ({ request }) => ({ ...pass(), body: { ...request.json, messages: [{ role: 'user', content: 'another question' }] } }),
  retry: ({ text }, { word }) => (text.includes(word)
    ? { pass: false, data: {}, retry: { say: 'Say it without ' + word + '.' } }
    : pass()),
  slow: ({ cancellation }) => new Promise((settle) => cancellation.onCancel(() => settle(pass()))),
  throw: () => { throw new RangeError('It is out of range.'); },
  unwritable: ({ spans }, { word }) => ({ pass: true, data: { n: 1n }, log: { seen: true }, replace: replaced(spans, new RegExp(word, 'g'), () => '-') }),
  nonsense: () => 'no verdict',
  misplaced: () => ({ ...pass(), replace: [{ span: 7, from: 0, to: 1, with: '' }] }),
  count: () => pass({ calls: (calls += 1) }),
  countOfTarget: ({ target }) => pass({ calls: (calls += 1), target }),
  given: ({ cancellation, ...input }, parameters, _services, withinMs) => pass({ input: Object.keys(input).sort(), parameters, withinMs, cancelled: cancellation.cancelled }),
  fetch: async ({ cancellation }, { url }, { http }) => {
    const { status, text, bytes } = await http.send({ method: 'GET', url, cancellation });
    return pass({ status, text, bytes: [...bytes] });
  },
};
const windows = ['deny', 'replace', 'given'];
const act = {
  id: 'acme.act',
  aliases: ['acme.perform'],
  parameters: {
    type: 'object',
    required: ['how'],
    properties: {
      how: { type: 'string' },
      word: { type: 'string', default: 'plutonium' },
      road: { type: 'string' },
      url: { type: 'string' },
    },
  },
  faults: ({ how }) => (how in acts || how === 'create' ? [] : ['There is no act "' + how + '".']),
  parts: ({ how, word }) => (windows.includes(how) ? { overlap: word.length - 1 } : undefined),
  rewrites: ({ how }) => ['replace', 'restore', 'body', 'unwritable', 'misplaced'].includes(how),
  retries: ({ how }) => how === 'retry',
  timeoutMs: ({ how }) => (how === 'slow' ? 40 : how === 'given' ? 12345 : undefined),
  create: (parameters, services) => {
    if (parameters.how === 'create') throw new Error('It cannot be created.');
    return (input, withinMs) => acts[parameters.how](input, parameters, services, withinMs);
  },
};
const ofAnswers = {
  id: 'acme.ofAnswers',
  phases: ['output'],
  parameters: { type: 'object' },
  create: () => () => pass(),
};
const unsure = {
  id: 'acme.unsure',
  parameters: { type: 'object' },
  retries: () => { throw new Error('It does not know whether it retries.'); },
  create: () => () => pass(),
};
export default { name: 'acme', api: 1, guardrails: [act, ofAnswers, unsure] };
`;
