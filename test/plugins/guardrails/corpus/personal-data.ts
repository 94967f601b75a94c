import { birthday, iban, reversedDate, withLuhn, withSum } from './check-digits.ts';
import { alphanumeric, hex, lower, type Random, upper } from './random.ts';

/** A value of a kind, and how to name it. Without a name, the value is recognised by itself. */
export interface Sample {
  readonly kind: string;
  readonly value: string;
  readonly name?: string;
}

type Maker = (random: Random) => Sample;

const grouped = (text: string, sizes: readonly number[], gap: string): string => {
  let at = 0;
  return sizes
    .map((size) => {
      at += size;
      return text.slice(at - size, at);
    })
    .join(gap);
};

const names = ['anna.schmidt', 'j.doe', 'maria_rossi', 'pierre', 'li.wei88', 'o.nowak', 'sofía', 'k-jansen'] as const;
const domains = [
  'example.org',
  'mail.firma.de',
  'post.co.uk',
  'correo.es',
  'bücher.at',
  'acme.io',
  'uni-wien.ac.at',
] as const;

const email: Maker = (random) => ({
  kind: 'email',
  value: `${random.pick(names)}${random.pick(['', '+news', String(random.integer(100))])}@${random.pick(domains)}`,
});

const cardFronts: readonly { readonly front: string; readonly length: number; readonly sizes: readonly number[] }[] = [
  { front: '4', length: 16, sizes: [4, 4, 4, 4] },
  { front: '52', length: 16, sizes: [4, 4, 4, 4] },
  { front: '2221', length: 16, sizes: [4, 4, 4, 4] },
  { front: '37', length: 15, sizes: [4, 6, 5] },
  { front: '6011', length: 16, sizes: [4, 4, 4, 4] },
  { front: '3528', length: 16, sizes: [4, 4, 4, 4] },
  { front: '3600', length: 14, sizes: [4, 6, 4] },
  { front: '6212', length: 16, sizes: [4, 4, 4, 4] },
];

const card: Maker = (random) => {
  const { front, length, sizes } = random.pick(cardFronts);
  const number = withLuhn(front + random.digits(length - front.length - 1));
  return { kind: 'card', value: random.pick([number, grouped(number, sizes, ' '), grouped(number, sizes, '-')]) };
};

const account: Maker = (random) => {
  const value = random.pick([
    iban('DE', random.digits(18)),
    iban('FR', random.digits(23)),
    iban('GB', random.text(upper, 4) + random.digits(14)),
    iban('ES', random.digits(20)),
    iban('NL', random.text(upper, 4) + random.digits(10)),
    iban('IT', random.text(upper, 1) + random.digits(22)),
    iban('CH', random.digits(17)),
    iban('PL', random.digits(24)),
    iban('NO', random.digits(11)),
    iban('MT', random.text(upper, 4) + random.digits(5) + random.text(upper, 18)),
  ]);
  const groups = value.match(/.{1,4}/g) ?? [];
  return { kind: 'iban', value: random.pick([value, groups.join(' '), value.toLowerCase()]) };
};

const publicFirst = [31, 46, 62, 78, 85, 93, 109, 141, 188, 213] as const;

const ip: Maker = (random) => ({
  kind: 'ip',
  value: random.pick([
    `${random.pick(publicFirst)}.${40 + random.integer(200)}.${random.integer(256)}.${1 + random.integer(254)}`,
    `2a02:${random.text(hex, 4)}:${random.text(hex, 3)}::${1 + random.integer(9)}`,
    `2001:${random.pick(['4860', '0620', '16b8'])}:${random.text(hex, 4)}:8888:${random.text(hex, 4)}:1:2:${random.text(hex, 4)}`,
  ]),
});

const phone: Maker = (random) => {
  const d = (count: number): string => random.digits(count);
  const nonZero = String(2 + random.integer(8));
  return random.pick<Sample>([
    { kind: 'phone', value: `+49 30 ${nonZero}${d(6)}` },
    { kind: 'phone', value: `+4917${d(9)}` },
    { kind: 'phone', value: `+1 (${nonZero}${d(2)}) ${nonZero}${d(2)}-${d(4)}` },
    { kind: 'phone', value: `+1-${nonZero}${d(2)}-${nonZero}${d(2)}-${d(4)}` },
    { kind: 'phone', value: `+33 6 ${d(2)} ${d(2)} ${d(2)} ${d(2)}` },
    { kind: 'phone', value: `+44 20 7${d(3)} ${d(4)}` },
    { kind: 'phone', value: `+91 98${d(3)} ${d(5)}` },
    { kind: 'phone', value: `+55 (11) 9${d(4)}-${d(4)}` },
    { kind: 'phone', value: `(${nonZero}${d(2)}) ${nonZero}${d(2)}-${d(4)}` },
    { kind: 'phone', value: `030 ${nonZero}${d(6)}`, name: 'Telefon' },
    { kind: 'phone', value: `0171/${nonZero}${d(6)}`, name: 'Handynummer' },
    { kind: 'phone', value: `06 ${d(2)} ${d(2)} ${d(2)} ${d(2)}`, name: 'téléphone' },
    { kind: 'phone', value: `6${d(2)} ${d(3)} ${d(3)}`, name: 'móvil' },
    { kind: 'phone', value: `020 7${d(3)} ${d(4)}`, name: 'phone number' },
    { kind: 'phone', value: `${nonZero}${d(2)} ${nonZero}${d(2)} ${d(4)}`, name: 'cell' },
    { kind: 'phone', value: `03-${nonZero}${d(3)}-${d(4)}`, name: '電話番号' },
  ]);
};

const id = (value: string, name?: string): Sample => ({
  kind: 'national-id',
  value,
  ...(name === undefined ? {} : { name }),
});

const dniLetters = 'TRWAGMYFPDXBNJZSQVHLCKE';

const nationalId: Maker = (random) => {
  const d = (count: number): string => random.digits(count);
  const cpf = (): string => {
    const front = (): string => withSum(() => d(9), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 11);
    return withSum(front, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 11);
  };
  const ssn = `${1 + random.integer(6)}${d(1)}${1 + random.integer(9)}-${1 + random.integer(9)}${d(1)}-${1 + random.integer(9)}${d(3)}`;
  const number = d(8);
  const nhs = withSum(() => `4${d(8)}`, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 11);
  const nir = `1${d(2)}0${1 + random.integer(9)}75${d(6)}`;
  const bsn = withSum(() => `1${d(7)}`, [9, 8, 7, 6, 5, 4, 3, 2, -1], 11);
  const tfn = withSum(() => `1${d(7)}`, [1, 4, 3, 7, 5, 8, 6, 9, 10], 11);
  const ahv = withSum(() => `756${d(9)}`, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1], 10);
  const personnummer = withLuhn(birthday(random) + d(3));
  return random.pick<() => Sample>([
    () => id(ssn),
    () => id(ssn.replaceAll('-', ''), 'SSN'),
    () => id(`AB ${d(2)} ${d(2)} ${d(2)} C`),
    () => id(`JG${d(6)}D`),
    () => id(grouped(nhs, [3, 3, 4], ' '), 'NHS number'),
    () => id(`${nir}${String(97n - (BigInt(nir) % 97n)).padStart(2, '0')}`),
    () => id(`${number}${dniLetters.charAt(Number(number) % 23)}`),
    () => id(bsn, 'BSN'),
    () =>
      id(
        withSum(() => birthday(random) + d(4), [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1], 10),
        'PESEL',
      ),
    () => id(grouped(personnummer, [6, 4], '-')),
    () => id(grouped(ahv, [3, 4, 4, 2], '.')),
    () => id(withLuhn(`1${d(7)}`), 'social insurance number'),
    () => id(grouped(tfn, [3, 3, 3], ' '), 'TFN'),
    () => id(`${random.text(upper, 3)}P${random.text(upper, 1)}${d(4)}${random.text(upper, 1)}`),
    () => id(`${reversedDate(birthday(random))}-${d(4)}`, 'CPR'),
    () => {
      const all = cpf();
      return id(`${grouped(all.slice(0, 9), [3, 3, 3], '.')}-${all.slice(9)}`);
    },
    () => id(cpf(), 'CPF'),
  ])();
};

/** Makers of every kind. */
export const personalData: readonly Maker[] = [email, card, account, ip, phone, nationalId];

/** Returns the number with another last digit, which no check digit allows. */
const misspelt = (number: string): string => `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`;

/** Values that look like personal data but are not. */
export const nearMisses: readonly ((random: Random) => string)[] = [
  (random) => misspelt(withLuhn(`4${random.digits(14)}`)),
  (random) => grouped(misspelt(withLuhn(`52${random.digits(13)}`)), [4, 4, 4, 4], ' '),
  (random) => misspelt(iban('DE', random.digits(18))),
  (random) => grouped(misspelt(withLuhn(birthday(random) + random.digits(3))), [6, 4], '-'),
  (random) => `666-${random.digits(2)}-${random.digits(4)}`,
  (random) => `order ${random.digits(8)}`,
  (random) => `invoice no. ${random.digits(6)}-${random.digits(3)}`,
  (random) => `ISBN 978-3-${random.digits(5)}-${random.digits(3)}-${random.digits(1)}`,
  (random) => `EAN 4${random.digits(12)}`,
  (random) => `version ${random.integer(20)}.${random.integer(50)}.${random.integer(200)}.${random.integer(300)}`,
  (random) => `v${random.integer(20)}.${random.integer(50)}.${random.integer(99)}`,
  (random) => `${random.text(hex, 40)}`,
  (random) => `${random.text(hex, 64)}`,
  (random) => [8, 4, 4, 4, 12].map((count) => random.text(hex, count)).join('-'),
  (random) =>
    `20${random.digits(2)}-0${1 + random.integer(9)}-1${random.digits(1)}T1${random.digits(1)}:4${random.digits(1)}:00Z`,
  (random) => `${1 + random.integer(28)}.0${1 + random.integer(9)}.20${random.digits(2)}`,
  (random) => `$${random.digits(3)},${random.digits(3)}.${random.digits(2)}`,
  (random) => `localhost:${1024 + random.integer(60000)}`,
  (random) => `127.0.0.1:${1024 + random.integer(60000)}`,
  (random) => `192.168.${random.integer(256)}.${random.integer(256)}`,
  (random) => Array.from({ length: 6 }, () => random.text(hex, 2)).join(':'),
  (random) => `17${random.digits(8)}`,
  (random) => `17${random.digits(11)}`,
  (random) => `0.${random.digits(16)}`,
  (random) => `user@host${random.integer(10)}`,
  (random) => `pkg@${random.integer(20)}.${random.integer(9)}.${random.integer(9)}`,
  (random) => `icon@2x.png`.replace('icon', random.text(lower, 5)),
  (random) => `${random.integer(12)}:${10 + random.integer(49)}:${10 + random.integer(49)}`,
  (random) =>
    `RFC ${random.digits(4)}, section ${random.integer(9)}.${random.integer(9)}.${random.integer(9)}.${random.integer(9)}`,
  (random) => `sk_${random.text(alphanumeric, 6)}`,
  (random) => `${random.digits(5)} units, ${random.digits(3)} pallets`,
  (random) => `+${random.digits(2)} %`,
  (random) => `ticket #${random.digits(9)}`,
  (random) => `tracking 1Z${random.digits(9)}`,
];
