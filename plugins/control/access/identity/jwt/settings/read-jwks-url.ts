import { isTrusted } from '../../../../../../schema/http/is-trusted.ts';
import type { Json } from '../../../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../../../schema/json/pointer.ts';
import type { SettingsReader } from './settings-reader.ts';

const hint = 'Give the "jwks_uri" of the identity provider; its document /.well-known/openid-configuration has it.';

const isListed = ({ hostname, port, protocol }: URL, trustedHosts: readonly string[]): boolean =>
  isTrusted(trustedHosts, {
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  });

/** The URL of a JWKS: https, or also http where the operator trusts the host. */
export const readJwksUrl = (
  reader: SettingsReader,
  { value, at, trustedHosts }: { value: Json | undefined; at: JsonPointer; trustedHosts: readonly string[] },
): string => {
  const text = reader.text(value, at, { hint, most: 2048 });
  if (text === '') return '';
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    reader.report(at, 'It is not a URL of the web.', hint);
  else if (url.username !== '' || url.password !== '')
    reader.report(at, 'The URL has a user name or a password in it.', 'Remove them: the keys of a JWKS are public.');
  else if (url.protocol === 'http:' && !isListed(url, trustedHosts))
    reader.report(
      at,
      'The URL must begin with https://.',
      'Use https, or have the operator list the host as a trusted host.',
    );
  return text;
};
