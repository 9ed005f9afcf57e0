import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LlmRequest, type LlmResponse } from '@skein/engine';
import { aRequest, collect, saying } from '@skein/testing';
import { configureModels } from '../registry/configure-models';
import { ScriptedLlm } from './scripted-llm.model';

const text = (value: string): LlmResponse => ({ content: { role: 'model', parts: [{ text: value }] } });
const partial = (value: string): LlmResponse => ({ ...text(value), partial: true });

async function answers(llm: ScriptedLlm, request: LlmRequest, stream = false, signal?: AbortSignal) {
  return collect(llm.generateContentAsync(request, stream, signal));
}

describe('ScriptedLlm with responses', () => {
  it('answers by the ordinal of the request, whoever asked before', async () => {
    const llm = new ScriptedLlm({ responses: [text('one'), text('two')] });

    expect(await answers(llm, aRequest({ ordinal: 1 }))).toEqual([text('two')]);
    expect(await answers(llm, aRequest({ ordinal: 0 }))).toEqual([text('one')]);
  });

  it('says SCRIPT_EXHAUSTED when it runs out', async () => {
    const llm = new ScriptedLlm({ responses: [text('one')], name: 'short' });

    expect(await answers(llm, aRequest({ ordinal: 1 }))).toEqual([
      { errorCode: 'SCRIPT_EXHAUSTED', errorMessage: expect.stringContaining('"short" has 1 responses') },
    ]);
  });

  it('gives errors as they are written', async () => {
    const refusal = { errorCode: 'SAFETY', errorMessage: 'No.' };

    expect(await answers(new ScriptedLlm({ responses: [refusal] }), aRequest())).toEqual([refusal]);
  });

  it('streams chunks as partial ones, the last one complete', async () => {
    const llm = new ScriptedLlm({ responses: [[text('a'), text('b'), text('ab')]] });

    expect(await answers(llm, aRequest(), true)).toEqual([partial('a'), partial('b'), text('ab')]);
  });

  it('gives only the complete one of chunks when nobody streams', async () => {
    const llm = new ScriptedLlm({ responses: [[text('a'), text('ab')]] });

    expect(await answers(llm, aRequest(), false)).toEqual([text('ab')]);
  });

  it('waits before a delayed response, and stops waiting when aborted', async () => {
    const llm = new ScriptedLlm({ responses: [{ delayMs: 60_000, response: text('late') }] });
    const controller = new AbortController();

    const asked = answers(llm, aRequest(), false, controller.signal);
    controller.abort();

    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('gives a delayed response after its time', async () => {
    const llm = new ScriptedLlm({ responses: [{ delayMs: 1, response: [text('a'), text('ab')] }] });

    expect(await answers(llm, aRequest(), true)).toEqual([partial('a'), text('ab')]);
  });
});

describe('ScriptedLlm with rules', () => {
  it('answers by the first rule that matches what the user said last', async () => {
    const llm = new ScriptedLlm({
      rules: [
        { when: /^call me (\w+)/g, respond: ([, name]) => `Hi ${name ?? ''}.` },
        { when: /^/, respond: () => 'What?' },
      ],
    });

    expect(await answers(llm, saying('call me Ada'))).toEqual([text('Hi Ada.')]);
    expect(await answers(llm, saying('call me Bob'))).toEqual([text('Hi Bob.')]);
    expect(await answers(llm, saying('hm'))).toEqual([text('What?')]);
  });

  it('shows rules the responses of tools as name and JSON', async () => {
    const llm = new ScriptedLlm({
      rules: [{ when: /^add: (.*)\nsub: (.*)$/, respond: ([, sum, rest]) => `${sum ?? ''} ${rest ?? ''}` }],
    });
    const parts = [
      { functionResponse: { name: 'add', response: { result: 3 } } },
      { functionResponse: { name: 'sub', response: { result: 1 } } },
    ];

    const given = await answers(llm, aRequest({ contents: [{ role: 'user', parts }] }));

    expect(given).toEqual([text('{"result":3} {"result":1}')]);
  });

  it('streams a text word by word, then the whole of it', async () => {
    const llm = new ScriptedLlm({ rules: [{ when: /^/, respond: () => 'one  two\nthree ' }] });

    const given = await answers(llm, saying('go'), true);

    expect(given).toEqual([partial('one'), partial('  two'), partial('\nthree '), text('one  two\nthree ')]);
  });

  it('says SCRIPT_EXHAUSTED when no rule matches', async () => {
    const llm = new ScriptedLlm({ rules: [{ when: /never/, respond: () => '' }] });

    expect(await answers(llm, saying('hi'))).toMatchObject([{ errorCode: 'SCRIPT_EXHAUSTED' }]);
  });
});

describe('SCRIPTED_LLM_LOG', () => {
  it('gets one JSON line per request, with whose it was', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'skein-log-'));
    const scriptedLog = join(folder, 'requests.jsonl');
    const origin = { appName: 'a', sessionId: 's', invocationId: 'e-1', agentName: 'root' };
    configureModels({ scriptedLog });

    const llm = new ScriptedLlm({ responses: [text('one')] });
    await answers(llm, { ...saying('hi'), origin });
    await answers(llm, { ...saying('ho'), ordinal: 1, origin });
    configureModels({});

    const lines = readFileSync(scriptedLog, 'utf8').trim().split('\n');
    rmSync(folder, { recursive: true });
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      app: 'a',
      sessionId: 's',
      invocationId: 'e-1',
      agent: 'root',
      ordinal: 0,
      pid: process.pid,
      host: hostname(),
      request: { model: 'a-model', contents: [{ role: 'user', parts: [{ text: 'hi' }] }], config: {} },
    });
  });
});
