const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decoded = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hexadecimal, decimal, name) => {
    if (name !== undefined) return named[name] ?? whole;
    return String.fromCodePoint(hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16));
  });

/** The texts of all elements of a name in what S3 answers, which have no attributes and nothing but a text. */
export const xmlValues = (xml: string, name: string): readonly string[] =>
  Array.from(xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g')), ([, text = '']) => decoded(text));

export const xmlValue = (xml: string, name: string): string | undefined => xmlValues(xml, name)[0];

/** A text as an element has it. */
export const toXml = (text: string): string =>
  text.replace(/[&<>]/g, (each) => ({ '&': '&amp;', '<': '&lt;' })[each] ?? '&gt;');
