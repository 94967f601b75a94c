/**
 * The source of a third party's plugin, for a gateway in a separate process: a dialect whose paths contain the model and whose
 * clients send a key in a header or in the query, and a provider with that dialect that receives the credential in `x-own`.
 */
export const acmePlugin = `
const data = (value) => ({ data: JSON.stringify(value) });
const fault = ({ code, status }) => ({ fault: { code, status } });
const acme = {
  id: 'acme',
  operation: 'converse',
  routes: [
    { path: '/v2/talk' },
    { path: '/v1beta/things/{model}:make', stream: false },
    { path: '/v1beta/things/{model}:streamMake', stream: true },
  ],
  siblings: ['/v1beta/things/{model}:count'],
  clientCredentials: { headers: ['x-acme-key'], query: ['key'] },
  models: { path: '/v1beta/things', encode: (models) => ({ things: models.map(({ id }) => id) }) },
  classify: () => 'content',
  encodeError: fault,
  encodeStreamError: (report) => data(fault(report)),
  decodeError: (status, body) => ({ message: body }),
  encodeWireError: ({ message }) => ({ fault: { message } }),
  decodeStreamError: (frame) => ({ message: frame.data }),
  texts: ({ text }) => [{ at: '/text', kind: 'text', text }],
};
const provider = {
  id: 'acme-cloud',
  documentation: 'https://example.com/acme',
  baseUrl: 'https://acme.example',
  credential: 'required',
  speaks: { acme: '/v2/talk' },
  headers: ({ api_key }) => ['x-own', api_key],
};
export default { name: 'acme-plugin', api: 1, dialects: [acme], providers: [provider] };
`;
