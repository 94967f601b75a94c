/** Sentences that can contain any value. */
export const sentences: readonly string[] = [
  'Please note {} for the file.',
  'My details: {}. Thanks!',
  'Can you check whether {} is still current?',
  'They wrote "{}" on the form, and I copied it.',
  '{} is what I have on record',
  'Customer said:\n{}\nand hung up.',
  '{"value": "{}", "ok": true}',
  '| name | {} |',
  'Bitte tragen Sie {} in das Formular ein.',
  'Ich habe {} notiert, stimmt das?',
  'Veuillez utiliser {} pour le dossier.',
  'Por favor, anote {} en la ficha.',
  'Si prega di usare {} per la pratica.',
  'Gebruik {} voor het dossier, alstublieft.',
  'Proszę zapisać {} w aktach.',
  'Anote {} no cadastro, por favor.',
  'これを使ってください: {}。',
];

/** Returns sentences that name the value with a word of some language. */
export const naming = (word: string): readonly string[] => [
  `${word}: {}`,
  `My ${word} is {}.`,
  `${word} {} (please keep private)`,
  `Here is the ${word} you asked for: {}, thanks.`,
  `- ${word} = {}\n- status = open`,
];
