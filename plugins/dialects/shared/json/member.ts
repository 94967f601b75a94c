import { gatewayError } from '../../../../schema/errors/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';

const pathTo = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/**
 * A member of a request with its path. Its readers check the type: a wrong type throws the `GatewayError` `invalid-request`,
 * which names the member. `null` counts as absent, as in the vendors' own services.
 */
export class Member {
  readonly dialect: string;
  readonly path: string;
  readonly value: Json | undefined;
  /** The value around this member, if it should be an object but is not. */
  readonly #notObject: Member | undefined;

  constructor(dialect: string, path: string, value: Json | undefined, notObject?: Member) {
    this.dialect = dialect;
    this.path = path;
    this.value = value;
    this.#notObject = notObject;
  }

  get absent(): boolean {
    return this.value === undefined || this.value === null;
  }

  at(key: string): Member {
    const path = pathTo(this.path, key);
    if (isJsonObject(this.value)) return new Member(this.dialect, path, lookUp(this.value, key));
    return new Member(this.dialect, path, undefined, this.absent ? this.#notObject : this);
  }

  /** Returns this member. Throws if it is missing, because a misspelt name would otherwise read as an empty value. */
  required(): Member {
    return this.value === undefined ? this.fail('is missing') : this;
  }

  text(): string {
    return typeof this.value === 'string' ? this.value : this.fail('must be a string');
  }

  maybeText(): string | undefined {
    return this.absent ? undefined : this.text();
  }

  maybeNumber(): number | undefined {
    if (this.absent) return undefined;
    // JSON can contain numbers that JavaScript cannot represent. They are infinite after parsing.
    return typeof this.value === 'number' && Number.isFinite(this.value) ? this.value : this.fail('must be a number');
  }

  /** Returns a number that differs from the default. The default itself counts as absent. */
  numberUnless(usual: number): number | undefined {
    const value = this.maybeNumber();
    return value === usual ? undefined : value;
  }

  maybeBoolean(): boolean | undefined {
    if (this.absent) return undefined;
    return typeof this.value === 'boolean' ? this.value : this.fail('must be true or false');
  }

  object(): JsonObject {
    return isJsonObject(this.value) ? this.value : this.fail('must be an object');
  }

  maybeObject(): JsonObject | undefined {
    return this.absent ? undefined : this.object();
  }

  items(): readonly Member[] {
    if (!Array.isArray(this.value)) return this.fail('must be a list');
    return this.value.map((item: Json, index) => new Member(this.dialect, `${this.path}[${index}]`, item));
  }

  /** Returns the items of a list, or none if it is absent. */
  maybeItems(): readonly Member[] {
    return this.absent ? [] : this.items();
  }

  /** Throws the error. If this member is looked up in something other than an object, the error names that. */
  fail(reason: string): never {
    if (this.#notObject !== undefined) return this.#notObject.fail('must be an object');
    throw gatewayError('invalid-request', { dialect: this.dialect, reason: `${this.path} ${reason}.` });
  }
}
