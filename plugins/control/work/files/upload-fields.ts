import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import type { FileAbout } from './files.ts';

/** What files can be uploaded for. */
export const uploadPurposes = ['batch', 'fine-tune', 'assistants', 'vision', 'user_data', 'evals'] as const;

/** How long a file may be kept that says so, in seconds: an hour, and 30 days. */
const shortestSeconds = 3_600;
const longestSeconds = 2_592_000;

/** The fields of an upload but the file. */
export const fieldNames = ['purpose', 'expires_after[anchor]', 'expires_after[seconds]'] as const;
export type FieldName = (typeof fieldNames)[number];

const toPath = (name: string): readonly string[] => name.split(/[[\]]+/).filter((segment) => segment !== '');

/** A problem of a field. */
export const fieldProblem = (name: string, message: string, hint: string): InputProblem => ({
  pointer: toPointer(toPath(name)),
  message,
  hint,
});

const purposes = uploadPurposes.join(', ');

const validates: { readonly [Name in FieldName]: (value: string) => string | undefined } = {
  purpose: (value) => (uploadPurposes.some((each) => each === value) ? undefined : `one of ${purposes}`),
  'expires_after[anchor]': (value) => (value === 'created_at' ? undefined : 'created_at'),
  'expires_after[seconds]': (value) =>
    /^[0-9]{1,9}$/.test(value) && Number(value) >= shortestSeconds && Number(value) <= longestSeconds
      ? undefined
      : `a whole number of ${shortestSeconds} to ${longestSeconds}`,
};

/** What was sent of the fields. */
export type UploadFields = Map<FieldName, string>;

/** What is wrong with a field, beside those that have come before; it is noted if nothing is. */
export const takeField = (
  fields: UploadFields,
  { name: given, value }: { readonly name: string; readonly value: string },
  names: readonly FieldName[],
): InputProblem | undefined => {
  const shown = given.slice(0, 100);
  const name = names.find((each) => each === given);
  if (name === undefined)
    return fieldProblem(shown, `A file has no field "${shown}".`, `The fields are file, ${names.join(', ')}.`);
  if (fields.has(name)) return fieldProblem(name, `The field ${name} is there twice.`, 'Send it once.');
  const wanted = validates[name](value);
  if (wanted !== undefined) return fieldProblem(name, `The field ${name} must be ${wanted}.`, 'Correct it.');
  fields.set(name, value);
  return undefined;
};

/** What is missing when all fields have come. */
export const missingFields = (fields: UploadFields, hasFile: boolean): readonly InputProblem[] => {
  const missing: InputProblem[] = [];
  if (!hasFile)
    missing.push(fieldProblem('file', 'The file is missing.', 'Send it as the field file, with a file name.'));
  if (!fields.has('purpose'))
    missing.push(fieldProblem('purpose', 'The purpose is missing.', `Send one of ${purposes}.`));
  if (fields.has('expires_after[anchor]') !== fields.has('expires_after[seconds]'))
    missing.push(
      fieldProblem('expires_after', 'The expiry needs an anchor and seconds.', 'Send both, or none of them.'),
    );
  return missing;
};

/** What the fields, which are all there, say of their file. */
export const aboutFile = (fields: UploadFields, filename: string): FileAbout => {
  const seconds = fields.get('expires_after[seconds]');
  return {
    purpose: fields.get('purpose') ?? '',
    filename,
    ...(seconds === undefined ? {} : { keepMs: Number(seconds) * 1000 }),
  };
};
