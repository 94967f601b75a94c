/** A series of a family, with the values of its labels as written. */
export interface Sample {
  readonly name: string;
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

const types = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];
const sampleForm = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const labelForm = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/y;

const readLabels = (text: string, line: string): Sample['labels'] => {
  const labels: (readonly [string, string])[] = [];
  labelForm.lastIndex = 0;
  while (labelForm.lastIndex < text.length) {
    const [, name, value] = labelForm.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new Error(`The labels of this line cannot be read: ${line}`);
    labels.push([name, value]);
  }
  return labels;
};

const readSample = (line: string): Sample => {
  const [, name, labels = '', value = ''] = sampleForm.exec(line) ?? [];
  const number = value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value);
  if (name === undefined || (Number.isNaN(number) && !/^nan$/i.test(value)))
    throw new Error(`This is no sample: ${line}`);
  return { name, labels: readLabels(labels, line), value: number };
};

/** Returns the names that the samples of a family may have. */
const sampleNames = ({ name, type }: Pick<Family, 'name' | 'type'>): readonly string[] => {
  if (type === 'histogram') return [`${name}_bucket`, `${name}_sum`, `${name}_count`];
  return type === 'summary' ? [name, `${name}_sum`, `${name}_count`] : [name];
};

/**
 * Parses the Prometheus text format (https://prometheus.io/docs/instrumenting/exposition_formats/). Throws if a line is
 * malformed, or if a family occurs twice or in pieces.
 */
export const prometheusFamilies = (text: string): readonly Family[] => {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.');
  const families = new Map<string, Family & { readonly samples: Sample[] }>();
  const helps = new Map<string, string>();
  let current: (Family & { readonly samples: Sample[] }) | undefined;
  for (const line of text.split('\n')) {
    const [, kind, about = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      if (helps.has(about)) throw new Error(`The help of ${about} is there twice.`);
      helps.set(about, rest);
    } else if (kind === 'TYPE') {
      if (families.has(about) || !types.includes(rest)) throw new Error(`This type is wrong, or there twice: ${line}`);
      current = { name: about, help: helps.get(about) ?? '', type: rest, samples: [] };
      families.set(about, current);
    } else if (line !== '' && !line.startsWith('#')) {
      const sample = readSample(line);
      if (current === undefined || !sampleNames(current).includes(sample.name))
        throw new Error(`This sample is not of the family before it: ${line}`);
      current.samples.push(sample);
    }
  }
  return [...families.values()];
};
