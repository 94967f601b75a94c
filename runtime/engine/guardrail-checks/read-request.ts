import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { CheckedRequest } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { type CheckedText, requestText, toLines } from '../guardrail-verdicts/check-text.ts';

type ReadMembers = Omit<CheckedRequest, 'text' | 'earlierText'>;

/** A request whose texts are read only when a check accesses them. Few checks of answers do. */
export class ReadRequest implements CheckedRequest {
  readonly json: CheckedRequest['json'];
  readonly headers: CheckedRequest['headers'];
  readonly dialect: string;
  readonly operation: CheckedRequest['operation'];
  readonly #dialect: Dialect | undefined;
  /** Set once it has been read. Null if it cannot be read. */
  #found: CheckedText | null | undefined;

  constructor({ json, headers, dialect, operation }: ReadMembers, readDialect: Dialect | undefined) {
    this.json = json;
    this.headers = headers;
    this.dialect = dialect;
    this.operation = operation;
    this.#dialect = readDialect;
  }

  get text(): string | undefined {
    return this.#read()?.text;
  }

  get earlierText(): string | undefined {
    const earlier = this.#read()?.earlier?.() ?? [];
    return earlier.length === 0 ? undefined : toLines(earlier).text;
  }

  #read(): CheckedText | null {
    this.#found ??= (this.#dialect && requestText(this.json, this.#dialect)) ?? null;
    return this.#found;
  }
}
