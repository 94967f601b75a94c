import { type CheckHttp, defineGuardrail, fail, type Guardrail } from '../../sdk/guardrail/guardrail.ts';
import type { Cancellation } from '../../sdk/http/http.ts';
import { notEmpty } from '../shared/not-empty.ts';
import { notParameter } from '../shared/not-parameter.ts';
import { statementVerdict } from '../shared/statement-verdict.ts';
import { textExcerpt } from '../shared/text-excerpt.ts';
import { hostResolves, type Resolver } from './host-resolves.ts';
import { serviceUrlErrors } from './service-url.ts';
import { urlsInText } from './urls-in-text.ts';

/** The maximum number of URLs in one answer. */
const maxUrls = 20;
const timeoutMs = 3000;

/** Whether a status means that the page exists. A page that has moved does, and so does one that does not support the method. */
const exists = (status: number): boolean => (status >= 200 && status < 400) || status === 405 || status === 501;

const answers = async (url: string, http: CheckHttp, cancellation: Cancellation): Promise<boolean> => {
  try {
    const { status } = await http.send({ method: 'HEAD', url, timeoutMs, urlFromText: true, cancellation });
    return exists(status);
  } catch {
    return false;
  }
};

const resolves = async (url: string, resolver: Resolver, cancellation: Cancellation): Promise<boolean> => {
  const host = URL.parse(url)?.hostname;
  return host !== undefined && host !== '' && hostResolves(host, resolver, cancellation);
};

/** All URLs in the answer must exist: a HEAD request is sent to each, or only the host name is resolved. */
export const validUrls: Guardrail = defineGuardrail({
  id: 'default.validUrls',
  phases: ['output'],
  parameters: {
    type: 'object',
    properties: {
      onlyDNS: { type: 'boolean', default: false, description: 'Only check whether the host names have addresses.' },
      resolverURL: {
        type: 'string',
        format: 'uri',
        default: 'https://cloudflare-dns.com/dns-query',
        description: 'The resolver for addresses: DNS over HTTPS, in JSON.',
      },
      not: notParameter,
    },
  },
  faults: ({ resolverURL }) => serviceUrlErrors('resolverURL', resolverURL),
  // The requests are sent in parallel, and each has its own time-out.
  timeoutMs: ({ onlyDNS }) => timeoutMs * (onlyDNS ? 2 : 1) + 1000,
  create({ onlyDNS, resolverURL, not }, { http }) {
    const resolver = { http, url: resolverURL, timeoutMs };
    return async ({ text, cancellation }) => {
      const urls = urlsInText(notEmpty(text), maxUrls);
      if (urls.length > maxUrls)
        throw new Error(`The text has more than ${maxUrls} URLs, which are too many to check.`);
      if (urls.length === 0) return fail('The text has no URL.');
      const reachable = await Promise.all(
        urls.map((url) => (onlyDNS ? resolves(url, resolver, cancellation) : answers(url, http, cancellation))),
      );
      const broken = urls.filter((_url, index) => reachable[index] !== true);
      return statementVerdict({
        holds: broken.length === 0,
        not,
        words: ['All URLs in the text are valid', 'Some URLs in the text are not valid'],
        data: { urls: urls.length, invalidUrls: broken.map(textExcerpt) },
      });
    };
  },
});
