/**
 * The source of a third party's plugin, for a gateway in a separate process: `hide.numbers` removes runs of digits from
 * requests and restores them in answers, and `hide.slow` answers after a request to the given URL.
 */
export const hidingPlugin = `
const numbers = {
  id: 'hide.numbers',
  parameters: { type: 'object', properties: {} },
  rewrites: () => true,
  create: (_parameters, { placeholder }) => ({ spans, tenant }) => {
    const replace = [];
    const restore = {};
    spans.forEach(({ text }, span) => {
      for (const { 0: found, index } of text.matchAll(/[0-9]+/g)) {
        const name = placeholder(tenant, { kind: 'NUMBER', text: found });
        restore[name] = found;
        replace.push({ span, from: index, to: index + found.length, with: name });
      }
    });
    return { pass: true, data: { found: replace.length }, replace, restore };
  },
};
const slow = {
  id: 'hide.slow',
  parameters: {
    type: 'object',
    required: ['url', 'key'],
    properties: { url: { type: 'string' }, key: { type: 'string', format: 'secret' } },
  },
  create: ({ url, key }, { http }) => async ({ text, cancellation }) => {
    const { status } = await http.send({ url, headers: { 'x-key': key }, body: text, cancellation });
    return { pass: status === 200, data: {} };
  },
};
export default { name: 'hiding-plugin', api: 1, guardrails: [numbers, slow] };
`;
