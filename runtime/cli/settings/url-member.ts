import { isSecretRef, type SecretReader } from './secret-reader.ts';
import { ServeFailure } from './serve-failure.ts';

/** A member of the gateway file that is the URL of a database. */
export interface UrlMember {
  /** `cache.url` */
  readonly name: string;
  readonly what: string;
  readonly protocols: readonly string[];
}

/** The protocol is checked again, because a reference may have any value. The URL may contain a password, so it is not shown. */
const checkedUrl = (url: string, from: string, { name, what, protocols }: UrlMember): string => {
  if (URL.canParse(url) && protocols.includes(new URL(url).protocol)) return url;
  const begins = protocols.map((protocol) => `${protocol}//`).join(' or ');
  throw new ServeFailure(
    `The value of "${name}" in the gateway file (${from}) is not the URL of ${what}: it must begin with ${begins}.`,
  );
};

/** Returns the URL that a member is or refers to. Throws a `ServeFailure` if it cannot be used. */
export const toUrl = (given: string, read: SecretReader, member: UrlMember): string => {
  if (!isSecretRef(given)) return checkedUrl(given, 'as written', member);
  const value = read(given);
  if (value !== undefined) return checkedUrl(value, given, member);
  throw new ServeFailure(
    `"${member.name}" in the gateway file refers to ${given}, which is not set. Set it, or remove "url".`,
  );
};
