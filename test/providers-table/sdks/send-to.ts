import { request } from 'undici';

/**
 * Sends requests to another origin, at the paths and with the name of the host that they have: for libraries that know no base
 * URL. Signatures are of that name, which `fetch` does not let callers write.
 */
export const sendTo =
  (origin: string): typeof fetch =>
  async (input, init) => {
    const { host, pathname, search } = new URL(input instanceof Request ? input.url : input);
    const { statusCode, headers, body } = await request(origin + pathname + search, {
      method: 'POST',
      headers: { ...Object.fromEntries(new Headers(init?.headers)), host },
      body: typeof init?.body === 'string' ? init.body : null,
    });
    return new Response(await body.text(), {
      status: statusCode,
      headers: { 'content-type': String(headers['content-type']) },
    });
  };
