import { keyShapes } from './key-shapes.ts';
import { serviceKeyForm } from './without-service-keys.ts';

/** A form that only credentials have, and their issuer. */
interface CredentialForm {
  readonly whose: string;
  readonly form: RegExp;
}

/** Forms that are too short, or too common within a text, to search for. They are recognised only as a whole value. */
const wholeValues: readonly CredentialForm[] = [
  { whose: 'Gatewright', form: serviceKeyForm },
  { whose: 'OpenAI', form: /sk-(?:(?:proj|svcacct|admin|None)-[\w-]{20,250}|[A-Za-z0-9]{32,64})/ },
  { whose: 'Anthropic', form: /sk-ant-[\w-]{24,200}/ },
  { whose: 'Bifrost', form: /sk-bf-[\w-]{20,100}/ },
  { whose: 'Helicone', form: /[sp]k-helicone-[\w-]{20,100}/ },
  { whose: 'Langfuse', form: /sk-lf-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}/ },
  { whose: 'Nvidia', form: /nvapi-[\w-]{64}/ },
  { whose: 'Cerebras', form: /csk-[a-z0-9]{48}/ },
  { whose: 'Together', form: /tgp_v1_[\w-]{43}/ },
  { whose: 'Fireworks', form: /fw_[A-Za-z0-9]{22,24}/ },
  { whose: 'Jina', form: /jina_[A-Za-z0-9_-]{60}/ },
  { whose: 'Voyage', form: /pa-[\w-]{43}/ },
  { whose: 'Pinecone', form: /pcsk_[A-Za-z0-9]{4,10}_[A-Za-z0-9]{50,70}/ },
  { whose: 'an issuer of JSON web tokens', form: /eyJ[\w-]{8,1024}\.eyJ[\w-]{5,8192}\.[\w-]{8,1024}/ },
  { whose: 'a private key', form: /-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----[\w+/=\s\\:,-]{60,}/ },
];

const forms: readonly CredentialForm[] = [
  ...keyShapes.map(({ vendor, shape }) => ({ whose: vendor, form: shape })),
  ...wholeValues,
];

const wholes = forms.map(({ whose, form }) => ({ whose, whole: new RegExp(`^(?:${form.source})$`) }));

/** Matches any of the forms. Most values have none of them and are matched only once. */
const anyWhole = new RegExp(`^(?:${forms.map(({ form }) => form.source).join('|')})$`);

/** The length of the shortest credential of these forms. */
const shortest = 16;

/** Matches the scheme that may precede a credential in a header value. */
const scheme = /^(?:bearer|basic|token|key|apikey)[ \t]+/i;

/** Returns the issuer if the whole text has the form of a credential, optionally preceded by the scheme of a header. */
export const credentialForm = (text: string): string | undefined => {
  const value = text.trim().replace(scheme, '');
  if (value.length < shortest || !anyWhole.test(value)) return undefined;
  return wholes.find(({ whole }) => whole.test(value))?.whose;
};

/** Matches credentials of these forms in a text. */
export const credentialsIn: RegExp = new RegExp(
  `(?<![\\w-])(?:${forms.map(({ form }) => form.source).join('|')})(?![\\w-])`,
  'dg',
);

/** Stands for a credential in texts for people. */
export const hiddenCredential = '•••';

/** Returns a text for people, without the credentials in it. */
export const withoutCredentials = (text: string): string =>
  text.length < shortest ? text : text.replaceAll(credentialsIn, hiddenCredential);
