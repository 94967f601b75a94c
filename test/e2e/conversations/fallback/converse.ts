import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Heard } from '../../../matrix/scenario.ts';
import type { Success } from '../../../matrix/upstreams/wire/answer-parts.ts';
import { judgeHeard } from '../judge.ts';
import { Proofs } from '../proofs.ts';
import { readService, type Service, type ServiceId } from '../services.ts';
import type { Stage } from '../stage.ts';
import type { Reply, Story } from '../story.ts';
import type { ClientAnswer, Tongue, TongueSession } from '../tongues/tongue.ts';
import { judgeBound } from './judge-bound.ts';
import { judgeDropped } from './judge-dropped.ts';
import { callsIn, sayAfter, tools, toText, toThought } from './lines.ts';

interface World {
  readonly stage: Stage;
  /** The origin of the gateway. */
  readonly origin: string;
}

/** One conversation. Each turn is served by the next of several services, and the last turn by the first service again. */
class Conversation {
  readonly #tongue: Tongue;
  readonly #order: readonly ServiceId[];
  readonly #world: World;
  readonly #story: Story;
  readonly #session: TongueSession;
  readonly #proofs = new Proofs();
  readonly #served: ServiceId[] = [];
  readonly #thinkers: ServiceId[] = [];
  readonly #faults: string[] = [];
  #down: readonly ServiceId[] = [];
  #isThinking = false;

  constructor(id: string, tongue: Tongue, { order, ...world }: World & { readonly order: readonly ServiceId[] }) {
    this.#tongue = tongue;
    this.#order = order;
    this.#world = world;
    this.#story = { id, system: 'You read files — carefully.', tools, says: [], replies: [] };
    this.#session = tongue.begin(this.#story);
    world.stage.open(id, {
      judge: (service, heard, body) => [
        ...judgeHeard(this.#story, heard, body),
        ...judgeBound(body, { service, tongue, proofs: this.#proofs }),
      ],
      answer: (service, heard) => (this.#down.includes(service.id) ? undefined : this.#answer(service, heard)),
    });
  }

  /** Runs the conversation and returns its errors. */
  async run(): Promise<readonly string[]> {
    const { length } = this.#order;
    let goesOn = true;
    for (let turn = 0; turn <= length && goesOn; turn += 1) {
      this.#down = turn === length ? [] : this.#order.slice(0, turn);
      goesOn = await this.#turn(turn, readService(this.#order[turn % length] ?? 'openai'));
    }
    return [...this.#world.stage.toFaults(this.#story.id), ...this.#faults];
  }

  /** OpenAI shows no reasoning in chat completions. Compatible services show it, but do not sign it. */
  #answer({ id, maker }: Service, heard: Heard): Success {
    const { id: story, replies } = this.#story;
    const turn = replies.length;
    const isOpenai = id === 'openai';
    const isSigned = !isOpenai || this.#tongue.dialect === 'responses';
    this.#isThinking = isOpenai ? this.#tongue.dialect !== 'chat' : heard.reasoning;
    this.#served.push(id);
    return {
      kind: 'answer',
      ...(this.#isThinking ? { reasoning: toThought(story, turn) } : {}),
      ...(this.#isThinking && isSigned ? { signature: this.#proofs.make(id, maker, story) } : {}),
      text: toText(story, turn),
      ...(turn === this.#order.length ? { finish: 'stop' } : { calls: callsIn(story, turn), finish: 'tool-calls' }),
      usage: { input: 20 + turn, output: 10 },
    };
  }

  async #turn(turn: number, service: Service): Promise<boolean> {
    const { id, says, replies } = this.#story;
    const before = { served: [...this.#served], thinkers: [...this.#thinkers] };
    const say = sayAfter(id, turn, replies.at(-1));
    says.push(say);
    const response = await this.#post(this.#session.ask(say));
    const body = (await response.json()) as JsonObject;
    if (response.status !== 200) {
      this.#faults.push(`Turn ${turn}: ${response.status} ${JSON.stringify(body)}`);
      return false;
    }
    const reply = this.#toReply(turn);
    this.#compare(`What ${service.id} answered in turn ${turn}`, this.#session.hear(body), this.#toClientAnswer(reply));
    this.#compare(`Who served turn ${turn}`, this.#served.at(-1), service.id);
    replies.push(reply);
    if (this.#isThinking) this.#thinkers.push(service.id);
    const dropped = response.headers.get('x-gw-dropped-params') ?? '';
    const errors = judgeDropped(dropped, { tongue: this.#tongue, service, ...before });
    this.#faults.push(...errors.map((error) => `Turn ${turn}, ${service.id}: ${error}`));
    return true;
  }

  #post(body: JsonObject): Promise<Response> {
    const { stage, origin } = this.#world;
    const config = {
      strategy: { mode: 'fallback', on_status_codes: [503, 529] },
      strict_llmv_compliance: this.#tongue.isStrict,
      targets: this.#order.map((id) => readService(id).config(stage.toBase(this.#story.id, id))),
    };
    const headers = { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) };
    return fetch(origin + this.#tongue.path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  #toReply(turn: number): Reply {
    const { id } = this.#story;
    return {
      reasoning: this.#isThinking && this.#tongue.showsThoughts ? toThought(id, turn) : '',
      text: toText(id, turn),
      calls: turn === this.#order.length ? [] : callsIn(id, turn),
    };
  }

  #toClientAnswer(reply: Reply): ClientAnswer {
    const { finishes } = this.#tongue;
    return { ...reply, finish: reply.calls.length === 0 ? finishes.stop : finishes.calls };
  }

  #compare(subject: string, got: unknown, expected: unknown): void {
    if (isDeepStrictEqual(got, expected)) return;
    this.#faults.push(`${subject}: ${JSON.stringify(got)} instead of ${JSON.stringify(expected)}`);
  }
}

/** Runs a conversation through the gateway and returns its errors. */
export const converse = (
  id: string,
  tongue: Tongue,
  options: World & { readonly order: readonly ServiceId[] },
): Promise<readonly string[]> => new Conversation(id, tongue, options).run();
