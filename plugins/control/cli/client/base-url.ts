import { unusable } from '../services/command-failure.ts';

/** What comes before the path of a control route: `http://127.0.0.1:8787/v1`. `from` says whose the text is. */
export const baseUrl = (text: string, from: string): string => {
  const hint = 'Write it as http://127.0.0.1:8787 or https://gateway.example.com.';
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw unusable(`${from} is not the URL of a gateway.`, hint);
  if (url.username !== '' || url.password !== '')
    throw unusable(`${from} has a user or a password in it, which a gateway does not ask for.`, hint);
  if (url.search !== '' || url.hash !== '') throw unusable(`${from} has more than a host and a path.`, hint);
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path.endsWith('/v1') ? path : `${path}/v1`}`;
};
