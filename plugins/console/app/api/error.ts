import { texts } from '../texts/shell.ts';

/** A problem in the body or the query of a request, as the control API lists it. */
export interface Problem {
  /** A JSON pointer to the member; empty for the body itself. */
  readonly pointer: string;
  readonly message: string;
  readonly hint: string;
}

/** An error response of the gateway, or no response at all (`status` 0). `message` is a sentence that says what to do. */
export class ApiError extends Error {
  readonly status: number;
  /** The code in the table of errors, such as `AB01`; empty if the response had none. */
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

  /** Returns the problem of a member, for the field that shows it. */
  at(pointer: string): Problem | undefined {
    return this.problems.find((problem) => problem.pointer === pointer);
  }
}

/** Whether the gateway has no such record, for instance because somebody else has deleted it. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 404 && error.code !== '';

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

/** Reads the error in a response. If the body is not an error of the gateway, the message is a sentence with the status. */
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

/** Converts any thrown value into an error that can be shown. */
export const asApiError = (thrown: unknown): ApiError =>
  thrown instanceof ApiError
    ? thrown
    : new ApiError(thrown instanceof Error ? thrown.message : texts.errors.unknown, { status: 0 });
