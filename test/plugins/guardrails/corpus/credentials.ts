import type { Sample } from './personal-data.ts';
import { alphanumeric, hex, lower, type Random, upper } from './random.ts';

type Maker = (random: Random) => Sample;

const base64 = `${alphanumeric}+/`;
const url64 = `${alphanumeric}-_`;
const digits = '0123456789';

/** Builds a key in a vendor's documented form from pieces, so that no text of this repository looks like a key. */
const toKey = (random: Random): string => {
  const t = (alphabet: string, count: number): string => random.text(alphabet, count);
  return random.pick<() => string>([
    () => `AK${'IA'}${t('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}`,
    () => `AI${'za'}${t(alphanumeric, 35)}`,
    () => `sk-${'proj'}-${t(url64, 74)}T3Blbk${'FJ'}${t(alphanumeric, 74)}`,
    () => `sk-${t(alphanumeric, 20)}T3Blbk${'FJ'}${t(alphanumeric, 20)}`,
    () => `sk-${'ant'}-api03-${t(alphanumeric, 93)}AA`,
    () => `gh${random.pick(['p', 'o', 'u', 's', 'r'])}_${t(alphanumeric, 36)}`,
    () => `github_${'pat'}_${t(alphanumeric, 22)}_${t(alphanumeric, 59)}`,
    () => `gl${'pat'}-${t(alphanumeric, 20)}`,
    () => `xo${'xb'}-${t(digits, 12)}-${t(digits, 12)}-${t(alphanumeric, 24)}`,
    () => `${random.pick(['sk', 'rk'])}_${'live'}_${t(alphanumeric, 24)}`,
    () => `S${'K'}${t(hex, 32)}`,
    () => `S${'G'}.${t(alphanumeric, 22)}.${t(alphanumeric, 43)}`,
    () => `np${'m'}_${t(alphanumeric, 36)}`,
    () => `py${'pi'}-AgEIcHlwaS5vcmc${t(alphanumeric, 150)}`,
    () => `h${'f'}_${t(lower + upper, 34)}`,
    () => `${t('123456789', 1)}${t(digits, 9)}:${'AA'}${t(alphanumeric, 33)}`,
    () => `${t(alphanumeric, 3)}8Q~${t(alphanumeric, 34)}`,
    () => `AccountKey=${t(base64, 86)}==`,
    () => `gsk_${t(alphanumeric, 52)}`,
    () => `dop_v1_${t(hex, 64)}`,
    () => `shpat_${t(hex, 32)}`,
    () => `dapi${t(hex, 32)}`,
  ])();
};

const jwt: Maker = (random) => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = part({ alg: random.pick(['HS256', 'RS256', 'ES256']), typ: 'JWT' });
  return { kind: 'jwt', value: `${header}.${part({ sub: random.digits(9), name: 'A' })}.${random.text(url64, 43)}` };
};

const privateKey: Maker = (random) => {
  const name = random.pick(['', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ']);
  const lines = Array.from({ length: 2 + random.integer(25) }, () => random.text(base64, 64)).join('\n');
  return {
    kind: 'private-key',
    value: `-----BEGIN ${name}PRIVATE KEY-----\n${lines}\n-----END ${name}PRIVATE KEY-----`,
  };
};

const words = ['sonne', 'Tiger', 'winter', 'Blau', 'dragon', 'Maison', 'perro', 'cloud'] as const;

const password: Maker = (random) => {
  const chosen = `${random.pick(words)}${random.pick(['!', '#', '_', ''])}${random.digits(2 + random.integer(3))}`;
  const made = random
    .text(`${alphanumeric}!#%+`, 12 + random.integer(8))
    .replace(/^./, 'a')
    .replace(/.$/, '7');
  return {
    kind: 'password',
    value: random.pick([chosen, made]),
    name: random.pick([
      'password',
      'Passwort',
      'contraseña',
      'mot de passe',
      'DB_PASSWORD',
      'pwd',
      'wachtwoord',
      'hasło',
    ]),
  };
};

const named: Maker = (random) => ({
  kind: 'password',
  value: `${random.text(hex, 31)}7a`,
  name: random.pick(['api_key', 'API key', 'client_secret', 'access-token', 'secret_access_key', 'auth_token']),
});

const url: Maker = (random) => ({
  kind: 'url-credentials',
  value: `${random.pick(['admin', 'svc', 'anna'])}:${random.text(alphanumeric, 10)}`,
  name: random.pick([
    'postgres://{}@db.example.com:5432/app',
    'https://{}@git.example.org/x.git',
    'redis://{}@cache:6379/0',
  ]),
});

/** Makers of every kind. For credentials in a URL, the name is the URL. */
export const credentials: readonly Maker[] = [
  (random) => ({ kind: 'api-key', value: toKey(random) }),
  (random) => ({ kind: 'api-key', value: toKey(random) }),
  jwt,
  privateKey,
  password,
  named,
  url,
];

/** Values that look like a secret but are not one. */
export const noCredentials: readonly ((random: Random) => string)[] = [
  (random) => random.text(hex, 40),
  (random) => `sha256:${random.text(hex, 64)}`,
  (random) => `sha512-${random.text(base64, 86)}==`,
  (random) => [8, 4, 4, 4, 12].map((count) => random.text(hex, count)).join('-'),
  () => 'password: required',
  () => 'password=<your password>',
  () => 'PASSWORD=$' + '{DB_PASSWORD}',
  () => 'api_key = os.environ["API_KEY"]',
  () => 'const token = await getToken();',
  () => 'token: process.env.TOKEN',
  () => 'The password is stored as a hash.',
  () => 'Das Passwort ist abgelaufen.',
  () => 'max_tokens: 1024, token_type: bearer',
  () => 'https://user:password@example.com/',
  () => 'https://example.com:8080/path@2x',
  () => 'ssh://git@example.com:22/repo.git',
  () => '-----BEGIN CERTIFICATE-----',
  () => 'A file that begins with -----BEGIN PRIVATE KEY----- is one.',
  () => `AKIA${'IOSFODNN7'}EXAMPLE`,
  () =>
    'sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  (random) => `data:image/png;base64,${random.text(base64, 80)}`,
  (random) => `sk-${random.text(lower, 8)}-loader`,
  (random) => `ghp_${random.text(alphanumeric, 12)}`,
  (random) => `secret santa ${random.digits(4)}`,
  (random) => `v${random.integer(9)}.${random.integer(9)}.${random.integer(9)}`,
];
