import { request } from 'undici';

/**
 * Returns a `fetch` that sends requests to another origin but keeps their path and host name, for libraries without an option
 * for the base URL. Signatures cover the host name, which `fetch` does not let callers set.
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
