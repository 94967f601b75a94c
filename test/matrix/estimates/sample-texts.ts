/** A text of one kind, long enough that its ends do not matter. */
export interface SampleText {
  readonly kind: string;
  readonly text: string;
}

const lines = (...texts: readonly string[]): string => texts.join('\n');

const code = lines(
  'export const mergeIntervals = (intervals: readonly Interval[]): readonly Interval[] => {',
  '  const sorted = intervals.toSorted((one, other) => one.from - other.from);',
  '  const merged: Interval[] = [];',
  '  for (const { from, to } of sorted) {',
  '    const last = merged.at(-1);',
  '    if (last !== undefined && from <= last.to) merged[merged.length - 1] = { ...last, to: Math.max(last.to, to) };',
  '    else merged.push({ from, to });',
  '  }',
  '  return merged;',
  '};',
);

const schema = {
  name: 'get_weather',
  description: 'Returns the weather of a place for a number of days.',
  parameters: {
    type: 'object',
    required: ['place', 'days'],
    additionalProperties: false,
    properties: {
      place: { type: 'string', description: 'A city, with its country where the name is not unique.' },
      days: { type: 'integer', minimum: 1, maximum: 14 },
      units: { type: 'string', enum: ['celsius', 'fahrenheit'], default: 'celsius' },
    },
  },
};

const records = Array.from({ length: 12 }, (_, at) => ({
  id: `order-${1000 + at * 37}`,
  total: (at * 7919) / 100,
  shipped: at % 2 === 0,
}));

/** The prose is from the Universal Declaration of Human Rights, starting with its first article. */
export const sampleTexts: readonly SampleText[] = [
  {
    kind: 'English',
    text: 'All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood. Everyone has the right to life, liberty and security of person. No one shall be held in slavery or servitude; slavery and the slave trade shall be prohibited in all their forms.',
  },
  {
    kind: 'German',
    text: 'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen. Jeder hat das Recht auf Leben, Freiheit und Sicherheit der Person. Niemand darf in Sklaverei oder Leibeigenschaft gehalten werden.',
  },
  {
    kind: 'Russian',
    text: 'Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства. Каждый человек имеет право на жизнь, на свободу и на личную неприкосновенность.',
  },
  {
    kind: 'Chinese',
    text: '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。人人有权享有生命、自由和人身安全。任何人不得使为奴隶或奴役；一切形式的奴隶制度和奴隶买卖，均应予以禁止。',
  },
  {
    kind: 'Japanese',
    text: 'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。すべて人は、生命、自由及び身体の安全に対する権利を有する。',
  },
  { kind: 'code', text: code },
  { kind: 'schema of a tool', text: JSON.stringify(schema) },
  { kind: 'records in JSON', text: JSON.stringify(records) },
  { kind: 'numbers', text: Array.from({ length: 120 }, (_, at) => String(at * 7919)).join(', ') },
];
