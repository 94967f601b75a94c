import type { UpstreamRequest } from '../../../../plugins/sdk/http/http.ts';
import { receiveBody } from '../../../../plugins/testkit/route/received-body.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../schema/json/loose.ts';
import { toPartnerCall } from '../../../guardrails-table/run-cell.ts';
import type { Situation } from '../../../guardrails-table/samples/sample.ts';
import { chatSpeaker } from '../../../guardrails-table/speakers/openai-speakers.ts';
import { toolWire } from '../../../guardrails-table/speakers/tool-wire.ts';
import { type RunningConfig, runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import type { PartnerAnswer } from '../../../support/partners/partner-stub.ts';
import type { ServiceCheck } from './service-checks.ts';

/** An answer that replaces a good answer of a service. */
export interface OddAnswer {
  readonly status?: number;
  readonly headers?: readonly string[];
  readonly text: string;
}

/** Changes an answer of a service. */
export type Oddly = (good: PartnerAnswer) => OddAnswer;

/** The outcome of a check. */
export interface Ending {
  readonly kind: 'pass' | 'fail' | 'error';
  /** The error's message. */
  readonly message: string;
  /** The result, as the client sees it. */
  readonly shown: string;
  /** What was forwarded to the destination of the checked text: the provider or the client. */
  readonly relayed: string;
}

/** A check in a gateway. */
export interface AskedCheck {
  /** The values of its parameters that only its service may see. */
  readonly secrets: readonly string[];
  ask(situation: Situation, oddly: Oddly): Promise<Ending>;
}

const neutral = 'Hello.';

const tools = toolWire(chatSpeaker.dialect);

const resultIn = (answer: JsonObject): JsonObject | undefined => {
  const results = isJsonObject(answer.hook_results) ? Object.values(answer.hook_results) : [];
  return toObjects(toObjects(results.flat())[0]?.checks)[0];
};

const toEnding = (answer: JsonObject, relayed: string): Ending => {
  const result = resultIn(answer);
  if (result === undefined) throw new Error(`The answer has no result of the check: ${JSON.stringify(answer)}`);
  const message = isJsonObject(result.error) ? (findText(result.error.message) ?? '') : '';
  const kind = isJsonObject(result.error) ? 'error' : result.verdict === true ? 'pass' : 'fail';
  return { kind, message, shown: JSON.stringify(result), relayed };
};

/** Returns the text of a request to the provider. */
const textOf = ({ body }: UpstreamRequest): string => (body.kind === 'bytes' ? Buffer.from(body.bytes).toString() : '');

/** Links a check that denies, also if it fails with an error. */
export const linkedCheck = (check: ServiceCheck, further: JsonObject = {}): AskedCheck => {
  const { id, phase, parameters, service } = check;
  let oddly: Oddly = ({ body }) => ({ text: JSON.stringify(body) });
  let said: { readonly text: string; readonly tool?: string | undefined } = { text: neutral };
  let relayed = '';
  const running: RunningConfig = runConfig(
    {
      ...chatSpeaker.target,
      [`${phase}_guardrails`]: [{ [id]: { ...parameters, ...further, failOnError: true }, deny: true }],
    },
    {
      trust: 'caller',
      upstream: (sent) => {
        if (sent.origin === chatSpeaker.origin) {
          relayed = textOf(sent);
          return stubAnswer(said.tool === undefined ? chatSpeaker.answer(said.text) : (tools?.called(said.tool) ?? {}));
        }
        if (!service.origins.includes(sent.origin))
          throw new Error(`The check asks ${sent.origin}, which is not its service.`);
        const good = service.answer(toPartnerCall(sent, running.clock.wall()));
        const { status = good.status, headers = [], text } = oddly(good);
        const named = Object.entries(good.headers ?? {}).flat();
        const typed = named.includes('content-type') ? [] : ['content-type', 'application/json'];
        return stubAnswer(text, { status, headers: [...headers, ...named, ...typed] });
      },
    },
  );
  return {
    secrets: running.secrets.filter((secret) => JSON.stringify(parameters).includes(secret)),
    async ask({ text, metadata = {}, headers = [], params: more = {}, tool }, wanted) {
      running.clock.advance(2000);
      oddly = wanted;
      said = phase === 'output' ? { text, tool } : { text: neutral };
      relayed = '';
      const offered = tool === undefined ? {} : tools?.offered(tool);
      const params = { ...chatSpeaker.request(phase === 'input' ? text : neutral, 'm'), ...offered, ...more };
      const exchange = sampleExchange(params, {
        facts: { metadata, params, url: { pathname: '/' } },
        secrets: running.secrets,
      });
      const handled = running.handle({ ...exchange, request: { ...exchange.request, headers } });
      const { body } = await running.clock.settle(handled);
      const answer = Buffer.from((await running.clock.settle(receiveBody(body))).bytes).toString();
      return toEnding(fromJson(answer), phase === 'output' ? answer : relayed);
    },
  };
};
