import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { calls, FakeLlm, INVOCATION_ID, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { LOG_LINES, type LogLine } from '../telemetry/log';
import { FunctionTool } from '../tool/function-tool';
import { LoggingPlugin } from './logging.plugin';

function anApp(plugin: LoggingPlugin, execute: () => unknown = () => 'pong') {
  const ping = new FunctionTool({ name: 'ping', description: 'Pings.', execute });
  const model = new FakeLlm([[calls({ id: 'c', name: 'ping', args: { n: 1 } })], [text('done')]]);
  return { rootAgent: new LlmAgent({ name: 'root', model, tools: [ping] }), plugins: [plugin] };
}

describe('LoggingPlugin', () => {
  it('tells each step of a run in a line', async () => {
    const lines: string[] = [];

    await runTurn(anApp(new LoggingPlugin('log', { log: (line) => lines.push(line) })), {
      said: 'Hello\nthere',
    });

    expect(lines.map((line) => /^\[log\] ([A-Z ]+?)(?: \||$)/.exec(line)?.[1])).toEqual([
      'USER MESSAGE RECEIVED',
      'INVOCATION STARTING',
      'AGENT STARTING',
      'LLM REQUEST',
      'LLM RESPONSE',
      'EVENT YIELDED',
      'TOOL STARTING',
      'TOOL COMPLETED',
      'EVENT YIELDED',
      'LLM REQUEST',
      'LLM RESPONSE',
      'EVENT YIELDED',
      'AGENT COMPLETED',
      'INVOCATION COMPLETED',
    ]);
    expect(lines[0]).toBe(
      "[log] USER MESSAGE RECEIVED | user: u | app: app | root agent: root | content: text 'Hello there'",
    );
    expect(lines[6]).toBe('[log] TOOL STARTING | agent: root | tool: ping | call: c | arguments: {"n":1}');
    expect(lines[7]).toContain('result: {"result":"pong"}');
  });

  it('tells errors too', async () => {
    const lines: string[] = [];
    const plugin = new LoggingPlugin(undefined, { log: (line) => lines.push(line) });
    const rootAgent = new LlmAgent({ name: 'root', model: new FakeLlm([new Error('Quota.')]) });

    await runTurn(anApp(plugin, () => Promise.reject(new Error('Broken.'))));
    await runTurn({ rootAgent, plugins: [plugin] });

    expect(lines).toEqual(
      expect.arrayContaining([
        '[logging_plugin] TOOL ERROR | agent: root | tool: ping | call: c | arguments: {"n":1} | error: Broken.',
        '[logging_plugin] LLM ERROR | agent: root | error: Quota.',
        '[logging_plugin] INVOCATION FAILED | error: Quota.',
      ]),
    );
  });

  it('publishes its lines on skein:log, with the ids of the run', async () => {
    const published: LogLine[] = [];
    const note = (line: unknown): void => void published.push(line as LogLine);
    subscribe(LOG_LINES, note);

    await runTurn(anApp(new LoggingPlugin()));
    unsubscribe(LOG_LINES, note);

    expect(published).toHaveLength(14);
    for (const { fields } of published) {
      expect(fields).toEqual({ plugin: 'logging_plugin', invocationId: INVOCATION_ID, sessionId: 's' });
    }
  });

  it('shortens what is long, and survives what has no JSON form', async () => {
    const lines: string[] = [];
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const app = anApp(new LoggingPlugin('log', { log: (line) => lines.push(line) }));

    await runTurn({
      ...app,
      rootAgent: new LlmAgent({
        name: 'root',
        model: new FakeLlm([[calls({ name: 'none' })], [text('x'.repeat(1_000))]]),
        onToolErrorCallback: () => circular,
      }),
    });

    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(600);
    expect(lines.find((line) => line.includes('TOOL COMPLETED'))).toMatch(/result: \(.*circular/i);
  });
});
