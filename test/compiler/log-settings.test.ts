import { expect, it } from 'vitest';
import { readGatewayFile } from '../../compiler/cli/files/read-gateway-file.ts';

const toSaid = (log: object): readonly string[] =>
  readGatewayFile(JSON.stringify({ log }), 'gateway.json').diagnostics.map(
    ({ pointer, message, hint }) => `${pointer} ${message} ${hint}`,
  );

it.each([
  [{ bodies: true, body_bytes: 1000, redact: ['/messages/*/content'], headers: ['User-Agent'], keep_days: 1 }, []],
  [{ bodies: 'all' }, [/^\/log\/bodies .*true or false/]],
  [{ body_bytes: 0 }, [/^\/log\/body_bytes .*1/]],
  [{ redact: ['messages'] }, [/^\/log\/redact\/0 .*JSON Pointer such as \/messages\/\*\/content/]],
  [{ headers: ['user agent'] }, [/^\/log\/headers\/0 .*the name of a header/]],
  [{ keep_days: 0 }, [/^\/log\/keep_days .*1/]],
  [{ keep_mb: 1 }, [/^\/log\/keep_mb .*8/]],
  [{ keep_day: 1 }, [/^\/log\/keep_day .*keep_days/]],
])('each mistake of the log settings %j has one message', (log, expected) => {
  const said = toSaid(log);
  expect(said).toHaveLength(expected.length);
  for (const [at, pattern] of expected.entries()) expect(said[at]).toMatch(pattern);
});

it('a log setting outside "log" gets a hint about where it belongs', () => {
  const { diagnostics } = readGatewayFile('{"keep_mb":10}', 'gateway.json');
  expect(diagnostics[0]?.hint).toContain('"log": { "keep_mb": … }');
});

it.each([
  [7, 0],
  [0, 1],
  ['7', 1],
])('the setting keep_days %j of the audit log has %i mistakes', (days, mistakes) => {
  const file = { store: { url: 'gateway.db', audit: { keep_days: days } } };
  const { diagnostics } = readGatewayFile(JSON.stringify(file), 'gateway.json');
  expect(diagnostics.map(({ pointer }) => pointer)).toEqual(Array(mistakes).fill('/store/audit/keep_days'));
});
