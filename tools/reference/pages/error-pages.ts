import { faultTexts, planeTexts, sharedCodes } from '../../../compiler/cli/explain/error-codes/explain-code.ts';
import { fixedHint, withoutPlaceholders } from '../../../compiler/cli/explain/error-codes/open-text.ts';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import { type ErrorCode, type ErrorReport, errorTable, forPeer } from '../../../schema/errors/errors.ts';
import { errorExplanations } from '../../../schema/errors/explanations/explanations.ts';
import { type ErrorArea, errorAreas, errorLink } from '../error-links.ts';
import { code, codes, described, fence, points, prose, type ReferencePage, table, toPage } from '../markdown.ts';

interface Row {
  readonly status: number;
  readonly type: string;
  readonly fault: keyof typeof faultTexts;
  readonly curable: boolean;
  readonly retryAfterS?: number;
  readonly text: string;
  readonly hint: string;
}

/** Returns the code that an error has in answers of the control plane, if it differs from its own. */
const sharedCode = (name: ErrorCode): readonly string[] =>
  [...sharedCodes].flatMap(([shared, errors]) => (errors.includes(name) ? [shared] : []));

const toEntry = (name: ErrorCode): string => {
  const { status, type, fault, curable, retryAfterS, hint, ...row }: Row = errorTable[name];
  const text = forPeer(row.text, 'provider');
  const { cause, remedy, plane } = errorExplanations[name];
  const isWritten = fixedHint(text).length > 0;
  return [
    `## ${code(name)}`,
    `${status} ${code(type)}. ${isWritten ? prose(withoutPlaceholders(text)) : 'The message depends on the case.'}`,
    points([
      `Cause: ${prose(described(cause, name))}`,
      `Remedy: ${prose(described(remedy, name))}`,
      ...fixedHint(hint).map((each) => `The message ends with: ${prose(each)}`),
      `${faultTexts[fault]}${curable ? ' Another target may serve the request: a fallback calls its next target.' : ''}`,
      `Where: ${planeTexts[plane]}`,
      ...sharedCode(name).map(
        (shared) =>
          `Responses of the control plane have the code [${code(shared)}](README.md#codes-of-the-control-plane), and the log has this one.`,
      ),
      ...(retryAfterS === undefined ? [] : [`The response has \`retry-after: ${retryAfterS}\`.`]),
    ]),
  ].join('\n\n');
};

const toAreaPage = ({ name, title, codes: inArea }: ErrorArea): ReferencePage =>
  toPage(`errors/${name}.md`, {
    title: `Errors: ${title}`,
    from: 'schema/errors',
    parts: [
      'Codes are stable; messages may change. `…` stands for what depends on the case. [All errors](README.md)',
      ...inArea.map(toEntry),
    ],
  });

const sharedRow = ([shared, errors]: readonly [string, readonly ErrorCode[]]): readonly string[] => [
  code(shared),
  [...new Set(errors.map((name) => String(errorTable[name].status)))].join(),
  errors.map((name) => errorLink(name, '')).join(', '),
];

const sample: ErrorReport = {
  code: 'missing-provider',
  status: 400,
  type: 'invalid_request_error',
  message: 'The request names no provider. Send x-gw-config, x-gw-virtual-key, or x-gw-provider with Authorization.',
};

/** Returns the forms of error bodies, each with its dialects. */
const forms = (): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, readonly string[]>();
  for (const { id, encodeError } of builtinDialects) {
    const body = JSON.stringify(encodeError(sample), undefined, 2);
    found.set(body, [...(found.get(body) ?? []), id]);
  }
  return found;
};

const index = (): ReferencePage =>
  toPage('errors/README.md', {
    title: 'Errors',
    from: 'schema/errors',
    parts: [
      "Every error that the gateway itself returns, on both planes. A provider's own errors are passed on unchanged, in the format of the client.",
      'A message says what is wrong and what to do. `gw explain --code CODE` prints the same text as this page, and the log has each request under the trace id of its response (`x-gw-trace-id`).',
      ...errorAreas.flatMap(({ title, codes: inArea }) => [
        `## ${title}`,
        table(
          ['code', 'status', 'who can correct it', 'says'],
          inArea.map((each) => {
            const { status, fault, text }: Row = errorTable[each];
            return [
              errorLink(each, ''),
              String(status),
              fault,
              prose(fixedHint(forPeer(text, 'provider'))[0] ?? 'Depends on the case.'),
            ];
          }),
        ),
      ]),
      '## The form of an error',
      "Errors of requests to models have the form that the client's library expects. Here is one example of each form, with the dialects that use it. The code is the same in all of them, if the form has a place for it.",
      ...[...forms()].flatMap(([body, ids]) => [`${codes(ids)}:`, fence('json', body)]),
      '## Codes of the control plane',
      "The control plane uses OpenAI's form, with one code for most errors of a status; the message says which error it is. `diagnostics` lists the diagnostics of a config, and `errors` the problems of a body, each with its place (`pointer`), `message` and `hint`.",
      table(['code', 'status', 'errors'], [...sharedCodes].map(sharedRow)),
    ],
  });

/** Creates a page for each area of errors, and their index. */
export const errorPages = (): readonly ReferencePage[] => [index(), ...errorAreas.map(toAreaPage)];
