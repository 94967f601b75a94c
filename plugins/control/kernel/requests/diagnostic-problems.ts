import type { Diagnostic } from '../../../../schema/errors/diagnostic.ts';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';

type PlaceOf = (pointer: JsonPointer) => JsonPointer;

/** Converts errors of the compiler to problems of a request. `readPlace` returns where in the body they are. */
export const diagnosticProblems = (diagnostics: readonly Diagnostic[], readPlace: PlaceOf): readonly InputProblem[] =>
  diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, pointer, message, hint = '' }) => ({ pointer: readPlace(pointer), message, hint, code }));

/** The schema of a diagnostic in a response. */
export const diagnosticSchema = {
  type: 'object',
  required: ['code', 'severity', 'pointer', 'message', 'hint'],
  properties: {
    code: { type: 'string', description: 'The code of the diagnostic.' },
    severity: { type: 'string', enum: ['error', 'warning'] },
    pointer: { type: 'string', description: 'Its place in the request body: a JSON pointer (RFC 6901).' },
    message: { type: 'string' },
    hint: { type: 'string', description: 'What to do.' },
  },
} as const;

/** The parts of a diagnostic that responses show. */
export type ShownDiagnostic = Pick<Diagnostic, 'code' | 'severity' | 'pointer' | 'message' | 'hint'>;

/** The member of responses to changes that contains warnings, if there are any. */
export const warningMembers: { readonly diagnostics: ParameterSchema } = {
  diagnostics: { type: 'array', items: diagnosticSchema, description: 'Warnings; absent if there are none.' },
};

/** Returns that member, or nothing if there are no warnings. */
export const shownWarnings = (warnings: readonly ShownDiagnostic[]): JsonObject =>
  warnings.length === 0 ? {} : { diagnostics: diagnosticViews(warnings, (pointer) => pointer) };

/** Returns diagnostics as responses show them. */
export const diagnosticViews = (diagnostics: readonly ShownDiagnostic[], readPlace: PlaceOf): readonly JsonObject[] =>
  diagnostics.map(({ code, severity, pointer, message, hint = '' }) => ({
    ...{ code, severity, pointer: readPlace(pointer), message, hint },
  }));
