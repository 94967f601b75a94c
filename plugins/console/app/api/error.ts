import { texts } from '../texts/shell.ts';

/** A problem in the body or the query of a request, as the control API lists it. */
export interface Problem {
  /** JSON pointer to the member; empty for the body itself. */
  readonly pointer: string;
  readonly message: string;
  readonly hint: string;
}

/** A refusal of the gateway, or no answer at all (`status` 0). `message` is a sentence with what to do. */
export class ApiError extends Error {
  readonly status: number;
  /** The code of the table of errors, as `AB01`; empty if the answer had none. */
  readonly code: string;
  readonly problems: readonly Problem[];

  constructor(
    message: string,
    {
      status,
      code = '',
      problems = [],
    }: { readonly status: number; readonly code?: string; readonly problems?: readonly Problem[] },
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.problems = problems;
  }

  /** The problem of a member, for the field that shows it. */
  at(pointer: string): Problem | undefined {
    return this.problems.find((problem) => problem.pointer === pointer);
  }
}

interface ErrorBody {
  readonly error?: {
    readonly message?: string;
    readonly code?: string | null;
    readonly errors?: readonly Partial<Problem>[];
  };
}

const fromJson = (text: string): ErrorBody => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
};

/** Reads the error of an answer; a body that is no error of the gateway gives a sentence with the status. */
export const toApiError = (status: number, body: string): ApiError => {
  const { error } = fromJson(body);
  const problems = (error?.errors ?? []).map(({ pointer = '', message = '', hint = '' }) => ({
    pointer,
    message,
    hint,
  }));
  return new ApiError(error?.message ?? texts.errors.status(status), {
    status,
    code: error?.code ?? '',
    problems,
  });
};

/** Any thrown value as an error that can be shown. */
export const asApiError = (thrown: unknown): ApiError =>
  thrown instanceof ApiError
    ? thrown
    : new ApiError(thrown instanceof Error ? thrown.message : texts.errors.unknown, { status: 0 });
