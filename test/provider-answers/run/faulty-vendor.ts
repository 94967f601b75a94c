import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import type { Pool } from '../../fuzz/mutate/json.ts';
import type { Random } from '../../fuzz/support/random.ts';
import type { ScriptedAnswer, TestUpstream, UpstreamCall } from '../../support/servers/upstream-server.ts';
import { countOf, withOne } from '../mutate/each-value.ts';
import { endless } from '../mutate/endless.ts';
import { unreadable, wrong } from '../mutate/odd-answer.ts';

/** The kinds of faults that answers can have for a while. */
export type Trouble = 'unreadable' | 'any' | 'endless' | 'each value';

/** The maximum number of requests that one case may send to a vendor. */
const maxRequests = 1_200;

/** Words that a member or text could be by mistake, such as ids that are paths, and invalid dates. */
const words = [
  ...[
    '..',
    '.',
    '../x',
    'a/b',
    'a\nb',
    'a\r\nx: y',
    '\0',
    ' ',
    '%2e%2e',
    'a?b#c',
    'x'.repeat(3000),
    'ä',
    '',
    'gw-file-1',
  ],
  ...['+275760-09-13T00:00:00.001Z', '2026-02-30', 'yesterday', '0000-00-00T00:00:00Z', '1e3', ' 12 ', '0x10', '-5'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'UNHEARD_OF', 'ended', 'completed', 'failed'],
  ...[
    'http://127.0.0.1:1/x',
    'file:///etc/passwd',
    'javascript:1',
    's3://jobs-bucket/../x',
    'gs://jobs-bucket/',
    's3://',
  ],
];

const maxDonors = 200;

/** A simulated vendor, some of whose answers are wrong. */
export class FaultyVendor {
  readonly #donors: Json[] = [{}];
  readonly #names = new Set<string>(words);
  readonly #upstreams: readonly TestUpstream[];
  #random: Random | undefined;
  #trouble: Trouble = 'any';
  #left = 0;
  #asked = 0;
  #given: string[] = [];

  constructor(upstreams: readonly TestUpstream[]) {
    this.#upstreams = upstreams;
    for (const each of upstreams) each.through((call) => this.#through(call));
  }

  /** Makes the given number of following answers wrong. */
  begin(random: Random, trouble: Trouble, count: number): void {
    this.#random = random;
    this.#trouble = trouble;
    this.#left = count;
  }

  /** Makes all answers right from now on. */
  end(): void {
    this.#left = 0;
  }

  /** Starts a case: no requests, and no wrong answers so far. */
  reset(): void {
    this.end();
    this.#asked = 0;
    this.#given = [];
  }

  /** The wrong answers, as readable text. */
  get given(): readonly string[] {
    return this.#given;
  }

  get isFlooded(): boolean {
    return this.#asked > maxRequests;
  }

  async close(): Promise<void> {
    for (const each of this.#upstreams) await each.close();
  }

  #through(call: UpstreamCall): UpstreamCall {
    this.#asked += 1;
    const answer = (given: ScriptedAnswer): void => call.answer(this.#changed(call, given));
    const changed: UpstreamCall = Object.create(call, {
      answer: { value: answer },
      json: {
        value: (value: unknown, options: Omit<ScriptedAnswer, 'body'> = {}) =>
          answer({ headers: { 'content-type': 'application/json' }, ...options, body: JSON.stringify(value) }),
      },
    });
    return changed;
  }

  #changed({ request }: UpstreamCall, answer: ScriptedAnswer): ScriptedAnswer {
    // Without this, a request that is repeated for ever would be answered for ever.
    if (this.isFlooded) return { status: 503 };
    this.#note(answer);
    const random = this.#random;
    if (random === undefined || this.#left === 0) return answer;
    this.#left -= 1;
    const [name, faulty] = this.#pick(answer, random);
    const text = `${faulty.status ?? 200} ${JSON.stringify(faulty.headers ?? {})} ${JSON.stringify(String(faulty.body ?? ''))}`;
    this.#given.push(`${request.method} ${request.path} ← ${name}: ${text.slice(0, 1500)}`);
    return faulty;
  }

  #pick(answer: ScriptedAnswer, random: Random): readonly [string, ScriptedAnswer] {
    if (this.#trouble === 'each value') return ['each value', withOne(answer, random.below(countOf(answer) + 1))];
    if (this.#trouble === 'endless') return ['endless', endless(answer, random)];
    const isWrong = this.#trouble === 'any' && !random.oneIn(3);
    const [name, fault] = random.pick(Object.entries(isWrong ? wrong : unreadable));
    const pool: Pool = { words: [...this.#names], donor: (each) => structuredClone(each.pick(this.#donors)) };
    return [name, fault(answer, random, pool)];
  }

  #note({ body = '' }: ScriptedAnswer): void {
    for (const line of body.toString().split('\n').slice(0, 3)) {
      const value = parseJson(line);
      if (!isJsonObject(value) || this.#donors.length >= maxDonors) continue;
      this.#donors.push(value);
      for (const name of Object.keys(value)) this.#names.add(name);
    }
  }
}
